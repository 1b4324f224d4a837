import type { RequestedResolution } from '../core/model'
import type { HeldAssetName } from './asset-facts'
import { Calculations, type Calculation } from './calculations'
import type { IndexDefinition } from './index-definition'
import { amendmentOf, amendmentsBetween, isFailedDay, type Amendment } from './amendments'
import { decimalText } from './decimal-text'
import type { Share } from './exchanges'
import { Market } from './market'
import { historySpanMs, isWithin, latestTime, minutesBetween, timesBetween } from './schedule'

const minuteMs = 60_000
/** Exact values kept per index. */
const maxExact = 1_000

/** One published value with the protocol's field names (protocol, 2.4). */
export interface PublishedValue {
  /** Calculation time, milliseconds since the Unix epoch. */
  readonly time: number
  readonly value: string
  readonly amendTime?: number
  readonly repeatOfPreviousValue?: true
}

/** Values of a recording. Undefined for an index that was not recorded. */
export interface RecordedValues {
  /**
   * The latest value published by `timeMs`, in its revision at `nowMs`, by default at `timeMs`. Before the first value,
   * that one.
   */
  latest(id: string, timeMs: number, resolution: RequestedResolution, nowMs?: number): PublishedValue | undefined
  /** The values after `afterMs` until `untilMs` in their revisions at `nowMs`, ascending. */
  period(id: string, span: { afterMs: number; untilMs: number; nowMs: number }): PublishedValue[] | undefined
  /** Values published or amended after `afterMs`, up to and including `untilMs`, in that order. */
  between(id: string, afterMs: number, untilMs: number): PublishedValue[] | undefined
}

/**
 * All published values of every index at any moment. They are the market's values with amendments and days carried
 * forward. Exact values from tests and recorded values replace them, and only these are stored.
 */
export class Publications {
  readonly #seed: number
  readonly #recording: RecordedValues | undefined
  readonly #market: Market
  readonly #calculations: Calculations
  readonly #exact = new Map<string, Map<number, PublishedValue>>()

  constructor(seed: number, recording?: RecordedValues) {
    this.#seed = seed
    this.#recording = recording
    this.#market = new Market(seed)
    this.#calculations = new Calculations(this.#market, seed)
  }

  /** The most recent value at `nowMs`. */
  latest(index: IndexDefinition, nowMs: number, resolution: RequestedResolution): PublishedValue {
    const recorded = this.#recording?.latest(index.id, nowMs, resolution)
    if (recorded !== undefined) return recorded
    const times = [latestTime(index.schedule, nowMs, resolution), ...this.#exactTimes(index, resolution)]
    return this.#at(index, Math.max(...times), nowMs)
  }

  /** The values of the last hour, or year for a daily index, ascending (protocol, 4.2). */
  history(index: IndexDefinition, nowMs: number, resolution: RequestedResolution): PublishedValue[] {
    // A test may publish exact values for future times.
    const span = { afterMs: nowMs - historySpanMs(index.schedule), untilMs: Infinity, nowMs }
    return this.period(index, span, resolution)
  }

  /** The values after `afterMs` until `untilMs` in their revisions at `nowMs`, ascending. */
  period(
    index: IndexDefinition,
    { afterMs, untilMs, nowMs }: { afterMs: number; untilMs: number; nowMs: number },
    resolution: RequestedResolution,
  ): PublishedValue[] {
    const recorded = this.#recording?.period(index.id, { afterMs, untilMs: Math.min(untilMs, nowMs), nowMs })
    if (recorded !== undefined) return recorded.filter(({ time }) => isWithin(time, resolution))
    const times = timesBetween(index.schedule, afterMs, Math.min(untilMs, nowMs), resolution)
    const exact = this.#exactTimes(index, resolution).filter((time) => time > afterMs && time <= untilMs)
    const all = exact.length === 0 ? times : [...new Set([...times, ...exact])].sort((a, b) => a - b)
    return all.map((time) => this.#at(index, time, nowMs))
  }

  /** Like `history`, thinned to at most one value a minute, and over another span if given. */
  minutes(index: IndexDefinition, nowMs: number, spanMs = historySpanMs(index.schedule)): PublishedValue[] {
    const recorded = this.#recording?.period(index.id, { afterMs: nowMs - spanMs, untilMs: nowMs, nowMs })
    if (recorded !== undefined) return 'dailyIn' in index.schedule ? recorded : recorded.filter(isFirstOfMinute)
    return minutesBetween(index.schedule, nowMs - spanMs, nowMs).map((time) => this.#at(index, time, nowMs))
  }

  /** The most recent value at `timeMs`, in its revision at `nowMs`. */
  asOf(index: IndexDefinition, timeMs: number, nowMs: number): PublishedValue {
    const recorded = this.#recording?.latest(index.id, timeMs, 'PER_200MS', nowMs)
    return recorded ?? this.#at(index, latestTime(index.schedule, timeMs, 'PER_200MS'), nowMs)
  }

  /** The inputs of a published value (protocol, 2.5). A day carried forward has the previous day's prices. */
  calculation(index: IndexDefinition, { time, value, amendTime }: PublishedValue): Calculation {
    if (isFailedDay(this.#seed, index, time)) {
      return this.calculation(index, this.#previousDay(index, time))
    }
    const amendment = amendTime === undefined ? undefined : amendmentOf(this.#seed, index, time)
    const factor = amendment === undefined ? 1 : this.#factor(index, amendment)
    return this.#calculations.of(index, { timeMs: time, factor, value })
  }

  /** How the trade in an asset was divided among its exchanges at a time. */
  exchangeShares(asset: HeldAssetName, timeMs: number): Share[] {
    return this.#calculations.exchangeShares(asset, timeMs)
  }

  /** Values published or amended after `afterMs`, up to and including `untilMs`, in that order. */
  between(index: IndexDefinition, afterMs: number, untilMs: number, resolution: RequestedResolution): PublishedValue[] {
    const recorded = this.#recording?.between(index.id, afterMs, untilMs)
    if (recorded !== undefined) return recorded.filter(({ time }) => isWithin(time, resolution))
    // In the first revision, because an amendment within the same span is a message of its own.
    const fresh = timesBetween(index.schedule, afterMs, untilMs, resolution).map((time) => this.#at(index, time, time))
    const latestTimeMs = latestTime(index.schedule, untilMs, resolution)
    const amended = amendmentsBetween(this.#seed, index, { afterMs, untilMs, latestTimeMs })
    if (amended.length === 0) return fresh
    const amendments = amended.map(({ timeMs, amendTimeMs }) => this.#at(index, timeMs, amendTimeMs))
    return [...fresh, ...amendments].sort((a, b) => (a.amendTime ?? a.time) - (b.amendTime ?? b.time))
  }

  /** Replaces the market's value with an exact one. */
  putExact(index: IndexDefinition, published: PublishedValue): void {
    const ofIndex = this.#exact.get(index.id) ?? new Map<number, PublishedValue>()
    this.#exact.set(index.id, ofIndex.set(published.time, published))
    // A scenario may publish exact values for days, so the oldest is dropped.
    const [oldest] = ofIndex.keys()
    if (ofIndex.size > maxExact && oldest !== undefined) ofIndex.delete(oldest)
  }

  #exactTimes({ id }: IndexDefinition, resolution: RequestedResolution): number[] {
    return [...(this.#exact.get(id)?.keys() ?? [])].filter((time) => isWithin(time, resolution))
  }

  /** The value of a time, in its revision at `nowMs`. */
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

  /**
   * The price factor of an amendment. Changes the value by at least one unit of the last place, however small the
   * shift.
   */
  #factor({ underlying, decimals }: IndexDefinition, { timeMs, shift }: Amendment): number {
    const minShift = (1.5 * 10 ** -decimals) / this.#market.level(underlying, timeMs)
    return 1 + Math.sign(shift) * Math.max(Math.abs(shift), minShift)
  }

  /** The previous day's value in its revision when this day's calculation failed, amendments included. */
  #previousDay(index: IndexDefinition, time: number): PublishedValue {
    return this.#at(index, latestTime(index.schedule, time - 1, 'PER_SECOND'), time)
  }
}

function isFirstOfMinute({ time }: PublishedValue, at: number, all: readonly PublishedValue[]): boolean {
  return Math.floor(time / minuteMs) !== Math.floor((all[at - 1]?.time ?? -1) / minuteMs)
}
