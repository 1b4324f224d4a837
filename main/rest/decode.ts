import { setImmediate as nextTurn } from 'node:timers/promises'
import { isServiceId } from '../../core/shapes'
import type { IndexDetail, IndexId, IndexInfo, IndexSummary, MarketConditions, Publication } from '../../core/model'
import { readConditions, readCorporateAction, readFacts, type CorporateActionState } from '../base/payloads'
import { compareVersions, isSameVersion, readPublication, readResolution } from '../../core/publication'
import { rowsOfPart } from './long-body'
import { isRecord, sanitizeText } from '../base/sanitize'

/** The readable rows of a list, and the number of unreadable ones. */
export interface Rows<T> {
  rows: T[]
  unreadable: number
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/

/** The envelope around every response (protocol, 4.2). */
export type Envelope =
  | { kind: 'success'; payload: unknown; serverTimeMs?: number }
  | { kind: 'failure'; error: string }
  | { kind: 'unreadable' }

/**
 * Decodes a parsed body. Undefined (HTML, an empty body) and JSON of another shape are `unreadable`. An empty error text
 * counts as no error.
 */
export function decodeEnvelope(envelope: unknown): Envelope {
  if (!isRecord(envelope)) return { kind: 'unreadable' }
  const { error, payload, serverTime } = envelope as { error?: unknown; payload?: unknown; serverTime?: unknown }
  if (typeof error === 'string' && error !== '') return { kind: 'failure', error }
  if (payload === undefined || payload === null) return { kind: 'unreadable' }
  const serverTimeMs = typeof serverTime === 'string' && isoTime.test(serverTime) ? Date.parse(serverTime) : NaN
  return { kind: 'success', payload, ...(!Number.isNaN(serverTimeMs) && { serverTimeMs }) }
}

/** One index summary (protocol, 2.7). Undefined without a usable id or name. Texts are sanitized for display. */
export function decodeIndex(payload: unknown): IndexInfo | undefined {
  if (!isRecord(payload)) return undefined
  const { id, name, decimals, base, quote, maxResolution } = payload as Partial<Record<string, unknown>>
  if (!isServiceId(id) || typeof name !== 'string') return undefined
  const info: IndexInfo = { id, name: sanitizeText(name), maxResolution: readResolution(maxResolution) }
  if (typeof decimals === 'number' && Number.isInteger(decimals) && decimals >= 0) info.decimals = decimals
  if (isFilled(base)) info.base = sanitizeText(base)
  if (isFilled(quote)) info.quote = sanitizeText(quote)
  return info
}

/** `indices`. Undefined if it is not a list. The last row of an id counts. */
export function decodeIndices(payload: unknown): Rows<IndexInfo> | undefined {
  const decoded = decodeRows(payload, decodeIndex)
  if (decoded === undefined) return undefined
  return { ...decoded, rows: [...new Map(decoded.rows.map((info) => [info.id, info])).values()] }
}

const codeFields: ReadonlySet<string> = new Set(['bloomberg', 'refinitiv', 'isin', 'sedol'])
const namedInDetail: ReadonlySet<string> = new Set(['id', 'name', 'decimals', 'base', 'quote', 'maxResolution'])

/** `indices/{id}/detail` (protocol, 2.7 and 4.2): the fields of the summary, and all others as facts. */
export function decodeDetail(payload: unknown): IndexDetail | undefined {
  const info = decodeIndex(payload)
  if (info === undefined || !isRecord(payload)) return undefined
  const facts = readFacts(payload, namedInDetail)
  const codes = facts.flatMap(({ name, text }) => (codeFields.has(name) ? text : []))
  return { ...info, ...(codes.length > 0 && { codes }), facts }
}

/** `values`, sorted ascending, each revision once. Undefined if it is not a list. */
export function decodeValues(payload: unknown): Rows<Publication> | undefined {
  const decoded = decodeRows(payload, decodePublication)
  return decoded && { ...decoded, rows: eachRevision(decoded.rows) }
}

/** Like `decodeValues`. A long list is decoded in parts, each in a turn of the main loop. */
export async function decodeManyValues(payload: unknown): Promise<Rows<Publication> | undefined> {
  if (!Array.isArray(payload)) return undefined
  const all: Rows<Publication> = { rows: [], unreadable: 0 }
  for (let start = 0; start < payload.length; start += rowsOfPart) {
    if (start > 0) await nextTurn()
    const part = decodeRows(payload.slice(start, start + rowsOfPart), decodePublication)
    for (const row of part?.rows ?? []) all.rows.push(row)
    all.unreadable += part?.unreadable ?? 0
  }
  return { ...all, rows: eachRevision(all.rows) }
}

function eachRevision(rows: Publication[]): Publication[] {
  rows.sort(compareVersions)
  return rows.filter((row, at) => {
    const next = rows[at + 1]
    return next === undefined || !isSameVersion(row, next)
  })
}

/** `latest_values`. Undefined if it has another shape. */
export function decodeLatestValues(payload: unknown): Rows<[IndexId, Publication]> | undefined {
  return decodeById(payload, 'latest_values', (row) => ({ value: decodePublication(row), unreadable: 0 }))
}

/** A summary, and the number of its unreadable points. */
export interface ReadSummary {
  summary: IndexSummary
  unreadable: number
}

/** `summary`: the latest value and the last 24 hours, ascending. Undefined without a latest value. */
export function decodeSummary(payload: unknown): ReadSummary | undefined {
  const publication = decodePublication(payload)
  if (publication === undefined || !isRecord(payload)) return undefined
  const points = decodeValues(payload['last24Hours'] ?? [])
  if (points === undefined) return undefined
  return { summary: { ...publication, last24Hours: points.rows }, unreadable: points.unreadable }
}

/** `summaries`. Undefined if it has another shape. An unreadable summary counts as one row. */
export function decodeSummaries(payload: unknown): Rows<[IndexId, IndexSummary]> | undefined {
  return decodeById(payload, 'summaries', (entry) => {
    const read = decodeSummary(entry)
    return { value: read?.summary, unreadable: read?.unreadable ?? 0 }
  })
}

/** Decodes the entries of a field by id. An entry without usable id or value counts as one unreadable row. */
function decodeById<T>(
  payload: unknown,
  field: string,
  decode: (entry: unknown) => { value: T | undefined; unreadable: number },
): Rows<[IndexId, T]> | undefined {
  const entries = isRecord(payload) ? payload[field] : undefined
  if (!isRecord(entries)) return undefined
  const decoded: Rows<[IndexId, T]> = { rows: [], unreadable: 0 }
  for (const [id, entry] of Object.entries(entries)) {
    const { value, unreadable } = decode(entry)
    const isReadable = isServiceId(id) && value !== undefined
    if (isReadable) decoded.rows.push([id, value])
    decoded.unreadable += isReadable ? unreadable : 1
  }
  return decoded
}

/** `stats` of type `rti`, in the order received. Undefined if it is not a list. */
export function decodeConditions(payload: unknown): Rows<MarketConditions> | undefined {
  return decodeRows(payload, (row) => readRow(row, readConditions))
}

/** `stats` of type `activecorporateaction`, in the order received. Undefined if it is not a list. */
export function decodeCorporateActions(payload: unknown): Rows<CorporateActionState> | undefined {
  return decodeRows(payload, (row) => readRow(row, readCorporateAction))
}

/** Applies `read` to a row. Undefined if the row is not an object or `read` returns a fault. */
function readRow<T extends object>(row: unknown, read: (fields: Record<string, unknown>) => T | string): T | undefined {
  const found = isRecord(row) ? read(row) : undefined
  return typeof found === 'string' ? undefined : found
}

/** The readable rows of a list. Undefined if it is not a list. */
function decodeRows<T>(payload: unknown, decode: (row: unknown) => T | undefined): Rows<T> | undefined {
  if (!Array.isArray(payload)) return undefined
  const rows = payload.map((row: unknown) => decode(row)).filter((row) => row !== undefined)
  return { rows, unreadable: payload.length - rows.length }
}

function decodePublication(row: unknown): Publication | undefined {
  return readRow(row, readPublication)
}

/** Until April 2026 an index without base or quote had an empty text (protocol, 9). */
function isFilled(text: unknown): text is string {
  return typeof text === 'string' && text.trim() !== ''
}
