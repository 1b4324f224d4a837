/** The last value of each minute of a real-time index, for drawing. Floats, because a day of texts would need much memory. */
const minuteMs = 60_000
/** A restored past has a value at least this often, unless nothing was published. */
const restoredStepMs = 15 * minuteMs

export class MinuteValues {
  /**
   * Published time and value of each minute, by hours. An hour has the place of the same hour of any day, and takes
   * memory when it has a value.
   */
  readonly #hours: (Float64Array | undefined)[] = []
  /** Up to this time the values are those of a restored past, which lacks most minutes. */
  restoredUntilMs = 0

  add(publishedAtMs: number, value: number): void {
    const minute = Math.floor(publishedAtMs / minuteMs)
    const hour = (this.#hours[hourOf(minute)] ??= new Float64Array(2 * 60))
    const place = 2 * (minute % 60)
    // An amendment has the time of the value that it replaces, and comes after it.
    if (publishedAtMs < (hour[place] ?? 0)) return
    hour[place] = publishedAtMs
    hour[place + 1] = value
  }

  /**
   * The last value of each step of `minutes`, from the step of `fromMs` to the step of `toMs`. At most a day. Steps
   * without a value are null, or lie on a line between their neighbours where only a restored past is known. `known`
   * counts the other steps. Empty if there are no values.
   */
  inSteps(fromMs: number, toMs: number, minutes: number): { steps: (number | null)[]; known: number } {
    if (this.#hours.length === 0) return { steps: [], known: 0 }
    const stepMs = minutes * minuteMs
    const firstStep = Math.floor(fromMs / stepMs)
    const steps = new Array<number | null>(Math.floor(toMs / stepMs) - firstStep + 1).fill(null)
    for (let minute = Math.floor(fromMs / minuteMs); minute * minuteMs <= toMs; minute++) {
      const hour = this.#hours[hourOf(minute)]
      const [atMs, value] = [hour?.[2 * (minute % 60)], hour?.[2 * (minute % 60) + 1]]
      if (atMs === undefined || value === undefined || atMs < fromMs || Math.floor(atMs / minuteMs) !== minute) continue
      const step = Math.floor(atMs / stepMs) - firstStep
      if (step < steps.length) steps[step] = value
    }
    const known = steps.filter((value) => value !== null).length
    const restored = Math.floor(this.restoredUntilMs / stepMs) - firstStep + 1
    joinSteps(steps, Math.min(restored, steps.length), Math.max(1, Math.ceil(restoredStepMs / stepMs)))
    return { steps, known }
  }
}

function hourOf(minute: number): number {
  return Math.floor(minute / 60) % 24
}

/** Fills nulls among the first `end` steps, between two values at most `maxSteps` apart. */
function joinSteps(steps: (number | null)[], end: number, maxSteps: number): void {
  let before: { at: number; value: number } | undefined
  for (let at = 0; at < end; at++) {
    const value = steps[at] ?? null
    if (value === null) continue
    if (before !== undefined && at - before.at <= maxSteps) {
      const slope = (value - before.value) / (at - before.at)
      for (let step = before.at + 1; step < at; step++) steps[step] = before.value + slope * (step - before.at)
    }
    before = { at, value }
  }
}
