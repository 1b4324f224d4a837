import type { AlertEvent, Delivery } from '../../core/alert-events'
import { inboxRecord, recordCells, records } from '../../core/records'
import { csvLines, recordsCsv } from '../base/csv'
import type { Kept, Records } from './records'

/** As many as the window shows without asking. */
const maxRecent = 200

/**
 * The record of what has happened to rules. Events are added and never taken back; only their delivery, what a webhook
 * or the second channel gave, and being read change. All are in the history, the newest in memory too.
 */
export class Inbox {
  readonly #records: Records
  /** Newest first; replaced, never changed. */
  #recent: AlertEvent[] = []
  /** Events whose delivery is still pending, by id. */
  readonly #pending = new Map<string, AlertEvent>()
  #lastNumber = 0
  /** The number of the last event that may be seen: those after it are on their way to the history. */
  #shownThrough = 0
  #unread = 0
  #olderVersion = 0

  constructor(records: Records, kept?: Pick<Kept, 'events' | 'unread' | 'lastNumber'>) {
    this.#records = records
    if (kept === undefined) return
    this.#recent = kept.events
    this.#lastNumber = kept.lastNumber
    this.#shownThrough = kept.lastNumber
    this.#unread = kept.unread
  }

  /** Of the newest event; 0 before there was one. */
  get lastNumber(): number {
    return this.#lastNumber
  }

  /** Counts up when an event that is not among the newest has changed. */
  get olderVersion(): number {
    return this.#olderVersion
  }

  /** Gives the event its number. */
  append(unnumbered: AlertEvent): AlertEvent {
    const event = { ...unnumbered, number: ++this.#lastNumber }
    this.#recent = [event, ...this.#recent].slice(0, maxRecent)
    if (!event.isRead) this.#unread++
    if (event.delivery === 'pending') this.#pending.set(event.id, event)
    this.#records.event(event)
    return event
  }

  /** Adds one to the count of the last event of the same rule and kind: this one is not recorded by itself. */
  count({ ruleId, kind }: AlertEvent): void {
    const last = this.#recent.find((each) => each.ruleId === ruleId && each.kind === kind)
    if (last !== undefined) this.replace({ ...last, heldBackCount: (last.heldBackCount ?? 0) + 1 })
  }

  /** The newest, newest first. */
  newestFirst(): AlertEvent[] {
    return this.#recent
  }

  /**
   * Those of the newest that may be seen: nobody has seen what a crash then takes along. The very same list while nothing of
   * it has changed and all may be seen.
   */
  shown(): AlertEvent[] {
    return this.#shownThrough === this.#lastNumber
      ? this.#recent
      : this.#recent.filter(({ number }) => number <= this.#shownThrough)
  }

  /** Whether there is anything more to be seen: events up to this one are in the history, or cannot be written. */
  showThrough(number: number): boolean {
    if (number <= this.#shownThrough) return false
    this.#shownThrough = number
    return true
  }

  /** Of those that may be seen. */
  unreadCount(): number {
    return this.#unread - this.#recent.filter(({ number, isRead }) => number > this.#shownThrough && !isRead).length
  }

  /** Whether there was anything unread; what cannot be seen yet stays so. */
  markRead(): boolean {
    const count = this.unreadCount()
    if (count === 0) return false
    this.#unread -= count
    this.#recent = this.#recent.map((event) =>
      event.isRead || event.number > this.#shownThrough ? event : { ...event, isRead: true },
    )
    this.#records.readThrough(this.#shownThrough)
    return true
  }

  /** `undefined` where it is not known. */
  async get(eventId: string): Promise<AlertEvent | undefined> {
    return this.recent(eventId) ?? (await this.#records.eventOf(eventId))
  }

  /** One of the newest, or one that is about to be notified. */
  recent(eventId: string): AlertEvent | undefined {
    return this.#ofNewest(eventId) ?? this.#pending.get(eventId)
  }

  /** Another delivery, another webhook's answer, a longer outage. */
  replace(event: AlertEvent): void {
    if (event.delivery === 'pending') this.#pending.set(event.id, event)
    else this.#pending.delete(event.id)
    if (this.#ofNewest(event.id) === undefined) this.#olderVersion++
    else this.#recent = this.#recent.map((each) => (each.id === event.id ? { ...event, isRead: each.isRead } : each))
    this.#records.event(event)
  }

  #ofNewest(eventId: string): AlertEvent | undefined {
    return this.#recent.find(({ id }) => id === eventId)
  }

  /** A pending notification may have been seen before the app ended: nobody knows. It does not fire again. */
  async endPending(): Promise<boolean> {
    let hasAny = false
    for (let events = this.#recent; ;) {
      const pending = events.filter(({ delivery }) => delivery === 'pending')
      for (const event of pending) this.replace({ ...event, delivery: 'unknown' satisfies Delivery })
      const last = events.at(-1)
      if (pending.length === 0 || last === undefined) return hasAny
      hasAny = true
      // Of thousands that fired at once more are pending than are in memory.
      const older = await this.#records.events({ before: last.number })
      if (!older.ok) return hasAny
      ;({ events } = older.value)
    }
  }
}

/** Events as a table, page by page, in the order given: times in UTC, numbers as published and as typed. */
export async function* inboxCsv(pages: AsyncIterable<readonly AlertEvent[]>): AsyncGenerator<string, void> {
  const names = records.inboxEvent
  yield recordsCsv(names, [])
  for await (const events of pages) yield csvLines(events.map((event) => recordCells(names, inboxRecord(event))))
}
