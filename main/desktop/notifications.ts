import type { AlertEvent, Delivery } from '../../protocol/alert-events'
import type { Clock } from '../base/clock'
import { notificationText } from './notification-text'

/** What is used of Electron's `Notification`. */
export interface NativeNotification {
  on(event: 'show' | 'click' | 'close' | 'failed', listener: () => void): unknown
  show(): void
}

interface Options {
  clock: Clock
  isSupported: () => boolean
  /** Whether the user wants to be told here at all. */
  isWanted: () => boolean
  create: (text: { title: string; body: string }) => NativeNotification
  onDelivery: (eventId: string, delivery: Delivery) => void
  onClick: (eventId: string) => void
}

/** A desktop without a notification daemon may answer nothing at all. */
const answerTimeoutMs = 2_000
/** A notification that nobody clicks or closes is let go after this time. */
const keptMs = 24 * 60 * 60_000

/**
 * Shows fired alerts as native notifications and reports what became of each. The inbox is the truth; nothing here
 * decides whether an alert exists.
 */
export class Notifications {
  readonly #options: Options
  /** Electron drops a notification nobody holds, and its click with it. */
  readonly #held = new Map<string, { notification: NativeNotification; cancel: () => void }>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Shows one event, or several as one notice. */
  tell(telling: { kind: 'single'; event: AlertEvent } | { kind: 'digest'; events: AlertEvent[] }): void {
    for (const event of telling.kind === 'single' ? [telling.event] : telling.events) this.show(event)
  }

  show(event: AlertEvent): void {
    const { isSupported, isWanted, create, clock, onDelivery, onClick } = this.#options
    if (!isWanted()) {
      onDelivery(event.id, 'off')
      return
    }
    if (!isSupported()) {
      onDelivery(event.id, 'failed')
      return
    }
    const notification = create(notificationText(event))
    let isAnswered = false
    const answered = (delivery: Delivery) => {
      isAnswered = true
      onDelivery(event.id, delivery)
    }
    this.#held.set(event.id, {
      notification,
      cancel: clock.after(keptMs, () => {
        this.#release(event.id)
      }),
    })
    notification.on('show', () => {
      answered('shown')
    })
    notification.on('failed', () => {
      answered('failed')
      this.#release(event.id)
    })
    notification.on('close', () => {
      this.#release(event.id)
    })
    notification.on('click', () => {
      answered('clicked')
      this.#release(event.id)
      onClick(event.id)
    })
    clock.after(answerTimeoutMs, () => {
      if (!isAnswered) onDelivery(event.id, 'unknown')
    })
    notification.show()
  }

  /** How many are still on the desktop, as far as is known. */
  get heldCount(): number {
    return this.#held.size
  }

  dispose(): void {
    for (const { cancel } of this.#held.values()) cancel()
    this.#held.clear()
  }

  #release(eventId: string): void {
    this.#held.get(eventId)?.cancel()
    this.#held.delete(eventId)
  }
}
