import type { Constituent, ConstituentsPublication, IndexId } from '../../protocol/model'
import { csvTime, toCsv, type CsvRow } from '../base/csv'

const columns = [
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
  return toCsv([columns, ...lines.map((line) => [...facts, ...line])])
}

function constituentLines({ constituent, value, weightPercent, exchanges = [] }: Constituent): CsvRow[] {
  return [
    [constituent, value, weightPercent, undefined, undefined],
    ...exchanges.map((each) => [constituent, undefined, undefined, each.exchange, each.weightPercent]),
  ]
}
