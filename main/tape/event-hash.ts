import { createHash } from 'node:crypto'
import { isRecord, parseJson } from '../base/sanitize'
import type { AlertEvent } from '../../core/alert-events'

/** What becomes of an event after it was recorded; everything else of it stays as it is. */
const changing: ReadonlySet<string> = new Set<keyof AlertEvent>([
  'delivery',
  'heldBackCount',
  'isRead',
  'secondChannel',
  'unknown',
  'webhookResult',
])

/** Stands before the first event. */
export const firstHash = ''

/** An event as it is kept; where that cannot be read, its text. */
export function eventIn(document: string): unknown {
  return parseJson(document) ?? document
}

/** The hash of an event (as it is kept) and of the one recorded before it, so of all before it. */
export function eventHash(previous: string, event: unknown): string {
  return createHash('sha256')
    .update(`${previous}\n${canonical(event)}`)
    .digest('hex')
}

/** One text for one event, in whatever order its fields come. */
function canonical(event: unknown): string {
  const kept = isRecord(event)
    ? Object.fromEntries(Object.entries(event).filter(([name]) => !changing.has(name)))
    : event
  return JSON.stringify(kept, (_name, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
}
