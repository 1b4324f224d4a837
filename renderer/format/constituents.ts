import { compareDecimals, parseDecimal, percentChange, subtractDecimals, toChartNumber } from '../../protocol/decimal'
import type { Constituent, ConstituentsPublication, DecimalText } from '../../protocol/model'

export type ConstituentColumn = 'constituent' | 'value' | 'change' | 'drift' | 'weight'

/** What changes are counted from: the constituents when the page was opened, or those the user set as base. */
export type Since = 'opened' | 'base'

/** After "since". */
export const sinceWords: Record<Since, string> = { opened: 'page opened', base: 'your base' }

/** One line of the table of constituents. */
export interface ConstituentRow {
  /** Unique in the table, also where the service names a constituent twice. */
  key: string
  constituent: Constituent
  /** As it was then; absent for one that joined since. */
  before?: Constituent
  /** Length of its weight's bar: 1 is the greatest weight. A float, for drawing alone. */
  bar: number
}

/** A line of the table: a constituent, or one exchange of the constituent above it. */
export interface TableLine {
  key: string
  row: ConstituentRow
  /** Place among the row's exchanges; absent for the constituent itself. */
  exchangeAt?: number
}

/** A constituent that joined or left, with its weight now or then. */
export interface Member {
  key: string
  weightPercent: DecimalText
}

export interface Sort {
  column: ConstituentColumn
  isDescending: boolean
}

function byKey(constituents: readonly Constituent[]): Map<string, Constituent> {
  const found = new Map<string, Constituent>()
  for (const constituent of constituents) {
    const name = constituent.constituent
    let key = name
    for (let count = 2; found.has(key); count++) key = `${name} (${count})`
    found.set(key, constituent)
  }
  return found
}

/** Lengths of bars for these weights: the greatest has 1, none is negative. */
export function barsOf(weights: readonly DecimalText[]): number[] {
  const sizes = weights.map((weight) => Math.max(0, toChartNumber(weight)))
  const maxSize = sizes.reduce((max, size) => Math.max(max, size), 0)
  return sizes.map((size) => (maxSize === 0 ? 0 : size / maxSize))
}

/** The lines of the table in the service's order, each beside what it was then. */
export function constituentRows(
  now: ConstituentsPublication,
  then: ConstituentsPublication | undefined,
): ConstituentRow[] {
  const before = byKey(then?.constituents ?? [])
  const bars = barsOf(now.constituents.map(({ weightPercent }) => weightPercent))
  return [...byKey(now.constituents)].map(([key, constituent], at) => {
    const earlier = before.get(key)
    return { key, constituent, ...(earlier && { before: earlier }), bar: bars[at] ?? 0 }
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

function membersMissingIn(there: ReadonlyMap<string, Constituent>, all: ReadonlyMap<string, Constituent>): Member[] {
  return [...all].filter(([key]) => !there.has(key)).map(([key, { weightPercent }]) => ({ key, weightPercent }))
}

/** Which are in the index now and were not then, and the other way round. */
export function memberChanges(
  now: ConstituentsPublication,
  then: ConstituentsPublication,
): { joined: Member[]; left: Member[] } {
  const present = byKey(now.constituents)
  const before = byKey(then.constituents)
  return { joined: membersMissingIn(before, present), left: membersMissingIn(present, before) }
}

/** What a press on a column's header asks for: names from A, numbers from the greatest, then reversed, then unsorted. */
export function nextSort(sort: Sort | undefined, column: ConstituentColumn): Sort | undefined {
  const firstIsDescending = column !== 'constituent'
  if (sort?.column !== column) return { column, isDescending: firstIsDescending }
  return sort.isDescending === firstIsDescending ? { column, isDescending: !firstIsDescending } : undefined
}

function numberOf(row: ConstituentRow, column: ConstituentColumn): DecimalText | undefined {
  const { constituent, before } = row
  if (column === 'weight') return constituent.weightPercent
  if (column === 'value') return constituent.value
  if (column === 'drift') return driftOf(row)
  return before && percentChange(before.value, constituent.value, 8)
}

/** The keys of the rows in the order asked for; the service's order where rows are equal. Rows without one come last. */
export function orderOf(rows: readonly ConstituentRow[], sort: Sort | undefined): string[] {
  if (sort === undefined) return rows.map(({ key }) => key)
  const { column, isDescending } = sort
  const sign = isDescending ? -1 : 1
  if (column === 'constituent') {
    const { compare } = new Intl.Collator('en', { numeric: true })
    return rows.map(({ key }) => key).sort((a, b) => sign * compare(a, b))
  }
  const numbered = rows.map((row) => ({ key: row.key, number: parseDecimal(numberOf(row, column) ?? '') }))
  const sorted = numbered
    .flatMap(({ key, number }) => (number === undefined ? [] : [{ key, number }]))
    .sort((a, b) => sign * compareDecimals(a.number, b.number))
  return [...sorted, ...numbered.filter(({ number }) => number === undefined)].map(({ key }) => key)
}
