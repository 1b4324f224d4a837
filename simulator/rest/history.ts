import { historyTimespans, type HistoryTimespan } from '../../protocol/rest'
import { findIndex } from '../catalogue'
import type { IndexDefinition } from '../index-definition'
import { launchMs } from '../reference-data'
import { unknownId, type Endpoint } from './endpoint'

const secondMs = 1_000
/** History is added in batches, so its newest value is up to this old. */
const batchMs = 15 * 60_000

/** The parts of an ISO 8601 time that must be zero at the start of the period. */
const truncated: Readonly<Record<HistoryTimespan, RegExp>> = {
  YEAR: /^\d{4}-01-01T00:00:00(\.000)?Z$/,
  MONTH: /^\d{4}-\d\d-01T00:00:00(\.000)?Z$/,
  DAY: /^\d{4}-\d\d-\d\dT00:00:00(\.000)?Z$/,
  HOUR: /^\d{4}-\d\d-\d\dT\d\d:00:00(\.000)?Z$/,
}

/**
 * `GET history/values`: every value of one period, ascending (protocol, 4.2). Ticks are never thinned, whatever
 * `maxResolution` says. A period without values is an empty list.
 */
export const historyValues: Endpoint = {
  path: 'history/values',
  respond({ query, publications, nowMs }) {
    const index = findIndex(query.get('id') ?? '')
    // An index without the permission gets the same answer as one that does not exist.
    if (index === undefined || index.isHistoryWithheld === true) return unknownId
    const timespan = historyTimespans.find((each) => each === query.get('timespan'))
    if (timespan === undefined || !timespansOf(index).includes(timespan)) {
      return { status: 400, error: `timespan must be one of ${timespansOf(index).join(', ')}` }
    }
    const timestamp = query.get('timestamp') ?? ''
    const fromMs = Date.parse(timestamp)
    if (!truncated[timespan].test(timestamp) || Number.isNaN(fromMs)) {
      return { status: 400, error: `timestamp must be an ISO 8601 time in UTC, truncated to the ${timespan}` }
    }
    const afterMs = Math.max(fromMs, launchMs(index)) - 1
    const untilMs = Math.min(endOf(fromMs, timespan) - 1, Math.floor(nowMs / batchMs) * batchMs)
    return { payload: publications.period(index, { afterMs, untilMs, nowMs }, 'PER_200MS') }
  },
}

function timespansOf({ schedule }: IndexDefinition): readonly HistoryTimespan[] {
  return 'dailyIn' in schedule ? ['YEAR', 'MONTH'] : ['DAY', 'HOUR']
}

/** The first moment after a period, epoch milliseconds. */
function endOf(fromMs: number, timespan: HistoryTimespan): number {
  const from = new Date(fromMs)
  if (timespan === 'HOUR') return fromMs + 3_600 * secondMs
  if (timespan === 'DAY') return fromMs + 86_400 * secondMs
  if (timespan === 'MONTH') return Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1)
  return Date.UTC(from.getUTCFullYear() + 1, 0)
}
