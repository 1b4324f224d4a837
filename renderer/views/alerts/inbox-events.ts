import type { AlertEvent } from '../../../protocol/alert-events'

/** Both, newest first and each event once; where both hold one, `fresh` is right. */
export function merged(fresh: readonly AlertEvent[], known: readonly AlertEvent[]): AlertEvent[] {
  const byId = new Map([...known, ...fresh].map((event) => [event.id, event]))
  return [...byId.values()].sort((a, b) => b.number - a.number)
}

/** Which event was retracted, and by which. */
export function retractionsIn(events: readonly AlertEvent[]): ReadonlyMap<string, AlertEvent> {
  return new Map(
    events.flatMap((event) =>
      event.kind === 'retracted' && event.aboutEventId !== undefined ? [[event.aboutEventId, event]] : [],
    ),
  )
}
