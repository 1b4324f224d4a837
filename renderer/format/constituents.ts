import {
  compareDecimals,
  multiplyAndDivide,
  parseDecimal,
  percentChange,
  subtractDecimals,
  sumDecimals,
  toChartNumber,
} from '../../protocol/decimal'
import { decimalsOf } from './value-scale'
import type { Constituent, ConstituentsPublication, DecimalText } from '../../protocol/model'

export type ConstituentColumn = 'constituent' | 'value' | 'change' | 'points' | 'drift' | 'weight'

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
  /** What it did to the index since then, in points of the index; absent for one that joined since. */
  points?: DecimalText
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

/** As many digits after the point as the index has, two at least. */
function pointPlaces({ value }: ConstituentsPublication): number {
  return Math.max(2, decimalsOf(value))
}

/** Index then × weight then × change of its value: rounded once, half away from zero. Nothing from a value of zero. */
function pointsOf(
  { value }: Constituent,
  before: Constituent,
  then: ConstituentsPublication,
  places: number,
): DecimalText | undefined {
  const moved = subtractDecimals(value, before.value)
  return multiplyAndDivide([then.value, before.weightPercent, moved, '0.01'], before.value, places)
}

/** The index' change since then, what its constituents did to it, and what these do not add up to: never hidden. */
export function indexPoints(
  rows: readonly ConstituentRow[],
  now: ConstituentsPublication,
  then: ConstituentsPublication,
): { change: DecimalText; constituents: DecimalText; rest: DecimalText } {
  const change = subtractDecimals(now.value, then.value)
  const constituents = sumDecimals(rows.flatMap(({ points }) => points ?? []))
  return { change, constituents, rest: subtractDecimals(change, constituents) }
}

/** The lines of the table in the service's order, each beside what it was then. */
export function constituentRows(
  now: ConstituentsPublication,
  then: ConstituentsPublication | undefined,
): ConstituentRow[] {
  const before = byKey(then?.constituents ?? [])
  const places = pointPlaces(now)
  const bars = barsOf(now.constituents.map(({ weightPercent }) => weightPercent))
  return [...byKey(now.constituents)].map(([key, constituent], at) => {
    const earlier = before.get(key)
    const points = then && earlier && pointsOf(constituent, earlier, then, places)
    return {
      key,
      constituent,
      ...(earlier && { before: earlier }),
      ...(points !== undefined && { points }),
      bar: bars[at] ?? 0,
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
  if (column === 'points') return row.points
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
