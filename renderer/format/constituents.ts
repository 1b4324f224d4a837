import { keyedConstituents, pointPlaces, pointsOf, type Since } from '../../core/constituents'
import { parseDecimal, percentChange, subtractDecimals, toChartNumber } from '../../core/decimal'
import type { Constituent, ConstituentsPublication, DecimalText } from '../../core/model'
import type { TableSort } from '../ui/table-column'
import { sortedBy } from './row-order'

export type ConstituentColumn = 'constituent' | 'value' | 'change' | 'points' | 'drift' | 'weight'

/** After "since". */
export const sinceWords: Record<Since, string> = { close: '00:00 UTC', opened: 'page opened', base: 'your baseline' }

/** One line of the table of constituents. */
export interface ConstituentRow {
  /** Unique in the table, also where the service names a constituent twice. */
  key: string
  constituent: Constituent
  /** As it was then; absent for one that joined since. */
  before?: Constituent
  /** What it did to the index since then, in points of the index; absent for one that joined since. */
  points?: DecimalText
}

/** A line of the table: a constituent, or one exchange of the constituent above it. */
export interface TableLine {
  key: string
  row: ConstituentRow
  /** Place among the row's exchanges; absent for the constituent itself. */
  exchangeAt?: number
}

/** How much of a track of 100 % a weight's bar fills, between 0 and 1. A float, for drawing alone. */
export function barOf(weightPercent: DecimalText): number {
  return Math.min(1, Math.max(0, toChartNumber(weightPercent) / 100))
}

/** The lines of the table in the service's order, each beside what it was then. */
export function constituentRows(
  now: ConstituentsPublication,
  then: ConstituentsPublication | undefined,
): ConstituentRow[] {
  const before = keyedConstituents(then?.constituents ?? [])
  const places = pointPlaces(now)
  return [...keyedConstituents(now.constituents)].map(([key, constituent]) => {
    const earlier = before.get(key)
    const points = then && earlier && pointsOf(constituent, earlier, then, places)
    return {
      key,
      constituent,
      ...(earlier && { before: earlier }),
      ...(points !== undefined && { points }),
    }
  })
}

/** The lines from the top: after each row that is expanded come its exchanges. */
export function tableLines(rows: readonly ConstituentRow[], isExpanded: (key: string) => boolean): TableLine[] {
  return rows.flatMap((row) => {
    const line: TableLine = { key: row.key, row }
    const { exchanges } = row.constituent
    if (exchanges === undefined || !isExpanded(row.key)) return [line]
    return [line, ...exchanges.map((_, at) => ({ key: `${row.key}\n${at}`, row, exchangeAt: at }))]
  })
}

/** Weight now minus weight then in percentage points, exact; absent for one that joined since. */
export function driftOf({ constituent, before }: ConstituentRow): DecimalText | undefined {
  return before && subtractDecimals(constituent.weightPercent, before.weightPercent)
}

/** The first press on a head asks for names from A and for numbers from the greatest. */
export function isFirstDescending(column: ConstituentColumn): boolean {
  return column !== 'constituent'
}

function numberOf(row: ConstituentRow, column: ConstituentColumn): DecimalText | undefined {
  const { constituent, before } = row
  if (column === 'weight') return constituent.weightPercent
  if (column === 'value') return constituent.value
  if (column === 'drift') return driftOf(row)
  if (column === 'points') return row.points
  return before && percentChange(before.value, constituent.value, 8)
}

/** The keys of the rows in the order asked for; the service's order where rows are equal. Rows without one come last. */
export function orderOf(rows: readonly ConstituentRow[], sort: TableSort<ConstituentColumn> | undefined): string[] {
  if (sort === undefined) return rows.map(({ key }) => key)
  const { column, isDescending } = sort
  const keyOf = (row: ConstituentRow) =>
    column === 'constituent' ? row.key : parseDecimal(numberOf(row, column) ?? '')
  return sortedBy(rows, keyOf, isDescending).map(({ key }) => key)
}
