/** The columns of the table of alerts. Ids, levels and holds are never cut. Less important columns shrink or hide instead. */
import { amountText, holdWords, hoursWords, ruleSubject, termsWords } from '../../../core/alert-words'
import { dependsOn, type AlertView } from '../../../core/alerts'
import type { RuleState } from '../../format/alert-states'
import { untilText } from '../../format/alert-words'
import { ruleDistance } from '../../format/rule-distance'
import { display } from '../../state/display.svelte'
import type { Page } from '../../state/page'
import { cellPx } from '../../ui/column-layout'
import type { TableColumn, Widest } from '../../ui/table-column'
import { textPx } from '../../ui/text-width'

export type RuleColumn = 'index' | 'condition' | 'repeat' | 'state' | 'distance' | 'menu'

const maxDistancePx = 180
/** Room for the distances of most indices, so that a value with one more digit does not move the columns. */
const distanceRoomPx = { distance: 204, short: 112, bare: 112 }
/** The room for the words before a level. */
const minWordsPx = 84
/** A badge without its text, and the room for the texts of most states. */
const badgePx = 34
const minStatePx = 104
const statePx = 184

/** How far a rule is from firing, in several lengths. */
export interface DistanceTexts {
  whole: string
  full: string
  /** Without its percentage. */
  short: string
  /** Also without the time of an old value, which the state shows too. */
  bare: string
  isOld: boolean
}

export function distanceTexts(rule: AlertView, mirror: Page['mirror']): DistanceTexts {
  const row = mirror.row(rule.indexId)
  const { quote } = row
  const isLive =
    quote === undefined || dependsOn(rule.terms, 'silence') || mirror.ruleContext(rule.indexId).missing === undefined
  const asOf = isLive ? undefined : untilText(quote.publishedAtMs, mirror.nowMs, display)
  const whole = ruleDistance(rule, { value: quote?.value, age: () => row.ageText, asOf }, display)
  const known = asOf === undefined ? '' : ` as of ${asOf}`
  const [size = '', percent = size] = whole.replace(known, '').split(', ')
  // If the distance is too wide, such as to a level with many digits, only the percentage is shown.
  const isFar = textPx(size) > maxDistancePx
  const bare = isFar ? percent : size.replace(' away', '')
  const short = whole.endsWith(known) ? bare + known : bare
  return { whole, full: isFar ? short : whole, short, bare, isOld: asOf !== undefined }
}

/** How a row shows a rule. */
export interface RuleShown {
  stateOf: (rule: AlertView) => RuleState
  /** Of an alert on a list, the rule that is nearest to firing. */
  nearest: (rule: AlertView) => AlertView
}

/** A long name of a list is cut after about this many characters. */
const maxSubject = 28
/** The button that unfolds an alert on a list. The rules below are indented as much. */
const unfoldPx = 10

function subjectPx(rule: AlertView): number {
  const isUnfolding = rule.anyOf !== undefined || rule.follows !== undefined
  return textPx(ruleSubject(rule).slice(0, maxSubject)) + (isUnfolding ? unfoldPx : 0)
}

/** If room is short, these give way in order: percentage, repeat, time of an old value, re-arm button, words, distance. */
export function ruleColumns(
  mirror: Page['mirror'],
  { stateOf, nearest }: RuleShown,
): TableColumn<AlertView, RuleColumn>[] {
  const distanceOf = (rule: AlertView) => distanceTexts(nearest(rule), mirror)
  const amountOf = ({ terms }: AlertView) => amountText(terms, display.number)
  const withLevelPx = (widest: Widest) => Math.max(140, cellPx(minWordsPx + widest('level')))
  const distancePx = (name: keyof typeof distanceRoomPx) => (widest: Widest) =>
    Math.max(distanceRoomPx[name], cellPx(widest(name)))
  return [
    {
      key: 'index',
      name: 'Index',
      text: ruleSubject,
      room: subjectPx,
      isMeasuredWhole: true,
      edge: 16,
      min: 108,
    },
    {
      key: 'condition',
      name: 'Condition',
      text: (rule) => {
        const { terms, hours, note = '' } = rule
        return `${termsWords(terms)} ${amountOf(rule)} ${holdWords(rule)} ${hours ? hoursWords(hours) : ''} ${note}`
      },
      also: { level: (rule) => textPx(`${amountOf(rule)} ${holdWords(rule)}`.trim()) },
      isMeasuredWhole: true,
      px: (widest) => Math.max(withLevelPx(widest), Math.min(320, cellPx(widest('condition')))),
      gives: [[5, withLevelPx]],
      takes: [[1]],
    },
    { key: 'repeat', name: 'Repeat', px: 120, gives: [[2]] },
    {
      key: 'state',
      name: 'State',
      also: { badge: (rule) => badgePx + textPx(stateOf(rule).text) },
      px: statePx,
      // Without the button to re-arm, which the menu has too.
      gives: [[4, (widest) => Math.min(statePx, Math.max(minStatePx, cellPx(widest('badge')))), 'short']],
    },
    {
      key: 'distance',
      name: 'Distance',
      text: (rule) => distanceOf(rule).full,
      also: {
        short: (rule) => textPx(distanceOf(rule).short),
        bare: (rule) => textPx(distanceOf(rule).bare),
      },
      px: distancePx('distance'),
      gives: [[1, distancePx('short'), 'short'], [3, distancePx('bare'), 'bare'], [6]],
    },
    { key: 'menu', name: 'Actions', isAction: true, px: 58 },
  ]
}
