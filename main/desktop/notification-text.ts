import { eventTitle, repeatedTitle } from '../../core/alert-event-words'
import type { EventFormat } from '../../core/evaluation/condition'
import type { TimeRange } from '../../core/ranges'
import { demoName } from '../../core/connection-words'
import { ruleWords } from '../../core/alert-words'
import type { AlertEvent } from '../../core/alert-events'
import { dependsOn } from '../../core/alerts'
import { formatDecimal } from '../../core/decimal'
import type { IndexId } from '../../core/model'
import type { Grouping } from '../../core/preferences'
import { sanitizeForDesktop } from '../base/sanitize'
import { timeText } from '../base/user-time'

/** What a notification says beyond its event. */
export interface TextContext {
  /** Names of the lists an index is in. */
  listsOf: (id: IndexId) => readonly string[]
  /** Whether an index publishes every second or more often, so that its milliseconds mean something. */
  isRealTime: (id: IndexId) => boolean
  /** The zone the user wants times in; absent: that of the system. */
  timeZone?: () => string
  /** How the user wants digits grouped; absent: by commas. */
  grouping?: () => Grouping
  /** Whether several connections are in use, so that each notification says which it came from. */
  namesConnections: () => boolean
  nowMs: number
}

export interface NotificationText {
  title: string
  /** Lines, each without anything that a desktop reads as markup. */
  body: string
}

/** A digest names so many of its events. */
const namedInDigest = 3
const minuteMs = 60_000

/** Numbers with every digit, grouped as the user wants; times in the user's zone, to the millisecond where the index has them. */
function formatOf(event: AlertEvent, context: TextContext): EventFormat {
  const precision = context.isRealTime(event.indexId) ? 'millisecond' : 'second'
  const how = { precision, timeZone: context.timeZone?.() ?? 'system' } as const
  return {
    number: (text) => formatDecimal(text, { grouping: context.grouping?.() ?? 'comma' }),
    time: (ms) => timeText(ms, context.nowMs, how),
    namesConnections: context.namesConnections(),
  }
}

/** Whether the title says what the alert is. */
function isPlain({ kind }: AlertEvent): boolean {
  return kind === 'fired' || kind === 'recovered' || kind === 'lateFromHistory'
}

function lines(parts: readonly (string | undefined)[]): string {
  return parts.flatMap((part) => (part === undefined ? [] : [sanitizeForDesktop(part)])).join('\n')
}

/** The one line that says all of an event. */
function titleOf(event: AlertEvent, context: TextContext): string {
  return sanitizeForDesktop(eventTitle(event, formatOf(event, context)))
}

/** What a notification of one event says: all in the title; the time, the lists and the user's note in the body. */
export function notificationText(event: AlertEvent, context: TextContext): NotificationText {
  const format = formatOf(event, context)
  const rule = isPlain(event) ? undefined : `Alert: ${ruleWords(event, format.number)}`
  return { title: titleOf(event, context), body: lines([rule, ...details(event, format, context)]) }
}

/** What a notification of several firings of a rule says, the last of which is `event`. */
export function repeatedText(
  event: AlertEvent,
  { count, sinceMs }: { count: number; sinceMs: number | undefined },
  context: TextContext,
): NotificationText {
  const format = formatOf(event, context)
  const since = sinceMs === undefined ? undefined : `The first value was published at ${format.time(sinceMs)}`
  const [published, ...more] = details(event, format, context)
  return {
    title: sanitizeForDesktop(repeatedTitle(event, count, format)),
    body: lines([published, since, ...more]),
  }
}

/** When it was published, where the index is, and what the user noted. */
function details(event: AlertEvent, { time }: EventFormat, context: TextContext): (string | undefined)[] {
  const { publishedAtMs, amendedAtMs } = event.inputs
  const lists = context.listsOf(event.indexId)
  return [
    publishedAtMs === undefined ? undefined : `Published at ${time(publishedAtMs)}`,
    amendedAtMs === undefined ? undefined : `Amended at ${time(amendedAtMs)}`,
    lists.length === 0 ? undefined : `${lists.length === 1 ? 'Watchlist' : 'Watchlists'}: ${lists.join(', ')}`,
    event.note,
  ]
}

/** From when to when the values were missed, where all of it was found in history. */
function awaySpan(events: readonly AlertEvent[]): TimeRange | undefined {
  const sinceMs = events.flatMap(({ inputs }) => inputs.missedSinceMs ?? [])
  if (events.some(({ kind }) => kind !== 'lateFromHistory') || sinceMs.length === 0) return undefined
  return { fromMs: Math.min(...sinceMs), toMs: Math.max(...events.map(({ recordedAtMs }) => recordedAtMs)) }
}

function digestTitle(events: readonly AlertEvent[], { nowMs, timeZone = () => 'system' }: TextContext): string {
  const away = awaySpan(events)
  if (away !== undefined) {
    const time = (ms: number) => timeText(ms, nowMs, { precision: 'minute', timeZone: timeZone() })
    return `While you were away (${time(away.fromMs)}–${time(away.toMs)}): ${events.length} events`
  }
  const indexCount = new Set(events.map((event) => event.indexId)).size
  const indices = indexCount === 1 ? '1 index' : `${indexCount} indices`
  if (events.every((event) => event.kind === 'recovered')) {
    return `${indices} ${indexCount === 1 ? 'publishes' : 'publish'} again`
  }
  if (events.every((event) => event.kind === 'fired' && dependsOn(event.terms, 'silence'))) {
    return `${indices} ${indexCount === 1 ? 'has' : 'have'} no update`
  }
  const isRecent = events.every((event) => nowMs - event.recordedAtMs <= minuteMs)
  return `${events.length} events${isRecent ? ' in the last minute' : ''}`
}

/** What one notification of several events says: how many of what, the first of them, and where the others are. */
export function digestText(events: readonly AlertEvent[], context: TextContext): NotificationText {
  const more = events.length - namedInDigest
  const title = digestTitle(events, context)
  return {
    title: events.some(({ isDemo }) => isDemo) ? `${demoName} · ${title}` : title,
    body: lines([
      // Demo is said once, in the title.
      ...events.slice(0, namedInDigest).map((event) => titleOf({ ...event, isDemo: false }, context)),
      more > 0 ? `and ${more} more: see the inbox` : undefined,
    ]),
  }
}
