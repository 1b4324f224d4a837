import { indexIdPattern } from '../../protocol/shapes'
import type { IndexDetail, IndexId, IndexInfo, IndexSummary, Publication } from '../../protocol/model'
import { readFacts } from '../base/facts'
import { readPublication, readResolution } from '../base/publication'
import { isNestedTooDeep, isRecord, readWords } from '../base/untrusted-text'

/** What could be read of a list, and how many of its rows could not. */
export interface Rows<T> {
  rows: T[]
  unreadable: number
}

/** The envelope around every answer (wire facts 2.1). */
export type Envelope =
  { kind: 'success'; payload: unknown } | { kind: 'failure'; error: string } | { kind: 'unreadable' }

/** Reads the envelope of a body; HTML, nothing and JSON of another shape are `unreadable`. Never throws. */
export function decodeEnvelope(body: string): Envelope {
  if (isNestedTooDeep(body)) return { kind: 'unreadable' }
  let envelope: unknown
  try {
    envelope = JSON.parse(body)
  } catch {
    return { kind: 'unreadable' }
  }
  if (!isRecord(envelope)) return { kind: 'unreadable' }
  const { error, payload } = envelope as { error?: unknown; payload?: unknown }
  if (typeof error === 'string') return { kind: 'failure', error }
  return payload === undefined || payload === null ? { kind: 'unreadable' } : { kind: 'success', payload }
}

/** One index summary (spec 2.7); `undefined` without a usable id or name. Names of the service are made fit to show. */
export function decodeIndex(payload: unknown): IndexInfo | undefined {
  if (!isRecord(payload)) return undefined
  const { id, name, decimals, base, quote, maxResolution } = payload as Partial<Record<string, unknown>>
  if (!isIndexId(id) || typeof name !== 'string') return undefined
  const info: IndexInfo = { id, name: readWords(name), maxResolution: readResolution(maxResolution) }
  if (typeof decimals === 'number' && Number.isInteger(decimals) && decimals >= 0) info.decimals = decimals
  if (isFilled(base)) info.base = readWords(base)
  if (isFilled(quote)) info.quote = readWords(quote)
  return info
}

/** `indices`; `undefined` when it is no list. Of rows with the same id the last one counts. */
export function decodeIndices(payload: unknown): Rows<IndexInfo> | undefined {
  const decoded = decodeRows(payload, decodeIndex)
  if (decoded === undefined) return undefined
  return { ...decoded, rows: [...new Map(decoded.rows.map((info) => [info.id, info])).values()] }
}

const namedInDetail: ReadonlySet<string> = new Set(['id', 'name', 'decimals', 'base', 'quote', 'maxResolution'])

/** `indices/{id}/detail`: the summary's fields by name, all others as they came (spec 4.2, wire facts 2.2). */
export function decodeDetail(payload: unknown): IndexDetail | undefined {
  const info = decodeIndex(payload)
  if (info === undefined || !isRecord(payload)) return undefined
  return { ...info, facts: readFacts(payload, namedInDetail) }
}

/** `values`, ascending by time, whatever order they came in; `undefined` when it is no list. */
export function decodeValues(payload: unknown): Rows<Publication> | undefined {
  const decoded = decodeRows(payload, decodePublication)
  decoded?.rows.sort((a, b) => a.publishedAtMs - b.publishedAtMs || (a.amendedAtMs ?? 0) - (b.amendedAtMs ?? 0))
  return decoded
}

/** `latest_values`; `undefined` when it is anything else. */
export function decodeLatestValues(payload: unknown): Rows<[IndexId, Publication]> | undefined {
  if (!isRecord(payload)) return undefined
  const values = payload['latest_values']
  if (!isRecord(values)) return undefined
  const rows: [IndexId, Publication][] = []
  const entries = Object.entries(values)
  for (const [id, row] of entries) {
    const publication = decodePublication(row)
    if (isIndexId(id) && publication !== undefined) rows.push([id, publication])
  }
  return { rows, unreadable: entries.length - rows.length }
}

/** A summary, and how many of its points could not be read. */
export interface ReadSummary {
  summary: IndexSummary
  unreadable: number
}

/** `summary`: the latest value and the last 24 hours, ascending; `undefined` without a latest value. */
export function decodeSummary(payload: unknown): ReadSummary | undefined {
  const publication = decodePublication(payload)
  if (publication === undefined || !isRecord(payload)) return undefined
  const points = decodeValues(payload['last24Hours'] ?? [])
  if (points === undefined) return undefined
  return { summary: { ...publication, last24Hours: points.rows }, unreadable: points.unreadable }
}

/** `summaries`; `undefined` when it is anything else. A summary that cannot be read counts as one row. */
export function decodeSummaries(payload: unknown): Rows<[IndexId, IndexSummary]> | undefined {
  const summaries = isRecord(payload) ? payload['summaries'] : undefined
  if (!isRecord(summaries)) return undefined
  const rows: [IndexId, IndexSummary][] = []
  let unreadable = 0
  for (const [id, entry] of Object.entries(summaries)) {
    const read = decodeSummary(entry)
    if (isIndexId(id) && read !== undefined) rows.push([id, read.summary])
    unreadable += isIndexId(id) ? (read?.unreadable ?? 1) : 1
  }
  return { rows, unreadable }
}

/** The rows of a list that could be read; `undefined` when it is no list. */
export function decodeRows<T>(payload: unknown, decode: (row: unknown) => T | undefined): Rows<T> | undefined {
  if (!Array.isArray(payload)) return undefined
  const rows = payload.map((row: unknown) => decode(row)).filter((row) => row !== undefined)
  return { rows, unreadable: payload.length - rows.length }
}

function decodePublication(row: unknown): Publication | undefined {
  if (!isRecord(row)) return undefined
  const publication = readPublication(row)
  return typeof publication === 'string' ? undefined : publication
}

function isIndexId(id: unknown): id is IndexId {
  return typeof id === 'string' && indexIdPattern.test(id)
}

/** Up to April 2026 an index without base or quote said so with an empty string (spec 9). */
function isFilled(text: unknown): text is string {
  return typeof text === 'string' && text.trim() !== ''
}
