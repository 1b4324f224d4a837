import * as v from 'valibot'
import type { IndexId, IndexInfo } from '../../core/model'
import type { Clock } from '../base/clock'
import type { Log } from '../base/log'
import { parseJson } from '../base/sanitize'
import { indexInfoEntries } from '../base/stored-index'
import type { HistoryAccess } from '../history-store/contract'

interface Options {
  history: HistoryAccess
  clock: Clock
  log: Log
}

const keyStart = 'catalogue:'
/** A list that stays the same is kept again after so long, with its new time. */
const againAfterMs = 10 * 60_000

const indexSchema: v.GenericSchema<unknown, IndexInfo> = v.object(indexInfoEntries)

/** What each connection's service last said it has, kept in the history: names for a start without a service. */
export class CatalogueMemory {
  readonly #options: Options
  /** By connection; the text is what the history has. */
  readonly #known = new Map<string, { text: string; indices: ReadonlyMap<IndexId, IndexInfo>; listedAtMs: number }>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Reads what the history now in use has. Answers whether it could. */
  async load(): Promise<boolean> {
    const { history, log } = this.#options
    this.#known.clear()
    const found = await history.query('documents', { prefix: keyStart })
    if (!found.ok) {
      log.warn('Names of indices could not be read', { problem: found.problem.message })
      return false
    }
    for (const { key, document, atMs: listedAtMs } of found.value) {
      const read = v.safeParse(v.array(v.unknown()), parseJson(document))
      const indices = (read.success ? read.output : []).filter((entry): entry is IndexInfo => v.is(indexSchema, entry))
      this.#known.set(key.slice(keyStart.length), { text: document, indices: byId(indices), listedAtMs })
    }
    return true
  }

  /** What its service last said it has, in its order. */
  get(connectionId: string): ReadonlyMap<IndexId, IndexInfo> {
    return this.#known.get(connectionId)?.indices ?? new Map()
  }

  /** When its service last said what it has, to ten minutes; `undefined` where it never has. */
  listedAtMs(connectionId: string): number | undefined {
    return this.#known.get(connectionId)?.listedAtMs
  }

  /** A service has said what it has. The stream's own list has no names: it takes the place of no other. */
  note(connectionId: string, indices: readonly IndexInfo[]): void {
    const { history, clock } = this.#options
    const known = this.#known.get(connectionId)
    const text = JSON.stringify(indices)
    if (known !== undefined && indices.every(({ name }) => name === undefined)) return
    const atMs = clock.wallMs()
    if (known?.text === text && Math.abs(atMs - known.listedAtMs) < againAfterMs) return
    this.#known.set(connectionId, { text, indices: byId(indices), listedAtMs: atMs })
    void history.commit({ documents: [{ key: `${keyStart}${connectionId}`, atMs, document: text }] })
  }
}

function byId(indices: readonly IndexInfo[]): ReadonlyMap<IndexId, IndexInfo> {
  return new Map(indices.map((index) => [index.id, index]))
}
