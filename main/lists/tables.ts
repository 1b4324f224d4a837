/** Lists, constituents and their points as CSV. */
import { indexPoints, keyedConstituents, pointPlaces, pointsOf, type Since } from '../../core/constituents'
import { percentChange, subtractDecimals } from '../../core/decimal'
import { shownTimeMs } from '../../core/freshness'
import type {
  ChangeReference,
  IndexInfo,
  Quote,
  Resolution,
  WatchlistEntry,
  Constituent,
  ConstituentsPublication,
  IndexId,
} from '../../core/model'
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

const pointColumns = [
  'index',
  'since',
  'from',
  'to',
  'part',
  'constituent',
  'value_before',
  'value',
  'weight_percent_before',
  'weight_percent',
  'Contribution (pts)',
]

/**
 * What each constituent did to the index since then as CSV, in points of the index: a line for each constituent of now, one
 * for what they do not add up to, and one for the index, so that the first two kinds add up to the last.
 */
export function pointsCsv(
  id: IndexId,
  since: Since,
  { now, then }: { now: ConstituentsPublication; then: ConstituentsPublication },
): string {
  const before = keyedConstituents(then.constituents)
  const lines = [...keyedConstituents(now.constituents)].map(([key, constituent]) => {
    const earlier = before.get(key)
    const points = earlier && pointsOf(constituent, earlier, then, pointPlaces(now))
    return { key, constituent, earlier, points }
  })
  const { change, rest } = indexPoints(
    lines.map(({ points }) => points),
    now,
    then,
  )
  const facts = [id, since, csvTime(then.publishedAtMs), csvTime(now.publishedAtMs)]
  return toCsv([
    pointColumns,
    ...lines.map(({ key, constituent: { value, weightPercent }, earlier, points }) => [
      ...facts,
      'constituent',
      key,
      earlier?.value,
      value,
      earlier?.weightPercent,
      weightPercent,
      points,
    ]),
    [...facts, 'rest', undefined, undefined, undefined, undefined, undefined, rest],
    [...facts, 'index', undefined, then.value, now.value, undefined, undefined, change],
  ])
}
