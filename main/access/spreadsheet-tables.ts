/** The tables for spreadsheets. A request contains only names and values, never a file name. */
import { exportResolutions, type ExportRequest } from '../../protocol/history'
import { ok, failure, type Outcome, type Watchlist } from '../../core/model'
import { records } from '../../core/records'
import { splitIds } from '../../core/formula-id'
import { isIndexId } from '../../core/shapes'
import { readTypedRange } from '../../core/typed-time'
import { recordsCsv } from '../base/csv'
import { percentDecoded, sanitizeText } from '../base/sanitize'
import { idsIn, latestRecords, listsNamed, type ProgramData } from './program-data'

/** Data the tables are made from. */
export type TableData = Pick<
  ProgramData,
  'isDemo' | 'nowMs' | 'watchlists' | 'catalogue' | 'latest' | 'resolutionOf' | 'refusal'
>

/** A complete table, or a request for values that must be read from disk. */
export type Table = { csv: string } | { history: ExportRequest }

const parameters = ['token', 'ids', 'from', 'to', 'resolution']
const maxIds = 20
const addressExamples = 'Try /latest.csv, /list/NAME.csv or /history.csv?ids=BRTI&from=2026-11-01.'

/** The table at a path. Problems: `notFound`, `badArguments`, and those of typed times. */
export function tableOf(path: string, query: URLSearchParams, data: TableData): Outcome<Table> {
  const unknown = [...query.keys()].find((key) => !parameters.includes(key))
  if (unknown !== undefined) {
    return failure('badArguments', `There is no parameter “${sanitizeText(unknown, 60)}”. ${addressExamples}`)
  }
  if (path === '/latest.csv') return latestTable(data, data.watchlists)
  if (path === '/history.csv') return historyTable(data, query)
  const named = /^\/list\/([^/]+)\.csv$/.exec(path)?.[1]
  if (named === undefined) return failure('notFound', `Not found. ${addressExamples}`)
  const name = percentDecoded(named)
  if (name === undefined) return failure('badArguments', 'The name of the list is not percent-encoded as UTF-8.')
  const lists = listsNamed(data.watchlists, name)
  return lists.ok ? latestTable(data, lists.value) : lists
}

function latestTable(data: TableData, lists: readonly Watchlist[]): Outcome<Table> {
  const csv = recordsCsv(records.quote, latestRecords(data, idsIn(lists)), (text) => sanitizeText(text))
  return ok({ csv })
}

function historyTable({ nowMs }: TableData, query: URLSearchParams): Outcome<Table> {
  const from = query.get('from')
  const indexIds = [...new Set(splitIds(query.get('ids') ?? ''))]
  if (from === null || !indexIds.every(isIndexId) || indexIds.length > maxIds) {
    return failure('badArguments', `Enter from and at most ${maxIds} ids, as in /history.csv?ids=BRTI&from=2026-11-01.`)
  }
  const wanted = query.get('resolution') ?? 'every'
  const resolution = exportResolutions.find((each) => each === wanted)
  if (resolution === undefined) {
    return failure('badArguments', `resolution must be one of ${exportResolutions.join(', ')}.`)
  }
  const range = readTypedRange({ from, to: query.get('to') ?? 'now' }, { nowMs, zone: 'UTC' })
  if (!range.ok) return range
  return ok({ history: { indexIds, ...range.value, resolution, format: 'csv' } })
}
