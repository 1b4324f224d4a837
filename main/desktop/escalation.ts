import type { AlertEvent, Delivery } from '../../core/alert-events'
import type { SecondChannelChoice } from '../../core/preferences'
import type { Clock } from '../base/clock'

interface Options {
  clock: Clock
  chosen: () => SecondChannelChoice
  /** Sends the event to the escalation webhook and records the result. */
  send: (event: AlertEvent) => void
  ring: () => void
  /** True if the user or another seat of the desk has seen the event, or the user has muted all alerts. */
  isSeen: (eventId: string) => boolean
  /** Called with the result of the escalation, in words. */
  onUsed: (eventId: string, words: string) => void
}

const ringEveryMs = 5_000
/** The seats of a desk have this time to see an event. */
const seatsSeeWithinMs = 60_000
const notShown: ReadonlySet<Delivery> = new Set(['failed', 'unanswered', 'unknown'])

/**
 * Escalates an urgent alert that the desktop has not shown within a second, once for each event: by a webhook, or by a
 * sound until the event is seen. An event of a desk is escalated only if no seat has seen it a minute later. Does nothing while notifications are off. Pending escalations end with the app, like
 * notifications.
 */
export class Escalation {
  readonly #options: Options
  /** Events that wait for the desktop's answer. */
  readonly #waiting = new Map<string, AlertEvent>()
  readonly #sounding = new Set<string>()
  #cancelRing: (() => void) | undefined
  /** By the id of an event of the desk that no seat has seen. */
  readonly #cancelWaits = new Map<string, () => void>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Call before the notification is shown, because the desktop may answer immediately. */
  watch(events: readonly AlertEvent[]): void {
    if (this.#options.chosen() === 'off') return
    for (const event of events.filter(({ severity }) => severity === 'urgent')) this.#waiting.set(event.id, event)
  }

  /** Call with the result of an event's notification. */
  delivered(eventId: string, delivery: Delivery): void {
    if (delivery === 'clicked') this.#sounding.delete(eventId)
    if (notShown.has(delivery)) this.#use(eventId)
    else this.#waiting.delete(eventId)
  }

  dispose(): void {
    this.#waiting.clear()
    this.#sounding.clear()
    this.#cancelRing?.()
    for (const cancel of this.#cancelWaits.values()) cancel()
  }

  #use(eventId: string): void {
    const { clock, isSeen } = this.#options
    const event = this.#waiting.get(eventId)
    if (event === undefined) return
    this.#waiting.delete(eventId)
    if (event.desk === undefined) this.#escalate(event)
    else {
      const look = () => {
        this.#cancelWaits.delete(eventId)
        if (!isSeen(eventId)) this.#escalate(event)
      }
      this.#cancelWaits.set(eventId, clock.after(seatsSeeWithinMs, look))
    }
  }

  #escalate(event: AlertEvent): void {
    const { chosen, send, isSeen, onUsed } = this.#options
    const eventId = event.id
    if (chosen() === 'webhook') send(event)
    if (chosen() !== 'sound' || isSeen(eventId)) return
    onUsed(eventId, 'sound until seen')
    this.#sounding.add(eventId)
    if (this.#cancelRing === undefined) this.#ring()
  }

  #ring(): void {
    const { chosen, clock, isSeen, ring } = this.#options
    this.#cancelRing = undefined
    for (const eventId of this.#sounding) {
      if (chosen() !== 'sound' || isSeen(eventId)) this.#sounding.delete(eventId)
    }
    if (this.#sounding.size === 0) return
    ring()
    this.#cancelRing = clock.after(ringEveryMs, () => this.#ring())
  }
}
