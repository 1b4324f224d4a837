/** The service's REST payloads (spec 2.7, 4.2; shapes from wire facts 2). What the wire carries. */

/** Prefix of every REST path (spec 9). */
export const restPrefix = '/api/v1/'

/** How many ids one `latest_values` request may name (wire facts 2.2). */
export const latestValuesLimit = 30

/** The periods that `history/values` can be asked for (wire facts 2.2): DAY and HOUR of real-time indices, YEAR and MONTH of daily ones. */
export const historyTimespans = ['YEAR', 'MONTH', 'DAY', 'HOUR'] as const
export type HistoryTimespan = (typeof historyTimespans)[number]

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

/** `indices/{id}/detail`: the summary's fields and these, null where the index has none (wire facts 2.2). */
export interface IndexDetailPayload extends IndexSummaryPayload {
  underlyingAssetsType: 'SINGLE_ASSET' | 'PORTFOLIO'
  family: string | null
  inceptionValue: number | null
  publicationFrequency: string | null
  publicationTime: string | null
  publicationTimeZone: string | null
  /** `windowDuration` is an ISO 8601 duration. */
  referenceRateParameters: { windowDuration: string; partitionCount: number } | null
  inceptionDateTime: string | null
  launchDateTime: string | null
  constituentExchanges: string[] | null
}

/** `stats`, ascending; the fields beside `time` depend on the stream type (wire facts 2.2). */
export type StatsStreamType = 'volume' | 'weight' | 'constituentresult' | 'rti' | 'activecorporateaction'
