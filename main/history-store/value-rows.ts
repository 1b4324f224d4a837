/** How rows of values are passed between threads. */
import { isDecimalText } from '../../core/decimal'
import type { IndexId, Publication } from '../../core/model'
import { maxValuesInPage, type Queries, type StoredValue, type ValueOrigin, type ValuesPage } from './contract'

/** Bits of a value's flags. `kept`: an event refers to the value, so it is never dropped. */
export const valueFlags = { carriedForward: 1, kept: 2 } as const
/** The bits above these flags are the number of values that a mean lacks. */
const missingShift = 2

/** The flags of a new value. */
export function flagsOf({ isRepeatOfPrevious, missing = 0 }: Publication): number {
  return (missing << missingShift) | (isRepeatOfPrevious === true ? valueFlags.carriedForward : 0)
}

/** The columns of a row, in order. */
export const valueColumns = 'published, amended, text, learned_after, source, flags'

/** Published, amended (0 if not), text, milliseconds from publication to receipt, number of the source, flags. */
export type ValueRow = [number, number, string, number, number, number]

export interface ValueSource {
  no: number
  origin: ValueOrigin
  connection: string
  /** Empty if unknown. */
  connectionId: string
}

/**
 * A page of values between threads. Each column is the JSON of a list, in the order of `valueColumns`, which is far
 * cheaper than rows. It may include other revisions of the first and the last published time.
 */
export interface EncodedValues {
  columns: EncodedColumns
  /** Number of rows before the page. */
  skipped: number
  /** True if a row follows the page. The columns then include the published time of that row. */
  hasMore: boolean
  sources: ValueSource[]
}

export type EncodedColumns = [string, string, string, string, string, string]

/** Decodes the result of `values`. Rows whose text is not a number are damaged and left out. */
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

/** The page size for a requested limit. */
export function pageSize(limit = maxValuesInPage): number {
  return Math.max(1, Math.min(limit, maxValuesInPage))
}

/** Undefined if the text is not a number, as on a damaged disk. */
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
  if ((flags & valueFlags.carriedForward) > 0) learned.isRepeatOfPrevious = true
  const missing = flags >> missingShift
  if (missing > 0) learned.missing = missing
  return learned
}
