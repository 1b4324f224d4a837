/** Which columns of the watchlist fit, and how wide they are. Numbers are never cut: names and columns give way. */
import type { ListColumn } from '../../protocol/model'
import { usualColumns } from './column-choice'

export type ColumnKey = 'index' | ListColumn | 'menu'

/** What stands in a table nobody arranged. */
export const columnKeys: readonly ColumnKey[] = ['index', ...usualColumns, 'menu']

/** Widths of the widest texts to make room for, in CSS pixels; see `textPx`. */
export interface WidestTexts {
  index: number
  value: number
  change: number
  percent: number
  published: number
}

export interface ColumnLayout {
  /** Width in CSS pixels of each column that is shown, in order; the flexible one takes the rest. */
  widths: ReadonlyMap<ColumnKey, number>
  /** Flags show their icons alone. */
  hasShortFlags: boolean
}

const paddingPx = 16
const pageMarginPx = 8
const leastNamePx = 112
const mostIndexPx = 220
const flagsPx = 136
const shortFlagsPx = 64

// Advances in Inter at 13 px, the wider of regular and semibold. Digits and signs are tabular.
const digitPx = 8.44
const widestCapitalPx = 13.5
const otherPx = 9.7
const narrowPx: Readonly<Record<string, number>> = { ',': 3.5, '.': 3.5, ':': 3.5, ' ': 3.8, _: 6.2, I: 4.5 }

/** Room in CSS pixels that a number, a time or an id takes at 13 px; never less than it really takes. */
export function textPx(text: string): number {
  let px = 0
  for (const character of text) {
    if (/[\d+\u2212-]/.test(character)) px += digitPx
    else px += narrowPx[character] ?? (/[WM%]/.test(character) ? widestCapitalPx : otherPx)
  }
  return px
}

/** The order in which columns hide. */
const givesWay = ['trend', 'published', 'resolution', 'change', 'flags', 'age', 'name', 'menu'] as const

function naturalWidths(widest: WidestTexts, hasCached: boolean): Record<ColumnKey, number> {
  const room = (px: number) => Math.ceil(px) + paddingPx
  return {
    index: Math.min(mostIndexPx, Math.max(104, room(widest.index) + pageMarginPx)),
    name: leastNamePx,
    value: Math.max(96, room(widest.value)) + (hasCached ? 48 : 0),
    change: Math.max(88, room(widest.change)),
    percent: Math.max(84, room(widest.percent)),
    trend: 92,
    published: Math.max(104, room(widest.published)),
    age: 62,
    resolution: 112,
    flags: flagsPx,
    menu: 40,
  }
}

/**
 * Lays the table out in `availablePx`. `hasCached` makes room for the word beside the value; `chosen` are the columns
 * the user wants, in order.
 */
export function layOutColumns(
  availablePx: number,
  widest: WidestTexts,
  hasCached: boolean,
  chosen: readonly ListColumn[] = usualColumns,
): ColumnLayout {
  const natural = naturalWidths(widest, hasCached)
  const keys: ColumnKey[] = ['index', ...chosen, 'menu']
  const widths = new Map(keys.map((key) => [key, natural[key]]))
  const used = () => [...widths.values()].reduce((sum, width) => sum + width, 0)
  let hasShortFlags = false
  for (const key of givesWay) {
    if (used() <= availablePx) break
    if (key === 'flags') {
      if (!widths.has('flags')) continue
      widths.set('flags', shortFlagsPx)
      hasShortFlags = true
    } else widths.delete(key)
  }
  const flexible = widths.has('name') ? 'name' : 'index'
  widths.set(flexible, (widths.get(flexible) ?? 0) + Math.max(0, availablePx - used()))
  return { widths, hasShortFlags }
}
