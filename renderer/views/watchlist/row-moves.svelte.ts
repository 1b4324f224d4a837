import type { IndexId, ListSort, Watchlist, WatchlistEntry } from '../../../core/model'
import { nextSort } from '../../format/row-order'
import type { Perform } from '../../state/api'
import type { Announcer } from '../../state/announcer.svelte'
import type { MoveKey } from '../../ui/row-keys'
import type { TablePlace } from '../../ui/table-place.svelte'
import { listColumnSpecs } from './columns'
import type { ListOrder } from './list-order.svelte'
import { RowDrag } from './row-drag.svelte'

interface Table {
  list: () => Watchlist
  order: ListOrder
  place: () => TablePlace | undefined
  perform: Perform
  announcer: Announcer
}

/** Moves the rows of a list, by sorting, dragging and keys. */
export class RowMoves {
  readonly drag = new RowDrag()
  readonly #table: Table
  /** True if the user tried to move a row while the list was sorted. */
  triedToMove = $state(false)
  /** The row that was moved last and its target, until the list has changed. */
  #sent: { id: IndexId; to: number; from: readonly WatchlistEntry[] } | undefined

  constructor(table: Table) {
    this.#table = table
  }

  sort(column: ListSort['column']): void {
    const { list, perform, announcer } = this.#table
    const next = nextSort(list().sort, column, listColumnSpecs[column].isFirstDescending)
    void perform('arrangeList', { listId: list().id, sort: next })
    const direction = next?.isDescending === true ? 'descending' : 'ascending'
    announcer.say(next === null ? 'Manual order' : `Sorted by ${listColumnSpecs[column].name}, ${direction}`)
  }

  backToOwnOrder(): void {
    const { list, perform, announcer } = this.#table
    void perform('arrangeList', { listId: list().id, sort: null })
    announcer.say('Manual order')
  }

  /** Called when the list is in manual order again. */
  clearTriedToMove(): void {
    this.triedToMove = false
  }

  /** Moves an index to a position. The first is 0. Positions beyond an end mean that end. */
  async move(id: IndexId, to: number): Promise<void> {
    const { list, order, perform, announcer } = this.#table
    if (!this.#mayMove()) return
    const { entries } = order
    const position = Math.min(entries.length - 1, Math.max(0, to))
    if (this.#placeOf(id) === position) return
    this.#sent = { id, to: position, from: entries }
    const moved = await perform('moveIndex', { listId: list().id, indexId: id, position })
    if (moved !== undefined) announcer.say(`${id} moved to place ${position + 1} of ${entries.length}`)
    else this.#sent = undefined
  }

  /** Moves a row after Alt with an arrow, Home or End. */
  moveByKey(key: MoveKey, id: IndexId): void {
    const from = this.#placeOf(id)
    const places: Record<MoveKey, number> = {
      ArrowUp: from - 1,
      ArrowDown: from + 1,
      Home: 0,
      End: this.#table.order.entries.length - 1,
    }
    void this.move(id, places[key])
  }

  /** Starts dragging a row. */
  grab(id: IndexId, event: PointerEvent): void {
    const { order } = this.#table
    const place = this.#table.place()
    if (event.button !== 0 || place?.scroller === undefined || !this.#mayMove()) return
    this.drag.start(id, event, {
      scroller: place.scroller,
      headerHeight: () => place.headHeight,
      rowHeight: () => place.rowHeight,
      count: () => order.entries.length,
      from: () => order.entries.findIndex((entry) => entry.id === id),
      ondropped: (to) => void this.move(id, to),
    })
  }

  /** True once, after the list has followed a move of this index. */
  hasArrived(id: IndexId): boolean {
    const hasArrived = this.#sent?.id === id && this.#sent.from !== this.#table.order.entries
    if (hasArrived) this.#sent = undefined
    return hasArrived
  }

  /** Position of a row. If the list has not followed the last move yet, the target of that move. */
  #placeOf(id: IndexId): number {
    const { entries } = this.#table.order
    if (this.#sent?.id === id && this.#sent.from === entries) return this.#sent.to
    return entries.findIndex((entry) => entry.id === id)
  }

  /** False in a sorted list, because rows cannot be moved there. */
  #mayMove(): boolean {
    const { sort } = this.#table.list()
    if (sort === undefined) return true
    this.triedToMove = true
    this.#table.announcer.say(`Sorted by ${listColumnSpecs[sort.column].name}. Switch to manual order to move rows`)
    return false
  }
}
