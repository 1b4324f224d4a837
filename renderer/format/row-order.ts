/** Sorts rows by a column. Decimals are compared exactly, never as floats. */
import { compareDecimals, parseDecimal, percentChange, subtractDecimals, type Decimal } from '../../core/decimal'
import type { QuoteUpdate, RowFacts } from '../../protocol/desktop'
import type { TableSort } from '../ui/table-column'
import type { IndexId, Quote, Resolution } from '../../core/model'

/** The values by which an index can be sorted. */
export interface SortFacts {
  id: IndexId
  name: string | undefined
  quote: (Quote & Pick<QuoteUpdate, 'mean'>) | undefined
  facts: RowFacts | undefined
  resolution: Resolution | undefined
  /** Rank of the most important flag. 0 is the most important. See `flagWeight`. */
  flagWeight: number | undefined
}

/** The key by which a row is sorted. */
export type SortKey = string | number | Decimal

// Percentages on screen have two places. Sorting needs more, so that changes that differ are not equal.
const percentPlaces = 16
const words = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The relative rise from the first to the last value. Undefined without values, or from zero. */
export function riseOf(points: readonly (number | null)[]): number | undefined {
  const known = points.filter((point) => point !== null)
  const [first] = known
  const last = known.at(-1)
  return first === undefined || last === undefined || first === 0 ? undefined : (last - first) / Math.abs(first)
}

export function changeOf({ quote, facts }: SortFacts, isPercent: boolean): Decimal | undefined {
  const from = facts?.reference?.value
  if (quote === undefined || from === undefined) return undefined
  const change = isPercent ? percentChange(from, quote.value, percentPlaces) : subtractDecimals(quote.value, from)
  // A difference may have more digits than a published value. It is then not parsed.
  return change === undefined ? undefined : parseDecimal(change)
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (typeof a === 'object' && typeof b === 'object') return compareDecimals(a, b)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return typeof a === 'string' && typeof b === 'string' ? words.compare(a, b) : 0
}

/** Sorts rows by their keys. Rows without a key come last in both directions. Equal rows keep their order, as do all without a sort. */
export function sortedBy<Row, Column extends string>(
  rows: readonly Row[],
  sort: TableSort<Column> | null | undefined,
  keyOf: (row: Row, column: Column) => SortKey | undefined,
): readonly Row[] {
  if (!sort) return rows
  const direction = sort.isDescending ? -1 : 1
  return rows
    .map((row) => ({ row, key: keyOf(row, sort.column) }))
    .sort((a, b) => {
      if (a.key === undefined || b.key === undefined) return Number(a.key === undefined) - Number(b.key === undefined)
      return direction * compareKeys(a.key, b.key)
    })
    .map(({ row }) => row)
}

/** The sort after a click on a column's head: its first direction, then the other, then manual order. */
export function nextSort<Column extends string>(
  current: TableSort<Column> | undefined,
  column: Column,
  isFirstDescending = false,
): TableSort<Column> | null {
  if (current?.column !== column) return { column, isDescending: isFirstDescending }
  return current.isDescending === isFirstDescending ? { column, isDescending: !isFirstDescending } : null
}
