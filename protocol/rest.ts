/** Payloads of the service's REST interface (protocol, 2.7 and 4.2). */

/** Prefix of every REST path (protocol, 4.2). */
export const restPrefix = '/api/v1/'

/** Maximum number of ids in one `latest_values` request (protocol, 4.2). */
export const latestValuesLimit = 30

/** Periods of `history/values` (protocol, 4.2): DAY and HOUR for real-time indices, YEAR and MONTH for daily ones. */
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

/** `indices/{id}/detail`: the fields of the summary and these. Null if the index has none (protocol, 2.7). */
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

/** Types of `stats`, ascending. The fields besides `time` depend on the type (protocol, 4.2). */
export type StatsStreamType = 'volume' | 'weight' | 'constituentresult' | 'rti' | 'activecorporateaction'
