import type { Constituent, ConstituentsPublication, ExchangeWeight } from '../../protocol/model'
import { isDecimal, readPublication } from './publication'
import type { PublicationFault, RawPublication } from './publication'
import { isRecord, readWords } from './untrusted-text'

/** The fields of a calculation with its constituents, on the stream and in statistics alike. */
export interface RawConstituents extends RawPublication {
  divisor?: unknown
  constituents?: unknown
}

/** The field that made it unreadable; `weightPercent` also of an exchange. */
export type ConstituentsFault =
  PublicationFault | 'divisor' | 'constituents' | 'constituent' | 'constituentValue' | 'weightPercent' | 'exchanges'

export interface ReadConstituents {
  publication: ConstituentsPublication
  /** How many constituents there were beyond those that are read. */
  leftOut: number
}

export const mostConstituents = 5_000
export const mostExchanges = 100

/**
 * Reads a calculation of an index with its constituents (spec 2.5). Weights stay as published, whatever they add up to;
 * names are made fit to show. Of a basket beyond reason the first 5,000 constituents are read; one entry that cannot be
 * read spoils the whole, since a list with a hole would pass for the index. Answers the first field that did.
 */
export function readConstituents(raw: RawConstituents): ReadConstituents | ConstituentsFault {
  const publication = readPublication(raw)
  if (typeof publication === 'string') return publication
  const { divisor, constituents: entries } = raw
  if (divisor !== undefined && !isDecimal(divisor)) return 'divisor'
  if (!Array.isArray(entries)) return 'constituents'
  const constituents: Constituent[] = []
  for (const entry of entries.slice(0, mostConstituents) as unknown[]) {
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
  if (!Array.isArray(entries) || entries.length > mostExchanges) return 'exchanges'
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
  const words = readWords(name)
  return words === '' ? undefined : words
}
