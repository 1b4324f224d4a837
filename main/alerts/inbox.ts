import type { AlertEvent, Delivery } from '../../protocol/alert-events'

/** More than a year of an alert every hour; the oldest go first. */
const mostKept = 10_000

/** The record of what has fired. Events are added and never taken back; only their delivery and being read change. */
export class Inbox {
  /** Oldest first. */
  #events: AlertEvent[]

  constructor(events: readonly AlertEvent[] = []) {
    this.#events = events.slice(-mostKept)
  }

  /** The number of the event to come. */
  get nextNumber(): number {
    return (this.#events.at(-1)?.number ?? 0) + 1
  }

  append(event: AlertEvent): void {
    this.#events.push(event)
    if (this.#events.length > mostKept) this.#events.shift()
  }

  /** Oldest first, for the file. */
  all(): readonly AlertEvent[] {
    return this.#events
  }

  newestFirst(limit: number): AlertEvent[] {
    return this.#events.slice(-limit).reverse()
  }

  unreadCount(): number {
    return this.#events.reduce((count, event) => count + (event.isRead ? 0 : 1), 0)
  }

  /** Whether there was anything unread. */
  markRead(): boolean {
    if (this.unreadCount() === 0) return false
    this.#events = this.#events.map((event) => (event.isRead ? event : { ...event, isRead: true }))
    return true
  }

  /** Whether that was news. */
  noteDelivery(eventId: string, delivery: Delivery): boolean {
    const at = this.#events.findLastIndex((event) => event.id === eventId)
    const event = this.#events[at]
    if (event === undefined || event.delivery === delivery) return false
    this.#events[at] = { ...event, delivery }
    return true
  }
}
