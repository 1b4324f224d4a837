/** How rows of values pass between the threads. */
import { isDecimalText } from '../../core/decimal'
import type { IndexId } from '../../core/model'
import { maxValuesInPage, type Queries, type StoredValue, type ValueOrigin, type ValuesPage } from './contract'

/** Bits of a value's flags. `kept`: an event refers to it, so that no bound drops it. */
export const valueFlags = { carriedOver: 1, kept: 2 } as const

/** The columns of a row, in this order. */
export const valueColumns = 'published, amended, text, learned_after, source, flags'

/** Published, amended (0: not), text, learned after so many ms, number of the source, flags. */
export type ValueRow = [number, number, string, number, number, number]

export interface ValueSource {
  no: number
  origin: ValueOrigin
  connection: string
  /** Empty: not known. */
  connectionId: string
}

/**
 * A page of values as it passes between threads: each column as the JSON of a list, in the order of `valueColumns`, which
 * costs both threads far less than rows do. Before and after the page it may have revisions of the same published times.
 */
export interface EncodedValues {
  columns: EncodedColumns
  /** How many rows are before the page. */
  skipped: number
  /** There is at least one row after the page, and the published time of the first of them is in the columns. */
  hasMore: boolean
  sources: ValueSource[]
}

export type EncodedColumns = [string, string, string, string, string, string]

/** Turns what was answered to `values` into its page. Rows whose text is no number are left out: they are damaged. */
export function decodeValues(
  { columns, skipped, hasMore, sources }: EncodedValues,
  params: Queries['values']['params'],
): ValuesPage {
  const [published, amended, texts, learnedAfter, sourceNos, flags] = columns.map(
    (column) => JSON.parse(column) as unknown,
  ) as [number[], number[], string[], number[], number[], number[]]
  const end = hasMore ? skipped + pageSize(params.limit) : published.length
  const sourceOf = new Map(sources.map((source) => [source.no, source]))
  const values: StoredValue[] = []
  for (let at = skipped; at < end; at++) {
    if (params.revisions === 'latest' && published[at] === published[at + 1]) continue
    const row = [published[at], amended[at], texts[at], learnedAfter[at], sourceNos[at], flags[at]] as ValueRow
    const value = toValue(params.id, row, sourceOf)
    if (value !== undefined) values.push(value)
  }
  const publishedAtMs = published[end - 1]
  const amendedAtMs = amended[end - 1]
  const isLast = !hasMore || publishedAtMs === undefined || amendedAtMs === undefined
  return { values, ...(!isLast && { next: { publishedAtMs, amendedAtMs } }) }
}

/** How many values are answered where so many were asked for. */
export function pageSize(limit = maxValuesInPage): number {
  return Math.max(1, Math.min(limit, maxValuesInPage))
}

/** `undefined`: its text is no number, as on a damaged disk. */
export function toValue(
  id: IndexId,
  [publishedAtMs, amendedAtMs, value, learnedAfterMs, sourceNo, flags]: ValueRow,
  sources: ReadonlyMap<number, ValueSource>,
): StoredValue | undefined {
  if (!isDecimalText(value)) return undefined
  const source = sources.get(sourceNo)
  const learned: StoredValue = {
    id,
    value,
    publishedAtMs,
    learnedAtMs: publishedAtMs + learnedAfterMs,
    origin: source?.origin ?? 'stream',
    connection: source?.connection ?? '',
  }
  if (source !== undefined && source.connectionId !== '') learned.connectionId = source.connectionId
  if (amendedAtMs > 0) learned.amendedAtMs = amendedAtMs
  if ((flags & valueFlags.carriedOver) > 0) learned.isRepeatOfPrevious = true
  return learned
}
