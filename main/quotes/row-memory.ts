import * as v from 'valibot'
import type { IndexId, Publication } from '../../core/model'
import type { Clock } from '../base/clock'
import type { Log } from '../base/log'
import { decimal, readDocument, timeMs } from '../base/stored-index'
import type { HistoryAccess } from '../history-store/contract'

/** `day`: the service's last 24 hours, thinned. `session`: the first value received in a run. */
export type Remembered = 'day' | 'session'

/** Past of a row, and the connection that sent it. */
export interface RowPast {
  connection: string
  /** Ascending. */
  publications: readonly Publication[]
}

interface Options {
  history: HistoryAccess
  clock: Clock
  log: Log
}

/** Published time, value, time of amendment (0 if none). */
const schema = v.object({ connection: v.string(), values: v.array(v.tuple([timeMs, decimal, v.number()])) })

/**
 * Stores in the history what a row's change and trend need beyond stored values. REST summaries have values in steps,
 * which are not a record of what was published.
 */
export class RowMemory {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  keep(what: Remembered, id: IndexId, { connection, publications }: RowPast): void {
    const { history, clock } = this.#options
    const values = publications.map(({ publishedAtMs, value, amendedAtMs = 0 }) => [publishedAtMs, value, amendedAtMs])
    const document = JSON.stringify({ connection, values })
    void history.commit({ documents: [{ key: keyOf(what, id), atMs: clock.wallMs(), document }] })
  }

  /** Returns what is stored of these indices. */
  async recall(ids: readonly IndexId[]): Promise<(what: Remembered, id: IndexId) => RowPast | undefined> {
    const { history, log } = this.#options
    const keys = ids.flatMap((id) => [keyOf('day', id), keyOf('session', id)])
    const found = await history.query('documents', { keys })
    if (!found.ok) log.warn('The past of rows could not be read', { problem: found.problem.message })
    const pasts = new Map(found.ok ? found.value.map(({ key, document }) => [key, readPast(document)]) : [])
    return (what, id) => pasts.get(keyOf(what, id))
  }
}

function readPast(document: string): RowPast | undefined {
  const kept = readDocument(schema, document)
  if (kept === undefined) return undefined
  const publications = kept.values.map(([publishedAtMs, value, amendedAtMs]) => {
    return { value, publishedAtMs, ...(amendedAtMs > 0 && { amendedAtMs }) }
  })
  return { connection: kept.connection, publications }
}

function keyOf(what: Remembered, id: IndexId): string {
  return `row:${what}:${id}`
}
