/** The events that have left the file of the rules, and what became known of them later: one entry a line. */
import * as v from 'valibot'
import { eventSchema } from '../../protocol/alert-schema'
import { deliveries, type AlertEvent, type Delivery } from '../../protocol/alert-events'

export type ArchiveEntry =
  { event: AlertEvent } | { number: number; delivery: Delivery } | { number: number; webhookResult: string }

const number = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const entrySchema: v.GenericSchema<unknown, ArchiveEntry> = v.union([
  v.object({ event: eventSchema }),
  v.object({ number, delivery: v.picklist(deliveries) }),
  v.object({ number, webhookResult: v.string() }),
])

/** Whether a line of the archive can be read. */
export function isArchiveEntry(value: unknown): boolean {
  return v.safeParse(entrySchema, value).success
}

/** The events of an archive, oldest first, each as last known. One that was archived twice counts once. */
export function readArchive(entries: readonly unknown[]): AlertEvent[] {
  const events = new Map<number, AlertEvent>()
  for (const value of entries) {
    const read = v.safeParse(entrySchema, value)
    if (!read.success) continue
    const entry = read.output
    if ('event' in entry) events.set(entry.event.number, entry.event)
    else {
      const { number: of, ...change } = entry
      const event = events.get(of)
      if (event !== undefined) events.set(of, { ...event, ...change })
    }
  }
  return [...events.values()].sort((a, b) => a.number - b.number)
}
