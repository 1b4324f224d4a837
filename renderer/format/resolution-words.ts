import type { Resolution } from '../../protocol/model'

/** How often an index publishes, as a sentence's end: "every second". */
export const publishesWords: Record<Resolution, string> = {
  PER_200MS: 'every 200 ms',
  PER_SECOND: 'every second',
  PER_MINUTE: 'every minute',
  PER_HOUR: 'every hour',
  DAILY: 'daily',
  BUSINESS_DAYS: 'on business days',
}

/** Whether an index publishes so often that its age matters by the second. */
export function isRealTime(resolution: Resolution | undefined): boolean {
  return resolution === undefined || resolution === 'PER_200MS' || resolution === 'PER_SECOND'
}

/** Whether a trend shows single publications instead of minutes. */
export function isDailyOrSlower(resolution: Resolution | undefined): boolean {
  return resolution === 'PER_HOUR' || resolution === 'DAILY' || resolution === 'BUSINESS_DAYS'
}

/** How often an index publishes, and whether every tick can be asked for: "every second (no 200 ms feed)". */
export function offeredWords(resolution: Resolution): string {
  return resolution === 'PER_200MS' ? publishesWords[resolution] : `${publishesWords[resolution]} (no 200 ms feed)`
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
