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
  ListColumn,
} from '../../core/model'
import { csvTime, toCsv, type CsvRow } from '../base/csv'

/** What is known of one row of a list. */
export interface ListCsvRow {
  entry: WatchlistEntry
  info?: IndexInfo | undefined
  quote?: Quote | undefined
  reference?: ChangeReference | undefined
}

type CsvField = (row: ListCsvRow) => string | undefined

/** What each column of a list is in a file, in this order. What is a picture or changes by itself is not in it. */
const listFields: Record<'index' | ListColumn, Record<string, CsvField>> = {
  index: { index: ({ entry }) => entry.id },
  name: { name: ({ info }) => info?.name },
  value: { value: ({ quote }) => quote?.value },
  change: { change: ({ quote, reference }) => quote && reference && subtractDecimals(quote.value, reference.value) },
  percent: {
    change_percent: ({ quote, reference }) => quote && reference && percentChange(reference.value, quote.value),
    change_base: ({ quote, reference }) => quote && reference?.kind,
  },
  trend: {},
  range: {},
  published: { published: ({ quote }) => quote && csvTime(shownTimeMs(quote)) },
  age: {},
  flags: {
    amended: ({ quote }) => (quote?.amendedAtMs === undefined ? undefined : csvTime(quote.amendedAtMs)),
    carried_over: ({ quote }) => quote && (quote.isRepeatOfPrevious === true ? 'yes' : 'no'),
    source: ({ quote }) => quote?.source,
  },
  resolution: { resolution: resolutionOf },
}

/**
 * A list as CSV, in its own order. Values are as published, digit by digit; an index without a value has its id and its
 * name alone.
 */
export function listCsv(rows: readonly ListCsvRow[]): string {
  const fields = Object.values(listFields).flatMap((each) => Object.entries(each))
  return toCsv([fields.map(([name]) => name), ...rows.map((row) => fields.map(([, field]) => field(row)))])
}

/** How often values come: every tick of a fast index only where it was asked for. */
function resolutionOf({ entry, info }: ListCsvRow): Resolution | undefined {
  return info?.maxResolution === 'PER_200MS' ? entry.maxResolution : info?.maxResolution
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
