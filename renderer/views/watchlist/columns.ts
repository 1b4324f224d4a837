/** The columns of a watchlist, and the user's choice and order of them. watchlist-row.svelte draws the cells. */
import { isHourlyOrSlower } from '../../../core/cadence'
import { shownTimeMs } from '../../../core/freshness'
import {
  listColumns,
  resolutions,
  type IndexId,
  type IndexInfo,
  type ListColumn,
  type ListSort,
  type Quote,
} from '../../../core/model'
import { divideDecimals, parseDecimal } from '../../../core/decimal'
import type { ChangeBase } from '../../../core/preferences'
import { placeInRange } from '../../format/change'
import { resolutionText } from '../../format/resolution-words'
import { changeOf, riseOf, sortedBy, type SortFacts, type SortKey } from '../../format/row-order'
import { cellPx } from '../../ui/column-layout'
import type { TableColumn, Widest } from '../../ui/table-column'
import { textPx } from '../../ui/text-width'
import type { ListRow } from './list-row.svelte'

export type ColumnKey = 'index' | ListColumn | 'menu'

/** A column without its key. */
interface ListColumnSpec extends Omit<TableColumn<ListRow, ColumnKey>, 'key'> {
  /** The sort key of a row. Rows without one come last in both directions. */
  sort: (row: SortFacts) => SortKey | undefined
  /** The first click on the head sorts in descending order. */
  isFirstDescending?: boolean
  /** Overrides for rows with two lines, where names are below ids. */
  stacked?: Partial<TableColumn<ListRow, ColumnKey>>
}

/** The columns of a list that the user has not arranged. */
export const defaultColumns: readonly ListColumn[] = listColumns.filter(
  (column) => column !== 'resolution' && column !== 'mean',
)

/** Names below ids and baselines of changes have smaller and lighter type than the measured one. This corrects the width. */
const smallScale = 0.85
const pageMarginPx = 8
const cachedPx = 48
/** The bell with its gap. Each row has this room, so that a new alert moves nothing. */
const bellPx = 20
const ageGapPx = 6
const trendPx = 160
const minTrendPx = 92
const tinyTrendPx = 52
const basisGapPx = 6
const basisMarkPx = 22
const minStackedPx = 160
const baseHint = 'Hover a change to see what it is measured against'
/** Text of a row whose change is measured against the previous fixing. */
export const shortBasis = 'vs prev. fixing'

function idPx(widest: Widest): number {
  return Math.min(220, Math.max(104, cellPx(widest('index')) + pageMarginPx))
}

function stackedPx(widest: Widest): number {
  return Math.min(280, cellPx(widest('name') * smallScale) + pageMarginPx)
}

function valuePx({ row, parts, missing }: ListRow): number {
  return bellPx + textPx(`${missing} ${row.valueText ?? ''}${parts.padding}`.trim())
}

/** Nothing is cut: a name has its whole width, up to a maximum, or its column hides. Other columns give way, too. Spare width beyond names and the trend stays at the end. */
export const listColumnSpecs: Record<'index' | ListColumn, ListColumnSpec> = {
  index: {
    name: 'Index',
    sort: ({ id }) => id,
    // The dash is as wide as the pin icon with its gap.
    text: ({ title, isPinned }) => (isPinned ? `${title} \u2014` : title),
    px: idPx,
    takes: [[2, 0]],
    stacked: {
      px: (widest) => Math.max(idPx(widest), stackedPx(widest)),
      gives: [[12, (widest) => Math.max(idPx(widest), minStackedPx)]],
    },
  },
  name: {
    name: 'Name',
    sort: ({ name }) => name,
    text: ({ name }) => name,
    min: 112,
    max: 280,
    gives: [[6]],
    stacked: { px: () => 0, gives: [], isUnder: true },
  },
  value: {
    name: 'Value',
    sort: ({ quote }) => quote && parseDecimal(quote.value),
    isNumber: true,
    room: (listRow) => valuePx(listRow) + (listRow.isCached ? cachedPx : 0),
    min: 96,
    // “cached” is below the value.
    stacked: { room: valuePx },
  },
  change: {
    name: 'Change',
    title: baseHint,
    sort: (row) => changeOf(row, false),
    isFirstDescending: true,
    isNumber: true,
    text: ({ row }) => row.change?.difference ?? '—',
    min: 88,
    gives: [[8]],
  },
  percent: {
    name: 'Change %',
    title: baseHint,
    sort: (row) => changeOf(row, true),
    isFirstDescending: true,
    isNumber: true,
    // The dash is as wide as the arrow with its gap.
    text: ({ row }) => `\u2014 ${row.change?.percent ?? ''}`,
    min: 78,
  },
  mean: {
    name: 'Mean 60 s',
    title: 'The mean of the values of the last 60 seconds, one a second',
    sort: ({ quote }) => {
      const { mean } = quote ?? {}
      return mean && parseDecimal(divideDecimals(mean.sum, String(mean.counted), 16) ?? '')
    },
    isNumber: true,
    text: ({ mean }) => (mean === undefined ? '—' : `${mean.text} ${mean.missing}`),
    min: 96,
    gives: [[6]],
  },
  trend: {
    name: 'Trend',
    sort: ({ facts }) => facts?.trend && riseOf(facts.trend),
    px: trendPx + cellPx(0),
    gives: [[1, minTrendPx], [10, tinyTrendPx], [11]],
    takes: [[4, 124]],
  },
  range: {
    name: '24 h range',
    title: 'Where the value is between the lowest and the highest of the last 24 hours',
    sort: ({ quote, facts }) => quote && facts?.range && placeInRange(quote.value, facts.range),
    px: 136,
    gives: [[2]],
  },
  published: {
    name: 'Published',
    sort: ({ quote }) => quote && shownTimeMs(quote),
    title: 'The age is beside the time once a value is overdue',
    room: ({ published = '', overdueText }) =>
      textPx(published) + (overdueText === undefined ? 0 : ageGapPx + textPx(overdueText) * smallScale),
    min: 96,
    gives: [[7]],
  },
  resolution: {
    name: 'Frequency',
    title: 'How often the index publishes',
    sort: ({ resolution }) => resolution && resolutions.indexOf(resolution),
    text: ({ resolution }) => (resolution ? resolutionText[resolution] : '—'),
    px: 112,
    gives: [[5]],
  },
  flags: {
    name: 'Status',
    sort: ({ flagWeight }) => flagWeight,
    px: 156,
    gives: [[4, 64, 'icons']],
    takes: [[3, 0], [5]],
    // The words stay longer, because the name is below the id and needs no column.
    stacked: { gives: [[9, 64, 'icons']] },
  },
}

/** The ids of the sorted rows. Without a `sort` they keep their order. */
export function sortedIds(rows: readonly SortFacts[], sort: ListSort | undefined): IndexId[] {
  return sortedBy(rows, sort, (row, column) => listColumnSpecs[column].sort(row)).map(({ id }) => id)
}

/** All columns. The chosen ones have the user's order. A hidden one follows the column that it follows by default. */
export function allInOrder(chosen: readonly ListColumn[]): ListColumn[] {
  const order = [...chosen]
  for (const [at, column] of listColumns.entries()) {
    if (order.includes(column)) continue
    const before = listColumns[at - 1]
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, column)
  }
  return order
}

/** Moves `column` one position forward (`by` 1) or back (`by` -1). Returns the same order at an end. */
export function movedColumn(order: readonly ListColumn[], column: ListColumn, by: 1 | -1): ListColumn[] {
  const at = order.indexOf(column)
  const to = at + by
  if (at === -1 || to < 0 || to >= order.length) return [...order]
  return order.toSpliced(at, 1).toSpliced(to, 0, column)
}

/** The value to store. `null` means the default columns. */
export function storedColumns(chosen: readonly ListColumn[]): ListColumn[] | null {
  const isDefault = chosen.length === defaultColumns.length && chosen.every((each, at) => each === defaultColumns[at])
  return isDefault ? null : [...chosen]
}

/** The settings that determine the columns of a list. */
export interface ListLook {
  /** Rows have two lines: the name below the id, and the baseline below the change. */
  isComfortable: boolean
  changeBase: ChangeBase
  /** The user's columns, in order. Undefined for the default ones. */
  chosen: readonly ListColumn[] | undefined
}

const trendTitle = 'The last 24 hours. For hourly and daily indices the last 60 publications.'
const trendTitles: Record<ChangeBase, string> = {
  sessionFirst: `${trendTitle} The line is fainter before app start.`,
  dayAgo: trendTitle,
  previousClose: `${trendTitle} The line is fainter before 00:00 UTC.`,
}

/** The column that shows the baseline of a row if it differs from the one in the head. */
export function basisColumn(chosen: readonly ListColumn[] = defaultColumns): 'percent' | 'change' {
  return chosen.includes('percent') ? 'percent' : 'change'
}

/** Room for that baseline. It is below the number. In rows of one line, it is a text or a mark before the number. */
function basisLayout(key: ColumnKey, { min = 0, gives = [] }: ListColumnSpec, isComfortable: boolean) {
  const ownPx = (widest: Widest) => Math.max(min, cellPx(widest(key)))
  const beside = (widest: Widest, px: number) => ownPx(widest) + (widest('basis') > 0 ? px : 0)
  const px = (widest: Widest) =>
    isComfortable ? Math.max(ownPx(widest), cellPx(widest('basis'))) : beside(widest, widest('basis') + basisGapPx)
  const mark = [3, (widest: Widest) => beside(widest, basisMarkPx), 'mark'] as const
  return {
    // Kept for a fixing before its change is known, so that the columns do not move when it comes.
    also: {
      basis: ({ isVsFixing, resolution }: ListRow) =>
        isVsFixing || isHourlyOrSlower(resolution) ? Math.ceil(textPx(shortBasis) * smallScale) : 0,
    },
    px,
    gives: isComfortable ? gives : [...gives, mark],
  }
}

/** The columns of a list in order. A stacked name always follows the id. */
export function columnsOf({
  isComfortable,
  changeBase,
  chosen = defaultColumns,
}: ListLook): TableColumn<ListRow, ColumnKey>[] {
  const isStacked = isComfortable && chosen.includes('name')
  const inOrder = isStacked ? ['name' as const, ...chosen.filter((column) => column !== 'name')] : chosen
  const columns = (['index', ...inOrder] as const).map((key): TableColumn<ListRow, ColumnKey> => {
    const spec = listColumnSpecs[key]
    return {
      key,
      ...spec,
      ...(isStacked && spec.stacked),
      ...(key === basisColumn(chosen) && basisLayout(key, spec, isComfortable)),
      ...(key === 'trend' && { title: trendTitles[changeBase] }),
    }
  })
  return [...columns, { key: 'menu', name: 'Actions', isAction: true, px: 40, gives: [[13]], takes: [[6]] }]
}

/** The words with which all names begin, if something remains of each name. Empty for a single name. */
export function commonPrefix(names: readonly string[]): string {
  const [first = ''] = names
  let shared = names.length > 1 ? first.slice(0, first.lastIndexOf(' ') + 1) : ''
  while (shared !== '' && !names.every((name) => name.startsWith(shared) && name.length > shared.length))
    shared = shared.slice(0, shared.trimEnd().lastIndexOf(' ') + 1)
  return shared
}

/** A row for the clipboard, with tabs between the columns: id, the published value with every digit, name, time. */
export function rowText(id: IndexId, info: IndexInfo | undefined, quote: Quote): string {
  return [id, quote.value, info?.name ?? '', new Date(shownTimeMs(quote)).toISOString()].join('\t')
}
