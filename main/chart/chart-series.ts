/** Pure functions on the points of a chart. */
import { isHourlyOrSlower } from '../../core/cadence'
import type { ChartPoint, ChartRange } from '../../protocol/responses'
import type { Publication, Resolution } from '../../core/model'
import { compareVersions, publicationOf } from '../../core/publication'

/**
 * Joins publications into one ascending list. For each published time the latest amendment stays. The input may have
 * any order.
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

/** Inserts a publication into ascending points. An older version of an existing point is ignored. */
export function insertPoint(points: ChartPoint[], publication: Publication): void {
  const { publishedAtMs } = publication
  let at = points.length
  // Most publications arrive in order, so searching from the end is fast.
  while (at > 0 && (points[at - 1]?.publishedAtMs ?? 0) > publishedAtMs) at--
  const same = points[at - 1]
  if (same?.publishedAtMs !== publishedAtMs) points.splice(at, 0, publicationOf(publication))
  else if (compareVersions(publication, same) > 0) points[at - 1] = publicationOf(publication)
}

/** The points after `startMs` and up to `endMs`. */
export function pointsBetween(points: readonly ChartPoint[], startMs: number, endMs: number): ChartPoint[] {
  return points.filter(({ publishedAtMs }) => publishedAtMs > startMs && publishedAtMs <= endMs)
}

/**
 * The points on whole seconds, as REST returns them without `maxResolution` (protocol, 4.2), and all amended points.
 */
export function onSeconds(points: readonly ChartPoint[]): ChartPoint[] {
  return points.filter(({ publishedAtMs, amendedAtMs }) => publishedAtMs % 1_000 === 0 || amendedAtMs !== undefined)
}

/** The first point of each step since 1970, the last point, and all amended points. The input is ascending. */
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

/** Distance between drawn points of a real-time index. Undefined if every point is drawn. */
export function spacingMs(resolution: Resolution, range: ChartRange): number | undefined {
  if (isHourlyOrSlower(resolution)) return undefined
  return { '1h': undefined, '24h': minute, '7d': 10 * minute, '30d': hour, '1y': 6 * hour }[range]
}

const maxPointsOfSpan = 4_000

/** Distance between drawn points of a real-time index over a span of any length. */
export function spacingOfSpanMs(lengthMs: number): number {
  return [second, minute, 10 * minute, hour].find((step) => lengthMs <= maxPointsOfSpan * step) ?? 6 * hour
}

/**
 * Points farther apart than this, in milliseconds, have missing publications between them, and the line is broken.
 * `spacing` is the distance between drawn points if not all are drawn.
 */
export function gapAfterMs(resolution: Resolution, isEveryTick: boolean, spacing?: number): number {
  if (spacing !== undefined) return 4 * spacing
  switch (resolution) {
    case 'PER_200MS':
      // Ten ticks. Older points may be a second apart, from before every tick was subscribed.
      return isEveryTick ? 2 * second : 5 * second
    case 'PER_SECOND':
      return 5 * second
    case 'PER_MINUTE':
      return 4 * minute
    case 'PER_HOUR':
      return 4 * hour
    case 'DAILY':
      // One missing day is bridged. A day has 25 hours when daylight saving ends.
      return 2 * day + 2 * hour
    case 'BUSINESS_DAYS':
      // From Thursday to Tuesday over Easter, the longest usual break.
      return 5 * day + 2 * hour
  }
}
