import type { PublishedValue, RecordedValues } from '../../../simulator/publications'

/** The level of the alerts. Each index rises to it once in each swing. */
export const level = '1000'
/** Swings start at ten different times, so that the indices alert in turn. */
const turns = 10
const fraction = 1e8

/**
 * One value a second of each index for all times, calculated instead of stored. Half of each swing is below the level,
 * the other half at or above it. The eight decimals contain the second, so a value tells when it was published.
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

  /** The value of a second with eight decimals. Undefined for an unknown index. */
  valueAt(id: string, second: number): string | undefined {
    const place = this.#places.get(id)
    if (place === undefined) return undefined
    const noise = Math.imul(second + place * 7_919 + this.#seed, 2_654_435_761) >>> 28
    const whole = this.#inSwing(place, second) < this.#swingSeconds / 2 ? 990 - noise : 1_000 + noise
    return `${whole}.${String(second % fraction).padStart(8, '0')}`
  }

  /** Whether the index rises to the level at this second. */
  isCrossing(id: string, second: number): boolean {
    const place = this.#places.get(id)
    return place !== undefined && this.#inSwing(place, second) === this.#swingSeconds / 2
  }

  /**
   * The second in which a value was published, searched in the `fraction` seconds before `beforeSecond`. Undefined for
   * a value that was never published.
   */
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
