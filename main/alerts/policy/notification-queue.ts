import type { AlertEvent } from '../../../core/alert-events'
import { dependsOn } from '../../../core/alerts'
import type { Clock } from '../../base/clock'

/** Up to this many events of one value are notified one by one. More share one notification. */
const maxOfOneValue = 3
const maxOthersPerMinute = 10
const maxUrgentPerMinute = 30
const groupWaitMs = 1_500
const minuteMs = 60_000
const collectMs = 10_000

/**
 * Groups events into notifications (alert engine, 14). Each event is in exactly one. These share a notification:
 *
 * - silences within 1.5 seconds, and ends of silences within 1.5 seconds
 * - more than three backfilled events within 1.5 seconds
 * - events of the desk that waited for this seat
 * - more than three events of one index and publication that one call passes in a row
 * - in a storm, everything beyond ten notifications a minute
 *
 * All others are notified immediately. Urgent events have their own queue with thirty a minute, so that other storms do not
 * delay them.
 */
export class NotificationQueue {
  readonly #urgent: EventQueue
  readonly #others: EventQueue

  constructor({ clock, notify: send }: { clock: Clock; notify: Send }) {
    this.#urgent = new EventQueue({ clock, send, maxPerMinute: maxUrgentPerMinute })
    this.#others = new EventQueue({ clock, send, maxPerMinute: maxOthersPerMinute })
  }

  /** Takes stored events that are not suppressed, in order. */
  add(events: readonly AlertEvent[]): void {
    this.#urgent.add(events.filter(({ severity }) => severity === 'urgent'))
    this.#others.add(events.filter(({ severity }) => severity !== 'urgent'))
  }

  /** Sends collected events without waiting. */
  flush(): void {
    this.#urgent.flush()
    this.#others.flush()
  }

  /** Sends collected events, and later ones immediately. Called when the app ends. */
  dispose(): void {
    this.#urgent.end()
    this.#others.end()
  }
}

type Send = (events: readonly AlertEvent[]) => void

class EventQueue {
  readonly #gate: StormGate
  readonly #groups: CauseGroups
  #hasEnded = false

  constructor({ clock, send, maxPerMinute }: { clock: Clock; send: Send; maxPerMinute: number }) {
    this.#gate = new StormGate(clock, send, maxPerMinute)
    this.#groups = new CauseGroups(clock, (events) => {
      const isFew = events.length <= maxOfOneValue && events.every((event) => causeOf(event) === 'history')
      if (isFew) for (const event of events) this.#gate.pass([event])
      else this.#gate.pass(events)
    })
  }

  add(events: readonly AlertEvent[]): void {
    for (const event of events) {
      const cause = causeOf(event)
      if (cause !== undefined) this.#groups.add(cause, event)
    }
    for (const together of byValue(events.filter((event) => causeOf(event) === undefined))) {
      if (together.length > maxOfOneValue) this.#gate.pass(together)
      else for (const event of together) this.#gate.pass([event])
    }
    if (this.#hasEnded) this.flush()
  }

  end(): void {
    this.#hasEnded = true
    this.flush()
  }

  flush(): void {
    this.#groups.flush()
    this.#gate.flush()
  }
}

/** Groups consecutive events of the same value. An event without a value is a group of its own. */
function byValue(events: readonly AlertEvent[]): AlertEvent[][] {
  const groups: AlertEvent[][] = []
  for (const event of events) {
    const group = groups.at(-1)
    const before = group?.at(-1)
    if (group !== undefined && before !== undefined && isOfOneValue(before, event)) group.push(event)
    else groups.push([event])
  }
  return groups
}

function isOfOneValue(a: AlertEvent, b: AlertEvent): boolean {
  const atMs = a.inputs.publishedAtMs
  return atMs !== undefined && atMs === b.inputs.publishedAtMs && a.indexId === b.indexId
}

const opposites: Partial<Record<Cause, Cause>> = { silence: 'recovery', recovery: 'silence' }

type Cause = 'silence' | 'recovery' | 'history' | 'desk'

/**
 * The kind of group an event belongs to: silences, their ends, backfilled events, or those of the desk that waited for
 * this seat. A failing feed affects many indices.
 */
function causeOf({ kind, terms, desk }: AlertEvent): Cause | undefined {
  if (desk?.isLate === true) return 'desk'
  if (kind === 'recovered') return 'recovery'
  if (kind === 'lateFromHistory') return 'history'
  return kind === 'fired' && dependsOn(terms, 'silence') ? 'silence' : undefined
}

/** Collects events of one cause for 1.5 seconds from the first. A rule's silence is sent before its end. */
class CauseGroups {
  readonly #clock: Clock
  readonly #send: Send
  readonly #groups = new Map<Cause, { events: AlertEvent[]; cancel: () => void }>()

  constructor(clock: Clock, send: Send) {
    this.#clock = clock
    this.#send = send
  }

  add(cause: Cause, event: AlertEvent): void {
    const opposite = opposites[cause]
    if (opposite !== undefined && this.#groups.get(opposite)?.events.some(({ ruleId }) => ruleId === event.ruleId))
      this.#sendGroup(opposite)
    const group = this.#groups.get(cause)
    if (group !== undefined) {
      group.events.push(event)
      return
    }
    const cancel = this.#clock.after(groupWaitMs, () => this.#sendGroup(cause))
    this.#groups.set(cause, { events: [event], cancel })
  }

  flush(): void {
    for (const cause of [...this.#groups.keys()]) this.#sendGroup(cause)
  }

  #sendGroup(cause: Cause): void {
    const group = this.#groups.get(cause)
    if (group === undefined) return
    group.cancel()
    this.#groups.delete(cause)
    this.#send(group.events)
  }
}

/**
 * Sends up to `maxPerMinute` notifications a minute without delay. Beyond that, collects events and sends them together
 * ten seconds after the first, even if there is room again. So a rolling minute has at most `maxPerMinute` and five
 * more, and no event waits longer than ten seconds. Keeps the order.
 */
class StormGate {
  readonly #clock: Clock
  readonly #send: Send
  readonly #maxPerMinute: number
  /** Monotonic times of the notifications within the last minute. */
  #sentAtMs: number[] = []
  #collected: AlertEvent[] = []
  #cancel: (() => void) | undefined

  constructor(clock: Clock, send: Send, maxPerMinute: number) {
    this.#clock = clock
    this.#send = send
    this.#maxPerMinute = maxPerMinute
  }

  /** Takes the events of one notification. */
  pass(events: readonly AlertEvent[]): void {
    if (this.#collected.length === 0 && this.#hasRoom()) {
      this.#sendNow(events)
      return
    }
    this.#collected.push(...events)
    this.#cancel ??= this.#clock.after(collectMs, () => this.flush())
  }

  flush(): void {
    this.#cancel?.()
    this.#cancel = undefined
    const events = this.#collected
    this.#collected = []
    if (events.length > 0) this.#sendNow(events)
  }

  #hasRoom(): boolean {
    const nowMs = this.#clock.monotonicMs()
    this.#sentAtMs = this.#sentAtMs.filter((sentMs) => sentMs > nowMs - minuteMs)
    return this.#sentAtMs.length < this.#maxPerMinute
  }

  #sendNow(events: readonly AlertEvent[]): void {
    this.#sentAtMs.push(this.#clock.monotonicMs())
    this.#send(events)
  }
}
