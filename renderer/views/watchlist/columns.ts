/** The columns of a watchlist: which the user wants and in which order, and which of them fit. */
import { listColumns, type IndexId, type IndexInfo, type ListColumn, type Quote } from '../../../protocol/model'
import { cellPx, layOutColumns } from '../../ui/column-layout'
import type { TableColumn } from '../../ui/table-column'

export type ColumnKey = 'index' | ListColumn | 'menu'

/** The columns of a list nobody arranged. */
export const defaultColumns: readonly ListColumn[] = listColumns.filter((column) => column !== 'resolution')

/** What each column is called on screen. */
export const columnLabels: Record<'index' | ListColumn, string> = {
  index: 'Index',
  name: 'Name',
  value: 'Value',
  change: 'Change',
  percent: 'Change %',
  trend: 'Last hour',
  published: 'Published',
  age: 'Age',
  resolution: 'Resolution',
  flags: 'Flags',
}

/** Every column, the chosen ones in their order and each hidden one behind the column it follows by default. */
export function allInOrder(chosen: readonly ListColumn[]): ListColumn[] {
  const order = [...chosen]
  for (const [at, column] of listColumns.entries()) {
    if (order.includes(column)) continue
    const before = listColumns[at - 1]
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, column)
  }
  return order
}

/** The order with `column` one place on (`by` 1) or back (`by` -1); the same order where there is no such place. */
export function movedColumn(order: readonly ListColumn[], column: ListColumn, by: 1 | -1): ListColumn[] {
  const at = order.indexOf(column)
  const to = at + by
  if (at === -1 || to < 0 || to >= order.length) return [...order]
  return order.toSpliced(at, 1).toSpliced(to, 0, column)
}

/** What to store: `null` stands for the default columns. */
export function storedColumns(chosen: readonly ListColumn[]): ListColumn[] | null {
  const isDefault = chosen.length === defaultColumns.length && chosen.every((each, at) => each === defaultColumns[at])
  return isDefault ? null : [...chosen]
}

/** Widths of the widest texts to make room for, in CSS pixels; see `textPx`. */
export type WidestTexts = Record<'index' | 'value' | 'change' | 'percent' | 'published', number>

export interface ColumnLayout {
  /** The columns that are shown, in order. */
  columns: readonly TableColumn<ColumnKey>[]
  has: ReadonlySet<ColumnKey>
  /** Flags show their icons alone. */
  hasShortFlags: boolean
}

const pageMarginPx = 8
const maxIndexPx = 220
const flagsPx = 136
const cachedPx = 48

const baseHint = 'Hover a change to see its base'
const titles: Partial<Record<ColumnKey, string>> = {
  change: baseHint,
  percent: baseHint,
  trend: 'The last hour by the minute; the last 60 publications for hourly and daily indices',
  age: 'How long ago the value was published',
  resolution: 'How often the index publishes',
}
const numbers: ReadonlySet<ColumnKey> = new Set(['value', 'change', 'percent', 'published', 'age'])

/**
 * Lays the table out in `availablePx`. `hasCached` makes room for the word beside the value; `chosen` are the columns
 * the user wants, in order. Numbers are never cut: names and columns give way.
 */
export function columnsFor(
  availablePx: number,
  widest: WidestTexts,
  hasCached: boolean,
  chosen: readonly ListColumn[] = defaultColumns,
): ColumnLayout {
  const natural: Record<ColumnKey, number> = {
    index: Math.min(maxIndexPx, Math.max(104, cellPx(widest.index) + pageMarginPx)),
    name: 112,
    value: Math.max(96, cellPx(widest.value)) + (hasCached ? cachedPx : 0),
    change: Math.max(88, cellPx(widest.change)),
    percent: Math.max(84, cellPx(widest.percent)),
    trend: 92,
    published: Math.max(104, cellPx(widest.published)),
    age: 62,
    resolution: 112,
    flags: flagsPx,
    menu: 40,
  }
  const keys: ColumnKey[] = ['index', ...chosen, 'menu']
  const plan = {
    columns: keys.map((key) => [key, natural[key]] as const),
    givesWay: [
      { key: 'trend' },
      { key: 'published' },
      { key: 'resolution' },
      { key: 'change' },
      { key: 'flags', toPx: 64 },
      { key: 'age' },
      { key: 'name' },
      { key: 'menu' },
    ] as const,
    takesRest: [{ key: 'name' }, { key: 'index' }] as const,
  }
  const widths = layOutColumns<ColumnKey>(plan, availablePx)
  return {
    columns: [...widths].map(([key, px]) => ({
      key,
      px,
      name: key === 'menu' ? 'Actions' : columnLabels[key],
      title: titles[key],
      isNumber: numbers.has(key),
      isAction: key === 'menu',
    })),
    has: new Set(widths.keys()),
    hasShortFlags: widths.has('flags') && widths.get('flags') !== flagsPx,
  }
}

/** One row for the clipboard, in columns a spreadsheet takes: id, the published value digit for digit, name, time. */
export function rowText(id: IndexId, info: IndexInfo | undefined, quote: Quote): string {
  return [id, quote.value, info?.name ?? '', new Date(quote.publishedAtMs).toISOString()].join('\t')
}
