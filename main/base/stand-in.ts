/** Rules of a desk that this seat judges while no watcher does. They have ids of their own beside the user's rules. */
import { createHash } from 'node:crypto'
import type { AlertEvent } from '../../core/alert-events'
import type { AlertRule } from '../../core/alerts'
import { toDeskEvent } from '../../core/desk'

/** No rule of the user and none of a desk has this sign in its id. */
const prefix = 'desk:'
const maxIdLength = 64

export function isStandIn(ruleId: string): boolean {
  return ruleId.startsWith(prefix)
}

/** The rule as it is judged here. Undefined if its id is too long. */
export function standInOf(rule: AlertRule): AlertRule | undefined {
  const id = `${prefix}${rule.id}`
  return id.length > maxIdLength ? undefined : { ...rule, id }
}

/** The id of a desk's event in the inbox of a seat. The same key gives the same id. */
export function deskEventId(key: string): string {
  return `desk-${createHash('sha256').update(key).digest('base64url').slice(0, 32)}`
}

/**
 * An event of a rule that is judged here, as the event of the desk that it is. It has the id that it would have from a
 * watcher, so that it is shown once. `about` is the event that it retracts or confirms.
 */
export function asDeskEvent(judged: AlertEvent, about?: AlertEvent): AlertEvent {
  const event = { ...judged, ruleId: judged.ruleId.slice(prefix.length) }
  const message = toDeskEvent(event, '', about)
  return message === undefined ? event : { ...event, id: deskEventId(message.key), desk: { isLate: false } }
}
