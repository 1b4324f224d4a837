/** The notices of alerts that the desktop did not show. */
import { eventTitle, repeatedTitle } from '../../../core/alert-event-words'
import { firingCount, isFiring, type AlertEvent } from '../../../core/alert-events'
import type { EventFormat } from '../../../core/evaluation/condition'

/** An event, or the firings of one rule. */
export interface AlertNotice {
  key: string
  /** The newest of `events`. */
  event: AlertEvent
  /** Newest first. */
  events: AlertEvent[]
}

/** A rule has one notice for all its firings (alert engine, 29). Events and notices are newest first. */
export function noticesOf(events: readonly AlertEvent[]): AlertNotice[] {
  const notices = new Map<string, AlertNotice>()
  for (const event of events) {
    const key = isFiring(event) ? `${event.ruleId} ${event.indexId}` : event.id
    const notice = notices.get(key)
    if (notice === undefined) notices.set(key, { key, event, events: [event] })
    else notice.events.push(event)
  }
  return [...notices.values()]
}

/** The newest notices, at most `max`. A further firing changes the text of a notice and not its place among them. */
export function shownNotices(notices: readonly AlertNotice[], max: number): AlertNotice[] {
  const firstNumber = ({ events }: AlertNotice) => events.at(-1)?.number ?? 0
  return notices.slice(0, max).sort((a, b) => firstNumber(b) - firstNumber(a))
}

/** `ETHUSD_RTI crossed 3,050 six times, last up at 3,050.06`. A single event has its own title. */
export function noticeTitle({ event, events }: AlertNotice, format: EventFormat): string {
  if (events.length === 1) return eventTitle(event, format)
  return repeatedTitle(event, firingCount(events), format)
}
