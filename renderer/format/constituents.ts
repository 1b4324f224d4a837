import { compareDecimals, parseDecimal, percentChange, toChartNumber } from '../../protocol/decimal'
import type { Constituent, ConstituentsPublication, DecimalText } from '../../protocol/model'
import { changeTexts, type ChangeTexts } from './change'

export type ConstituentColumn = 'constituent' | 'value' | 'change' | 'weight'

/** One line of the table of constituents. */
export interface ConstituentRow {
  /** Unique in the table, also where the service names a constituent twice. */
  key: string
  constituent: Constituent
  /** As it was when the page was opened; absent for one that joined since. */
  atOpening?: Constituent
  /** How its value differs from the one at the opening. */
  change?: ChangeTexts
  /** Length of its weight's bar: 1 is the greatest weight. A float, for drawing alone. */
  bar: number
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
  const greatest = Math.max(0, ...sizes)
  return sizes.map((size) => (greatest === 0 ? 0 : size / greatest))
}

/** The lines of the table in the service's order, each beside what it was at the opening. */
export function constituentRows(
  now: ConstituentsPublication,
  opening: ConstituentsPublication | undefined,
): ConstituentRow[] {
  const before = byKey(opening?.constituents ?? [])
  const bars = barsOf(now.constituents.map(({ weightPercent }) => weightPercent))
  return [...byKey(now.constituents)].map(([key, constituent], at) => {
    const atOpening = before.get(key)
    return {
      key,
      constituent,
      ...(atOpening && { atOpening, change: changeTexts(atOpening.value, constituent.value) }),
      bar: bars[at] ?? 0,
    }
  })
}

/** Who is in the index now and was not at the opening, and the other way round. */
export function memberChanges(
  now: ConstituentsPublication,
  opening: ConstituentsPublication,
): { joined: string[]; left: string[] } {
  const present = byKey(now.constituents)
  const before = byKey(opening.constituents)
  return {
    joined: [...present.keys()].filter((key) => !before.has(key)),
    left: [...before.keys()].filter((key) => !present.has(key)),
  }
}

/** What a press on a column's header asks for: names from A, numbers from the greatest, then reversed, then unsorted. */
export function nextSort(sort: Sort | undefined, column: ConstituentColumn): Sort | undefined {
  const firstIsDescending = column !== 'constituent'
  if (sort?.column !== column) return { column, isDescending: firstIsDescending }
  return sort.isDescending === firstIsDescending ? { column, isDescending: !firstIsDescending } : undefined
}

function numberOf({ constituent, atOpening }: ConstituentRow, column: ConstituentColumn): DecimalText | undefined {
  if (column === 'weight') return constituent.weightPercent
  if (column === 'value') return constituent.value
  return atOpening && percentChange(atOpening.value, constituent.value, 8)
}

function ascending(a: ConstituentRow, b: ConstituentRow, column: ConstituentColumn): number {
  if (column === 'constituent') return a.key.localeCompare(b.key, 'en', { numeric: true })
  const left = parseDecimal(numberOf(a, column) ?? '')
  const right = parseDecimal(numberOf(b, column) ?? '')
  return left === undefined || right === undefined ? 0 : compareDecimals(left, right)
}

/** The keys of the rows in the order asked for; the service's order where rows are equal. Rows without one come last. */
export function orderOf(rows: readonly ConstituentRow[], sort: Sort | undefined): string[] {
  if (sort === undefined) return rows.map(({ key }) => key)
  const { column, isDescending } = sort
  const hasOne = (row: ConstituentRow) => column === 'constituent' || numberOf(row, column) !== undefined
  const sorted = rows.filter(hasOne).sort((a, b) => (isDescending ? ascending(b, a, column) : ascending(a, b, column)))
  return [...sorted, ...rows.filter((row) => !hasOne(row))].map(({ key }) => key)
}
