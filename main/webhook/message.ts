import { isFiring, type AlertEvent } from '../../core/alert-events'
import { formatDecimal } from '../../core/decimal'
import { eventRecord, isoTime, recordJson, records } from '../../core/records'
import { severities } from '../../core/severity'
import type { WebhookMessage } from '../../core/webhook-services'
import { sanitizeText } from '../base/sanitize'

/** Version of the JSON that a webhook receives. */
const schema = 1
const maxTextLength = 1_000
/** A folded message has this many lines, and counts the rest. */
const maxLines = 10

/** What the user chose for the messages of a webhook. */
export interface MessageOptions {
  /** Text with fields of the record in braces. `{text}` if undefined. */
  template?: string | undefined
  /** A note is the user's own, so it is sent only if the user says so. */
  sendsNote: boolean
}

/** The fields that a template may name. */
const templateFields: readonly string[] = records.event

const placeholder = /\{(\w+)\}/g

/** Names the first field of a template that no event has. Undefined if there is none. */
export function templateProblem(template: string): string | undefined {
  const unknown = Array.from(template.matchAll(placeholder), ([, name = '']) => name).find(
    (name) => !templateFields.includes(name),
  )
  if (unknown === undefined) return undefined
  return `There is no field {${unknown}}. Use fields such as {text}, {id}, {value} and {published}.`
}

/**
 * The message of an event, or of several as one. `firingId` is the firing that the event is about. It contains nothing
 * secret, and only the name of the connection.
 */
export function webhookMessage(
  event: AlertEvent,
  options: MessageOptions,
  { others = [], firingId = event.id }: { others?: readonly AlertEvent[]; firingId?: string } = {},
): WebhookMessage {
  const { kind, ruleId, recordedAtMs } = event
  const all = [event, ...others]
  const lines = all.slice(0, maxLines).map((each) => lineOf(each, options))
  const more = all.length - lines.length
  const urgency = Math.max(...all.map(({ severity }) => severities.indexOf(severity)))
  const record = recordOf(event, options)
  return {
    text: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    facts: others.length > 0 || options.template !== undefined ? [] : factsOf(record),
    severity: severities[urgency] ?? 'normal',
    isOver: kind === 'retracted' || kind === 'recovered',
    key: ['indexwatch', ruleId, firingId].join('/'),
    at: isoTime(recordedAtMs),
    record: { schema, ...record, text: lines[0] },
  }
}

/** A message that shows whether a webhook works. */
export function testMessage(nowMs: number): WebhookMessage {
  const [text, at] = ['Test message from Indexwatch', isoTime(nowMs)]
  const record = { schema, kind: 'test', text, recorded: at }
  return { text, facts: [], severity: 'info', isOver: false, key: 'indexwatch/test', at, record }
}

/** The firing that an event is about: its own, the retracted one, or the last one before the silence ended. */
export function firingOf(event: AlertEvent, newestFirst: readonly AlertEvent[]): string {
  const { aboutEventId, id, kind, ruleId, number } = event
  if (aboutEventId !== undefined || kind !== 'recovered') return aboutEventId ?? id
  const isEarlier = (each: AlertEvent) => each.ruleId === ruleId && isFiring(each) && each.number < number
  return newestFirst.find(isEarlier)?.id ?? id
}

function recordOf(event: AlertEvent, { sendsNote }: MessageOptions) {
  const { note, ...record } = eventRecord(event, { number: formatDecimal, namesConnections: false })
  return recordJson(sendsNote ? { ...record, note } : record, (text) => sanitizeText(text, maxTextLength))
}

/** The template filled in. An event of the demo service says so first. */
function lineOf(event: AlertEvent, options: MessageOptions): string {
  const record = recordOf(event, options)
  const template = options.template ?? '{text}'
  const filled = template.replaceAll(placeholder, (_, name: string) => String(record[name] ?? ''))
  const line = sanitizeText(filled, maxTextLength)
  return event.isDemo === true && !line.startsWith('Demo') ? `Demo · ${line}` : line
}

function factsOf({ value, published, note }: Record<string, unknown>): [string, string][] {
  const facts = Object.entries({ Value: value, Published: published, Note: note })
  return facts.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []))
}
