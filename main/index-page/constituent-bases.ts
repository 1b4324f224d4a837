import type { OpenedIndex } from '../../protocol/desktop'
import { done, type ConstituentsPublication, type IndexId, type Outcome } from '../../core/model'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import type { Log } from '../base/log'
import { constituentsSchema, readDocument } from '../base/stored-index'
import { withoutExchanges } from './page-memory'
import type { HistoryAccess, StoredDocument, WriteBatch } from '../history-store/contract'

export interface ConstituentBasesEvents {
  /** The baseline of this index was set, replaced or cleared. */
  changed: IndexId
  /** A sentence to show the user once. */
  notice: string
}

export const maxBases = 100

type Base = NonNullable<OpenedIndex['base']>

const keyStart = 'base:'

/**
 * Owns the baselines that the user set: one for each index, at most a hundred, the oldest dropped. A baseline counts
 * when it is in the history. If it could not be saved, nothing changes and the result says why.
 */
export class ConstituentBases {
  readonly events: Emitter<ConstituentBasesEvents>
  readonly #clock: Clock
  readonly #history: HistoryAccess
  /** Oldest first. Replaced, never modified. */
  #held: ReadonlyMap<IndexId, Base> = new Map()
  #lastChange: Promise<unknown> = Promise.resolve()

  constructor({ clock, log, history }: { clock: Clock; log: Log; history: HistoryAccess }) {
    this.#clock = clock
    this.#history = history
    this.events = new Emitter((error) => log.error('A listener of the bases failed', { error: String(error) }))
  }

  /** Reads the baselines from the current history. Returns whether it could. */
  async use(): Promise<boolean> {
    await this.flush()
    this.#held = new Map()
    const found = await this.#history.query('documents', { prefix: keyStart })
    if (!found.ok) return false
    const held = new Map<IndexId, Base>()
    for (const { key, atMs: setAtMs, document } of found.value.toSorted((a, b) => a.atMs - b.atMs)) {
      const constituents = readDocument(constituentsSchema, document)
      if (constituents !== undefined) held.set(key.slice(keyStart.length), { constituents, setAtMs })
    }
    this.#held = held
    const unreadable = found.value.length - held.size
    if (unreadable > 0) this.events.emit('notice', unreadableNotice(unreadable))
    for (const id of held.keys()) this.events.emit('changed', id)
    return true
  }

  get(indexId: IndexId): OpenedIndex['base'] {
    return this.#held.get(indexId)
  }

  /** Replaces the baseline of the index. */
  set(indexId: IndexId, publication: ConstituentsPublication): Promise<Outcome<null>> {
    const base: Base = { setAtMs: this.#clock.wallMs(), constituents: withoutExchanges(publication) }
    return this.#change(indexId, (held) => {
      held.delete(indexId)
      held.set(indexId, base)
      const tooMany = [...held.keys()].slice(0, Math.max(0, held.size - maxBases))
      for (const dropped of tooMany) held.delete(dropped)
      return { documents: [documentOf(indexId, base)], removedDocuments: tooMany.map(keyOf) }
    })
  }

  /** Succeeds even if there is no baseline. */
  clear(indexId: IndexId): Promise<Outcome<null>> {
    return this.#change(indexId, (held) => {
      held.delete(indexId)
      return { removedDocuments: [keyOf(indexId)] }
    })
  }

  /** Resolves when all changes are saved or have failed. */
  async flush(): Promise<void> {
    await this.#lastChange
  }

  /** Changes run one at a time, because each starts from the result of the previous one. */
  #change(indexId: IndexId, change: (held: Map<IndexId, Base>) => WriteBatch): Promise<Outcome<null>> {
    const changed = this.#lastChange.then(async (): Promise<Outcome<null>> => {
      const next = new Map(this.#held)
      const saved = await this.#history.commit(change(next))
      if (!saved.ok) {
        // The history keeps a failed batch and writes it later. This batch then restores the old state.
        void this.#history.commit(this.#currentState(indexId))
        return saved
      }
      this.#held = next
      this.events.emit('changed', indexId)
      return done
    })
    this.#lastChange = changed
    return changed
  }

  #currentState(indexId: IndexId): WriteBatch {
    const base = this.#held.get(indexId)
    if (base === undefined) return { removedDocuments: [keyOf(indexId)] }
    return { documents: [documentOf(indexId, base)] }
  }
}

function keyOf(indexId: IndexId): string {
  return `${keyStart}${indexId}`
}

function documentOf(indexId: IndexId, { constituents, setAtMs }: Base): StoredDocument {
  return { key: keyOf(indexId), atMs: setAtMs, document: JSON.stringify(constituents) }
}

function unreadableNotice(count: number): string {
  return `${count} ${count === 1 ? 'baseline' : 'baselines'} could not be read. Set them again on the index pages.`
}
