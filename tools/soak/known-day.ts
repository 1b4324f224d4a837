import type { PublishedValue, RecordedValues } from '../../simulator/publications'

/** Of the alerts: reached from below once in each swing of an index. */
export const level = '1000'
/** Ten indices alert one after the other. */
const turns = 10
const fraction = 1e8

/**
 * A value each second of each index, for all times, that is known without being kept: half a swing below the level, half a
 * swing at or above it, and in the eight decimals the second itself, so that a value says when it was published.
 */
export class KnownDay implements RecordedValues {
  readonly #places: ReadonlyMap<string, number>
  readonly #seed: number
  readonly #swingSeconds: number

  constructor(ids: readonly string[], seed: number, swingSeconds: number) {
    this.#places = new Map(ids.map((id, place) => [id, place]))
    this.#seed = seed
    this.#swingSeconds = swingSeconds
  }

  /** The value of a second, as text of eight decimals; `undefined` for an index of others. */
  valueAt(id: string, second: number): string | undefined {
    const place = this.#places.get(id)
    if (place === undefined) return undefined
    const noise = Math.imul(second + place * 7_919 + this.#seed, 2_654_435_761) >>> 28
    const whole = this.#inSwing(place, second) < this.#swingSeconds / 2 ? 990 - noise : 1_000 + noise
    return `${whole}.${String(second % fraction).padStart(8, '0')}`
  }

  /** Whether the index reaches the level from below at this second. */
  isCrossing(id: string, second: number): boolean {
    const place = this.#places.get(id)
    return place !== undefined && this.#inSwing(place, second) === this.#swingSeconds / 2
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

  #inSwing(place: number, second: number): number {
    return (second + (place * this.#swingSeconds) / turns) % this.#swingSeconds
  }

  #published(id: string, second: number): PublishedValue | undefined {
    const value = this.valueAt(id, second)
    return value === undefined ? undefined : { time: second * 1_000, value }
  }
}
