import { isFiring, type AlertEvent, type AlertEventKind } from '../../../core/alert-events'

/** A line of the inbox: an event, or a burst of firings of one rule. */
export interface InboxLine {
  key: string
  /** The event, or the newest one of the burst. */
  event: AlertEvent
  /** The firings and their companions, newest first. Undefined for a single event. */
  burst?: readonly AlertEvent[]
  /** The events of the burst follow as lines. */
  isOpen?: boolean
  /** An event below the line of its burst. */
  isPart?: boolean
  /** The line of its burst names its level. */
  isLevelNamed?: boolean
}

/** Events of one rule are in one burst if each is recorded at most this long after the previous one. */
const burstGapMs = 10 * 60_000
/** Events that add nothing to the firings they come with. All other events have lines of their own. */
const companions: ReadonlySet<AlertEventKind> = new Set(['retracted', 'confirmed', 'cooldownOver', 'recovered'])

/** Joins both lists, newest first, each event once. `fresh` wins over `known`. */
export function merged(fresh: readonly AlertEvent[], known: readonly AlertEvent[]): AlertEvent[] {
  const byId = new Map([...known, ...fresh].map((event) => [event.id, event]))
  return [...byId.values()].sort((a, b) => b.number - a.number)
}

/** The retractions by the id of the retracted event. */
export function retractionsIn(events: readonly AlertEvent[]): ReadonlyMap<string, AlertEvent> {
  return new Map(
    events.flatMap((event) =>
      event.kind === 'retracted' && event.aboutEventId !== undefined ? [[event.aboutEventId, event]] : [],
    ),
  )
}

/** The burst of each event that is in one. `events` are newest first. */
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
 * The lines of the inbox from its events, newest first. A burst is one line in the place of its newest event. If
 * `isOpen` returns true for it, its events follow as lines.
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
    // The rule may have been edited between two firings.
    const isLevelNamed = new Set(burst.map(({ terms }) => JSON.stringify(terms))).size === 1
    const partOf = (part: AlertEvent): InboxLine => ({ key: part.id, event: part, isPart: true, isLevelNamed })
    const parts = isUnfolded ? burst.map(partOf) : []
    return [{ key: burstKey(burst), burst, event, isOpen: isUnfolded }, ...parts]
  })
}

/** Named by the oldest event, because new events join at the other end. */
function burstKey(burst: readonly AlertEvent[]): string {
  return `burst ${burst.at(-1)?.id ?? ''}`
}

/** The line with this key, or the line of the burst that its event was folded into. */
export function lineOf(lines: readonly InboxLine[], key: string): InboxLine | undefined {
  const id = key.replace(/^burst /, '')
  return (
    lines.find((line) => line.key === key) ??
    lines.find(({ burst }) => burst?.some((event) => event.id === id) === true)
  )
}
