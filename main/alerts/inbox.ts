import { eventWords, type EventFormat } from '../../protocol/alert-event-words'
import type { AlertEvent, Delivery, InboxPage, InboxQuery } from '../../protocol/alert-events'
import { formatDecimal } from '../../protocol/decimal'
import type { ArchiveEntry } from './inbox-archive'

/** More than a year of an alert every hour; older ones stay in the archive on the disk. */
const maxKept = 10_000
const maxInPage = 200

/** How many events stay in the file of the rules; those before them are in the archive. */
export interface TailSize {
  /** Above this many, the oldest leave. */
  max: number
  /** As many stay then. */
  kept: number
}

const defaultTail: TailSize = { max: 250, kept: 200 }

/** What an inbox begins with: events oldest first, without two of one number. */
export interface InboxStart {
  tail: readonly AlertEvent[]
  archived?: readonly AlertEvent[]
  /** Absent: as the events say. */
  readThrough?: number
}

/**
 * The record of what has happened to rules. Events are added and never taken back; only their delivery, what a webhook
 * answered, and being read change. The newest are the tail, which is kept with the rules; the archive holds the others.
 */
export class Inbox {
  readonly #tailSize: TailSize
  /** Oldest first. */
  readonly #events: AlertEvent[]
  /** The number of the last event that need not be in the tail. */
  #archivedThrough: number
  #readThrough: number
  #unread: number
  /** What has become known of archived events since. */
  #notes: ArchiveEntry[] = []

  constructor({ tail, archived = [], readThrough }: InboxStart = { tail: [] }, tailSize = defaultTail) {
    this.#tailSize = tailSize
    // What is in both was being archived as the app was killed.
    const inTail = new Set(tail.map(({ number }) => number))
    const events = [...archived.filter(({ number }) => !inTail.has(number)), ...tail]
    events.sort((a, b) => a.number - b.number)
    this.#archivedThrough = (tail[0]?.number ?? (events.at(-1)?.number ?? 0) + 1) - 1
    this.#readThrough = readThrough ?? events.findLast(isReadByUser)?.number ?? 0
    this.#events = events.slice(-Math.max(maxKept, tail.length)).map((event) => this.#asRead(event))
    this.#unread = this.#events.filter(({ isRead }) => !isRead).length
  }

  /** The number of the event to come. */
  get nextNumber(): number {
    return (this.#events.at(-1)?.number ?? 0) + 1
  }

  /** The number of the last event the user has read. */
  get readThrough(): number {
    return this.#readThrough
  }

  append(event: AlertEvent): void {
    this.#events.push(event)
    if (!event.isRead) this.#unread++
    this.#dropOldest()
  }

  get(eventId: string): AlertEvent | undefined {
    return this.#events.findLast(({ id }) => id === eventId)
  }

  /** Oldest first, for the file of the rules. */
  tail(): readonly AlertEvent[] {
    const first = this.#events.findIndex(({ number }) => number > this.#archivedThrough)
    return first === -1 ? [] : this.#events.slice(first)
  }

  /** What is to be appended to the archive, before the tail is written without it. */
  toArchive(): ArchiveEntry[] {
    const tail = this.tail()
    const leaving = tail.length > this.#tailSize.max ? tail.slice(0, -this.#tailSize.kept) : []
    return [...this.#notes, ...leaving.map((event) => ({ event }))]
  }

  /** These are in the archive on the disk. */
  noteArchived(entries: readonly ArchiveEntry[]): void {
    const noted = new Set(entries)
    this.#notes = this.#notes.filter((note) => !noted.has(note))
    const written = new Map<number, AlertEvent>()
    for (const entry of entries) if ('event' in entry) written.set(entry.event.number, entry.event)
    for (const now of this.#events) {
      const event = written.get(now.number)
      if (event === undefined) continue
      this.#archivedThrough = Math.max(this.#archivedThrough, event.number)
      // What became of its notification may have come in while it was being written.
      this.#noteChange(event, now)
    }
    this.#dropOldest()
  }

  newestFirst(limit: number): AlertEvent[] {
    return this.#events.slice(-limit).reverse()
  }

  /** Newest first, at most 200. */
  page(query: InboxQuery): InboxPage {
    const found = findEvents(this.#events, query, maxInPage + 1)
    return { events: found.slice(0, maxInPage), hasMore: found.length > maxInPage }
  }

  /** All of the last 10,000 that match, newest first. */
  find(query: InboxQuery): AlertEvent[] {
    return findEvents(this.#events, query, maxKept)
  }

  unreadCount(): number {
    return this.#unread
  }

  /** Whether there was anything unread. */
  markRead(): boolean {
    if (this.#unread === 0) return false
    this.#readThrough = this.#events.at(-1)?.number ?? this.#readThrough
    for (const [at, event] of this.#events.entries()) this.#events[at] = this.#asRead(event)
    this.#unread = 0
    return true
  }

  /** Whether that was news. */
  noteDelivery(eventId: string, delivery: Delivery): boolean {
    return this.#change(eventId, { delivery })
  }

  /** Whether that was news. */
  noteWebhook(eventId: string, webhookResult: string): boolean {
    return this.#change(eventId, { webhookResult })
  }

  #change(eventId: string, change: Pick<AlertEvent, 'delivery'> | Required<Pick<AlertEvent, 'webhookResult'>>) {
    const at = this.#events.findLastIndex((event) => event.id === eventId)
    const event = this.#events[at]
    if (event === undefined) return false
    const changed: AlertEvent = { ...event, ...change }
    if (changed.delivery === event.delivery && changed.webhookResult === event.webhookResult) return false
    this.#events[at] = changed
    if (event.number <= this.#archivedThrough) this.#noteChange(event, changed)
    return true
  }

  #noteChange(before: AlertEvent, { number, delivery, webhookResult }: AlertEvent): void {
    if (delivery !== before.delivery) this.#notes.push({ number, delivery })
    if (webhookResult !== undefined && webhookResult !== before.webhookResult) {
      this.#notes.push({ number, webhookResult })
    }
  }

  #asRead(event: AlertEvent): AlertEvent {
    const isRead = event.number <= this.#readThrough || isOwnDoing(event)
    return isRead === event.isRead ? event : { ...event, isRead }
  }

  #dropOldest(): void {
    for (let first = this.#events[0]; this.#events.length > maxKept; first = this.#events[0]) {
      if (first === undefined || first.number > this.#archivedThrough) return
      this.#events.shift()
      if (!first.isRead) this.#unread--
    }
  }
}

/** What the user did themselves they need not read. */
function isOwnDoing({ kind }: AlertEvent): boolean {
  return kind === 'snoozed'
}

function isReadByUser(event: AlertEvent): boolean {
  return event.isRead && !isOwnDoing(event)
}

const format: EventFormat = { number: formatDecimal, time: (ms) => new Date(ms).toISOString() }

/** The events, which come oldest first, that a query asks for; newest first, at most `max`. */
function findEvents(events: readonly AlertEvent[], query: InboxQuery, max: number): AlertEvent[] {
  const { kinds, ruleId, before } = query
  const search = query.search?.trim().toLowerCase() ?? ''
  const found: AlertEvent[] = []
  for (let at = events.length - 1; at >= 0 && found.length < max; at--) {
    const event = events[at]
    if (event === undefined || (before !== undefined && event.number >= before)) continue
    if (ruleId !== undefined && event.ruleId !== ruleId) continue
    if (kinds !== undefined && !kinds.includes(event.kind)) continue
    if (search === '' || textOf(event).includes(search)) found.push(event)
  }
  return found
}

/** A number is found as it was published and as it is written on the screen. */
function textOf(event: AlertEvent): string {
  const { indexId, note, inputs } = event
  const parts = [indexId, eventWords(event, format), note, inputs.value]
  return parts
    .filter((part) => part !== undefined)
    .join('\n')
    .toLowerCase()
}
