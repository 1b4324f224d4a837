import { isHourlyOrSlower, lastMidnight } from '../../protocol/cadence'
import { toChartNumber } from '../../protocol/decimal'
import type { RowFacts } from '../../protocol/desktop'
import type { ChangeReference, IndexId, Publication, Resolution } from '../../protocol/model'
import type { ChangeBase } from '../../protocol/preferences'
import type { Clock } from '../base/clock'
import { isFarFuture, compareVersions } from '../base/publication'
import { fastReference, slowReference } from './change-reference'
import { DayHistory } from './day-history'

export type HistoryFacts = Pick<RowFacts, 'reference' | 'trend' | 'range'>

/** The last publication of a minute, or each publication of an index that publishes hourly or less often. */
interface Point {
  key: number
  publication: Publication
}

interface Series {
  isSlow: boolean
  isHourly: boolean
  /** Ascending by key, at most `pointCount`. */
  points: Point[]
  /** First value received in this run. */
  first?: Publication
}

const pointCount = 60
const minuteMs = 60_000
const dayMs = 1_440 * minuteMs
/** What the trend and the range of a day need; what it was a day ago is looked up to the minute. */
export const partMs = 15 * minuteMs

/**
 * A short past of each index: the last hour by minutes and the last day where it publishes in real time, the last sixty
 * publications where it publishes hourly, daily or on business days; and the value that changes are counted from.
 */
export class History {
  readonly #clock: Clock
  readonly #changeBase: () => ChangeBase
  readonly #allSeries = new Map<IndexId, Series>()
  readonly #days = new Map<IndexId, DayHistory>()

  constructor(options: { clock: Clock; changeBase: () => ChangeBase }) {
    this.#clock = options.clock
    this.#changeBase = options.changeBase
  }

  /** Takes past values from REST, in any order; a time far ahead, which would push out all others, is passed over. */
  restore(id: IndexId, publications: readonly Publication[], resolution: Resolution): void {
    const series = this.#series(id, resolution)
    const nowMs = this.#clock.serviceMs()
    const past = publications.filter((publication) => !isFarFuture(publication, nowMs))
    for (const publication of past) insert(series, publication)
    if (!series.isSlow) for (const publication of past) this.#day(id).add(publication, nowMs)
  }

  /** Takes a value that the quote store has taken, also as an amendment. */
  add(id: IndexId, publication: Publication, resolution: Resolution): void {
    const series = this.#series(id, resolution)
    insert(series, publication)
    const { first } = series
    const amendsFirst = first?.publishedAtMs === publication.publishedAtMs && compareVersions(publication, first) > 0
    if (first === undefined || amendsFirst) series.first = publication
    if (!series.isSlow) this.#day(id).add(publication, this.#clock.serviceMs())
  }

  /** Takes the last 24 hours from REST, ascending. */
  restoreDay(id: IndexId, publications: readonly Publication[]): void {
    const nowMs = this.#clock.serviceMs()
    const past = publications.filter((publication) => !isFarFuture(publication, nowMs))
    this.#day(id).restore(past, nowMs)
  }

  /** The short past of an index, ascending, once it is known: its last day by parts, or its last publications. */
  past(id: IndexId): readonly Publication[] | undefined {
    const series = this.#allSeries.get(id)
    if (series?.isSlow === true) return series.points.map(({ publication }) => publication)
    const day = this.#days.get(id)
    return day?.isComplete === true ? day.points : undefined
  }

  facts(id: IndexId): HistoryFacts {
    const series = this.#allSeries.get(id)
    if (series === undefined) return {}
    const reference = this.#reference(id, series)
    const trend = series.isSlow ? series.points.map(toNumber) : this.#trendSince(id, series, reference)
    const range = series.isSlow ? undefined : this.#days.get(id)?.range(this.#clock.serviceMs())
    return {
      ...(reference !== undefined && { reference }),
      ...(trend.filter((value) => value !== null).length > 1 && { trend }),
      ...(range !== undefined && { range }),
    }
  }

  forget(id: IndexId): void {
    this.#allSeries.delete(id)
    this.#days.delete(id)
  }

  #reference(id: IndexId, { isSlow, isHourly, points, first }: Series): ChangeReference | undefined {
    const base = this.#changeBase()
    const nowMs = this.#clock.serviceMs()
    if (isSlow) {
      const publications = points.map(({ publication }) => publication)
      return slowReference(base, publications, { isHourly, nowMs })
    }
    const day = this.#days.get(id)
    // Until it was fetched by the minute.
    if (base === 'dayAgo' && day?.partMs !== minuteMs) return undefined
    return fastReference(base, { first, day: day?.points ?? [], isDayComplete: day?.isComplete ?? false }, nowMs)
  }

  #day(id: IndexId): DayHistory {
    const neededMs = this.#changeBase() === 'dayAgo' ? minuteMs : partMs
    let day = this.#days.get(id)
    if (day === undefined || day.partMs > neededMs) {
      day = new DayHistory(neededMs)
      this.#days.set(id, day)
    }
    return day
  }

  #series(id: IndexId, resolution: Resolution): Series {
    const isSlow = isHourlyOrSlower(resolution)
    let series = this.#allSeries.get(id)
    // Points of one kind say nothing in the other; the resolution may become known late.
    if (series?.isSlow !== isSlow) {
      series = { isSlow, isHourly: resolution === 'PER_HOUR', points: [] }
      this.#allSeries.set(id, series)
    }
    return series
  }

  /**
   * The values since the one that the change is counted from, at most a day, up to now, or up to the latest where that is
   * ahead of our clock: one a minute for an hour, else about sixty.
   */
  #trendSince(id: IndexId, { points }: Series, reference: ChangeReference | undefined): (number | null)[] {
    const toMs = Math.max(this.#clock.serviceMs(), points.at(-1)?.publication.publishedAtMs ?? 0)
    const fromMs = Math.max(reference?.publishedAtMs ?? this.#usualStartMs(toMs), toMs - dayMs)
    const isShort = toMs - fromMs < pointCount * minuteMs
    const stepMs = isShort ? minuteMs : partMs * Math.ceil((toMs - fromMs) / (pointCount * partMs))
    const firstKey = Math.floor(fromMs / stepMs)
    const trend = new Array<number | null>(Math.floor(toMs / stepMs) - firstKey + 1).fill(null)
    const known = isShort ? points.map(({ publication }) => publication) : (this.#days.get(id)?.points ?? [])
    for (const { value, publishedAtMs } of known) {
      const at = Math.floor(publishedAtMs / stepMs) - firstKey
      if (publishedAtMs >= fromMs && at < trend.length) trend[at] = toChartNumber(value)
    }
    return trend
  }

  /** Where a trend begins while it is not known what the change is counted from. */
  #usualStartMs(nowMs: number): number {
    switch (this.#changeBase()) {
      case 'sessionFirst':
        return nowMs - (pointCount - 1) * minuteMs
      case 'dayAgo':
        return nowMs - dayMs
      case 'previousClose':
        return lastMidnight(nowMs)
    }
  }
}

function insert({ isSlow, points }: Series, publication: Publication): void {
  const key = isSlow ? publication.publishedAtMs : Math.floor(publication.publishedAtMs / minuteMs)
  let at = points.length
  while (at > 0 && (points[at - 1]?.key ?? 0) > key) at--
  const same = points[at - 1]
  if (same?.key === key) {
    if (compareVersions(publication, same.publication) > 0) same.publication = publication
    return
  }
  points.splice(at, 0, { key, publication })
  if (points.length > pointCount) points.shift()
}

function toNumber({ publication }: Point): number {
  return toChartNumber(publication.value)
}
