import type { AlertEvent, Delivery } from '../../core/alert-events'
import type { SecondChannelChoice } from '../../core/preferences'
import type { Clock } from '../base/clock'

interface Options {
  clock: Clock
  chosen: () => SecondChannelChoice
  /** Sends the event to the escalation webhook and records the result. */
  send: (event: AlertEvent) => void
  ring: () => void
  /** True if the user has seen the event in the inbox, or has muted all alerts. */
  isSeen: (eventId: string) => boolean
  /** Called with the result of the escalation, in words. */
  onUsed: (eventId: string, words: string) => void
}

const ringEveryMs = 5_000
const notShown: ReadonlySet<Delivery> = new Set(['failed', 'unanswered', 'unknown'])

/**
 * Escalates an urgent alert that the desktop has not shown within a second, once for each event: by a webhook, or by a
 * sound until the event is seen. Does nothing while notifications are off. Pending escalations end with the app, like
 * notifications.
 */
export class Escalation {
  readonly #options: Options
  /** Events that wait for the desktop's answer. */
  readonly #waiting = new Map<string, AlertEvent>()
  readonly #sounding = new Set<string>()
  #cancelRing: (() => void) | undefined

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
  }

  #use(eventId: string): void {
    const { chosen, send, isSeen, onUsed } = this.#options
    const event = this.#waiting.get(eventId)
    if (event === undefined) return
    this.#waiting.delete(eventId)
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
