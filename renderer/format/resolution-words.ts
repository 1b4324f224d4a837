import { isRealTime } from '../../core/cadence'
import type { Resolution } from '../../core/model'

/** Frequencies after a verb: "every second". */
export const publishesWords: Record<Resolution, string> = {
  PER_200MS: 'every 200 ms',
  PER_SECOND: 'every second',
  PER_MINUTE: 'every minute',
  PER_HOUR: 'every hour',
  DAILY: 'daily',
  BUSINESS_DAYS: 'on business days',
}

/** True if the age of a value matters to the second. Also true while the frequency is unknown. */
export function isAgedBySecond(resolution: Resolution | undefined): boolean {
  return resolution === undefined || isRealTime(resolution)
}

/** Frequencies in a table. */
export const resolutionText: Record<Resolution, string> = {
  PER_200MS: '200 ms',
  PER_SECOND: '1 s',
  PER_MINUTE: '1 min',
  PER_HOUR: 'hourly',
  DAILY: 'daily',
  BUSINESS_DAYS: 'business days',
}
