/** Lists and constituents as CSV. */
import { percentChange, subtractDecimals } from '../../protocol/decimal'
import { shownTimeMs } from '../../protocol/freshness'
import type {
  ChangeReference,
  IndexInfo,
  Quote,
  Resolution,
  WatchlistEntry,
  Constituent,
  ConstituentsPublication,
  IndexId,
} from '../../protocol/model'
import { csvTime, toCsv, type CsvRow } from '../base/csv'

/** What is known of one row of a list. */
export interface ListCsvRow {
  entry: WatchlistEntry
  info?: IndexInfo | undefined
  quote?: Quote | undefined
  reference?: ChangeReference | undefined
}

const listColumns = [
  'index',
  'name',
  'value',
  'change',
  'change_percent',
  'change_base',
  'published',
  'amended',
  'carried_over',
  'source',
  'resolution',
]

/**
 * A list as CSV, in its own order. Values are as published, digit by digit; an index without a value has its id and its
 * name alone.
 */
export function listCsv(rows: readonly ListCsvRow[]): string {
  return toCsv([listColumns, ...rows.map(csvRow)])
}

function csvRow({ entry, info, quote, reference }: ListCsvRow): CsvRow {
  return [
    entry.id,
    info?.name,
    ...(quote === undefined ? emptyValue : [quote.value, ...changeFields(quote, reference), ...publishedFields(quote)]),
    resolutionOf(entry, info),
  ]
}

const emptyValue = new Array<undefined>(8).fill(undefined)

function changeFields({ value }: Quote, reference: ChangeReference | undefined): CsvRow {
  if (reference === undefined) return [undefined, undefined, undefined]
  return [subtractDecimals(value, reference.value), percentChange(reference.value, value), reference.kind]
}

function publishedFields(quote: Quote): CsvRow {
  const { amendedAtMs, isRepeatOfPrevious, source } = quote
  return [
    csvTime(shownTimeMs(quote)),
    amendedAtMs === undefined ? undefined : csvTime(amendedAtMs),
    isRepeatOfPrevious === true ? 'yes' : 'no',
    source,
  ]
}

/** How often values come: every tick of a fast index only where it was asked for. */
function resolutionOf({ maxResolution }: WatchlistEntry, info: IndexInfo | undefined): Resolution | undefined {
  return info?.maxResolution === 'PER_200MS' ? maxResolution : info?.maxResolution
}

const constituentColumns = [
  'index',
  'calculated',
  'divisor',
  'constituent',
  'value',
  'weight_percent',
  'exchange',
  'exchange_weight_percent',
]

/**
 * The constituents of one calculation as CSV. A constituent has a line of its own, and below it one for each of its
 * exchanges: `weight_percent` stands there once, so that the column adds up as published.
 */
export function constituentsCsv(id: IndexId, publication: ConstituentsPublication): string {
  const facts = [id, csvTime(publication.publishedAtMs), publication.divisor]
  const lines = publication.constituents.flatMap((each) => constituentLines(each))
  return toCsv([constituentColumns, ...lines.map((line) => [...facts, ...line])])
}

function constituentLines({ constituent, value, weightPercent, exchanges = [] }: Constituent): CsvRow[] {
  return [
    [constituent, value, weightPercent, undefined, undefined],
    ...exchanges.map((each) => [constituent, undefined, undefined, each.exchange, each.weightPercent]),
  ]
}
