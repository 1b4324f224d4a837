import { isSection, linesOf, splitLines, type ListLine } from '../../../core/list-lines'
import type { ListSort, Watchlist, WatchlistEntry } from '../../../core/model'
import { rowsWords } from '../../format/list-words'
import { nextSort } from '../../format/row-order'
import type { Page } from '../../state/page'
import type { MoveKey } from '../../ui/row-keys'
import { dividerHeight } from '../../ui/row-window'
import type { TablePlace } from '../../ui/table-place.svelte'
import { listColumnSpecs } from './columns'
import type { ListOrder } from './list-order.svelte'
import { RowDrag, type DropTarget } from './row-drag.svelte'

interface Table {
  list: () => Watchlist
  order: ListOrder
  place: () => TablePlace | undefined
}

/** Moves the rows of a list, by sorting, dragging and keys. */
export class RowMoves {
  readonly drag = new RowDrag()
  readonly #page: Page
  readonly #table: Table
  /** True if the user tried to move a row while the list was sorted. */
  triedToMove = $state(false)
  /** The last move and the resulting order, until the list has changed. */
  #sent: { ids: readonly string[]; lines: readonly ListLine[]; from: readonly WatchlistEntry[] } | undefined

  constructor(page: Page, table: Table) {
    this.#page = page
    this.#table = table
  }

  sort(column: ListSort['column']): void {
    const list = this.#table.list()
    const next = nextSort(list.sort, column, listColumnSpecs[column].isFirstDescending)
    void this.#page.perform('arrangeList', { listId: list.id, sort: next })
    const direction = next?.isDescending === true ? 'descending' : 'ascending'
    this.#page.announcer.say(next === null ? 'Manual order' : `Sorted by ${listColumnSpecs[column].name}, ${direction}`)
  }

  backToOwnOrder(): void {
    void this.#page.perform('arrangeList', { listId: this.#table.list().id, sort: null })
    this.#page.announcer.say('Manual order')
  }

  /** Called when the list is in manual order again. */
  clearTriedToMove(): void {
    this.triedToMove = false
  }

  /** Moves indices or sections to a position, counted without them. The first is 0. Positions beyond an end mean that end. */
  async move(ids: readonly string[], to: number): Promise<void> {
    if (!this.#mayMove()) return
    const before = this.#lines()
    const { rows, others } = splitLines(before, ids)
    const position = Math.min(others.length, Math.max(0, to))
    const after = others.toSpliced(position, 0, ...rows)
    if (after.every(({ id }, at) => id === before[at]?.id)) return
    this.#sent = { ids, lines: after, from: this.#table.order.entries }
    const isDone = await this.#page.actions.reorderRows(
      this.#table.list().id,
      rows.map(({ id }) => id),
      position,
      movedWords(rows, after),
    )
    if (!isDone) this.#sent = undefined
  }

  /** Moves indices or sections after Alt with an arrow, Home or End. */
  moveByKey(key: MoveKey, ids: readonly string[]): void {
    const before = this.#lines()
    const { rows, others } = splitLines(before, ids)
    const [first, last] = [rows[0], rows.at(-1)].map((line) => before.findIndex((each) => each === line))
    if (first === undefined || last === undefined) return
    const places: Record<MoveKey, number> = {
      ArrowUp: first - 1,
      ArrowDown: last - rows.length + 2,
      Home: 0,
      End: others.length,
    }
    void this.move(ids, places[key])
  }

  /** Starts dragging indices or sections. */
  grab(ids: readonly string[], event: PointerEvent): void {
    const place = this.#table.place()
    const scroller = place?.scroller
    if (scroller === undefined) return
    this.drag.start(ids, event, {
      scroller,
      headerHeight: () => place?.headHeight ?? 0,
      targetAt: (x, y) => this.#targetAt(ids, x, y),
      mayLeave: ids.length === 1 && !this.#lines().some((line) => isSection(line) && line.id === ids[0]),
      ondropped: (target, isCopy) => this.#drop(ids, target, isCopy),
    })
  }

  /** True once, after the list has followed a move of this index. */
  hasArrived(id: string): boolean {
    const hasArrived = this.#sent?.ids.includes(id) === true && this.#sent.from !== this.#table.order.entries
    if (hasArrived) this.#sent = undefined
    return hasArrived
  }

  #drop(ids: readonly string[], { gap, listId, outside }: DropTarget, isCopy: boolean): void {
    const [indexId] = ids
    if (outside !== undefined && indexId !== undefined) {
      void this.#page.perform('openIndexWindow', { indexId, at: outside })
      return
    }
    if (gap !== undefined) {
      const above = this.#lines().slice(0, gap)
      void this.move(ids, splitLines(above, ids).others.length)
      return
    }
    const to = this.#page.listActions.lists.find(({ id }) => id === listId)
    if (to !== undefined) void this.#page.actions.moveRows(this.#table.list(), to, [...ids], isCopy)
  }

  #targetAt(ids: readonly string[], x: number, y: number): DropTarget | undefined {
    const list = this.#table.list()
    const place = this.#table.place()
    const box = place?.scroller?.getBoundingClientRect()
    const before = this.#lines()
    const { rows } = splitLines(before, ids)
    const listId = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-drop-list]')?.dataset['dropList']
    if (listId !== undefined) return listId === list.id || rows.some(isSection) ? undefined : { listId }
    if (place?.scroller === undefined || box === undefined || x < box.left || x > box.right) return undefined
    if (list.sort !== undefined) {
      this.triedToMove = true
      return undefined
    }
    const inTable = y - box.top - place.headHeight + place.scroller.scrollTop
    let gap = 0
    let topPx = 0
    for (const line of before) {
      const heightPx = isSection(line) ? dividerHeight : place.rowHeight
      if (inTable < topPx + heightPx / 2) break
      gap++
      topPx += heightPx
    }
    const first = before.findIndex((line) => line === rows[0])
    const areTogether = rows.every((line, at) => line === before[first + at])
    const isHere = areTogether && gap >= first && gap <= first + rows.length
    return isHere ? undefined : { gap, topPx: place.headHeight + topPx }
  }

  /** The lines of the list. If it has not followed the last move yet, the lines after that move. */
  #lines(): readonly ListLine[] {
    return this.#sent?.from === this.#table.order.entries ? this.#sent.lines : linesOf(this.#table.list())
  }

  /** False in a sorted list, because rows cannot be moved there. */
  #mayMove(): boolean {
    const { sort } = this.#table.list()
    if (sort === undefined) return true
    this.triedToMove = true
    this.#page.announcer.say(`Sorted by ${listColumnSpecs[sort.column].name}. Switch to manual order to move rows`)
    return false
  }
}

function movedWords(rows: readonly ListLine[], after: readonly ListLine[]): string {
  const [first] = rows
  if (first !== undefined && isSection(first)) return `Section ${first.name} moved`
  const entries = after.filter((line) => !isSection(line))
  const place = entries.findIndex(({ id }) => id === first?.id) + 1
  return `${rowsWords(rows.map(({ id }) => id))} moved to place ${place} of ${entries.length}`
}
