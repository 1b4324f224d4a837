import { SvelteMap } from 'svelte/reactivity'
import type { DecimalText, IndexId } from '../../core/model'
import type { Api } from './api'
import { debounced } from './debounced.svelte'

const settleMs = 200
const freshForMs = 5_000
/** As many as one question may be about. */
const maxAsked = 30

/**
 * Latest values of indices that need not be watched, asked for when a search stands still. An answer, also that there
 * is none, holds for a few seconds.
 */
export class LatestValues {
  readonly #api: Pick<Api, 'getLatestValues'>
  readonly #values = new SvelteMap<IndexId, DecimalText>()
  readonly #askedAtMs = new SvelteMap<IndexId, number>()
  readonly #asking = debounced((ids: readonly IndexId[]) => this.#askFor(ids), settleMs)

  constructor(api: Pick<Api, 'getLatestValues'>) {
    this.#api = api
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
    const nowMs = performance.now()
    const isOld = (id: IndexId) => nowMs - (this.#askedAtMs.get(id) ?? -Infinity) >= freshForMs
    const indexIds = ids.filter(isOld).slice(0, maxAsked)
    if (indexIds.length === 0) return
    for (const id of indexIds) this.#askedAtMs.set(id, nowMs)
    const answer = await this.#api.getLatestValues({ indexIds })
    for (const { id, publication } of answer.ok ? answer.value : []) this.#values.set(id, publication.value)
  }
}
