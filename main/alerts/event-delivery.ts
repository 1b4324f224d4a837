/** What the delivery of an event says, and what is made of it. */
import type { AlertEvent } from '../../protocol/alert-events'
import type { HoldBackReason } from '../../protocol/alerts'

/** Whether a notice was pending may have been seen before the app ended: nobody knows. It does not fire again. */
export function afterRestart(event: AlertEvent): AlertEvent {
  return event.delivery === 'pending' ? { ...event, delivery: 'unknown' } : event
}

/** How an event begins: to be told, or held back. */
export function tellingOf(heldBackBy: HoldBackReason | undefined): Pick<AlertEvent, 'delivery' | 'heldBackBy'> {
  return heldBackBy === undefined ? { delivery: 'pending' } : { delivery: 'heldBack', heldBackBy }
}

/** Where the desktop shows nothing, the window does. */
const toldBy: ReadonlySet<AlertEvent['delivery']> = new Set([
  'pending',
  'shown',
  'clicked',
  'unknown',
  'inDigest',
  'failed',
])

/** Whether the user may have seen the notice. */
export function hasBeenTold(event: AlertEvent | undefined): boolean {
  return event !== undefined && toldBy.has(event.delivery)
}
