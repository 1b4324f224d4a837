/** Which columns of a table of constituents fit, and how wide they are. Numbers are never cut. */
import type { ConstituentColumn } from '../../format/constituents'
import { cellPx, layOutColumns } from '../../ui/column-layout'

/** Widths of the widest texts to make room for, in CSS pixels; see `textPx`. */
export type ConstituentWidths = Record<ConstituentColumn, number>

const edgePx = 8
const expandButtonPx = 22
const maxConstituentPx = 200
const bar = { gapPx: 12, minPx: 24, maxPx: 160 }

export interface ConstituentLayout {
  /** Width in CSS pixels of each column that is shown. */
  widths: ReadonlyMap<ConstituentColumn, number>
  /** Whether there is room for a bar beside the weight. */
  hasBars: boolean
}

/**
 * Lays the table out in `availablePx`, with room for `texts` and the `heads` of the columns; `hasDrift` asks for the
 * column of that name. First the bars give way, then the points, the change and the drift; the value and the weight stay. What is
 * left over goes to the weight's bar, and the constituent has what is left then. Where nothing else can give way the
 * table is wider than `availablePx`.
 */
export function layOutConstituents(
  availablePx: number,
  texts: ConstituentWidths,
  heads: ConstituentWidths,
  hasDrift = false,
): ConstituentLayout {
  const roomFor = (key: ConstituentColumn) => cellPx(Math.max(texts[key], heads[key]))
  const columns: (readonly [ConstituentColumn, number])[] = [
    ['constituent', Math.min(maxConstituentPx, Math.max(96, cellPx(texts.constituent) + expandButtonPx + edgePx))],
    ['value', Math.max(88, cellPx(texts.value))],
    ['change', roomFor('change')],
    ['points', roomFor('points')],
    ['drift', roomFor('drift')],
    ['weight', roomFor('weight') + edgePx],
  ]
  const withoutBarPx = cellPx(texts.weight) + edgePx + bar.gapPx
  const layOut = (hasBars: boolean) =>
    layOutColumns<ConstituentColumn>(
      {
        columns: columns.filter(([key]) => hasDrift || key !== 'drift'),
        givesWay: [{ key: 'points' }, { key: 'change' }, { key: 'drift' }],
        takesRest: [
          ...(hasBars ? [{ key: 'weight', maxPx: withoutBarPx + bar.maxPx } as const] : []),
          { key: 'constituent' },
        ],
      },
      availablePx,
    )
  const withBars = layOut(true)
  const hasBars = (withBars.get('weight') ?? 0) - withoutBarPx >= bar.minPx
  return { widths: hasBars ? withBars : layOut(false), hasBars }
}
