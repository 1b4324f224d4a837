import { SvelteMap } from 'svelte/reactivity'
import type { DecimalText, IndexId, Publication } from '../../core/model'
import { debounced } from './debounced.svelte'

export type AskForValues = (ids: IndexId[]) => Promise<{ id: IndexId; publication: Publication }[]>

const settleMs = 200
const freshForMs = 5_000
/** As many as one question may be about. */
const maxAsked = 30

/**
 * Latest values of indices that need not be watched, asked for when a search stands still. An answer, also that there
 * is none, holds for a few seconds.
 */
export class LatestValues {
  readonly #ask: AskForValues
  readonly #nowMs: () => number
  readonly #values = new SvelteMap<IndexId, DecimalText>()
  readonly #askedAtMs = new SvelteMap<IndexId, number>()
  readonly #asking = debounced((ids: readonly IndexId[]) => this.#askFor(ids), settleMs)

  constructor(ask: AskForValues, nowMs: () => number = () => performance.now()) {
    this.#ask = ask
    this.#nowMs = nowMs
  }

  /** Absent while it is unknown. */
  value(id: IndexId): DecimalText | undefined {
    return this.#values.get(id)
  }

  /** Asks for these soon, and no longer for those wanted before. */
  want(ids: readonly IndexId[]): void {
    this.#asking.soon(ids)
  }

  async #askFor(ids: readonly IndexId[]): Promise<void> {
    const nowMs = this.#nowMs()
    const isOld = (id: IndexId) => nowMs - (this.#askedAtMs.get(id) ?? -Infinity) >= freshForMs
    const asked = ids.filter(isOld).slice(0, maxAsked)
    if (asked.length === 0) return
    for (const id of asked) this.#askedAtMs.set(id, nowMs)
    for (const { id, publication } of await this.#ask(asked)) this.#values.set(id, publication.value)
  }
}
