/** Sums up the alerts of an index in one mark. */
import { isAtLeast } from '../../core/decimal'
import type { AlertView } from '../../core/alerts'
import type { AlertEvent } from '../../core/alert-events'
import type { DecimalText, IndexId } from '../../core/model'
import { present } from '../../core/present'
import { conditionText } from './alert-words'
import { unretractedFirings } from './chart-model'
import { comparedOf, percentAway } from './rule-distance'
import { ruleState, type RuleContext, type RuleState } from './alert-states'
import { formatValue, type DisplayStyle } from './value'

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

const nearPercent = '0.25'
/** Lines of a tooltip. */
const maxLines = 12

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

/** Rules or events by their index, in order. */
export function byIndex<T extends { indexId: IndexId }>(all: readonly T[]): ReadonlyMap<IndexId, T[]> {
  const found = new Map<IndexId, T[]>()
  for (const each of all) {
    const those = found.get(each.indexId)
    if (those === undefined) found.set(each.indexId, [each])
    else those.push(each)
  }
  return found
}

/** A rule in one line, with its distance while it waits for a level: `rises to 86,560 · 0.08 % away`. */
function lineOf(
  rule: AlertView,
  value: DecimalText | undefined,
  context: RuleContext,
  style: DisplayStyle,
): IndexAlert {
  const state = ruleState(rule, context, style)
  const kind = kindOf[state.kind]
  const waitsAt = kind === 'watching' ? comparedOf(rule, value) : undefined
  const away = (places: number) => waitsAt && percentAway(rule.terms, waitsAt, places)
  const [exact, shown] = [away(4), away(2)]
  const words = present(
    conditionText(rule, style),
    (shown === undefined || state.kind !== 'armed') && state.text,
    state.reason,
    shown !== undefined && `${formatValue(shown, style)} % away`,
  )
  return { kind: exact !== undefined && isAtLeast(nearPercent, exact) ? 'near' : kind, title: words.join(' · ') }
}

/** True if a level is close or an unread alert has fired. The row then has an edge. */
export function isPressing(alert: IndexAlert | undefined): boolean {
  return alert?.kind === 'near' || alert?.kind === 'fired'
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
  const lines = rules.map((rule) => lineOf(rule, value, context, style))
  const isUnread = ({ isRead }: AlertEvent) => !isRead
  const fired = unretractedFirings(inbox, indexId).filter(isUnread).length
  const others = inbox.filter((event) => event.indexId === indexId).filter(isUnread).length - fired
  if (others > 0)
    lines.unshift({ kind: 'news', title: counted(others, fired > 0 ? 'other unread event' : 'unread event') })
  if (fired > 0) lines.unshift({ kind: 'fired', title: counted(fired, 'unread event') })
  const kind = kinds.find((each) => lines.some((line) => line.kind === each))
  const titles = lines.slice(0, maxLines).map(({ title }) => title)
  if (lines.length > maxLines) titles.push(`and ${counted(lines.length - maxLines, 'other')}`)
  return kind && { kind, title: titles.join('\n') }
}
