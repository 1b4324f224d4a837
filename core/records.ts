/**
 * Records for programs. Each kind of thing has one record, with the same field names in CSV, Parquet, JSON, MCP answers
 * and webhooks. docs/reference/records.md explains the fields.
 */
import { eventTitle } from './alert-event-words'
import type { EventFormat } from './evaluation/condition'
import type { AlertEvaluation, AlertEvent } from './alert-events'
import { amountText, hoursWords, ruleWords } from './alert-words'
import type { AlertRule, RuleValidity } from './alerts'
import type { AlertPhase } from './evaluation/state'
import type { Since } from './constituents'
import { percentChange, subtractDecimals } from './decimal'
import { shownTimeMs } from './freshness'
import type {
  ChangeReference,
  Constituent,
  ConstituentsPublication,
  DecimalText,
  ExchangeWeight,
  IndexId,
  Publication,
  QuoteSource,
  Resolution,
} from './model'

const published = ['value', 'published', 'amended', 'isCarriedForward', 'missing'] as const
const event = [
  ...['eventId', 'number', 'kind', 'text', 'id', 'ruleId', 'ruleVersion', 'rule', 'condition', 'level'],
  ...['hours', 'severity', 'recorded', 'value', 'published', 'amended', 'gapSince', 'missedSince'],
  ...['ended', 'noDataFrom', 'noDataTo', 'direction', 'aboutEventId', 'note', 'connection', 'isDemo'],
] as const

/** The fields of each record, in the order of the columns of its table. */
export const records = {
  value: ['id', 'at', ...published, 'received', 'source', 'connection'],
  quote: [
    ...['id', 'name', ...published, 'change', 'changePercent', 'baseline'],
    ...['ageMs', 'isStale', 'source', 'connection', 'frequency', 'isDemo', 'problem'],
  ],
  constituent: [
    ...['id', 'published', 'divisor', 'constituent', 'value', 'weightPercent'],
    ...['exchange', 'exchangeWeightPercent'],
  ],
  constituentChange: ['id', 'from', 'to', 'kind', 'constituent', 'before', 'after'],
  contribution: [
    ...['id', 'baseline', 'from', 'to', 'part', 'constituent'],
    ...['valueBefore', 'value', 'weightPercentBefore', 'weightPercent', 'contribution'],
  ],
  amendment: ['id', 'published', 'before', 'after', 'difference', 'amended', 'received', 'connection', 'alerts'],
  alert: [
    ...['ruleId', 'id', 'rule', 'repeat', 'severity', 'phase', 'cannotFire'],
    ...['note', 'group', 'created', 'expires'],
  ],
  event,
  inboxEvent: [...event, 'delivery', 'suppressedBy', 'webhookResult', 'secondChannel'],
  evaluation: ['at', 'published', 'value', 'phaseBefore', 'phaseAfter', 'hasFired', 'why'],
} as const
export type FieldName = (typeof records)[keyof typeof records][number]

/** How to read a field that is not text. A time is in milliseconds here, and ISO 8601 in UTC in all formats. */
const kinds = {
  after: 'decimal',
  ageMs: 'number',
  alerts: 'texts',
  amended: 'time',
  at: 'time',
  before: 'decimal',
  change: 'decimal',
  changePercent: 'decimal',
  contribution: 'decimal',
  created: 'time',
  difference: 'decimal',
  divisor: 'decimal',
  ended: 'time',
  exchangeWeightPercent: 'decimal',
  expires: 'time',
  from: 'time',
  gapSince: 'time',
  hasFired: 'flag',
  isCarriedForward: 'flag',
  isDemo: 'flag',
  isStale: 'flag',
  missedSince: 'time',
  missing: 'number',
  noDataFrom: 'time',
  noDataTo: 'time',
  number: 'number',
  published: 'time',
  received: 'time',
  recorded: 'time',
  ruleVersion: 'number',
  to: 'time',
  value: 'decimal',
  valueBefore: 'decimal',
  weightPercent: 'decimal',
  weightPercentBefore: 'decimal',
} as const satisfies Partial<Record<FieldName, keyof FieldValues>>

export function kindOf(name: FieldName): keyof FieldValues {
  return name in kinds ? kinds[name as keyof typeof kinds] : 'text'
}

interface FieldValues {
  text: string
  texts: readonly string[]
  decimal: DecimalText
  number: number
  time: number
  flag: boolean
}

/** A field is undefined if it is unknown or does not apply. */
export type ProgramRecord = {
  [Name in FieldName]?: FieldValues[Name extends keyof typeof kinds ? (typeof kinds)[Name] : 'text'] | undefined
}

export const isoTime = (ms: number) => new Date(ms).toISOString()
const exact = (text: string) => text

type Written = string | number | boolean | readonly string[]
export type Clean = (text: string, name: FieldName) => string

/** A record as a JSON object. `clean` sanitises texts for the reader. Numbers and times need none. */
export function recordJson(record: ProgramRecord, clean: Clean = exact): Record<string, Written> {
  const fields = Object.entries(record) as [FieldName, Written | undefined][]
  const known = fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, written(name, value, clean)]]))
  return Object.fromEntries(known) as Record<string, Written>
}

function written(name: FieldName, value: Written, clean: Clean): Written {
  if (Array.isArray(value)) return (value as readonly string[]).map((text) => clean(text, name))
  if (kindOf(name) === 'time' && typeof value === 'number') return isoTime(value)
  return kindOf(name) === 'text' && typeof value === 'string' ? clean(value, name) : value
}

/** A record as the cells of these columns. */
export function recordCells(
  names: readonly FieldName[],
  record: ProgramRecord,
  clean: Clean = exact,
): (string | undefined)[] {
  return names.map((name) => {
    const value = record[name]
    if (value === undefined) return undefined
    const text = written(name, value, clean)
    if (typeof text === 'boolean') return text ? 'yes' : 'no'
    return typeof text === 'object' ? text.join('; ') : String(text)
  })
}

/** The fields of every published value. */
export function publishedFields(publication: Publication) {
  const { value, amendedAtMs, isRepeatOfPrevious, missing } = publication
  return {
    value,
    published: shownTimeMs(publication),
    amended: amendedAtMs,
    isCarriedForward: isRepeatOfPrevious === true,
    missing,
  }
}

interface StoredValue extends Publication {
  id: IndexId
  learnedAtMs: number
  /** `stream`, `rest`, `catchUp` or `tool`. */
  origin: string
  connection: string
}

/** One revision of one value in the history. `atMs`: the time at which it was in effect. */
export function valueRecord({ id, learnedAtMs, origin, connection, ...value }: StoredValue, atMs?: number) {
  return {
    id,
    at: atMs,
    ...publishedFields(value),
    received: learnedAtMs,
    source: origin,
    connection,
  } satisfies ProgramRecord
}

/** The latest value of an index. */
export interface KnownQuote extends Publication {
  source: QuoteSource
  ageMs: number
  isStale: boolean
  connection?: string | undefined
  reference?: ChangeReference | undefined
}

interface QuoteFacts {
  id: IndexId
  name?: string | undefined
  quote?: KnownQuote | undefined
  frequency?: Resolution | undefined
  isDemo: boolean
  /** Why the provider refused the index, in its own words. */
  refusal?: string | undefined
}

const baselines: Record<ChangeReference['kind'] | Since, string> = {
  sessionFirst: 'appStart',
  dayAgo: 'dayAgo',
  previousClose: 'utcMidnight',
  previousPublished: 'previousPublished',
  close: 'utcMidnight',
  opened: 'pageOpened',
  base: 'user',
}

export function quoteRecord({ id, name, quote, frequency, isDemo, refusal }: QuoteFacts) {
  return {
    id,
    name,
    ...(quote !== undefined && quoteFields(quote)),
    frequency,
    isDemo,
    problem:
      refusal !== undefined ? `The provider refused it: ${refusal}` : quote ? undefined : 'No value received yet.',
  } satisfies ProgramRecord
}

function quoteFields(quote: KnownQuote) {
  const { value, reference, ageMs, isStale, source, connection } = quote
  return {
    ...publishedFields(quote),
    change: reference && subtractDecimals(value, reference.value),
    changePercent: reference && percentChange(reference.value, value),
    baseline: reference && baselines[reference.kind],
    ageMs: Math.max(0, Math.round(ageMs)),
    isStale,
    source: source === 'cache' ? 'history' : source,
    connection,
  }
}

export function constituentRecord({ constituent, value, weightPercent }: Constituent) {
  return { constituent, value, weightPercent } satisfies ProgramRecord
}

/**
 * The rows of one calculation. Each constituent has a row, followed by one for each of its exchanges. Only the
 * constituent's row has `weightPercent`, so that the column adds up as published.
 */
export function constituentRows(
  id: IndexId,
  { publishedAtMs: published, divisor, constituents }: ConstituentsPublication,
): ProgramRecord[] {
  const rows = constituents.flatMap((each) => [
    constituentRecord(each),
    ...(each.exchanges ?? []).map((exchange) => ({ constituent: each.constituent, ...exchangeRecord(exchange) })),
  ])
  return rows.map((row) => ({ id, published, divisor, ...row }))
}

export function exchangeRecord({ exchange, weightPercent }: ExchangeWeight) {
  return { exchange, exchangeWeightPercent: weightPercent } satisfies ProgramRecord
}

/** What the contributions to an index have in common. */
export function contributionFacts(
  id: IndexId,
  since: Since,
  { now, then }: { now: ConstituentsPublication; then: ConstituentsPublication },
) {
  return { id, baseline: baselines[since], from: then.publishedAtMs, to: now.publishedAtMs } satisfies ProgramRecord
}

/** One amendment as the app learned it. */
export interface Amendment {
  id: IndexId
  publishedAtMs: number
  amendedAtMs: number
  learnedAtMs: number
  /** Name of the connection that it came from. */
  connection: string
  /** The previous revision. Undefined if only the amended value was received. */
  before?: DecimalText
  after: DecimalText
}

export interface AmendmentEntry extends Amendment {
  /** `after` - `before`, exact. Undefined without `before`. */
  difference?: DecimalText
  /** Events of the inbox on the amended value, oldest first. */
  alerts: AlertEvent[]
}

export function amendmentRecord({ publishedAtMs, amendedAtMs, learnedAtMs, alerts, ...known }: AmendmentEntry) {
  return {
    id: known.id,
    published: publishedAtMs,
    before: known.before,
    after: known.after,
    difference: known.difference,
    amended: amendedAtMs,
    received: learnedAtMs,
    connection: known.connection,
    alerts: [...new Set(alerts.map((each) => ruleWords(each, exact)))],
  } satisfies ProgramRecord
}

/** An alert without its webhook address, which may be a secret. */
export function alertRecord(rule: AlertRule & { phase?: AlertPhase; reach?: RuleValidity }) {
  const { id: ruleId, indexId, repeat, severity, note, group, phase, reach, createdAtMs, expiresAt } = rule
  return {
    ruleId,
    id: indexId,
    rule: ruleWords(rule, exact),
    repeat: repeat.mode,
    severity,
    phase,
    cannotFire: typeof reach === 'object' ? reach.cannotFire : undefined,
    note,
    group,
    created: createdAtMs,
    expires: expiresAt?.atMs,
  } satisfies ProgramRecord
}

/** An event. One of all alerts names no index and no rule. `format` writes the numbers in `text`. */
export function eventRecord(event: AlertEvent, format: Partial<EventFormat> = {}) {
  const { inputs, unknown, indexId, ruleId, ruleVersion, terms } = event
  return {
    eventId: event.id,
    number: event.number,
    kind: event.kind,
    text: eventTitle(event, { number: exact, time: isoTime, namesConnections: true, ...format }),
    ...(event.isMute !== true && {
      id: indexId,
      ruleId,
      ruleVersion,
      rule: ruleWords(event, exact),
      condition: terms.condition,
      level: amountText(terms, exact) || undefined,
    }),
    hours: event.hours && hoursWords(event.hours),
    severity: event.severity,
    recorded: event.recordedAtMs,
    value: inputs.value,
    published: inputs.publishedAtMs,
    amended: inputs.amendedAtMs,
    gapSince: inputs.gapSinceMs,
    missedSince: inputs.missedSinceMs,
    ended: inputs.over?.publishedAtMs,
    noDataFrom: unknown?.fromMs,
    noDataTo: unknown?.toMs,
    direction: inputs.direction,
    aboutEventId: event.aboutEventId,
    note: event.note,
    connection: event.connection,
    isDemo: event.isDemo,
  } satisfies ProgramRecord
}

/** An event with the result of its notification. */
export function inboxRecord(event: AlertEvent) {
  return {
    ...eventRecord(event),
    delivery: event.delivery === 'heldBack' ? 'suppressed' : event.delivery,
    suppressedBy: event.heldBackBy,
    webhookResult: event.webhookResult,
    secondChannel: event.secondChannel,
  } satisfies ProgramRecord
}

export function evaluationRecord({ atMs, publishedAtMs, words, ...evaluation }: AlertEvaluation) {
  return {
    at: atMs,
    published: publishedAtMs,
    value: evaluation.value,
    phaseBefore: evaluation.phaseBefore,
    phaseAfter: evaluation.phaseAfter,
    hasFired: evaluation.hasFired,
    why: words,
  } satisfies ProgramRecord
}
