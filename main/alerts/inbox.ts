import type { AlertEvent, Delivery } from '../../core/alert-events'
import { inboxRecord, type ProgramRecord } from '../../core/records'
import type { Clock } from '../base/clock'
import { inTurns } from '../base/work-queue'
import type { Kept, Records } from './records'

/** The result of an event's notification, webhook or second channel. */
export type EventOutcome = { delivery: Delivery } | { webhookResult: string } | { secondChannel: string }

/** The number of events that the window shows without a query. */
const maxRecent = 200

/**
 * The inbox. Events are added and never removed. Only their delivery, the results of webhook and escalation, and their
 * read state change. All events are in the history, the newest also in memory.
 */
export class Inbox {
  readonly #records: Records
  /** Newest first. Copied on write. */
  #recent: AlertEvent[] = []
  /** Events whose delivery is still pending, by id. */
  readonly #pending = new Map<string, AlertEvent>()
  #lastNumber = 0
  /** Number of the last visible event. Later ones are being written to the history. */
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

  /** Number of the newest event, or 0. */
  get lastNumber(): number {
    return this.#lastNumber
  }

  /** Increments when an event that is not among the newest changes. */
  get olderVersion(): number {
    return this.#olderVersion
  }

  /** Numbers and adds an event. */
  append(unnumbered: AlertEvent): AlertEvent {
    const event = { ...unnumbered, number: ++this.#lastNumber }
    this.#recent = [event, ...this.#recent].slice(0, maxRecent)
    if (!event.isRead) this.#unread++
    if (event.delivery === 'pending') this.#pending.set(event.id, event)
    this.#records.event(event)
    return event
  }

  /** Counts an event in the last one of the same rule and kind, instead of recording it. */
  count({ ruleId, kind }: AlertEvent): void {
    const last = this.#recent.find((each) => each.ruleId === ruleId && each.kind === kind)
    if (last !== undefined) this.replace({ ...last, heldBackCount: (last.heldBackCount ?? 0) + 1 })
  }

  /** The newest events, newest first. */
  newestFirst(): AlertEvent[] {
    return this.#recent
  }

  /**
   * The visible ones of the newest events. An event that a crash could still lose is not visible. Returns the same list
   * until it changes.
   */
  shown(): AlertEvent[] {
    return this.#shownThrough === this.#lastNumber
      ? this.#recent
      : this.#recent.filter(({ number }) => number <= this.#shownThrough)
  }

  /** Makes events visible that are stored or cannot be stored. Returns whether that changed anything. */
  showThrough(number: number): boolean {
    if (number <= this.#shownThrough) return false
    this.#shownThrough = number
    return true
  }

  /** Number of unread visible events. */
  unreadCount(): number {
    return this.#unread - this.#recent.filter(({ number, isRead }) => number > this.#shownThrough && !isRead).length
  }

  /** Marks all visible events as read. Returns those of the newest that were unread. Undefined if none was unread. */
  markRead(): AlertEvent[] | undefined {
    const count = this.unreadCount()
    if (count === 0) return undefined
    this.#unread -= count
    const unread = this.shown().filter(({ isRead }) => !isRead)
    this.#recent = this.#recent.map((event) =>
      event.isRead || event.number > this.#shownThrough ? event : { ...event, isRead: true },
    )
    this.#records.readThrough(this.#shownThrough)
    return unread
  }

  /** Undefined if the event is unknown. */
  async get(eventId: string): Promise<AlertEvent | undefined> {
    return this.recent(eventId) ?? (await this.#records.eventOf(eventId))
  }

  /** Finds an event among the newest and those about to be notified. */
  recent(eventId: string): AlertEvent | undefined {
    return this.#ofNewest(eventId) ?? this.#pending.get(eventId)
  }

  /** Replaces an event after a change of delivery, webhook result or outage. */
  replace(event: AlertEvent): void {
    if (event.delivery === 'pending') this.#pending.set(event.id, event)
    else this.#pending.delete(event.id)
    if (this.#ofNewest(event.id) === undefined) this.#olderVersion++
    else this.#recent = this.#recent.map((each) => (each.id === event.id ? { ...event, isRead: each.isRead } : each))
    this.#records.event(event)
  }

  /** Writes results into their events. Returns whether any event changed. */
  async note(clock: Clock, outcomes: readonly { eventId: string; change: EventOutcome }[]): Promise<boolean> {
    let hasChanged = false
    const note = (event: AlertEvent | undefined, change: EventOutcome) => {
      if (event === undefined || Object.entries(change).every(([name, value]) => Reflect.get(event, name) === value))
        return
      this.replace({ ...event, ...change })
      hasChanged = true
    }
    const older: (typeof outcomes)[number][] = []
    await inTurns(clock, outcomes, (outcome) => {
      const event = this.recent(outcome.eventId)
      if (event === undefined) older.push(outcome)
      else note(event, outcome.change)
    })
    for (const { eventId, change } of older) note(await this.get(eventId), change)
    return hasChanged
  }

  #ofNewest(eventId: string): AlertEvent | undefined {
    return this.#recent.find(({ id }) => id === eventId)
  }

  /**
   * After a crash, marks pending events as `unknown`: the user may have seen their notifications. They do not fire
   * again.
   */
  async endPending(): Promise<boolean> {
    let hasAny = false
    for (let events = this.#recent; ;) {
      const pending = events.filter(({ delivery }) => delivery === 'pending')
      for (const event of pending) this.replace({ ...event, delivery: 'unknown' satisfies Delivery })
      const last = events.at(-1)
      if (pending.length === 0 || last === undefined) return hasAny
      hasAny = true
      // If thousands fired together, more are pending than are in memory.
      const older = await this.#records.events({ before: last.number })
      if (!older.ok) return hasAny
      ;({ events } = older.value)
    }
  }
}

/** Events as rows of a table, in the given order. */
export async function* inboxRows(pages: AsyncIterable<readonly AlertEvent[]>): AsyncGenerator<ProgramRecord[], void> {
  for await (const events of pages) yield events.map(inboxRecord)
}
