/** Selects the rows of an export. Its only input is the history. */
import type { ExportRequest, ExportResolution } from '../../protocol/history'
import type { IndexId } from '../../core/model'
import type { Queries, StoredValue, ValueCursor } from '../history-store/contract'

/** Synchronous, because exports run in their own thread or process. */
export interface ValueReader {
  query(name: 'values', params: Queries['values']['params']): Queries['values']['result']
}

/** `atMs` is the time at which the value was in effect. Undefined if all revisions are exported. */
export interface ExportRow {
  value: StoredValue
  atMs?: number
}

/** Some rows, and the fraction of the export read so far, from 0 to 1. */
export interface ExportPage {
  rows: ExportRow[]
  fraction: number
}

const stepsMs: Record<Exclude<ExportResolution, 'every'>, number> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
}

type Wanted = Pick<ExportRequest, 'indexIds' | 'fromMs' | 'toMs' | 'resolution'>

/** Rows index by index, oldest first, one history page at a time. Boundaries after `nowMs` have no row. */
export function* exportRows(history: ValueReader, wanted: Wanted, nowMs: number): Generator<ExportPage, void> {
  const { indexIds, resolution } = wanted
  for (const [at, id] of indexIds.entries()) {
    const pages =
      resolution === 'every'
        ? everyRevision(history, id, wanted)
        : valuesInEffect(history, id, wanted, stepsMs[resolution], nowMs)
    for (const { rows, fraction } of pages) yield { rows, fraction: (at + fraction) / indexIds.length }
  }
}

const dayMs = stepsMs.day

/** A day of an export in UTC, or a part of one. */
interface Day {
  /** `2026-11-26`, or `2026-11-26 (1)` for a part. */
  name: string
  fromMs: number
  toMs: number
}

/**
 * The days of an export that has more rows than a sheet holds. A day with more rows than that is divided at a minute.
 * Empty if all rows fit. Reads the rows only if there could be too many. Stops when the signal is aborted.
 */
export function fullDays(
  history: ValueReader,
  wanted: Wanted,
  { nowMs, rowsInSheet, signal }: { nowMs: number; rowsInSheet: number; signal: AbortSignal },
): Day[] {
  const { indexIds, resolution, fromMs, toMs } = wanted
  const leastStepMs = resolution === 'every' ? 200 : stepsMs[resolution]
  if ((indexIds.length * (toMs - fromMs)) / leastStepMs <= rowsInSheet) return []
  const minutes = new Map<number, number>()
  let count = 0
  for (const { rows } of exportRows(history, wanted, nowMs)) {
    if (signal.aborted) return []
    count += rows.length
    for (const { value, atMs } of rows) {
      const minute = Math.floor((atMs ?? value.publishedAtMs) / stepsMs.minute)
      minutes.set(minute, (minutes.get(minute) ?? 0) + 1)
    }
  }
  return count <= rowsInSheet ? [] : daysOf(minutes, wanted, rowsInSheet)
}

/** `minutes` has the number of rows of each minute since 1970. */
function daysOf(minutes: ReadonlyMap<number, number>, { fromMs, toMs }: Wanted, rowsInSheet: number): Day[] {
  const days = new Map<number, { startMs: number; rowCount: number }[]>()
  for (const [minute, rowCount] of [...minutes].sort(([a], [b]) => a - b)) {
    const startMs = minute * stepsMs.minute
    const dayStartMs = Math.floor(startMs / dayMs) * dayMs
    const parts = days.get(dayStartMs) ?? []
    const last = parts.at(-1)
    if (last === undefined) days.set(dayStartMs, [{ startMs: dayStartMs, rowCount }])
    else if (last.rowCount + rowCount > rowsInSheet) parts.push({ startMs, rowCount })
    else last.rowCount += rowCount
  }
  return [...days].flatMap(([dayStartMs, parts]) =>
    parts.map(({ startMs }, at) => ({
      name: new Date(dayStartMs).toISOString().slice(0, 10) + (parts.length === 1 ? '' : ` (${at + 1})`),
      fromMs: Math.max(fromMs, startMs),
      toMs: Math.min(toMs, parts[at + 1]?.startMs ?? dayStartMs + dayMs),
    })),
  )
}

function* everyRevision(history: ValueReader, id: IndexId, { fromMs, toMs }: Wanted): Generator<ExportPage, void> {
  const range = { fromMs, toMs: toMs - 1 }
  for (const { values, fraction } of pagesOf(history, { id, revisions: 'all', ...range })) {
    yield { rows: values.map((value) => ({ value })), fraction }
  }
}

/** For each boundary the value in effect, if a value was published since the previous boundary. */
function* valuesInEffect(
  history: ValueReader,
  id: IndexId,
  { fromMs, toMs }: Wanted,
  stepMs: number,
  nowMs: number,
): Generator<ExportPage, void> {
  const first = Math.ceil(fromMs / stepMs) * stepMs
  const last = Math.min(Math.ceil(toMs / stepMs) - 1, Math.floor(nowMs / stepMs)) * stepMs
  if (last < first) return
  let held: StoredValue | undefined
  const boundaryOf = ({ publishedAtMs }: StoredValue) => Math.ceil(publishedAtMs / stepMs) * stepMs
  for (const { values, fraction } of pagesOf(history, {
    id,
    revisions: 'latest',
    fromMs: first - stepMs + 1,
    toMs: last,
  })) {
    const rows: ExportRow[] = []
    for (const value of values) {
      if (held !== undefined && boundaryOf(held) !== boundaryOf(value)) {
        rows.push({ value: held, atMs: boundaryOf(held) })
      }
      held = value
    }
    yield { rows, fraction }
  }
  if (held !== undefined) yield { rows: [{ value: held, atMs: boundaryOf(held) }], fraction: 1 }
}

function* pagesOf(
  history: ValueReader,
  params: Queries['values']['params'],
): Generator<{ values: StoredValue[]; fraction: number }, void> {
  let after: ValueCursor | undefined
  do {
    const page = history.query('values', { ...params, ...(after !== undefined && { after }) })
    after = page.next
    const readMs = (after?.publishedAtMs ?? params.toMs) - params.fromMs
    yield { values: page.values, fraction: after === undefined ? 1 : readMs / Math.max(1, params.toMs - params.fromMs) }
  } while (after !== undefined)
}
