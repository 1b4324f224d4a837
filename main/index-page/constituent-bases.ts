import * as v from 'valibot'
import type { OpenedIndex } from '../../protocol/desktop'
import type { ConstituentsPublication, IndexId, Outcome } from '../../core/model'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import type { Log } from '../base/log'
import { parseJson } from '../base/sanitize'
import { constituentsSchema } from '../base/stored-index'
import { withoutExchanges } from './page-memory'
import type { HistoryAccess, StoredDocument, WriteBatch } from '../history-store/contract'

export interface ConstituentBasesEvents {
  /** The base of this index is another one, or gone. */
  changed: IndexId
  /** A sentence the user should read once. */
  notice: string
}

export const maxBases = 100

type Base = NonNullable<OpenedIndex['base']>

const keyStart = 'base:'

/**
 * Owner of the bases that the user set: one for each index, at most a hundred, the oldest dropped. A base is there when
 * it is in the history; where it could not be saved, everything stays as it was and the answer says why.
 */
export class ConstituentBases {
  readonly events: Emitter<ConstituentBasesEvents>
  readonly #clock: Clock
  readonly #history: HistoryAccess
  /** Oldest first; replaced, never changed. */
  #held: ReadonlyMap<IndexId, Base> = new Map()
  #lastChange: Promise<unknown> = Promise.resolve()

  constructor({ clock, log, history }: { clock: Clock; log: Log; history: HistoryAccess }) {
    this.#clock = clock
    this.#history = history
    this.events = new Emitter((error) => log.error('A listener of the bases failed', { error: String(error) }))
  }

  /** Reads the bases of the history now in use. Answers whether it could. */
  async use(): Promise<boolean> {
    await this.flush()
    this.#held = new Map()
    const found = await this.#history.query('documents', { prefix: keyStart })
    if (!found.ok) return false
    const bases = found.value.map(({ key, atMs, document }) => {
      const read = v.safeParse(constituentsSchema, parseJson(document))
      return {
        indexId: key.slice(keyStart.length),
        setAtMs: atMs,
        constituents: read.success ? read.output : undefined,
      }
    })
    const held = new Map<IndexId, Base>()
    for (const { indexId, setAtMs, constituents } of bases.sort((a, b) => a.setAtMs - b.setAtMs)) {
      if (constituents !== undefined) held.set(indexId, { constituents, setAtMs })
    }
    this.#held = held
    const unreadable = bases.length - held.size
    if (unreadable > 0) this.events.emit('notice', unreadableNotice(unreadable))
    for (const id of held.keys()) this.events.emit('changed', id)
    return true
  }

  get(indexId: IndexId): OpenedIndex['base'] {
    return this.#held.get(indexId)
  }

  /** Makes these constituents the base of the index, in place of the one before. */
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

  /** Without a base there is nothing to do, and that is no failure. */
  clear(indexId: IndexId): Promise<Outcome<null>> {
    return this.#change(indexId, (held) => {
      held.delete(indexId)
      return { removedDocuments: [keyOf(indexId)] }
    })
  }

  /** Done when what was asked for is saved, or has failed. */
  async flush(): Promise<void> {
    await this.#lastChange
  }

  /** One change after the other: each starts from what the one before left in the history. */
  #change(indexId: IndexId, change: (held: Map<IndexId, Base>) => WriteBatch): Promise<Outcome<null>> {
    const changed = this.#lastChange.then(async (): Promise<Outcome<null>> => {
      const next = new Map(this.#held)
      const saved = await this.#history.commit(change(next))
      if (!saved.ok) {
        // The history would write it later all the same, when nobody expects it any more.
        void this.#history.commit(this.#asItIs(indexId))
        return saved
      }
      this.#held = next
      this.events.emit('changed', indexId)
      return { ok: true, value: null }
    })
    this.#lastChange = changed
    return changed
  }

  #asItIs(indexId: IndexId): WriteBatch {
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
