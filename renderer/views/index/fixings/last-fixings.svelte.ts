import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import { staleAfterMs } from '../../../../core/freshness'
import type { DecimalText, IndexId, Publication } from '../../../../core/model'
import type { Page } from '../../../state/page'

const maxFixings = 10

/** One fixing, and what belongs to it. */
export interface Fixing extends Publication {
  /** The fixing before it; absent of the first one known. */
  before?: DecimalText
  /** What the real-time index said at that moment; absent where this computer does not know it. */
  partner?: DecimalText
}

/** The last fixings of a daily rate, newest first, with what its real-time index said then. Made while a component is made. */
export class LastFixings {
  readonly #page: Pick<Page, 'mirror' | 'api' | 'charts'>
  readonly #id: () => IndexId
  readonly #partner: () => IndexId | undefined
  readonly #series = $derived.by(() => this.#page.charts.series(this.#id(), '1y'))
  /** What the real-time index said at a time, by `<index> <time>`; `undefined` of those asked for. */
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
  /** Why there are fewer than there could be. */
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
    // The last value before may be of long before, also where there was nothing to fetch in between.
    const maxAgeMs = staleAfterMs(mirror.info(id)?.maxResolution ?? 'PER_SECOND')
    if (last !== undefined && atMs - last.publishedAtMs < maxAgeMs) this.#partners.set(key, last.value)
  }
}
