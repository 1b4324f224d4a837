import type { ChartRange } from '../../protocol/answers'
import type { Resolution } from '../../protocol/model'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Length of a range in milliseconds; a year has 365 days. */
export const rangeMs: Readonly<Record<ChartRange, number>> = {
  '1m': minute,
  '5m': 5 * minute,
  '1h': hour,
  '24h': day,
  '1y': 365 * day,
}

/** Whether the service keeps a year of this index and not an hour (wire facts 2.2). */
export function isSlow(resolution: Resolution): boolean {
  return resolution === 'PER_HOUR' || resolution === 'DAILY' || resolution === 'BUSINESS_DAYS'
}

/**
 * A longer time than this between two points of a chart, in milliseconds, means that a few publications are missing: the
 * line is broken there. A day of a real-time index is told by the minute, whatever its cadence.
 */
export function gapAfterMs(resolution: Resolution, range: ChartRange, isEveryTick: boolean): number {
  const isByMinutes = range === '24h' && !isSlow(resolution)
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
