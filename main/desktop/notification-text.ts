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

/** What the text of a notification needs besides its event. */
export interface TextContext {
  /** Names of the watchlists that contain an index. */
  listsOf: (id: IndexId) => readonly string[]
  /** True if an index publishes at least every second, so that milliseconds are significant. */
  isRealTime: (id: IndexId) => boolean
  /** The user's time zone. The system's by default. */
  timeZone?: () => string
  /** The user's grouping of digits. By commas by default. */
  grouping?: () => Grouping
  /** True if several connections are in use, so that each notification names its connection. */
  namesConnections: () => boolean
  nowMs: number
}

export interface NotificationText {
  title: string
  /** Lines without markup characters. */
  body: string
}

/** Number of events that a digest names. */
const namedInDigest = 3
const minuteMs = 60_000

/**
 * Numbers with all digits in the user's grouping. Times in the user's zone, with milliseconds for a real-time index.
 */
function formatOf(event: AlertEvent, context: TextContext): EventFormat {
  const precision = context.isRealTime(event.indexId) ? 'millisecond' : 'second'
  const how = { precision, timeZone: context.timeZone?.() ?? 'system' } as const
  return {
    number: (text) => formatDecimal(text, { grouping: context.grouping?.() ?? 'comma' }),
    time: (ms) => timeText(ms, context.nowMs, how),
    namesConnections: context.namesConnections(),
  }
}

/** True if the title contains the alert itself. */
function isPlain({ kind }: AlertEvent): boolean {
  return kind === 'fired' || kind === 'recovered' || kind === 'lateFromHistory'
}

function lines(parts: readonly (string | undefined)[]): string {
  return parts.flatMap((part) => (part === undefined ? [] : [sanitizeForDesktop(part)])).join('\n')
}

/** One line that describes the event. */
function titleOf(event: AlertEvent, context: TextContext): string {
  return sanitizeForDesktop(eventTitle(event, formatOf(event, context)))
}

/** The notification of one event. The title has the event, the body the time, watchlists and the user's note. */
export function notificationText(event: AlertEvent, context: TextContext): NotificationText {
  const format = formatOf(event, context)
  const rule = isPlain(event) ? undefined : `Alert: ${ruleWords(event, format.number)}`
  return { title: titleOf(event, context), body: lines([rule, ...details(event, format, context)]) }
}

/** The notification of several firings of one rule. `event` is the last of them. */
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

/** Time of publication, watchlists and the user's note. */
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

/** The time range in which the values were missed. Undefined unless all events were found in the history. */
function awaySpan(events: readonly AlertEvent[]): TimeRange | undefined {
  const sinceMs = events.flatMap(({ inputs }) => inputs.missedSinceMs ?? [])
  if (events.some(({ kind }) => kind !== 'lateFromHistory') || sinceMs.length === 0) return undefined
  return { fromMs: Math.min(...sinceMs), toMs: Math.max(...events.map(({ recordedAtMs }) => recordedAtMs)) }
}

function digestTitle(events: readonly AlertEvent[], { nowMs, timeZone = () => 'system' }: TextContext): string {
  if (events.every(isLateFromDesk)) return `While you were away: ${events.length} desk alerts`
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

/** True for an event of the desk that waited for this computer. */
export function isLateFromDesk({ desk }: AlertEvent): boolean {
  return desk?.isLate === true
}

/** One line of a digest. An event that waited for this computer also has its time. */
function lineOf(event: AlertEvent, context: TextContext): string {
  const { publishedAtMs } = event.inputs
  const title = titleOf(event, context)
  if (publishedAtMs === undefined || !isLateFromDesk(event)) return title
  return `${formatOf(event, context).time(publishedAtMs)} · ${title}`
}

/** The digest of several events: their number, the first few of them, and where the rest are. */
export function digestText(events: readonly AlertEvent[], context: TextContext): NotificationText {
  const more = events.length - namedInDigest
  const title = digestTitle(events, context)
  return {
    title: events.some(({ isDemo }) => isDemo) ? `${demoName} · ${title}` : title,
    body: lines([
      // The title says Demo once.
      ...events.slice(0, namedInDigest).map((event) => lineOf({ ...event, isDemo: false }, context)),
      more > 0 ? `and ${more} more: see the inbox` : undefined,
    ]),
  }
}
