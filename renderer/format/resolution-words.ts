import { isRealTime } from '../../core/cadence'
import type { Resolution } from '../../core/model'

/** How often an index publishes, as a sentence's end: "every second". */
export const publishesWords: Record<Resolution, string> = {
  PER_200MS: 'every 200 ms',
  PER_SECOND: 'every second',
  PER_MINUTE: 'every minute',
  PER_HOUR: 'every hour',
  DAILY: 'daily',
  BUSINESS_DAYS: 'on business days',
}

/** Whether the age of an index's value matters by the second; until its service says how often it publishes, it does. */
export function isAgedBySecond(resolution: Resolution | undefined): boolean {
  return resolution === undefined || isRealTime(resolution)
}

/** How often an index publishes, as short as a table has it. */
export const resolutionText: Record<Resolution, string> = {
  PER_200MS: '200 ms',
  PER_SECOND: '1 s',
  PER_MINUTE: '1 min',
  PER_HOUR: 'hourly',
  DAILY: 'daily',
  BUSINESS_DAYS: 'business days',
}
