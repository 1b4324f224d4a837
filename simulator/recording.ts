import type { RequestedResolution } from '../core/model'
import type { PublishedValue, RecordedValues } from './publications'
import { isWithin } from './schedule'

/** Why a recording cannot be played. The message is for the user. */
export class RecordingError extends Error {}

/** The revisions of one index, ascending by time, then by time of amendment, which is 0 for none. */
interface Rows {
  times: number[]
  amendTimes: number[]
  values: string[]
  repeats: Set<number>
  /** Positions of the amended revisions, by time of amendment. */
  amended: number[]
}

/** The values of a past day, from an export or a database of the app. */
export class Recording implements RecordedValues {
  readonly firstMs: number
  readonly lastMs: number
  readonly #rows: ReadonlyMap<string, Rows>

  constructor(rows: ReadonlyMap<string, Rows>) {
    this.#rows = rows
    const all = [...rows.values()]
    this.firstMs = Math.min(...all.map(({ times }) => times[0] ?? Infinity))
    this.lastMs = Math.max(...all.map(({ times }) => times.at(-1) ?? -Infinity))
  }

  get ids(): string[] {
    return [...this.#rows.keys()]
  }

  latest(id: string, timeMs: number, resolution: RequestedResolution, nowMs = timeMs): PublishedValue | undefined {
    const rows = this.#rows.get(id)
    if (rows === undefined) return undefined
    for (let at = firstAfter(rows.times, timeMs) - 1; at >= 0; at--) {
      const isKnown = (rows.amendTimes[at] ?? 0) <= nowMs
      if (isKnown && isWithin(rows.times[at] ?? 0, resolution)) return valueAt(rows, at)
    }
    return valueAt(rows, 0)
  }

  period(
    id: string,
    { afterMs, untilMs, nowMs }: { afterMs: number; untilMs: number; nowMs: number },
  ): PublishedValue[] | undefined {
    const rows = this.#rows.get(id)
    if (rows === undefined) return undefined
    const found: PublishedValue[] = []
    const end = firstAfter(rows.times, untilMs)
    for (let at = firstAfter(rows.times, afterMs); at < end; at++) {
      if ((rows.amendTimes[at] ?? 0) > nowMs) continue
      if (found.at(-1)?.time === rows.times[at]) found.pop()
      found.push(valueAt(rows, at))
    }
    return found
  }

  between(id: string, afterMs: number, untilMs: number): PublishedValue[] | undefined {
    const rows = this.#rows.get(id)
    if (rows === undefined) return undefined
    const found: PublishedValue[] = []
    const end = firstAfter(rows.times, untilMs)
    for (let at = firstAfter(rows.times, afterMs); at < end; at++) {
      if (rows.amendTimes[at] === 0) found.push(valueAt(rows, at))
    }
    const amendedAt = (place: number) => rows.amendTimes[rows.amended[place] ?? 0] ?? 0
    let place = firstWhere(rows.amended.length, (each) => amendedAt(each) > afterMs)
    for (; place < rows.amended.length && amendedAt(place) <= untilMs; place++) {
      found.push(valueAt(rows, rows.amended[place] ?? 0))
    }
    return found.sort((a, b) => (a.amendTime ?? a.time) - (b.amendTime ?? b.time))
  }
}

/** A recorded revision. */
export interface RecordedRow {
  readonly id: string
  readonly timeMs: number
  /** 0 if not amended. */
  readonly amendTimeMs: number
  readonly value: string
  readonly isRepeat: boolean
}

/** Collects the rows of a recording in any order. */
export class RecordingBuilder {
  readonly #rows = new Map<string, Rows>()

  add({ id, timeMs, amendTimeMs, value, isRepeat }: RecordedRow): void {
    const rows = this.#rows.get(id) ?? { times: [], amendTimes: [], values: [], repeats: new Set(), amended: [] }
    this.#rows.set(id, rows)
    if (isRepeat) rows.repeats.add(rows.times.length)
    rows.times.push(timeMs)
    rows.amendTimes.push(amendTimeMs)
    rows.values.push(value)
  }

  /** Undefined if there were no rows. */
  build(): Recording | undefined {
    if (this.#rows.size === 0) return undefined
    return new Recording(new Map([...this.#rows].map(([id, each]) => [id, ordered(each)])))
  }
}

/** Exports are already in order, so usually nothing is moved. */
function ordered({ times, amendTimes, values, repeats }: Rows): Rows {
  const compare = (a: number, b: number) =>
    (times[a] ?? 0) - (times[b] ?? 0) || (amendTimes[a] ?? 0) - (amendTimes[b] ?? 0)
  const isInOrder = times.every((_time, at) => at === 0 || compare(at - 1, at) <= 0)
  const order = isInOrder ? undefined : times.map((_time, at) => at).sort(compare)
  const moved = <T>(list: T[]) => order?.map((at) => list[at] as T) ?? list
  const sorted = moved(amendTimes)
  const amended = sorted.flatMap((amendTime, at) => (amendTime === 0 ? [] : [at]))
  return {
    times: moved(times),
    amendTimes: sorted,
    values: moved(values),
    repeats: order === undefined ? repeats : new Set(order.flatMap((from, at) => (repeats.has(from) ? [at] : []))),
    amended: amended.sort((a, b) => (sorted[a] ?? 0) - (sorted[b] ?? 0)),
  }
}

function valueAt({ times, amendTimes, values, repeats }: Rows, at: number): PublishedValue {
  const amendTime = amendTimes[at] ?? 0
  return {
    time: times[at] ?? 0,
    value: values[at] ?? '',
    ...(amendTime !== 0 && { amendTime }),
    ...(repeats.has(at) && ({ repeatOfPreviousValue: true } as const)),
  }
}

/** The position of the first time after this one. */
function firstAfter(times: readonly number[], timeMs: number): number {
  return firstWhere(times.length, (at) => (times[at] ?? Infinity) > timeMs)
}

/** The first position at which a condition holds. It must hold for all later ones. */
function firstWhere(count: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
