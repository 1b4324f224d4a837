/** Reads what the service publishes besides values, from the stream and from REST. Fields are untrusted. */
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

/** The fields of a calculation with its constituents. Stream and REST have the same. */
export interface RawConstituents extends RawPublication {
  divisor?: unknown
  constituents?: unknown
}

/** The first field that could not be read. `weightPercent` may be that of an exchange. */
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
  /** Number of constituents beyond the limit, which were not read. */
  leftOut: number
}

export const maxConstituents = 5_000
export const maxExchanges = 100

/**
 * Reads a calculation of an index with its constituents (protocol, 2.5). Weights stay as published, whatever their sum.
 * Names are sanitized. Reads the first 5,000 constituents. One unreadable entry fails the whole list, because a list
 * with a gap would pass for the index. Returns the first field that failed.
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
 * Reads the market conditions of an index (protocol, 2.8). Each of the four parts is optional. Returns the name of the
 * first field that failed.
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

/** The service's statement at one moment: an action is active, or none is. */
export interface CorporateActionState {
  publishedAtMs: number
  action: CorporateAction | null
}

export type CorporateActionFault = 'time' | 'action'

const envelope: ReadonlySet<string> = new Set(['type', 'id', 'time', 'stream'])
const nothingKnown: ReadonlySet<string> = new Set()

/**
 * Reads the corporate action of a tokenized equity (protocol, 2.9). The payload is not documented. Facts are the
 * fields of `action`, or without it those of the message itself. Returns the field that failed.
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
const maxFactLength = 4_000

/**
 * Fields whose meaning only the service knows, as text. Names and texts are sanitized. Leaves out fields in `known`,
 * nulls and empty texts. Takes at most 50, each cut at 4,000 characters.
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

/** Text as received, a list of texts joined by commas, anything else as JSON. */
function textOf(field: unknown): string {
  if (typeof field === 'string') return field
  const isListOfTexts = Array.isArray(field) && field.every((item) => typeof item === 'string')
  return isListOfTexts ? field.join(', ') : JSON.stringify(field)
}
