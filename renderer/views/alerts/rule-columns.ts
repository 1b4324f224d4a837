/** Which columns of the table of rules fit, and how wide they are. Ids and levels are never cut: columns hide instead. */
import { amountText, hoursWords, termsWords } from '../../../protocol/alert-words'
import type { AlertView } from '../../../protocol/alerts'
import { formatValue, type DisplayStyle } from '../../format/value'
import { cellPx, layOutColumns } from '../../ui/column-layout'
import type { TableColumn } from '../../ui/table-column'
import { textPx } from '../../ui/text-width'

type RuleColumn = 'index' | 'condition' | 'level' | 'repeat' | 'state' | 'distance' | 'menu'

/** Widths in CSS pixels of the widest texts of rules; see `textPx`. */
export type RuleWidths = Record<'index' | 'condition' | 'level', number> & RowWidths

/** Of what changes by itself, before any row was seen: the widest button and the usual state. */
export const minRowWidths = { state: 80, distance: 80, shortDistance: 80, bareDistance: 80 }
export type RowWidths = typeof minRowWidths

export interface RuleLayout {
  columns: readonly TableColumn<RuleColumn>[]
  has: ReadonlySet<RuleColumn>
  /** Without its percentage it is short; bare, also without saying as of when it is, as the state does. */
  distance: 'full' | 'short' | 'bare'
  /** There is room for the reason of a state, or for as much of it as makes sense. */
  hasReason: boolean
}

const edgePx = 16
const minConditionPx = 140
const minStatePx = 160
/** The icon and the frame of a state, whose text is smaller than the others. */
const badgePx = 36
const badgeScale = 0.88

const names: Record<RuleColumn, string> = {
  index: 'Index',
  condition: 'Condition',
  level: 'Level',
  repeat: 'Repeat',
  state: 'State',
  distance: 'Distance',
  menu: 'Actions',
}

/** Widths of the texts that do not change by themselves. */
export function ruleTexts(
  rules: readonly AlertView[],
  style: DisplayStyle,
): Pick<RuleWidths, 'index' | 'condition' | 'level'> {
  // Most rules share ids and conditions: each text is measured once.
  const widest = (texts: string[]) => Math.max(0, ...[...new Set(texts)].map(textPx))
  return {
    index: widest(rules.map(({ indexId }) => indexId)),
    condition: widest(
      rules.map(({ terms, hours, note = '' }) => `${termsWords(terms)} ${hours ? hoursWords(hours) : ''} ${note}`),
    ),
    level: widest(rules.map(({ terms }) => amountText(terms, (text) => formatValue(text, style)))),
  }
}

/** Widths only grow, so that a tick moves nothing to and fro. */
export function widestOf(a: RowWidths, b: RowWidths): RowWidths {
  const keys = ['state', 'distance', 'shortDistance', 'bareDistance'] as const
  if (keys.every((key) => a[key] >= b[key])) return a
  return {
    state: Math.max(a.state, b.state),
    distance: Math.max(a.distance, b.distance),
    shortDistance: Math.max(a.shortDistance, b.shortDistance),
    bareDistance: Math.max(a.bareDistance, b.bareDistance),
  }
}

/**
 * What fits into `availablePx`: first the percentage of the distance gives way, then words of the state, then how often
 * a rule repeats, then as of when the distance is, then words of the condition, and at last the distance.
 */
export function ruleColumns(widths: RuleWidths, availablePx: number): RuleLayout {
  const shortPx = cellPx(widths.shortDistance)
  const barePx = cellPx(widths.bareDistance)
  const distancePx = cellPx(widths.distance)
  const natural: Record<RuleColumn, number> = {
    index: Math.max(108, cellPx(widths.index) + edgePx),
    condition: Math.min(250, Math.max(minConditionPx, cellPx(widths.condition))),
    level: Math.max(72, cellPx(widths.level)),
    repeat: 120,
    state: Math.min(264, cellPx(widths.state * badgeScale) + badgePx),
    distance: distancePx,
    menu: 58,
  }
  const keys: RuleColumn[] = ['index', 'condition', 'level', 'repeat', 'state', 'distance', 'menu']
  const shown = layOutColumns<RuleColumn>(
    {
      columns: keys.map((key) => [key, natural[key]]),
      givesWay: [
        { key: 'distance', toPx: shortPx },
        { key: 'state', toPx: minStatePx },
        { key: 'repeat' },
        { key: 'distance', toPx: barePx },
        { key: 'condition', toPx: minConditionPx },
        { key: 'distance' },
      ],
      takesRest: [{ key: 'condition' }],
    },
    availablePx,
  )
  const px = shown.get('distance')
  return {
    columns: [...shown].map(([key, columnPx]) => ({
      key,
      px: columnPx,
      name: names[key],
      isNumber: key === 'level',
      isAction: key === 'menu',
    })),
    has: new Set(shown.keys()),
    hasReason: (shown.get('state') ?? 0) > minStatePx,
    distance: px === distancePx ? 'full' : px === shortPx ? 'short' : 'bare',
  }
}
