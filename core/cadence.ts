/** How often indices publish, where that makes a difference to the app. */
import type { Resolution } from './model'

/** Whether an index publishes every second or more often. */
export function isRealTime(resolution: Resolution | undefined): boolean {
  return resolution === 'PER_200MS' || resolution === 'PER_SECOND'
}

/**
 * Whether an index publishes hourly or less often. The service keeps a year of such an index, and an hour of others
 * (protocol, 4.2).
 */
export function isHourlyOrSlower(resolution: Resolution | undefined): boolean {
  return resolution === 'PER_HOUR' || resolution === 'DAILY' || resolution === 'BUSINESS_DAYS'
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The last millisecond before today in UTC, from which the changes of a real-time index are counted. */
export function lastMidnight(nowMs: number): number {
  return Math.floor(nowMs / dayMs) * dayMs - 1
}

/** The time between two values of an index. */
export const cadencesMs: Readonly<Record<Resolution, number>> = {
  PER_200MS: 200,
  PER_SECOND: 1_000,
  PER_MINUTE: 60_000,
  PER_HOUR: hourMs,
  DAILY: dayMs,
  // From a Friday to the Tuesday after a holiday.
  BUSINESS_DAYS: 4 * dayMs,
}
