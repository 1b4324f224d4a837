import { untrack } from 'svelte'
import type { IndexId, Watchlist, WatchlistEntry } from '../../../core/model'
import { flagsOf, flagWeight } from '../../format/flags'
import type { SortFacts } from '../../format/row-order'
import { display } from '../../state/display.svelte'
import type { Page } from '../../state/page'
import { sortedIds } from './columns'

/** The shortest time for which a sorted list stands still, in milliseconds. */
const calmMs = 5_000

/**
 * The order in which a list is shown. A sorted list must not jump under the pointer or the eye, so values that change
 * do not move rows. It is sorted again
 * - when a sort is asked for,
 * - when an index is added, removed or moved,
 * - every five seconds while neither the pointer nor the focus is in the table and the page is seen.
 */
export class ListOrder {
  readonly #list: () => Watchlist
  readonly #mirror: Page['mirror']
  #beat = $state(0)
  // As texts, these change only when what they say has: settings come as new objects with every change of any.
  readonly #members = $derived.by(() => JSON.stringify(this.#list().entries.map(({ id }) => id)))
  readonly #sort = $derived.by(() => JSON.stringify(this.#list().sort ?? null))
  readonly #ids = $derived.by(() => {
    const occasions = [this.#members, this.#sort, this.#beat]
    // What is read of the values asks for no new order.
    return untrack(() => (occasions.length > 0 ? this.#sorted() : []))
  })

  /** The entries as they stand in the table. */
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

  /** Sorts again from time to time while `isInUse` says no. Returns the way to stop. */
  keepSorted(isInUse: () => boolean): () => void {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !isInUse()) this.#beat++
    }, calmMs)
    return () => clearInterval(timer)
  }

  #sorted(): IndexId[] {
    const { entries, sort } = this.#list()
    if (sort === undefined) return entries.map(({ id }) => id)
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
    const ageMs = row.ageMs(nowMs)
    const refusal = facts?.refusal
    const isOld = quote !== undefined && this.#mirror.isStaleAt(id, nowMs)
    const flags = flagsOf(
      {
        quote: this.#mirror.flagged(id),
        ...{ refusal, noValue: facts?.noValue, isStale: isOld, ageText: '' },
      },
      display,
    )
    return { id, name: info?.name, quote, facts, resolution, ageMs, flagWeight: flagWeight(flags) }
  }
}
