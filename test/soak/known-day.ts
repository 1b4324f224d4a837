import type { PublishedValue, RecordedValues } from '../../simulator/publications'

/** Of the alerts: reached from below in the middle of every minute of an index. */
export const level = '1000'
const halfMinute = 30
/** Each index is so many seconds ahead of the one before it, so that ten of them alert at ten times of a minute. */
const aheadSeconds = 6
const fraction = 1e8

/**
 * A value each second of each index, for all times, that is known without being kept: half a minute below the level, half a
 * minute at or above it, and in the eight decimals the second itself, so that a value says when it was published.
 */
export class KnownDay implements RecordedValues {
  readonly #places: ReadonlyMap<string, number>
  readonly #seed: number

  constructor(ids: readonly string[], seed: number) {
    this.#places = new Map(ids.map((id, place) => [id, place]))
    this.#seed = seed
  }

  /** The value of a second, as text of eight decimals; `undefined` for an index of others. */
  valueAt(id: string, second: number): string | undefined {
    const place = this.#places.get(id)
    if (place === undefined) return undefined
    const noise = Math.imul(second + place * 7_919 + this.#seed, 2_654_435_761) >>> 28
    const whole = (second + place * aheadSeconds) % (2 * halfMinute) < halfMinute ? 990 - noise : 1_000 + noise
    return `${whole}.${String(second % fraction).padStart(8, '0')}`
  }

  /** Whether the index reaches the level from below at this second. */
  isCrossing(id: string, second: number): boolean {
    const place = this.#places.get(id)
    return place !== undefined && (second + place * aheadSeconds) % (2 * halfMinute) === halfMinute
  }

  /** The second that a value was published in, of the `fraction` seconds before `beforeSecond`; `undefined` for one never published. */
  secondOf(id: string, value: string, beforeSecond: number): number | undefined {
    const [, digits = ''] = value.split('.')
    const second = beforeSecond - ((((beforeSecond - Number(digits)) % fraction) + fraction) % fraction)
    return this.valueAt(id, second) === value ? second : undefined
  }

  latest(id: string, timeMs: number): PublishedValue | undefined {
    return this.#published(id, Math.floor(timeMs / 1_000))
  }

  period(id: string, { afterMs, untilMs }: { afterMs: number; untilMs: number }): PublishedValue[] | undefined {
    return this.between(id, afterMs, untilMs)
  }

  between(id: string, afterMs: number, untilMs: number): PublishedValue[] | undefined {
    if (!this.#places.has(id)) return undefined
    const found: PublishedValue[] = []
    for (let second = Math.floor(afterMs / 1_000) + 1; second * 1_000 <= untilMs; second++) {
      const published = this.#published(id, second)
      if (published !== undefined) found.push(published)
    }
    return found
  }

  #published(id: string, second: number): PublishedValue | undefined {
    const value = this.valueAt(id, second)
    return value === undefined ? undefined : { time: second * 1_000, value }
  }
}
