import * as v from 'valibot'
import type { IndexId, Publication } from '../../core/model'
import type { Clock } from '../base/clock'
import type { Log } from '../base/log'
import { parseJson } from '../base/sanitize'
import { decimal, timeMs } from '../base/stored-index'
import type { HistoryAccess } from '../history-store/contract'

/** `day`: what the service has sent of the last 24 hours, thinned. `session`: the first value that a run received. */
export type Remembered = 'day' | 'session'

/** What a row showed beside its value, and by which connection it came. */
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

/** Published time, value, time of its amendment (0: none). */
const schema = v.object({ connection: v.string(), values: v.array(v.tuple([timeMs, decimal, v.number()])) })

/**
 * Keeps in the history what the change and the trend of a row need and its values do not say: by REST a service sends the past
 * in steps, which are no record of what was published.
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

  async recall(what: Remembered, id: IndexId): Promise<RowPast | undefined> {
    const { history, log } = this.#options
    const found = await history.query('documents', { key: keyOf(what, id) })
    if (!found.ok) log.warn('The past of a row could not be read', { id, problem: found.problem.message })
    const [document] = found.ok ? found.value : []
    const read = v.safeParse(schema, parseJson(document?.document ?? 'null'))
    if (!read.success) return undefined
    const { connection, values } = read.output
    const publications = values.map(([publishedAtMs, value, amendedAtMs]) => {
      return { value, publishedAtMs, ...(amendedAtMs > 0 && { amendedAtMs }) }
    })
    return { connection, publications }
  }
}

function keyOf(what: Remembered, id: IndexId): string {
  return `row:${what}:${id}`
}
