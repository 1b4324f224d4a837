import type { ConnectionState, Publication, QuoteSource, Resolution } from './model'

const second = 1_000
const hour = 3_600 * second

/**
 * Age in milliseconds from which a value counts as stale: several missed publications, with room for a weekend where
 * the index keeps business days.
 */
export function staleAfterMs(resolution: Resolution): number {
  switch (resolution) {
    case 'PER_200MS':
    case 'PER_SECOND':
      return 10 * second
    case 'PER_MINUTE':
      return 180 * second
    case 'PER_HOUR':
      return 3 * hour
    case 'DAILY':
      return 26 * hour
    case 'BUSINESS_DAYS':
      return 98 * hour
  }
}

/** What is known of the data of an index. */
export interface IndexData {
  /** Of the connection that answers for it; absent while none does. */
  connection?: ConnectionState
  /** Its latest value; absent before the first one. */
  value?: { source: QuoteSource; ageMs: number }
  /** Absent until the service has said how often it publishes. */
  resolution?: Resolution
}

/** The time that is shown of a value: of a formula that of its older part. */
export function shownTimeMs({ publishedAtMs, olderPartMs = publishedAtMs }: Publication): number {
  return olderPartMs
}

/** Whether a value has become stale: where it is not known how often the index publishes, nobody can say. */
export function isStale(ageMs: number, resolution: Resolution | undefined): boolean {
  return resolution !== undefined && ageMs >= staleAfterMs(resolution)
}

/** Whether the index has data: its connection is live, and its value is neither stale nor kept from an earlier run. */
export function hasData({ connection, value, resolution }: IndexData): boolean {
  return connection === 'live' && value !== undefined && value.source !== 'cache' && !isStale(value.ageMs, resolution)
}
