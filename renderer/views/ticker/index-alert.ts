/** Sums up the alerts of an index in one mark. */
import { compareDecimals, parseDecimal, type Decimal } from '../../../core/decimal'
import type { AlertView } from '../../../core/alerts'
import type { AlertEvent } from '../../../core/alert-events'
import type { DecimalText, IndexId } from '../../../core/model'
import { conditionText } from '../../format/alert-words'
import { unretractedFirings } from '../../format/chart-model'
import { percentsAway } from '../../format/rule-distance'
import { ruleState, type RuleContext, type RuleState } from '../../format/alert-states'
import type { DisplayStyle } from '../../format/value'

/** Ordered by urgency, the most urgent first. */
const kinds = ['fired', 'near', 'blind', 'news', 'watching', 'silent'] as const

export interface IndexAlert {
  /**
   * `fired`: unread and not retracted. `near`: a level is at most 0.25 % away. `blind`: a rule cannot fire, is unchecked or
   * has no data. `news`: other unread events. `watching`: a rule is active. `silent`: all rules are snoozed, outside
   * their hours or finished.
   */
  kind: (typeof kinds)[number]
  /** One line for each rule and event. */
  title: string
}

const nearPercent = parseDecimal('0.25')

const kindOf: Record<RuleState['kind'], IndexAlert['kind']> = {
  cannotFire: 'blind',
  noData: 'blind',
  unchecked: 'blind',
  waiting: 'watching',
  disarmed: 'watching',
  armed: 'watching',
  holding: 'near',
  coolingDown: 'watching',
  snoozed: 'silent',
  outsideHours: 'silent',
  triggered: 'silent',
  suspended: 'silent',
  expired: 'silent',
}

/** True if a level of the rule is at most 0.25 % away from the value. */
function isNear({ terms }: AlertView, value: DecimalText): boolean {
  const isWithin = (distance: Decimal) => nearPercent !== undefined && compareDecimals(distance, nearPercent) <= 0
  return percentsAway(terms, value, 4).some(isWithin)
}

const counted = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`

/**
 * The mark of an index with these rules and inbox events. Undefined without a rule and without an unread event. Pass
 * `value` only while it is live.
 */
export function indexAlert(
  { indexId, rules, inbox }: { indexId: IndexId; rules: readonly AlertView[]; inbox: readonly AlertEvent[] },
  value: DecimalText | undefined,
  context: RuleContext,
  style: DisplayStyle,
): IndexAlert | undefined {
  const lines = rules.map((rule): IndexAlert => {
    const state = ruleState(rule, context, style)
    const waits = kindOf[state.kind]
    const kind = waits === 'watching' && value !== undefined && isNear(rule, value) ? 'near' : waits
    const near = kind === 'near' && waits !== 'near' ? ', close' : ''
    const reason = state.reason === undefined ? '' : ` · ${state.reason}`
    return { kind, title: `${conditionText(rule, style)}: ${state.text}${near}${reason}` }
  })
  const isUnread = ({ isRead }: AlertEvent) => !isRead
  const fired = unretractedFirings(inbox, indexId).filter(isUnread).length
  const others = inbox.filter((event) => event.indexId === indexId).filter(isUnread).length - fired
  if (others > 0)
    lines.unshift({ kind: 'news', title: counted(others, fired > 0 ? 'other unread event' : 'unread event') })
  if (fired > 0) lines.unshift({ kind: 'fired', title: counted(fired, 'unread event') })
  const kind = kinds.find((each) => lines.some((line) => line.kind === each))
  return kind && { kind, title: lines.map(({ title }) => title).join('\n') }
}
