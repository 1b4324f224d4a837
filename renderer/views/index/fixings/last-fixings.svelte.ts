import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import { staleAfterMs } from '../../../../core/freshness'
import type { DecimalText, IndexId, Publication } from '../../../../core/model'
import type { Page } from '../../../state/page'

const maxFixings = 10

/** One fixing. */
export interface Fixing extends Publication {
  /** The previous fixing. Undefined for the oldest one known. */
  before?: DecimalText
  /** The value of the real-time index at that time. Undefined if it is not in the local history. */
  partner?: DecimalText
}

/** The last fixings of a reference rate, newest first, with the values of its real-time index. Create it during component setup. */
export class LastFixings {
  readonly #page: Pick<Page, 'mirror' | 'api' | 'charts'>
  readonly #id: () => IndexId
  readonly #partner: () => IndexId | undefined
  readonly #series = $derived.by(() => this.#page.charts.series(this.#id(), '1y'))
  /** Values of the real-time index by `<index> <time>`. Undefined while requested. */
  readonly #partners = new SvelteMap<string, DecimalText | undefined>()

  /** At most ten. */
  readonly rows = $derived.by(() => {
    const points = this.#series.points.slice(-maxFixings - 1).map(({ point }) => point)
    const fixings = points.map((point, at): Fixing => {
      const before = points[at - 1]?.value
      const partner = this.#partners.get(`${this.#partner() ?? ''} ${point.publishedAtMs}`)
      return { ...point, ...(before !== undefined && { before }), ...(partner !== undefined && { partner }) }
    })
    return fixings.slice(-maxFixings).reverse()
  })
  /** The reason why fixings are missing. */
  readonly problem = $derived.by(() => this.#series.failure ?? this.#series.problem)

  constructor(page: Page, id: () => IndexId, partner: () => IndexId | undefined) {
    this.#page = page
    this.#id = id
    this.#partner = partner
    $effect(() => {
      const wanted = partner()
      const times = this.#series.points.slice(-maxFixings).map(({ atMs }) => atMs)
      if (wanted !== undefined) untrack(() => times.forEach((atMs) => void this.#ask(wanted, atMs)))
    })
  }

  async #ask(id: IndexId, atMs: number): Promise<void> {
    const key = `${id} ${atMs}`
    if (this.#partners.has(key)) return
    this.#partners.set(key, undefined)
    const { mirror, api } = this.#page
    const answer = await api.getValueAt({ indexId: id, atMs })
    const last = answer.ok && answer.value.gap === undefined ? answer.value.revisions.at(-1) : undefined
    // The last known value may be old, so it is checked against the staleness limit.
    const maxAgeMs = staleAfterMs(mirror.info(id)?.maxResolution ?? 'PER_SECOND')
    if (last !== undefined && atMs - last.publishedAtMs < maxAgeMs) this.#partners.set(key, last.value)
  }
}
