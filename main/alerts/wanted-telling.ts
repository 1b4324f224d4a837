import type { AlertEvent, Telling } from '../../protocol/alert-events'

/** A notice without the events of these rules; nothing where none is left. */
export function wantedTelling(
  telling: Telling,
  removedRules: ReadonlySet<string>,
): { telling?: Telling; unwanted: AlertEvent[] } {
  const events = telling.kind === 'single' ? [telling.event] : telling.events
  const unwanted = events.filter(({ ruleId }) => removedRules.has(ruleId))
  if (unwanted.length === 0) return { telling, unwanted }
  const [only, ...others] = events.filter((event) => !unwanted.includes(event))
  if (only === undefined) return { unwanted }
  const isOne = others.length === 0
  return { telling: isOne ? { kind: 'single', event: only } : { kind: 'digest', events: [only, ...others] }, unwanted }
}
