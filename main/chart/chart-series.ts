/** The points of a chart and their spacing. Pure: lists in, a list out. */
import { isHourlyOrSlower } from '../../core/cadence'
import type { ChartPoint, ChartRange } from '../../protocol/responses'
import type { Publication, Resolution } from '../../core/model'
import { compareVersions, publicationOf } from '../../core/publication'

/**
 * One list of all publications, ascending, one point a publish time: of those of one time the latest amendment stays. The
 * order of the lists and within them means nothing.
 */
export function joinPoints(...lists: readonly (readonly Publication[])[]): ChartPoint[] {
  const byTime = new Map<number, Publication>()
  for (const list of lists) {
    for (const publication of list) {
      const held = byTime.get(publication.publishedAtMs)
      if (held === undefined || compareVersions(publication, held) > 0) {
        byTime.set(publication.publishedAtMs, publication)
      }
    }
  }
  return [...byTime.values()].sort((a, b) => a.publishedAtMs - b.publishedAtMs).map(publicationOf)
}

/** Puts a publication in its place among ascending points; an older version of one that is there changes nothing. */
export function insertPoint(points: ChartPoint[], publication: Publication): void {
  const { publishedAtMs } = publication
  let at = points.length
  // Almost everything comes in order, so that the search from the end finds its place at once.
  while (at > 0 && (points[at - 1]?.publishedAtMs ?? 0) > publishedAtMs) at--
  const same = points[at - 1]
  if (same?.publishedAtMs !== publishedAtMs) points.splice(at, 0, publicationOf(publication))
  else if (compareVersions(publication, same) > 0) points[at - 1] = publicationOf(publication)
}

/** The points after `startMs` and up to `endMs`. */
export function pointsBetween(points: readonly ChartPoint[], startMs: number, endMs: number): ChartPoint[] {
  return points.filter(({ publishedAtMs }) => publishedAtMs > startMs && publishedAtMs <= endMs)
}

/** The points on full seconds, what the service gives who does not ask for every tick (spec 4.2), and all that were amended. */
export function onSeconds(points: readonly ChartPoint[]): ChartPoint[] {
  return points.filter(({ publishedAtMs, amendedAtMs }) => publishedAtMs % 1_000 === 0 || amendedAtMs !== undefined)
}

/** Of ascending points the first one of each step, counted from 1970, the very last, and all that were amended. */
export function onSteps(points: readonly ChartPoint[], stepMs: number): ChartPoint[] {
  const stepOf = ({ publishedAtMs }: ChartPoint) => Math.floor(publishedAtMs / stepMs)
  return points.filter((point, at) => {
    const before = points[at - 1]
    const isFirst = before === undefined || stepOf(before) < stepOf(point)
    return isFirst || at === points.length - 1 || point.amendedAtMs !== undefined
  })
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/**
 * How far the points of a chart are apart where not all are drawn: over a day of a real-time index, and over a year of
 * one, which would else be a needle of seconds. `undefined`: every point is drawn.
 */
export function spacingMs(resolution: Resolution, range: ChartRange): number | undefined {
  if (isHourlyOrSlower(resolution)) return undefined
  return range === '24h' ? minute : range === '1y' ? 6 * hour : undefined
}

const maxPointsOfSpan = 4_000

/** How far the points of a real-time index are apart over a span of any length. */
export function spacingOfSpanMs(lengthMs: number): number {
  return [second, minute, 10 * minute, hour].find((step) => lengthMs <= maxPointsOfSpan * step) ?? 6 * hour
}

/**
 * A longer time than this between two points of a chart, in milliseconds, means that a few publications are missing: the
 * line is broken there. A day or a year of a real-time index has its own spacing, whatever its cadence.
 */
export function gapAfterMs(resolution: Resolution, range: ChartRange, isEveryTick: boolean): number {
  const isByMinutes = range === '24h' && !isHourlyOrSlower(resolution)
  if (range === '1y' && !isHourlyOrSlower(resolution)) return day
  switch (isByMinutes ? 'PER_MINUTE' : resolution) {
    case 'PER_200MS':
      // Ten ticks: some of the points may still be a second apart, from before every tick was asked for.
      return isEveryTick ? 2 * second : 5 * second
    case 'PER_SECOND':
      return 5 * second
    case 'PER_MINUTE':
      return 4 * minute
    case 'PER_HOUR':
      return 4 * hour
    case 'DAILY':
      // One day that failed for good is bridged; a day has up to 25 hours where clocks change.
      return 2 * day + 2 * hour
    case 'BUSINESS_DAYS':
      // From Thursday to Tuesday over Easter, the longest of the usual breaks.
      return 5 * day + 2 * hour
  }
}
