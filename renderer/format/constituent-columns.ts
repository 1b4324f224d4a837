/** Which columns of a table of constituents fit, and how wide they are. Numbers are never cut. */
import type { ConstituentColumn } from './constituents'

/** Widths of the widest texts to make room for, in CSS pixels; see `textPx` in columns.ts. */
export type WidestConstituents = Record<ConstituentColumn, number>

const paddingPx = 16
const edgePx = 8
const foldButtonPx = 22
const mostConstituentPx = 200
const leastConstituentPx = 96
const leastValuePx = 88
// Headers with the arrow of the sorted column, at 11 px.
const changeHeaderPx = 86
const driftHeaderPx = 46
const weightHeaderPx = 64
const barGapPx = 12
const leastBarPx = 24
const mostBarPx = 160

function room(px: number): number {
  return Math.ceil(px) + paddingPx
}

export interface ConstituentLayout {
  /** Width in CSS pixels of each column that is shown. */
  widths: ReadonlyMap<ConstituentColumn, number>
  /** Whether there is room for a bar beside the weight. */
  hasBars: boolean
}

/**
 * Lays the table out in `availablePx`; `hasDrift` asks for the column of that name. First the bars give way, then the
 * change, then the drift; the value and the weight stay. What is left over goes to the weight's bar, and the
 * constituent has what is left then. Where nothing else can give way the table is wider than `availablePx`.
 */
export function layOutConstituents(
  availablePx: number,
  widest: WidestConstituents,
  hasDrift = false,
): ConstituentLayout {
  const namePx = Math.max(leastConstituentPx, room(widest.constituent) + foldButtonPx + edgePx)
  const widths = new Map<ConstituentColumn, number>([
    ['constituent', Math.min(mostConstituentPx, namePx)],
    ['value', Math.max(leastValuePx, room(widest.value))],
    ['change', room(Math.max(widest.change, changeHeaderPx))],
    ['drift', room(Math.max(widest.drift, driftHeaderPx))],
    ['weight', room(Math.max(widest.weight, weightHeaderPx)) + edgePx],
  ])
  if (!hasDrift) widths.delete('drift')
  const spare = () => availablePx - [...widths.values()].reduce((sum, width) => sum + width, 0)
  const widen = (column: ConstituentColumn, px: number) => widths.set(column, (widths.get(column) ?? 0) + px)
  for (const column of ['change', 'drift'] as const) if (spare() < 0) widths.delete(column)
  const barPx = () => (widths.get('weight') ?? 0) - edgePx - room(widest.weight) - barGapPx
  const hasBars = barPx() + spare() >= leastBarPx
  if (hasBars) widen('weight', Math.max(0, Math.min(mostBarPx - barPx(), spare())))
  widen('constituent', Math.max(0, spare()))
  return { widths, hasBars }
}
