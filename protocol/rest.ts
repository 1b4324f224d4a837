/** The service's REST payloads (spec 2.7, 4.2; shapes from wire facts 2). What the wire carries. */

/** Prefix of every REST path (spec 9). */
export const restPrefix = '/api/v1/'

/** Most ids one `latest_values` request may name (wire facts 2.2). */
export const latestValuesLimit = 30

/** Success and failure share one envelope; `serverTime` is ISO 8601 in UTC with milliseconds. */
export interface RestSuccess<T> {
  serverTime: string
  payload: T
}
export interface RestFailure {
  serverTime: string
  error: string
}

/** `indices` and `indices/{id}`. `base` and `quote` are omitted when empty. */
export interface IndexSummaryPayload {
  id: string
  name: string
  decimals: number
  base?: string
  quote?: string
  demiseDateTime: string | null
  maxResolution: string
}

/** One row of `values`, ascending by time. */
export interface ValuePayload {
  value: string
  time: number | string
  amendTime?: number
  repeatOfPreviousValue?: true
}

export type ValuesPayload = ValuePayload[]

export interface LatestValuesPayload {
  latest_values: Record<string, ValuePayload>
}

/** `indices/{id}/detail`: the summary's fields and these, null where the index has none (wire facts 2.2). */
export interface IndexDetailPayload extends IndexSummaryPayload {
  underlyingAssetsType: 'SINGLE_ASSET' | 'PORTFOLIO'
  family: string | null
  inceptionValue: number | null
  publicationFrequency: string | null
  publicationTime: string | null
  publicationTimeZone: string | null
  inceptionDateTime: string | null
  launchDateTime: string | null
  constituentExchanges: string[] | null
}

/** `summary`. */
export interface SummaryPayload extends ValuePayload {
  last24Hours: ValuePayload[]
}

/** `summaries`; by analogy with `latest_values` (docs/decisions/0007). */
export interface SummariesPayload {
  summaries: Record<string, SummaryPayload>
}

/** `stats`, ascending; the fields beside `time` depend on the stream type (wire facts 2.2). */
export const statsStreamTypes = ['volume', 'weight', 'constituentresult', 'rti', 'activecorporateaction'] as const
export type StatsStreamType = (typeof statsStreamTypes)[number]
