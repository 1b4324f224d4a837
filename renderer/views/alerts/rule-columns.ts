/** Which columns of the table of rules fit, and how wide they are. Ids and levels are never cut: columns hide instead. */
import { amountText, holdWords, hoursWords, termsWords } from '../../../core/alert-words'
import type { AlertView } from '../../../core/alerts'
import { formatValue, type DisplayStyle } from '../../format/value'
import { cellPx, layOutColumns } from '../../ui/column-layout'
import type { TableColumn } from '../../ui/table-column'
import { textPx } from '../../ui/text-width'

export type RuleColumn = 'index' | 'condition' | 'repeat' | 'state' | 'distance' | 'menu'

/** Widths in CSS pixels of the widest texts of rules; see `textPx`. */
export type RuleWidths = Record<'index' | 'condition' | 'level', number> & RowWidths

/** Of distances, before any row was seen. */
export const minRowWidths = { distance: 80, shortDistance: 80, bareDistance: 80 }
export type RowWidths = typeof minRowWidths

export interface RuleLayout {
  columns: readonly TableColumn<RuleColumn>[]
  has: ReadonlySet<RuleColumn>
  /** Without its percentage it is short; bare, also without saying as of when it is, as the state does. */
  distance: 'full' | 'short' | 'bare'
}

const edgePx = 16
/** The fewest words that can stand before a level. */
const minWordsPx = 84
const minConditionPx = 140
/** Room for a state and the button that arms the rule again. */
const statePx = 184

const names: Record<RuleColumn, string> = {
  index: 'Index',
  condition: 'Condition',
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
  const amountOf = ({ terms }: AlertView) => amountText(terms, (text) => formatValue(text, style))
  return {
    index: widest(rules.map(({ indexId }) => indexId)),
    condition: widest(
      rules.map((rule) => {
        const { terms, hours, note = '' } = rule
        return `${termsWords(terms)} ${amountOf(rule)} ${holdWords(rule)} ${hours ? hoursWords(hours) : ''} ${note}`
      }),
    ),
    level: widest(rules.map(amountOf)),
  }
}

/** Widths only grow, so that a tick moves nothing to and fro. */
export function widestOf(a: RowWidths, b: RowWidths): RowWidths {
  const keys = ['distance', 'shortDistance', 'bareDistance'] as const
  if (keys.every((key) => a[key] >= b[key])) return a
  return {
    distance: Math.max(a.distance, b.distance),
    shortDistance: Math.max(a.shortDistance, b.shortDistance),
    bareDistance: Math.max(a.bareDistance, b.bareDistance),
  }
}

/**
 * What fits into `availablePx`: first the percentage of the distance gives way, then how often a rule repeats, then as
 * of when the distance is, then words of the condition, and at last the distance.
 */
export function ruleColumns(widths: RuleWidths, availablePx: number): RuleLayout {
  const shortPx = cellPx(widths.shortDistance)
  const barePx = cellPx(widths.bareDistance)
  const distancePx = cellPx(widths.distance)
  const minWithLevelPx = Math.max(minConditionPx, cellPx(minWordsPx + widths.level))
  const natural: Record<RuleColumn, number> = {
    index: Math.max(108, cellPx(widths.index) + edgePx),
    condition: Math.max(minWithLevelPx, Math.min(320, cellPx(widths.condition))),
    repeat: 120,
    state: statePx,
    distance: distancePx,
    menu: 58,
  }
  const keys: RuleColumn[] = ['index', 'condition', 'repeat', 'state', 'distance', 'menu']
  const shown = layOutColumns<RuleColumn>(
    {
      columns: keys.map((key) => [key, natural[key]]),
      givesWay: [
        { key: 'distance', toPx: shortPx },
        { key: 'repeat' },
        { key: 'distance', toPx: barePx },
        { key: 'condition', toPx: minWithLevelPx },
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
      isAction: key === 'menu',
    })),
    has: new Set(shown.keys()),
    distance: px === distancePx ? 'full' : px === shortPx ? 'short' : 'bare',
  }
}
