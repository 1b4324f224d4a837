/** How often indices publish, as far as the app treats them differently for it. */
import type { Resolution } from './model'

/** Whether an index publishes every second or more often. */
export function isRealTime(resolution: Resolution | undefined): boolean {
  return resolution === 'PER_200MS' || resolution === 'PER_SECOND'
}

/** Whether an index publishes hourly or less often: the service keeps a year of it, and not an hour (wire facts 2.2). */
export function isHourlyOrSlower(resolution: Resolution | undefined): boolean {
  return resolution === 'PER_HOUR' || resolution === 'DAILY' || resolution === 'BUSINESS_DAYS'
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The last millisecond before today, in UTC: when the day of an index that ticks closed. */
export function lastMidnight(nowMs: number): number {
  return Math.floor(nowMs / dayMs) * dayMs - 1
}

/** The time from one value of an index to the next. */
export const cadencesMs: Readonly<Record<Resolution, number>> = {
  PER_200MS: 200,
  PER_SECOND: 1_000,
  PER_MINUTE: 60_000,
  PER_HOUR: hourMs,
  DAILY: dayMs,
  // From Friday to the Tuesday after a holiday.
  BUSINESS_DAYS: 4 * dayMs,
}
