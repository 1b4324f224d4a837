import { eventWords, type EventFormat } from '../../protocol/alert-event-words'
import type { AlertEvent, InboxQuery } from '../../protocol/alert-events'
import { formatDecimal } from '../../protocol/decimal'

const format: EventFormat = { number: formatDecimal, time: (ms) => new Date(ms).toISOString() }

/** At most so many of the events, which come oldest first, that a query asks for; newest first. */
export function findEvents(events: readonly AlertEvent[], query: InboxQuery, most: number): AlertEvent[] {
  const { kinds, ruleId, before } = query
  const search = query.search?.trim().toLowerCase() ?? ''
  const found: AlertEvent[] = []
  for (let at = events.length - 1; at >= 0 && found.length < most; at--) {
    const event = events[at]
    if (event === undefined || (before !== undefined && event.number >= before)) continue
    if (ruleId !== undefined && event.ruleId !== ruleId) continue
    if (kinds !== undefined && !kinds.includes(event.kind)) continue
    if (search === '' || textOf(event).includes(search)) found.push(event)
  }
  return found
}

/** A number is found as it was published and as it is written on the screen. */
function textOf(event: AlertEvent): string {
  const { indexId, note, inputs } = event
  const parts = [indexId, eventWords(event, format), note, inputs.value]
  return parts
    .filter((part) => part !== undefined)
    .join('\n')
    .toLowerCase()
}
