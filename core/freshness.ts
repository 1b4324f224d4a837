import { cadencesMs } from './cadence'
import type { ConnectionState, Publication, Quote, QuoteSource, Resolution } from './model'

const second = 1_000
const hour = 3_600 * second

const staleAges: Readonly<Record<Resolution, number>> = {
  PER_200MS: 10 * second,
  PER_SECOND: 10 * second,
  PER_MINUTE: 180 * second,
  PER_HOUR: 3 * hour,
  DAILY: 26 * hour,
  BUSINESS_DAYS: 98 * hour,
}

/**
 * The age in milliseconds at which a value counts as stale: several missed publications, plus a weekend for business
 * days.
 */
export function staleAfterMs(resolution: Resolution): number {
  return staleAges[resolution]
}

/** What is known about the data of an index. */
export interface IndexData {
  /** State of the connection that supplies it. Undefined if none does. */
  connection?: ConnectionState
  /** Its latest value. Undefined before the first one. */
  value?: { source: QuoteSource; ageMs: number }
  /** Undefined until the service has stated the frequency. */
  resolution?: Resolution
}

/** The time shown with a value. For a formula, that of its older part. */
export function shownTimeMs({ publishedAtMs, olderPartMs = publishedAtMs }: Publication): number {
  return olderPartMs
}

/** Whether a value is stale. False if the frequency is unknown. */
export function isStale(ageMs: number, resolution: Resolution | undefined): boolean {
  return resolution !== undefined && ageMs >= staleAfterMs(resolution)
}

/** Whether the age of a value is shown: after twice the frequency, but not before three seconds. */
export function isOverdue(ageMs: number, resolution: Resolution | undefined): boolean {
  if (resolution === undefined) return false
  return isStale(ageMs, resolution) || ageMs >= Math.max(3 * second, 2 * cadencesMs[resolution])
}

/** Whether alerts are checked on a value: not on one of an earlier run, nor on a mean whose window has not filled. */
export function isJudged({ source, isFilling }: Pick<Quote, 'source' | 'isFilling'>): boolean {
  return source !== 'cache' && isFilling !== true
}

/** Whether the index has data: its connection is live, and its value is neither stale nor cached. */
export function hasData({ connection, value, resolution }: IndexData): boolean {
  return connection === 'live' && value !== undefined && value.source !== 'cache' && !isStale(value.ageMs, resolution)
}
