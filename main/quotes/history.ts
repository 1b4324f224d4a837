import { isHourlyOrSlower } from '../../protocol/cadence'
import { toChartNumber } from '../../protocol/decimal'
import type { ChangeReference, IndexId, Publication, Resolution } from '../../protocol/model'
import type { ChangeBase } from '../../protocol/preferences'
import type { Clock } from '../base/clock'
import { isFarFuture, compareVersions } from '../base/publication'
import { fastReference, slowReference, DayHistory } from './change-reference'

export interface HistoryFacts {
  reference?: ChangeReference
  /** Oldest first, floats for drawing alone; null where nothing was published. */
  trend?: (number | null)[]
}

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

/**
 * A short past of each index: the hour by minutes where it publishes in real time, the last sixty publications where it
 * publishes hourly, daily or on business days; and the value that changes are counted from.
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
    for (const publication of publications) if (!isFarFuture(publication, nowMs)) insert(series, publication)
  }

  /** Takes a value that the quote store has taken, also as an amendment. */
  add(id: IndexId, publication: Publication, resolution: Resolution): void {
    const series = this.#series(id, resolution)
    insert(series, publication)
    const { first } = series
    const amendsFirst = first?.publishedAtMs === publication.publishedAtMs && compareVersions(publication, first) > 0
    if (first === undefined || amendsFirst) series.first = publication
    if (!series.isSlow && this.#changeBase() !== 'sessionFirst') this.#day(id).add(publication, this.#clock.serviceMs())
  }

  /** Takes the last 24 hours from REST, ascending: what changes are counted from where the user wants it so. */
  restoreDay(id: IndexId, publications: readonly Publication[]): void {
    const nowMs = this.#clock.serviceMs()
    const past = publications.filter((publication) => !isFarFuture(publication, nowMs))
    this.#day(id).restore(past, nowMs)
  }

  facts(id: IndexId): HistoryFacts {
    const series = this.#allSeries.get(id)
    if (series === undefined) return {}
    const reference = this.#reference(id, series)
    const trend = series.isSlow ? series.points.map(toNumber) : this.#lastHour(series.points)
    return {
      ...(reference !== undefined && { reference }),
      ...(trend.filter((value) => value !== null).length > 1 && { trend }),
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
    return fastReference(base, { first, day: day?.points ?? [], isDayComplete: day?.isComplete ?? false }, nowMs)
  }

  #day(id: IndexId): DayHistory {
    let day = this.#days.get(id)
    if (day === undefined) {
      day = new DayHistory()
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

  /** One number a minute up to now, or up to the latest value where that is ahead of our clock. */
  #lastHour(points: readonly Point[]): (number | null)[] {
    const latestKey = Math.max(Math.floor(this.#clock.serviceMs() / minuteMs), points.at(-1)?.key ?? 0)
    const trend = new Array<number | null>(pointCount).fill(null)
    for (const point of points) {
      const at = point.key - latestKey + pointCount - 1
      if (at >= 0) trend[at] = toNumber(point)
    }
    return trend
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
