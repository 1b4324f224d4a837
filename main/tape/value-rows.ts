/** How rows of values pass between the threads. */
import { isDecimalText } from '../../protocol/decimal'
import type { IndexId } from '../../protocol/model'
import { maxValuesInPage, type Questions, type TapeValue, type ValueOrigin, type ValuesPage } from './contract'

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
}

/** A page of values as it passes between threads: rows as JSON, which costs main far less than as many objects. */
export interface EncodedValues {
  /** One more than the limit where there are more. */
  rows: string
  sources: ValueSource[]
}

/** Turns what was answered to `values` into its page. Rows whose text is no number are left out: they are damaged. */
export function decodeValues({ rows, sources }: EncodedValues, asked: Questions['values']['asked']): ValuesPage {
  const all = JSON.parse(rows) as ValueRow[]
  const limit = pageSize(asked.limit)
  const sourceOf = new Map(sources.map((source) => [source.no, source]))
  const values: TapeValue[] = []
  for (const [at, row] of all.slice(0, limit).entries()) {
    const isSuperseded = asked.revisions === 'latest' && all[at + 1]?.[0] === row[0]
    const value = isSuperseded ? undefined : toValue(asked.id, row, sourceOf)
    if (value !== undefined) values.push(value)
  }
  const last = all.length > limit ? all[limit - 1] : undefined
  return { values, ...(last !== undefined && { next: { publishedAtMs: last[0], amendedAtMs: last[1] } }) }
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
): TapeValue | undefined {
  if (!isDecimalText(value)) return undefined
  const source = sources.get(sourceNo)
  const learned: TapeValue = {
    id,
    value,
    publishedAtMs,
    learnedAtMs: publishedAtMs + learnedAfterMs,
    origin: source?.origin ?? 'stream',
    connection: source?.connection ?? '',
  }
  if (amendedAtMs > 0) learned.amendedAtMs = amendedAtMs
  if ((flags & valueFlags.carriedOver) > 0) learned.isRepeatOfPrevious = true
  return learned
}
