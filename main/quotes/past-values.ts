import { isHourlyOrSlower } from '../../core/cadence'
import { toChartNumber } from '../../core/decimal'
import type { RowFacts } from '../../protocol/desktop'
import type { ChangeReference, IndexId, Publication, Resolution } from '../../core/model'
import type { ChangeBase } from '../../core/preferences'
import type { Clock } from '../base/clock'
import { isFarFuture, compareVersions } from '../../core/publication'
import { fastReference, slowReference } from './change-reference'
import { DayHistory } from './day-history'

export type HistoryFacts = Pick<RowFacts, 'reference' | 'trend' | 'referenceAt' | 'range'>

interface Series {
  isSlow: boolean
  isHourly: boolean
  /** Publications of an index that publishes hourly or less often, ascending, at most `pointCount`. */
  points: Publication[]
  /** First value received in this run. */
  first?: Publication
  /** First value of the previous run. Used until this run receives one. */
  firstBefore?: Publication
}

const pointCount = 60
/** Steps of the trend of a real-time index, and the minutes in one: of a day, and of less where a day has few values. */
const trendLength = 80
const trendSteps = [18, 5, 1]
/** A trend with fewer values is drawn over less time, if it then has more. */
const enoughValues = 40
const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** The trend shows up to this much silence after the last value. */
const shownSilenceMs = hourMs
/** Resolution for the range of a day. A reference of 24 hours ago needs minutes. */
const partMs = 15 * minuteMs

interface Options {
  clock: Clock
  changeBase: () => ChangeBase
  /** Receives data that the next start cannot get from the values in the history. */
  keep?: (what: 'day' | 'session', id: IndexId, publications: readonly Publication[]) => void
}

/**
 * The short past of each index, and the value changes are measured from. Real-time indices have the last hour by
 * minutes and the last day. Others have the last sixty publications.
 */
export class PastValues {
  readonly #options: Options
  readonly #allSeries = new Map<IndexId, Series>()
  readonly #days = new Map<IndexId, DayHistory>()

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Adds past values from REST or the history, in any order. Values far in the future are left out, because they would
   * displace all others.
   */
  restore(id: IndexId, publications: readonly Publication[], resolution: Resolution): void {
    const series = this.#series(id, resolution)
    const past = this.#withoutFuture(publications)
    if (!series.isSlow) this.#day(id).restore(past)
    else for (const publication of past) insert(series.points, publication)
  }

  /** Takes what the previous run kept. */
  recall(
    id: IndexId,
    kept: { day: readonly Publication[]; first: Publication | undefined },
    resolution: Resolution,
  ): void {
    const series = this.#series(id, resolution)
    if (series.isSlow) return
    if (kept.first !== undefined) series.firstBefore = kept.first
    this.#day(id).restoreDay(this.#withoutFuture(kept.day))
  }

  /** Adds a value that the quote store accepted. It may be an amendment. */
  add(id: IndexId, publication: Publication, resolution: Resolution): void {
    const series = this.#series(id, resolution)
    if (series.isSlow) {
      insert(series.points, publication)
      return
    }
    this.#day(id).add(publication)
    const { first } = series
    const amendsFirst = first?.publishedAtMs === publication.publishedAtMs && compareVersions(publication, first) > 0
    if (first !== undefined && !amendsFirst) return
    series.first = publication
    this.#options.keep?.('session', id, [publication])
  }

  /** Takes the last 24 hours from REST, ascending. */
  restoreDay(id: IndexId, publications: readonly Publication[]): void {
    const day = this.#day(id)
    day.restoreDay(this.#withoutFuture(publications))
    if (day.isComplete) this.#options.keep?.('day', id, day.kept)
  }

  /** Resolution of the last 24 hours that a row needs. */
  get dayStepMs(): number {
    return this.#options.changeBase() === 'dayAgo' ? minuteMs : partMs
  }

  /** The short past of an index, ascending: its last day by parts, or its last publications. Undefined until known. */
  past(id: IndexId): readonly Publication[] | undefined {
    const series = this.#allSeries.get(id)
    if (series?.isSlow === true) return series.points
    const day = this.#days.get(id)
    return day?.isComplete === true ? day.points : undefined
  }

  facts(id: IndexId): HistoryFacts {
    const series = this.#allSeries.get(id)
    if (series === undefined) return {}
    const reference = this.#reference(id, series)
    const { trend, referenceAt = 0 } = series.isSlow
      ? { trend: series.points.map(({ value }) => toChartNumber(value)) }
      : this.#trend(id, series, reference)
    const range = series.isSlow ? undefined : this.#days.get(id)?.range(this.#latestMs(id, series))
    return {
      reference,
      ...(trend.filter((value) => value !== null).length > 1 && { trend, ...(referenceAt > 0 && { referenceAt }) }),
      range,
    }
  }

  forget(id: IndexId): void {
    this.#allSeries.delete(id)
    this.#days.delete(id)
  }

  #reference(id: IndexId, series: Series): ChangeReference | undefined {
    const base = this.#options.changeBase()
    const { isSlow, isHourly, points, first = series.firstBefore } = series
    if (isSlow) {
      return slowReference(base, points, { isHourly, nowMs: this.#options.clock.serviceMs() })
    }
    const day = this.#days.get(id)
    const past = { first, day: day?.points ?? [], isDayComplete: day?.isComplete ?? false }
    return fastReference(base, past, this.#latestMs(id, series))
  }

  #day(id: IndexId): DayHistory {
    const before = this.#days.get(id)
    if (before !== undefined && before.partMs <= this.dayStepMs) return before
    const day = new DayHistory(this.dayStepMs, before?.minutes)
    for (const publication of before?.kept ?? []) day.add(publication)
    this.#days.set(id, day)
    return day
  }

  #latestMs(id: IndexId, { points }: Series): number {
    return Math.max(points.at(-1)?.publishedAtMs ?? 0, this.#days.get(id)?.newestMs ?? 0)
  }

  /**
   * End of the trend: now, or the latest value if that is ahead of our clock. Silence is limited to `shownSilenceMs`.
   */
  #endMs(id: IndexId, series: Series): number {
    const latestMs = this.#latestMs(id, series)
    return Math.max(latestMs, Math.min(this.#options.clock.serviceMs(), latestMs + shownSilenceMs))
  }

  #withoutFuture(publications: readonly Publication[]): readonly Publication[] {
    const nowMs = this.#options.clock.serviceMs()
    return publications.filter((publication) => !isFarFuture(publication, nowMs))
  }

  #series(id: IndexId, resolution: Resolution): Series {
    const isSlow = isHourlyOrSlower(resolution)
    let series = this.#allSeries.get(id)
    // The resolution may become known late. Points of the other kind are useless then.
    if (series?.isSlow !== isSlow) {
      series = { isSlow, isHourly: resolution === 'PER_HOUR', points: [] }
      this.#allSeries.set(id, series)
    }
    return series
  }

  /** The last day, or as much of it as has enough values. Begins with a value. */
  #trend(
    id: IndexId,
    series: Series,
    reference: ChangeReference | undefined,
  ): { trend: (number | null)[]; referenceAt?: number } {
    const toMs = this.#endMs(id, series)
    const { minutes } = this.#day(id)
    let best: { steps: (number | null)[]; known: number; firstStep: number; stepMs: number } | undefined
    for (const step of trendSteps) {
      const stepMs = step * minuteMs
      const fromMs = toMs - trendLength * stepMs
      const drawn = minutes.inSteps(fromMs, toMs, step)
      if (best === undefined || drawn.known > best.known)
        best = { ...drawn, firstStep: Math.floor(fromMs / stepMs), stepMs }
      if (drawn.known >= enoughValues) break
    }
    if (best === undefined) return { trend: [] }
    const { steps, firstStep, stepMs } = best
    const start = Math.max(
      0,
      steps.findIndex((value) => value !== null),
    )
    const referenceAt = reference && Math.floor(reference.publishedAtMs / stepMs) - firstStep - start
    return { trend: steps.slice(start), ...(referenceAt !== undefined && { referenceAt }) }
  }
}

function insert(points: Publication[], publication: Publication): void {
  const { publishedAtMs } = publication
  let at = points.length
  while (at > 0 && (points[at - 1]?.publishedAtMs ?? 0) > publishedAtMs) at--
  const same = points[at - 1]
  if (same?.publishedAtMs === publishedAtMs) {
    if (compareVersions(publication, same) > 0) points[at - 1] = publication
    return
  }
  points.splice(at, 0, publication)
  if (points.length > pointCount) points.shift()
}
