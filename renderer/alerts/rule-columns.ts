/** Which columns of the table of rules fit, and how wide they are. Ids and levels are never cut: columns hide instead. */
import { amountText, termsWords } from '../../protocol/alert-words'
import type { AlertView } from '../../protocol/alerts'
import { textPx } from '../format/columns'
import { formatValue } from '../format/value'

/** How much room the texts of a row that change take, in CSS pixels at 13 px; see `textPx`. */
export interface RowWidths {
  distance: number
  /** Of the distance without its percentage. */
  shortDistance: number
  /** Characters of the state. */
  stateLength: number
}

/** Widths in CSS pixels; the condition takes the rest. */
export interface RuleColumns {
  indexPx: number
  levelPx: number
  statePx: number
  distancePx: number
  hasRepeat: boolean
  hasDistance: boolean
  hasShortDistance: boolean
  /** Below this the table scrolls. */
  leastPx: number
}

export const menuPx = 58
export const repeatPx = 120
/** Before any row was seen: the widest button and the usual state. */
export const leastWidths: RowWidths = { distance: 80, shortDistance: 80, stateLength: 12 }

const paddingPx = 16
const leastConditionPx = 140
const mostConditionPx = 250
const leastStatePx = 160
const mostStatePx = 264
/** A character of running words takes about this much; of the state, which is written smaller, less. */
const wordPx = 6.8
const stateWordPx = 6
/** The icon and the frame of a state. */
const badgePx = 32

/** Widths of the longest texts of rules that do not change by themselves, in CSS pixels. */
export interface RuleTexts {
  index: number
  condition: number
  level: number
}

export function ruleTexts(rules: readonly AlertView[]): RuleTexts {
  // Most rules share ids and conditions: each text is measured once.
  const longest = (texts: string[]) => Math.max(0, ...[...new Set(texts)].map(textPx))
  return {
    index: longest(rules.map(({ indexId }) => indexId)),
    condition: Math.max(0, ...rules.map(({ terms, note = '' }) => `${termsWords(terms)} ${note}`.length)) * wordPx,
    level: longest(rules.map(({ terms }) => amountText(terms, formatValue))),
  }
}

/** Widths only grow, so that a tick moves nothing to and fro. */
export function widestOf(a: RowWidths, b: RowWidths): RowWidths {
  if (a.distance >= b.distance && a.shortDistance >= b.shortDistance && a.stateLength >= b.stateLength) return a
  return {
    distance: Math.max(a.distance, b.distance),
    shortDistance: Math.max(a.shortDistance, b.shortDistance),
    stateLength: Math.max(a.stateLength, b.stateLength),
  }
}

/**
 * What fits into `widthPx`: first the percentage of the distance gives way, then words of the state, then how often it
 * repeats, then words of the condition, and at last the distance.
 */
export function ruleColumns(texts: RuleTexts, widest: RowWidths, widthPx: number): RuleColumns {
  const indexPx = Math.max(108, texts.index + 2 * paddingPx)
  const levelPx = Math.max(72, texts.level + paddingPx + 8)
  const conditionPx = Math.min(mostConditionPx, Math.max(leastConditionPx, texts.condition + paddingPx))
  const wholeStatePx = Math.min(mostStatePx, widest.stateLength * stateWordPx + badgePx + paddingPx)
  const [fullPx, shortPx] = [widest.distance + paddingPx, widest.shortDistance + paddingPx]
  const wantedPx = indexPx + levelPx + menuPx + conditionPx + repeatPx + shortPx
  const statePx = widthPx >= wantedPx + wholeStatePx ? wholeStatePx : Math.min(leastStatePx, wholeStatePx)
  const others = indexPx + levelPx + statePx + menuPx
  const hasShortDistance = widthPx < others + conditionPx + fullPx + repeatPx
  return {
    indexPx,
    levelPx,
    statePx,
    distancePx: hasShortDistance ? shortPx : fullPx,
    hasRepeat: widthPx >= others + conditionPx + repeatPx + shortPx,
    hasDistance: widthPx >= others + leastConditionPx + shortPx,
    hasShortDistance,
    leastPx: others + leastConditionPx,
  }
}
