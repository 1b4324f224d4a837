/** The last value of each minute of a real-time index, for drawing. Floats, because a day of texts would need much memory. */
const minuteMs = 60_000
const count = 1_440

export class MinuteValues {
  readonly #values = new Float64Array(count)
  /** Published times. A minute has the place of the same minute of any day. */
  readonly #timesMs = new Float64Array(count)

  add(publishedAtMs: number, value: number): void {
    const place = Math.floor(publishedAtMs / minuteMs) % count
    // An amendment has the time of the value that it replaces, and comes after it.
    if (publishedAtMs < (this.#timesMs[place] ?? 0)) return
    this.#timesMs[place] = publishedAtMs
    this.#values[place] = value
  }

  /** The last value of each step of `minutes`, from the step of `fromMs` to the step of `toMs`. At most a day. */
  inSteps(fromMs: number, toMs: number, minutes: number): (number | null)[] {
    const stepMs = minutes * minuteMs
    const firstStep = Math.floor(fromMs / stepMs)
    const steps = new Array<number | null>(Math.floor(toMs / stepMs) - firstStep + 1).fill(null)
    for (let minute = Math.floor(fromMs / minuteMs); minute * minuteMs <= toMs; minute++) {
      const [atMs, value] = [this.#timesMs[minute % count], this.#values[minute % count]]
      if (atMs === undefined || value === undefined || atMs < fromMs || Math.floor(atMs / minuteMs) !== minute) continue
      const step = Math.floor(atMs / stepMs) - firstStep
      if (step < steps.length) steps[step] = value
    }
    return steps
  }
}
