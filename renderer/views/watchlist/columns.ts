/** The columns of a watchlist: which the user wants and in which order, and which of them fit. */
import { shownTimeMs } from '../../../core/freshness'
import { listColumns, type IndexId, type IndexInfo, type ListColumn, type Quote } from '../../../core/model'
import type { ChangeBase } from '../../../core/preferences'
import { cellPx, layOutColumns, type ColumnPlan } from '../../ui/column-layout'
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
  trend: 'Trend',
  range: '24 h range',
  published: 'Published',
  age: 'Age',
  resolution: 'Frequency',
  flags: 'Status',
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

/**
 * Widths of the widest texts to make room for, in CSS pixels; see `textPx`. `basis`: what a row says its own change is
 * measured against; 0 while none does.
 */
export type WidestTexts = Record<'index' | 'name' | 'value' | 'change' | 'percent' | 'published' | 'basis', number>

export interface ColumnLayout {
  /** The columns that are shown, in order. */
  columns: readonly TableColumn<ColumnKey>[]
  has: ReadonlySet<ColumnKey>
  /** Flags show their icons alone. */
  hasShortFlags: boolean
  /** Each name stands below its id: how wide it may be, in CSS pixels. */
  stackedNamePx: number | undefined
  trendPx: number
  /** The column that says what the change of a row is measured against where it is not what the head says. */
  basisColumn: 'percent' | 'change'
  /** Below the number, before it, or as a mark before it. */
  basis: 'under' | 'beside' | 'mark'
}

/** What a list shows besides what it measures. */
export interface ListLook {
  /** Makes room for the word beside the value. */
  hasCached: boolean
  /** Names stand below the ids, where they are shown. */
  isStacked: boolean
  changeBase: ChangeBase
  /** The columns the user wants, in order; absent: the default ones. */
  chosen: readonly ListColumn[] | undefined
}

const pageMarginPx = 8
const maxIndexPx = 220
const minNamePx = 112
const maxNamePx = 280
const minStackedPx = 160
/** A name below an id, and what a change is measured against, is smaller and lighter than what widths are measured in. */
const smallScale = 0.85
const flagsPx = 156
const cachedPx = 48
const basisGapPx = 6
const basisMarkPx = 22
const trendPx = 92
const maxTrendPx = 220

const baseHint = 'Hover a change to see what it is measured against'
const slowTrend = 'for hourly and daily indices the last 60 publications'
/** The span of the trend is that of the change. */
const trendTitles: Record<ChangeBase, string> = {
  sessionFirst: `Trend since app start, ${slowTrend}`,
  dayAgo: `Trend of the last 24 hours, ${slowTrend}`,
  previousClose: `Trend since 00:00 UTC, ${slowTrend}`,
}
const titles: Partial<Record<ColumnKey, string>> = {
  change: baseHint,
  percent: baseHint,
  range: 'Where the value is between the lowest and the highest of the last 24 hours',
  age: 'How long ago the value was published',
  resolution: 'How often the index publishes',
}
const numbers: ReadonlySet<ColumnKey> = new Set(['value', 'change', 'percent', 'published', 'age'])

/** The columns in order, a stacked name behind its id wherever it was put. */
function keysOf({ isStacked, chosen = defaultColumns }: ListLook): ColumnKey[] {
  if (!isStacked || !chosen.includes('name')) return ['index', ...chosen, 'menu']
  return ['index', 'name', ...chosen.filter((column) => column !== 'name'), 'menu']
}

/** What gives way and what takes the rest: numbers are never cut, names and columns are. */
function planOf(
  natural: Record<ColumnKey, number>,
  keys: readonly ColumnKey[],
  { idPx, basis }: { idPx: number; basis: { key: ColumnKey; toPx: number } },
): ColumnPlan<ColumnKey> {
  return {
    columns: keys.map((key) => [key, natural[key]] as const),
    givesWay: [
      { key: 'range' },
      { key: 'name', toPx: minNamePx },
      basis,
      { key: 'published' },
      { key: 'resolution' },
      { key: 'change' },
      { key: 'flags', toPx: 64 },
      { key: 'trend' },
      { key: 'index', toPx: Math.max(idPx, minStackedPx) },
      { key: 'age' },
      ...(natural.name > 0 ? [{ key: 'name' } as const] : []),
      { key: 'menu' },
    ],
    // What is left over beyond that stands at the end, not as a hole between names and numbers.
    takesRest: [
      { key: 'name', maxPx: natural.name },
      { key: 'index', maxPx: natural.index },
      { key: 'trend', maxPx: maxTrendPx },
      { key: 'flags' },
      { key: 'index' },
    ],
  }
}

/** Lays the table out in `availablePx`. */
export function columnsFor(availablePx: number, widest: WidestTexts, look: ListLook): ColumnLayout {
  const keys = keysOf(look)
  const isStacked = look.isStacked && keys.includes('name')
  const idPx = Math.min(maxIndexPx, Math.max(104, cellPx(widest.index) + pageMarginPx))
  const stackedPx = Math.min(maxNamePx, cellPx(widest.name * smallScale) + pageMarginPx)
  const natural: Record<ColumnKey, number> = {
    index: isStacked ? Math.max(idPx, stackedPx) : idPx,
    name: isStacked ? 0 : Math.min(maxNamePx, Math.max(minNamePx, cellPx(widest.name))),
    value: Math.max(96, cellPx(widest.value)) + (look.hasCached ? cachedPx : 0),
    change: Math.max(88, cellPx(widest.change)),
    percent: Math.max(78, cellPx(widest.percent)),
    trend: trendPx,
    range: 136,
    published: Math.max(104, cellPx(widest.published)),
    age: 62,
    resolution: 112,
    flags: flagsPx,
    menu: 40,
  }
  const basisColumn: ColumnLayout['basisColumn'] = keys.includes('percent') ? 'percent' : 'change'
  const basisPx = Math.ceil(widest.basis * smallScale)
  const markedPx = natural[basisColumn] + (basisPx > 0 && !look.isStacked ? basisMarkPx : 0)
  if (look.isStacked) natural[basisColumn] = Math.max(natural[basisColumn], cellPx(basisPx))
  else if (basisPx > 0) natural[basisColumn] += basisPx + basisGapPx
  const basis = { key: basisColumn, toPx: look.isStacked ? natural[basisColumn] : markedPx }
  const widths = layOutColumns(planOf(natural, keys, { idPx, basis }), availablePx)
  return {
    columns: [...widths].map(([key, px]) => ({
      key,
      px,
      name: key === 'menu' ? 'Actions' : columnLabels[key],
      title: key === 'trend' ? trendTitles[look.changeBase] : titles[key],
      isNumber: numbers.has(key),
      isAction: key === 'menu',
      isUnder: isStacked && key === 'name',
    })),
    has: new Set(widths.keys()),
    hasShortFlags: (widths.get('flags') ?? flagsPx) < flagsPx,
    stackedNamePx: isStacked ? (widths.get('index') ?? 0) - cellPx(pageMarginPx) : undefined,
    trendPx: (widths.get('trend') ?? trendPx) - cellPx(0),
    basisColumn,
    basis: look.isStacked ? 'under' : (widths.get(basisColumn) ?? 0) < natural[basisColumn] ? 'mark' : 'beside',
  }
}

/** What all these names begin with, whole words that each can do without; empty for a single one. */
export function sharedBeginning(names: readonly string[]): string {
  const [first = ''] = names
  let shared = names.length > 1 ? first.slice(0, first.lastIndexOf(' ') + 1) : ''
  while (shared !== '' && !names.every((name) => name.startsWith(shared) && name.length > shared.length))
    shared = shared.slice(0, shared.trimEnd().lastIndexOf(' ') + 1)
  return shared
}

/** One row for the clipboard, in columns a spreadsheet takes: id, the published value digit for digit, name, time. */
export function rowText(id: IndexId, info: IndexInfo | undefined, quote: Quote): string {
  return [id, quote.value, info?.name ?? '', new Date(shownTimeMs(quote)).toISOString()].join('\t')
}
