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
/** An unchanged list is stored again after this time, to update its time. */
const againAfterMs = 10 * 60_000

const indexSchema: v.GenericSchema<unknown, IndexInfo> = v.object(indexInfoEntries)

/**
 * The last list of indices from each connection's service, stored in the history. It provides names when the service is
 * not reachable.
 */
export class CatalogueMemory {
  readonly #options: Options
  /** By connection. `text` is what the history has. */
  readonly #known = new Map<string, { text: string; indices: ReadonlyMap<IndexId, IndexInfo>; listedAtMs: number }>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Reads the history in use. Returns whether it could be read. */
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

  /** The service's last list, in its order. */
  get(connectionId: string): ReadonlyMap<IndexId, IndexInfo> {
    return this.#known.get(connectionId)?.indices ?? new Map()
  }

  /** When the service last sent its list, to ten minutes. Undefined if it never did. */
  listedAtMs(connectionId: string): number | undefined {
    return this.#known.get(connectionId)?.listedAtMs
  }

  /** The indices with the codes that are known of them. The service's list has none. */
  withCodes(connectionId: string, indices: readonly IndexInfo[]): IndexInfo[] {
    const known = this.get(connectionId)
    return indices.map((info) => {
      const codes = info.codes ?? known.get(info.id)?.codes
      return codes === undefined ? info : { ...info, codes }
    })
  }

  /** Stores the codes of indices, also that an index has none. Returns whether there are new codes. */
  noteCodes(connectionId: string, learned: readonly Pick<IndexInfo, 'id' | 'codes'>[]): boolean {
    const known = this.get(connectionId)
    const changed = new Map(
      learned.flatMap(({ id, codes = [] }) => {
        const held = known.get(id)
        return held === undefined || codes.join() === held.codes?.join() ? [] : [[id, codes] as const]
      }),
    )
    if (changed.size === 0) return false
    this.note(
      connectionId,
      [...known.values()].map((info) => ({ ...info, codes: changed.get(info.id) ?? info.codes })),
    )
    return [...changed].some(([id, codes]) => codes.length > 0 || (known.get(id)?.codes ?? []).length > 0)
  }

  /** Stores a list from a service. The stream's list has no names, so it never replaces a list with names. */
  note(connectionId: string, listed: readonly IndexInfo[]): void {
    const { history, clock } = this.#options
    const known = this.#known.get(connectionId)
    if (known !== undefined && listed.every(({ name }) => name === undefined)) return
    const indices = this.withCodes(connectionId, listed)
    const text = JSON.stringify(indices)
    const atMs = clock.wallMs()
    if (known?.text === text && Math.abs(atMs - known.listedAtMs) < againAfterMs) return
    this.#known.set(connectionId, { text, indices: byId(indices), listedAtMs: atMs })
    void history.commit({ documents: [{ key: `${keyStart}${connectionId}`, atMs, document: text }] })
  }
}

function byId(indices: readonly IndexInfo[]): ReadonlyMap<IndexId, IndexInfo> {
  return new Map(indices.map((index) => [index.id, index]))
}
