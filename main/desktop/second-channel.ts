import type { AlertEvent, AlertNotification, Delivery } from '../../core/alert-events'
import type { SecondChannelChoice } from '../../core/preferences'
import type { Clock } from '../base/clock'

interface Options {
  clock: Clock
  chosen: () => SecondChannelChoice
  /** Sends it to the webhook of the second channel, and notes what became of that. */
  send: (event: AlertEvent) => void
  ring: () => void
  /** Whether the user has seen the event in the inbox, or wants to hear of nothing. */
  isSeen: (eventId: string) => boolean
  /** What the second channel did, in plain words. */
  onUsed: (eventId: string, words: string) => void
}

const ringEveryMs = 5_000
const notShown: ReadonlySet<Delivery> = new Set(['failed', 'unanswered', 'unknown'])

/**
 * Takes over an urgent alert that the desktop has not shown within a second, once for each: by a webhook, or by a sound
 * until it is seen. Nothing while the user wants no notifications. What waits or sounds as the app ends is not taken
 * up again, as no notification is.
 */
export class SecondChannel {
  readonly #options: Options
  /** What waits for the desktop. */
  readonly #waiting = new Map<string, AlertEvent>()
  readonly #sounding = new Set<string>()
  #cancelRing: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** To be called before the desktop is asked, which may answer at once. */
  watch(notification: AlertNotification): void {
    if (this.#options.chosen() === 'off') return
    const events = notification.kind === 'single' ? [notification.event] : notification.events
    for (const event of events.filter(({ severity }) => severity === 'urgent')) this.#waiting.set(event.id, event)
  }

  /** What became of the notification of an event. */
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
