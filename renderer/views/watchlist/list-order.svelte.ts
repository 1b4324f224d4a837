import { untrack } from 'svelte'
import type { IndexId, Watchlist, WatchlistEntry } from '../../../core/model'
import { flagsOf, flagWeight } from '../../format/flags'
import type { SortFacts } from '../../format/row-order'
import { display } from '../../state/display.svelte'
import type { Page } from '../../state/page'
import { sortedIds } from './columns'

/** The shortest time between two sorts of a list; ms. */
const calmMs = 5_000

/**
 * The order in which a list is shown. Rows must not jump while the user looks at them, so a changed value does not move its
 * row. The list is sorted
 * - when the user asks for a sort,
 * - when an index is added, removed or moved,
 * - every five seconds while the page is visible and neither the pointer nor the focus is in the table.
 */
export class ListOrder {
  readonly #list: () => Watchlist
  readonly #mirror: Page['mirror']
  #beat = $state(0)
  /** Changes when the list must be sorted. A text, because every change of any setting replaces all objects of the settings. */
  readonly #occasion = $derived.by(() =>
    JSON.stringify([this.#list().entries.map(({ id }) => id), this.#list().sort, this.#beat]),
  )
  readonly #ids = $derived.by(() => {
    void this.#occasion
    // Untracked, so that a new value does not sort the list.
    return untrack(() => this.#sorted())
  })

  /** The entries in the order of the table. */
  readonly entries = $derived.by(() => {
    const byId: Record<IndexId, WatchlistEntry> = Object.fromEntries(
      this.#list().entries.map((each) => [each.id, each]),
    )
    return this.#ids.map((id) => byId[id]).filter((entry) => entry !== undefined)
  })

  constructor(list: () => Watchlist, mirror: Page['mirror']) {
    this.#list = list
    this.#mirror = mirror
  }

  /** Sorts every `calmMs` while `isInUse` returns false. Returns a function that stops this. */
  keepSorted(isInUse: () => boolean): () => void {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !isInUse()) this.#beat++
    }, calmMs)
    return () => clearInterval(timer)
  }

  #sorted(): IndexId[] {
    const { entries, sort } = this.#list()
    const nowMs = performance.now()
    return sortedIds(
      entries.map((entry) => this.#factsOf(entry, nowMs)),
      sort,
    )
  }

  #factsOf({ id }: WatchlistEntry, nowMs: number): SortFacts {
    const row = this.#mirror.row(id)
    const info = this.#mirror.info(id)
    const { quote, facts } = row
    const resolution = info?.maxResolution
    const staleFor = quote !== undefined && this.#mirror.isStaleAt(id, nowMs) ? '' : undefined
    const flags = flagsOf({ quote: this.#mirror.flagged(id), ...facts, staleFor }, display)
    return { id, name: info?.name, quote, facts, resolution, flagWeight: flagWeight(flags) }
  }
}
