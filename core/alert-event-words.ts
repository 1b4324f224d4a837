/** Texts of events. The same in the inbox, in notifications and in files. */
import { amountText } from './alert-words'
import type { AlertEvent, AlertOrigin } from './alert-events'
import type { AlertTerms } from './alerts'
import { specOf } from './conditions/list'
import { demoName } from './connection-words'
import type { EventFormat, NumberFormat } from './evaluation/condition'
import { roughSpanText, spanText } from './spans'

/** The subject of an event: its index, or all alerts. */
export function eventSubject({ indexId, isMute }: Pick<AlertEvent, 'indexId' | 'isMute'>): string {
  return isMute === true ? 'All alerts' : indexId
}

/**
 * The event in one line: `BRTI rose to 68,000.12 (level 68,000)`, `BRTI alert retracted: ...`, `BRTI: 3 more ...`. For
 * the demo service it begins with `Demo · `, because the end may be cut off. If several connections are used, their
 * name is at the end.
 */
export function eventTitle(event: AlertEvent, format: EventFormat): string {
  const mark = event.kind === 'retracted' ? ' alert' : event.kind === 'cooldownOver' ? ':' : ''
  return withOrigin(
    `${eventSubject(event)}${event.isMute === true ? '' : mark} ${eventWords(event, format)}`,
    event,
    format,
  )
}

/**
 * One line for several firings of a rule. `event` is the last one: `BRTI crossed 3,050 six times, last up at 3,050.06`.
 */
export function repeatedTitle(event: AlertEvent, count: number, format: EventFormat): string {
  return withOrigin(`${eventSubject(event)} ${repeatedWords(event, count, format)}`, event, format)
}

/** As `repeatedTitle`, without the index and the origin. */
export function repeatedWords(event: AlertEvent, count: number, format: EventFormat): string {
  return `${pastWords(event.terms, format.number)} ${timesWords(count)}${lastWords(event, format)}`
}

function withOrigin(title: string, event: AlertEvent, format: EventFormat): string {
  const origin = originWords(event, format.namesConnections === true)
  if (origin === undefined) return title
  return event.isDemo === true ? `${origin} · ${title}` : `${title} · ${origin}`
}

/** Names the origin of an event: the demo service always, a connection only if there are several. */
export function originWords(
  { connection, isDemo }: Partial<AlertOrigin>,
  namesConnections: boolean,
): string | undefined {
  if (isDemo === true) return demoName
  return namesConnections ? connection : undefined
}

const smallNumbers = ['', 'once', 'twice', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

function timesWords(count: number): string {
  return count < 3 ? (smallNumbers[count] ?? '') : `${smallNumbers[count] ?? count} times`
}

/** The value at the last firing, with its time if it was found late: `, last up at 3,050.06`. */
function lastWords({ kind, terms, recordedAtMs, inputs }: AlertEvent, format: EventFormat): string {
  const { value, publishedAtMs, silentSinceMs } = inputs
  if (silentSinceMs !== undefined) return `, last since ${format.time(silentSinceMs)}`
  if (value === undefined) return ''
  const condition = specOf(terms.condition)
  const towards = condition.firedDirection === undefined ? '' : `${condition.firedDirection(inputs) ?? ''} `
  const late =
    kind !== 'lateFromHistory' || publishedAtMs === undefined
      ? ''
      : ` at ${format.time(publishedAtMs)}, late by ${roughSpanText(recordedAtMs - publishedAtMs)}`
  return `, last ${towards}at ${format.number(value)}${condition.unit ?? ''}${late}`
}

/**
 * What an event says about its index, such as `rose to 68,000.12 (level 68,000)`. A crossing in a gap names both times.
 * The end tells how many more like it were only counted.
 */
export function eventWords(event: AlertEvent, format: EventFormat): string {
  const words = wordsOfOne(event, format)
  const { kind, heldBackCount } = event
  return kind === 'cooldownOver' || heldBackCount === undefined ? words : `${words}, ${heldBackCount} more like it`
}

/** Several firings without values: `crossed 68,000`, `fell to 3,400`, `weight of BTC was at or above 60 %`. */
export function pastWords(terms: AlertTerms, number: NumberFormat): string {
  return specOf(terms.condition).past(terms, amountText(terms, number))
}

function wordsOfOne(event: AlertEvent, format: EventFormat): string {
  switch (event.kind) {
    case 'fired':
      return firedWords(event, format)
    case 'lateByAmendment':
      return `${firedWords(event, format)} (late: value amended)`
    case 'lateFromHistory':
      return historyWords(event, format)
    case 'retracted':
      if (event.inputs.missedSinceMs !== undefined) return 'retracted: backfilled values do not confirm it'
      return `retracted: amended${valueAfter(event, format)}`
    case 'confirmed':
      if (event.inputs.missedSinceMs !== undefined) return `confirmed: ${timedWords(event, format)}`
      return `amended${valueAfter(event, format)}, still true`
    case 'notKnown':
      return unknownWords(event, format)
    case 'sourceChanged':
      return event.sources === undefined
        ? 'source changed'
        : `source changed from ${event.sources.from} to ${event.sources.to}`
    case 'cooldownOver':
      return `${event.heldBackCount ?? 0} more during the cooldown${nowAfter(event, format, ',')}`
    case 'recovered':
      return `publishes again${nowAfter(event, format, ',')}`
    case 'snoozed':
      return snoozedWords(event, format)
    case 'expiresSoon':
      return typeof event.untilMs !== 'number' ? 'alert expires soon' : `alert expires at ${format.time(event.untilMs)}`
    case 'expired':
      return 'alert expired'
    case 'suspended':
      return `alert suspended: ${(event.reason ?? 'It fired too often').replace(/^It /, '').replace(/\.$/, '')}`
    case 'cannotFire':
      return `alert cannot fire: ${event.reason ?? 'the provider does not offer it'}`
  }
}

function snoozedWords({ isMute, untilMs }: AlertEvent, format: EventFormat): string {
  if (typeof untilMs === 'number') return `${isMute === true ? 'muted' : 'alert snoozed'} until ${format.time(untilMs)}`
  return isMute === true ? 'muted until you unmute them' : 'alert snoozed until you end the snooze'
}

/**
 * A late event: `rose to 125 at 09:41:07 (level 110), late by 6 s; now 103`. Says if the condition had ended by then.
 */
function historyWords(event: AlertEvent, format: EventFormat): string {
  const { terms, recordedAtMs, inputs } = event
  const { publishedAtMs, over, latest } = inputs
  const late = publishedAtMs === undefined ? '' : `, late by ${roughSpanText(recordedAtMs - publishedAtMs)}`
  const end =
    over === undefined ? '' : ` and was ${backWords(terms, inputs.direction)} at ${format.time(over.publishedAtMs)}`
  const now = latest === undefined ? '' : `; now ${format.number(latest.value)}`
  return `${timedWords(event, format)}${end}${late}${now}`
}

function timedWords(event: AlertEvent, format: EventFormat): string {
  return firedWords(event, format, { isTimed: true })
}

/** Where the value was when the condition ended. */
function backWords({ condition }: AlertTerms, direction: 'up' | 'down' | undefined): string {
  return specOf(condition).over ?? (direction === 'down' ? 'back above' : 'back below')
}

function unknownWords({ unknown }: AlertEvent, format: EventFormat): string {
  if (unknown === undefined) return 'no data for some time: alerts could not be checked'
  const { fromMs, toMs, indexIds } = unknown
  const others = indexIds.length - 1
  const and = others < 1 ? '' : ` for this and ${others === 1 ? '1 other index' : `${others} other indices`}`
  return `no data ${format.time(fromMs)}–${format.time(toMs)}${and}: alerts could not be checked`
}

function firedWords(
  { indexId, terms, inputs }: AlertEvent,
  format: EventFormat,
  { isTimed } = { isTimed: false },
): string {
  const { gapSinceMs, heldSinceMs, publishedAtMs } = inputs
  const at = isTimed && publishedAtMs !== undefined ? ` at ${format.time(publishedAtMs)}` : ''
  const value = inputs.value === undefined ? '' : format.number(inputs.value) + at
  const amount = amountText(terms, format.number)
  const words = specOf(terms.condition).fired(terms, { indexId, inputs, value, amount, format })
  const held =
    heldSinceMs === undefined || publishedAtMs === undefined
      ? ''
      : `, held for ${spanText(publishedAtMs - heldSinceMs)}`
  if (gapSinceMs === undefined || publishedAtMs === undefined) return words + held
  return `${words}${held}, crossed in a gap between ${format.time(gapSinceMs)} and ${format.time(publishedAtMs)}`
}

function valueAfter({ inputs }: AlertEvent, format: EventFormat): string {
  return inputs.value === undefined ? '' : ` to ${format.number(inputs.value)}`
}

function nowAfter({ inputs }: AlertEvent, format: EventFormat, mark: ',' | ';'): string {
  return inputs.value === undefined ? '' : `${mark} now ${format.number(inputs.value)}`
}
