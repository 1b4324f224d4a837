import type { AlertEvent, AlertEventKind } from '../../../core/alert-events'

/** A line of the inbox: an event, or firings of one rule that follow each other. */
export interface InboxLine {
  key: string
  /** Of a burst the newest. */
  event: AlertEvent
  /** Newest first, with what came with the firings; absent of one event. */
  burst?: readonly AlertEvent[]
  /** The events of the burst follow as lines of their own. */
  isOpen?: boolean
  /** It follows the line of its burst. */
  isPart?: boolean
}

/** Events of one rule of which each comes so soon after the one before are of one burst. */
const burstGapMs = 10 * 60_000
const firings: ReadonlySet<AlertEventKind> = new Set(['fired', 'lateByAmendment', 'lateFromHistory'])
/** What comes with firings and says no more than they do. All else is a line of its own. */
const companions: ReadonlySet<AlertEventKind> = new Set(['retracted', 'confirmed', 'cooldownOver', 'recovered'])

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

export function isFiring({ kind }: AlertEvent): boolean {
  return firings.has(kind)
}

/** The bursts among events, newest first, by each event that is in one. */
function burstsOf(events: readonly AlertEvent[]): ReadonlyMap<AlertEvent, readonly AlertEvent[]> {
  const runs: AlertEvent[][] = []
  const latest = new Map<string, AlertEvent[]>()
  for (const event of events) {
    if (!isFiring(event) && !companions.has(event.kind)) continue
    const rule = `${event.ruleId} ${event.indexId}`
    const run = latest.get(rule)
    const last = run?.at(-1)
    if (run !== undefined && last !== undefined && last.recordedAtMs - event.recordedAtMs <= burstGapMs) {
      run.push(event)
      continue
    }
    const next = [event]
    latest.set(rule, next)
    runs.push(next)
  }
  const bursts = runs.filter((run) => run.filter(isFiring).length > 1)
  return new Map(bursts.flatMap((burst) => burst.map((event) => [event, burst] as const)))
}

/**
 * The lines of the inbox from its events, newest first. Where a rule fired more than once in a burst, this is one line in
 * the place of its newest event; `isOpen` says of which the events follow.
 */
export function inboxLines(
  events: readonly AlertEvent[],
  isOpen: (burst: readonly AlertEvent[]) => boolean,
): InboxLine[] {
  const bursts = burstsOf(events)
  return events.flatMap((event): InboxLine[] => {
    const burst = bursts.get(event)
    if (burst === undefined) return [{ key: event.id, event }]
    if (burst[0] !== event) return []
    const isUnfolded = isOpen(burst)
    const parts = isUnfolded ? burst.map((part): InboxLine => ({ key: part.id, event: part, isPart: true })) : []
    return [{ key: burstKey(burst), burst, event, isOpen: isUnfolded }, ...parts]
  })
}

/** By its oldest event: new ones come to the other end. */
function burstKey(burst: readonly AlertEvent[]): string {
  return `burst ${burst.at(-1)?.id ?? ''}`
}

/** The line that had this key, or else the one into which its event has been folded. */
export function lineOf(lines: readonly InboxLine[], key: string): InboxLine | undefined {
  const id = key.replace(/^burst /, '')
  return (
    lines.find((line) => line.key === key) ??
    lines.find(({ burst }) => burst?.some((event) => event.id === id) === true)
  )
}
