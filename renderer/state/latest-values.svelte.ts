import { SvelteMap } from 'svelte/reactivity'
import type { DecimalText, IndexId } from '../../core/model'
import type { Api } from './api'
import { debounced } from './debounced.svelte'

const settleMs = 200
const freshForMs = 5_000
/** The most indices that one request may name. */
const maxPerRequest = 30

/**
 * Latest values of indices that may be on no watchlist. Fetched once the wanted ids stop changing. An answer is reused
 * for `freshForMs`, also if it has no value.
 */
export class LatestValues {
  readonly #api: Pick<Api, 'getLatestValues'>
  readonly #values = new SvelteMap<IndexId, DecimalText>()
  readonly #fetchedAtMs = new SvelteMap<IndexId, number>()
  readonly #debounced = debounced((ids: readonly IndexId[]) => this.#fetch(ids), settleMs)

  constructor(api: Pick<Api, 'getLatestValues'>) {
    this.#api = api
  }

  /** Undefined while the value is unknown. */
  value(id: IndexId): DecimalText | undefined {
    return this.#values.get(id)
  }

  /** Fetches these soon, instead of the indices wanted before. */
  want(ids: readonly IndexId[]): void {
    this.#debounced.soon(ids)
  }

  async #fetch(ids: readonly IndexId[]): Promise<void> {
    const nowMs = performance.now()
    const isOld = (id: IndexId) => nowMs - (this.#fetchedAtMs.get(id) ?? -Infinity) >= freshForMs
    const indexIds = ids.filter(isOld).slice(0, maxPerRequest)
    if (indexIds.length === 0) return
    for (const id of indexIds) this.#fetchedAtMs.set(id, nowMs)
    const answer = await this.#api.getLatestValues({ indexIds })
    for (const { id, publication } of answer.ok ? answer.value : []) this.#values.set(id, publication.value)
  }
}
