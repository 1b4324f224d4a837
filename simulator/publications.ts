import type { RequestedResolution } from '../protocol/model'
import type { HeldAssetName } from './asset-facts'
import { Calculations, type Calculation } from './calculations'
import type { IndexDefinition } from './index-definition'
import { amendmentOf, amendmentsBetween, isFailedDay, type Amendment } from './corrections'
import { decimalText } from './decimal-text'
import type { Share } from './exchanges'
import { Market } from './market'
import { historySpanMs, isWithin, latestTime, minutesBetween, timesBetween } from './schedule'

/** Exact values kept per index. */
const mostExact = 1_000

/** One published value, in the spec's words (2.4). */
export interface PublishedValue {
  /** Calculation time, milliseconds since the Unix epoch. */
  readonly time: number
  readonly value: string
  readonly amendTime?: number
  readonly repeatOfPreviousValue?: true
}

/**
 * What every index has published, as of any moment: the market's values with amendments and carried-over days, under
 * the exact values that a test put in their place. Nothing but the latter is stored.
 */
export class Publications {
  readonly #seed: number
  readonly #market: Market
  readonly #calculations: Calculations
  readonly #exact = new Map<string, Map<number, PublishedValue>>()

  constructor(seed: number) {
    this.#seed = seed
    this.#market = new Market(seed)
    this.#calculations = new Calculations(this.#market, seed)
  }

  /** The most recent value at `nowMs`. */
  latest(index: IndexDefinition, nowMs: number, resolution: RequestedResolution): PublishedValue {
    const times = [latestTime(index.schedule, nowMs, resolution), ...this.#exactTimes(index, resolution)]
    return this.#at(index, Math.max(...times), nowMs)
  }

  /** The values of the last hour, or year for a daily index, ascending (wire facts 2.2). */
  history(index: IndexDefinition, nowMs: number, resolution: RequestedResolution): PublishedValue[] {
    const afterMs = nowMs - historySpanMs(index.schedule)
    const times = timesBetween(index.schedule, afterMs, nowMs, resolution)
    const exact = this.#exactTimes(index, resolution).filter((time) => time > afterMs)
    const all = exact.length === 0 ? times : [...new Set([...times, ...exact])].sort((a, b) => a - b)
    return all.map((time) => this.#at(index, time, nowMs))
  }

  /** As `history`, thinned to one value a minute where there are more, and over another span where one is given. */
  minutes(index: IndexDefinition, nowMs: number, spanMs = historySpanMs(index.schedule)): PublishedValue[] {
    return minutesBetween(index.schedule, nowMs - spanMs, nowMs).map((time) => this.#at(index, time, nowMs))
  }

  /** The value that was the most recent one at `timeMs`, as it stands at `nowMs`. */
  asOf(index: IndexDefinition, timeMs: number, nowMs: number): PublishedValue {
    return this.#at(index, latestTime(index.schedule, timeMs, 'PER_200MS'), nowMs)
  }

  /** What a published value rests on (spec 2.5). A carried-over day rests on the prices of the day before. */
  calculation(index: IndexDefinition, { time, value, amendTime }: PublishedValue): Calculation {
    if (isFailedDay(this.#seed, index, time)) {
      return this.calculation(index, this.#previousDay(index, time))
    }
    const amendment = amendTime === undefined ? undefined : amendmentOf(this.#seed, index, time)
    const factor = amendment === undefined ? 1 : this.#factor(index, amendment)
    return this.#calculations.of(index, { timeMs: time, factor, value })
  }

  /** How the trade in an asset was spread over its exchanges at a time. */
  exchangeShares(asset: HeldAssetName, timeMs: number): Share[] {
    return this.#calculations.exchangeShares(asset, timeMs)
  }

  /** What was published or amended after `afterMs` and until `untilMs`, in the order in which that happened. */
  between(index: IndexDefinition, afterMs: number, untilMs: number, resolution: RequestedResolution): PublishedValue[] {
    // As first published: an amendment within the same span comes as a message of its own.
    const fresh = timesBetween(index.schedule, afterMs, untilMs, resolution).map((time) => this.#at(index, time, time))
    const latestTimeMs = latestTime(index.schedule, untilMs, resolution)
    const amended = amendmentsBetween(this.#seed, index, { afterMs, untilMs, latestTimeMs })
    if (amended.length === 0) return fresh
    const again = amended.map(({ timeMs, amendTimeMs }) => this.#at(index, timeMs, amendTimeMs))
    return [...fresh, ...again].sort((a, b) => (a.amendTime ?? a.time) - (b.amendTime ?? b.time))
  }

  /** Puts an exact value in the place of the market's. */
  putExact(index: IndexDefinition, published: PublishedValue): void {
    const ofIndex = this.#exact.get(index.id) ?? new Map<number, PublishedValue>()
    this.#exact.set(index.id, ofIndex.set(published.time, published))
    // The oldest goes when a scenario has been putting them in for days.
    const [oldest] = ofIndex.keys()
    if (ofIndex.size > mostExact && oldest !== undefined) ofIndex.delete(oldest)
  }

  #exactTimes({ id }: IndexDefinition, resolution: RequestedResolution): number[] {
    return [...(this.#exact.get(id)?.keys() ?? [])].filter((time) => isWithin(time, resolution))
  }

  /** The value of a time as it stands at `nowMs`. */
  #at(index: IndexDefinition, time: number, nowMs: number): PublishedValue {
    const exact = this.#exact.get(index.id)?.get(time)
    if (exact !== undefined) return exact
    if (isFailedDay(this.#seed, index, time)) {
      return { time, value: this.#previousDay(index, time).value, repeatOfPreviousValue: true }
    }
    const amendment = amendmentOf(this.#seed, index, time)
    if (amendment === undefined || amendment.amendTimeMs > nowMs) return { time, value: this.#text(index, time, 1) }
    const value = this.#text(index, time, this.#factor(index, amendment))
    return { time, value, amendTime: amendment.amendTimeMs }
  }

  #text(index: IndexDefinition, timeMs: number, factor: number): string {
    return decimalText(this.#market.level(index.underlying, timeMs, factor), index)
  }

  /** Of an amendment: changes the value by at least one unit of the last place, however small the shift. */
  #factor({ underlying, decimals }: IndexDefinition, { timeMs, shift }: Amendment): number {
    const leastShift = (1.5 * 10 ** -decimals) / this.#market.level(underlying, timeMs)
    return 1 + Math.sign(shift) * Math.max(Math.abs(shift), leastShift)
  }

  /** What the day before stood at when this day's calculation failed, amendments included. */
  #previousDay(index: IndexDefinition, time: number): PublishedValue {
    return this.#at(index, latestTime(index.schedule, time - 1, 'PER_SECOND'), time)
  }
}
