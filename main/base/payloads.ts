/** Reads what the service publishes beyond values, on the stream and in REST rows alike; nothing is known of their fields. */
import type {
  Constituent,
  ConstituentsPublication,
  ExchangeWeight,
  MarketConditions,
  CorporateAction,
  Fact,
} from '../../core/model'
import {
  isDecimal,
  readPublication,
  readTimeMs,
  type PublicationFault,
  type RawPublication,
} from '../../core/publication'
import { isRecord, sanitizeText } from './sanitize'

/** The fields of a calculation with its constituents, on the stream and in statistics alike. */
export interface RawConstituents extends RawPublication {
  divisor?: unknown
  constituents?: unknown
}

/** The field that made it unreadable; `weightPercent` also of an exchange. */
export type ConstituentsFault =
  | PublicationFault
  | 'divisor'
  | 'constituents'
  | 'constituent'
  | 'constituentValue'
  | 'weightPercent'
  | 'exchanges'

export interface ReadConstituents {
  publication: ConstituentsPublication
  /** How many constituents there were beyond those that are read. */
  leftOut: number
}

export const maxConstituents = 5_000
export const maxExchanges = 100

/**
 * Reads a calculation of an index with its constituents (spec 2.5). Weights stay as published, whatever they add up to;
 * names are made fit to show. Of a basket beyond reason the first 5,000 constituents are read; one entry that cannot be
 * read spoils the whole, since a list with a gap would pass for the index. Answers the first field that did.
 */
export function readConstituents(raw: RawConstituents): ReadConstituents | ConstituentsFault {
  const publication = readPublication(raw)
  if (typeof publication === 'string') return publication
  const { divisor, constituents: entries } = raw
  if (divisor !== undefined && !isDecimal(divisor)) return 'divisor'
  if (!Array.isArray(entries)) return 'constituents'
  const constituents: Constituent[] = []
  for (const entry of entries.slice(0, maxConstituents) as unknown[]) {
    const constituent = readConstituent(entry)
    if (typeof constituent === 'string') return constituent
    constituents.push(constituent)
  }
  return {
    publication: { ...publication, ...(divisor === undefined ? {} : { divisor }), constituents },
    leftOut: entries.length - constituents.length,
  }
}

function readConstituent(entry: unknown): Constituent | ConstituentsFault {
  if (!isRecord(entry)) return 'constituent'
  const { value, weightPercent, exchanges } = entry as Partial<Record<string, unknown>>
  const constituent = readName(entry['constituent'])
  if (constituent === undefined) return 'constituent'
  if (!isDecimal(value)) return 'constituentValue'
  if (!isDecimal(weightPercent)) return 'weightPercent'
  if (exchanges === undefined) return { constituent, value, weightPercent }
  const weights = readExchanges(exchanges)
  return typeof weights === 'string' ? weights : { constituent, value, weightPercent, exchanges: weights }
}

function readExchanges(entries: unknown): ExchangeWeight[] | ConstituentsFault {
  if (!Array.isArray(entries) || entries.length > maxExchanges) return 'exchanges'
  const weights: ExchangeWeight[] = []
  for (const entry of entries as unknown[]) {
    if (!isRecord(entry)) return 'exchanges'
    const exchange = readName(entry['exchange'])
    const weightPercent = entry['weightPercent']
    if (exchange === undefined) return 'exchanges'
    if (!isDecimal(weightPercent)) return 'weightPercent'
    weights.push({ exchange, weightPercent })
  }
  return weights
}

function readName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined
  const text = sanitizeText(name)
  return text === '' ? undefined : text
}

const parts = ['utilizedDepth', 'valueAsk', 'valueBid', 'midPrice'] as const

export type RawConditions = RawPublication & Partial<Record<(typeof parts)[number], unknown>>
export type ConditionsFault = PublicationFault | (typeof parts)[number]

/**
 * Reads the market conditions of an index (wire facts 1.3); its four parts are there where the index has them. Answers
 * the name of the first field that cannot be read.
 */
export function readConditions(raw: RawConditions): MarketConditions | ConditionsFault {
  const conditions: MarketConditions | PublicationFault = readPublication(raw)
  if (typeof conditions === 'string') return conditions
  for (const part of parts) {
    const value = raw[part]
    if (value === undefined) continue
    if (!isDecimal(value)) return part
    conditions[part] = value
  }
  return conditions
}

/** What the service says at one moment: the action that is active, or that none is. */
export interface CorporateActionState {
  publishedAtMs: number
  action: CorporateAction | null
}

export type CorporateActionFault = 'time' | 'action'

const envelope: ReadonlySet<string> = new Set(['type', 'id', 'time', 'stream'])
const nothingKnown: ReadonlySet<string> = new Set()

/**
 * Reads the corporate action of a tokenized equity (spec 4.1). The spec does not show its payload: the fields of
 * `action` are taken as they come and, where a service has no such field, those of the message itself. Answers the field
 * that made it unreadable.
 */
export function readCorporateAction(message: Record<string, unknown>): CorporateActionState | CorporateActionFault {
  const { time, action } = message as { time?: unknown; action?: unknown }
  const publishedAtMs = readTimeMs(time)
  if (publishedAtMs === undefined) return 'time'
  if (action === null) return { publishedAtMs, action: null }
  if (action !== undefined && !isRecord(action)) return 'action'
  const facts = action === undefined ? readFacts(message, envelope) : readFacts(action, nothingKnown)
  return facts.length === 0 ? 'action' : { publishedAtMs, action: { publishedAtMs, facts } }
}

const maxFacts = 50
const maxFactLength = 500

/**
 * Fields whose meaning is the service's own, as they came: text as text, lists of texts with commas between, all else
 * as JSON, names and texts made fit to show. Fields of `known`, of null and of nothing are left out; at most 50 are taken, each cut at 500 characters.
 */
export function readFacts(fields: Record<string, unknown>, known: ReadonlySet<string>): Fact[] {
  const facts: Fact[] = []
  for (const [name, field] of Object.entries(fields)) {
    if (facts.length === maxFacts) break
    if (known.has(name) || field === null) continue
    const text = sanitizeText(textOf(field), maxFactLength)
    if (text !== '') facts.push({ name: sanitizeText(name), text })
  }
  return facts
}

/** Text as it came, a list of texts with commas between, anything else as JSON. */
function textOf(field: unknown): string {
  if (typeof field === 'string') return field
  const isListOfTexts = Array.isArray(field) && field.every((item) => typeof item === 'string')
  return isListOfTexts ? field.join(', ') : JSON.stringify(field)
}
