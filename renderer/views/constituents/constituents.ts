import { keyedConstituents, pointPlaces, pointsOf, type Since } from '../../../core/constituents'
import { parseDecimal, percentChange, subtractDecimals, toChartNumber } from '../../../core/decimal'
import type { Constituent, ConstituentsPublication, DecimalText } from '../../../core/model'
import type { TableSort } from '../../ui/table-column'
import { sortedBy } from '../../format/row-order'

export type ConstituentColumn = 'constituent' | 'value' | 'change' | 'points' | 'drift' | 'weight'

/** Names of the baselines, after "since". */
export const sinceWords: Record<Since, string> = { close: '00:00 UTC', opened: 'page opened', base: 'your baseline' }

/** A constituent in the table. */
export interface ConstituentRow {
  /** Unique in the table, even if the provider lists a constituent twice. */
  key: string
  constituent: Constituent
  /** The constituent at the baseline. Undefined if it was added since. */
  before?: Constituent
  /** Its contribution since the baseline, in index points. Undefined if it was added since. */
  points?: DecimalText
}

/** A line of the table: a constituent, or an exchange of the constituent above it. */
export interface TableLine {
  key: string
  row: ConstituentRow
  /** Position among the row's exchanges. Undefined for the constituent itself. */
  exchangeAt?: number
}

/** The filled share of a weight's bar, between 0 and 1 (100 %). A float, for drawing only. */
export function barOf(weightPercent: DecimalText): number {
  return Math.min(1, Math.max(0, toChartNumber(weightPercent) / 100))
}

/** The constituents in the provider's order, each with its state at the baseline. */
export function constituentRows(
  now: ConstituentsPublication,
  then: ConstituentsPublication | undefined,
): ConstituentRow[] {
  const before = keyedConstituents(then?.constituents ?? [])
  const places = pointPlaces(now)
  return [...keyedConstituents(now.constituents)].map(([key, constituent]) => {
    const earlier = before.get(key)
    const points = then && earlier && pointsOf(constituent, earlier, then, places)
    return { key, constituent, before: earlier, points }
  })
}

/** The lines of the table. The exchanges of an expanded row follow it. */
export function tableLines(rows: readonly ConstituentRow[], isExpanded: (key: string) => boolean): TableLine[] {
  return rows.flatMap((row) => {
    const line: TableLine = { key: row.key, row }
    const { exchanges } = row.constituent
    if (exchanges === undefined || !isExpanded(row.key)) return [line]
    return [line, ...exchanges.map((_, at) => ({ key: `${row.key}\n${at}`, row, exchangeAt: at }))]
  })
}

/** Change of the weight since the baseline, in percentage points, exact. Undefined if it was added since. */
export function driftOf({ constituent, before }: ConstituentRow): DecimalText | undefined {
  return before && subtractDecimals(constituent.weightPercent, before.weightPercent)
}

function numberOf(row: ConstituentRow, column: ConstituentColumn): DecimalText | undefined {
  const { constituent, before } = row
  if (column === 'weight') return constituent.weightPercent
  if (column === 'value') return constituent.value
  if (column === 'drift') return driftOf(row)
  if (column === 'points') return row.points
  return before && percentChange(before.value, constituent.value, 8)
}

/** The keys of the sorted rows. Without a `sort` they keep the provider's order. */
export function orderOf(rows: readonly ConstituentRow[], sort: TableSort<ConstituentColumn> | undefined): string[] {
  const keyOf = (row: ConstituentRow, column: ConstituentColumn) =>
    column === 'constituent' ? row.key : parseDecimal(numberOf(row, column) ?? '')
  return sortedBy(rows, sort, keyOf).map(({ key }) => key)
}
