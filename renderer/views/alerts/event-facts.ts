import { amountText } from '../../../core/alert-words'
import { hasLevels, type AlertRule } from '../../../core/alerts'
import { demoName } from '../../../core/connection-words'
import type { DeskSeen } from '../../../core/desk'
import type { AlertEvent } from '../../../core/alert-events'
import type { DeskView } from '../../../protocol/desk'
import { notificationWords } from '../../format/alert-words'
import { checkedWords, seersText } from '../../format/desk-words'
import { fullTimeText } from '../../format/published-time'
import { formatValue, type DisplayStyle } from '../../format/value'

const referenceNames = {
  oldest: 'Oldest in the window',
  min: 'Low in the window',
  max: 'High in the window',
}

/** What an event was evaluated by and how it was delivered, in reading order. Unknown facts are left out. */
export function eventFacts(
  event: AlertEvent,
  style: DisplayStyle,
  { seen, nowMs }: { seen: DeskSeen | undefined; nowMs: number },
): { name: string; text: string }[] {
  const { inputs, terms, recordedAtMs, connection, isDemo, isMute } = event
  const { value, previous, reference, change, before, joined, left } = inputs
  const level = amountText(terms, (text: string) => formatValue(text, style))
  const time = (atMs: number | undefined) => (atMs === undefined ? undefined : fullTimeText(atMs, style))
  const number = (text: string | undefined) => (text === undefined ? undefined : formatValue(text, style))
  const facts: [name: string, text: string | undefined][] = [
    ['Value', number(value)],
    ['Published', time(inputs.publishedAtMs)],
    ['Amended', time(inputs.amendedAtMs)],
    ['Previous value', number(previous?.value)],
    ['Previous published', time(previous?.publishedAtMs)],
    [hasLevels(terms) ? 'Level' : 'Threshold', level === '' || isMute === true ? undefined : level],
    ['Change', number(change)],
    [reference === undefined ? '' : referenceNames[reference.kind], number(reference?.value)],
    ['Reference time', time(reference?.publishedAtMs)],
    ['Constituent', inputs.constituent],
    ['Before', number(before)],
    ['Added', joined?.join(', ')],
    ['Removed', left?.join(', ')],
    ['Held since', time(inputs.heldSinceMs)],
    ['Expected', time(inputs.dueMs)],
    ['Silent since', time(inputs.silentSinceMs)],
    ['No values since', time(inputs.gapSinceMs)],
    ['Recorded', time(recordedAtMs)],
    ['Connection', isDemo === true ? `${demoName}: simulated data` : connection],
    ['Desk', event.desk && checkedWords(event.desk)],
    ['Seen by', seen && seersText(seen, nowMs, style)],
    ['Taken by', seen?.taken && seersText({ seen: [seen.taken] }, nowMs, style)],
    ['Notification', notificationWords(event)],
    ['Webhook', event.webhookResult],
    ['Escalation', event.secondChannel],
  ]
  return facts.flatMap(([name, text]) => (text === undefined || text === '' ? [] : [{ name, text }]))
}

/**
 * What became of an event's alert since. Undefined if nothing, or if it is not known: `rules` are those of this computer, and
 * the desk's are known once it was reached.
 */
export function sinceWords(
  { desk: isOfDesk, ruleId, ruleVersion }: AlertEvent,
  rules: readonly Pick<AlertRule, 'id' | 'version'>[],
  desk: DeskView | null,
): string | undefined {
  const own = rules.find(({ id }) => id === ruleId)
  const shared = desk?.alerts.find(({ rule }) => rule.id === ruleId)?.rule
  const now = shared ?? own
  if (now === undefined) {
    if (isOfDesk === undefined) return 'deleted since'
    return desk === null || desk.state === 'connecting' || desk.state === 'failed' ? undefined : 'no longer on the desk'
  }
  if (now.version === ruleVersion) return undefined
  const isMoved = (isOfDesk === undefined) !== (shared === undefined)
  const moved = shared === undefined ? 'taken from the desk since' : 'moved to the desk since'
  return `${isMoved ? moved : 'edited since'}, now version ${now.version}`
}
