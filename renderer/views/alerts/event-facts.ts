import { amountText } from '../../../core/alert-words'
import { hasLevels } from '../../../core/alerts'
import { demoName } from '../../../core/connection-words'
import type { DeskSeen } from '../../../core/desk'
import type { AlertEvent } from '../../../core/alert-events'
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
