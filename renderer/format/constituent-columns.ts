/** Which columns of a table of constituents fit, and how wide they are. Numbers are never cut. */
import type { ConstituentColumn } from './constituents'

/** Widths of the widest texts to make room for, in CSS pixels; see `textPx` in columns.ts. */
export type WidestConstituents = Record<ConstituentColumn, number>

const paddingPx = 16
const edgePx = 8
const foldButtonPx = 22
const mostConstituentPx = 200
// Headers with the arrow of the sorted column, at 11 px.
const sinceOpenedPx = 86
const weightHeaderPx = 64
const leastBarPx = 40
const mostBarPx = 140

function room(px: number): number {
  return Math.ceil(px) + paddingPx
}

/**
 * Width in CSS pixels of each column in `availablePx`. The change gives way where the numbers need its room; the weight's
 * column takes what is left for its bar, and the constituent's what is left then. The sum is greater than `availablePx`
 * where nothing else can give way.
 */
export function layOutConstituents(
  availablePx: number,
  widest: WidestConstituents,
): ReadonlyMap<ConstituentColumn, number> {
  const widths = new Map<ConstituentColumn, number>([
    ['constituent', Math.min(mostConstituentPx, Math.max(96, room(widest.constituent) + foldButtonPx + edgePx))],
    ['value', Math.max(88, room(widest.value))],
    ['change', room(Math.max(widest.change, sinceOpenedPx))],
    ['weight', room(Math.max(widest.weight, weightHeaderPx)) + edgePx],
  ])
  const spare = () => availablePx - [...widths.values()].reduce((sum, width) => sum + width, 0)
  const widen = (column: ConstituentColumn, px: number) => widths.set(column, (widths.get(column) ?? 0) + px)
  if (spare() < 0) widths.delete('change')
  if (spare() >= leastBarPx) widen('weight', Math.min(mostBarPx, spare()))
  return widen('constituent', Math.max(0, spare()))
}
