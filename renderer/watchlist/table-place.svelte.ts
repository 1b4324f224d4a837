import { untrack } from 'svelte'
import type { IndexId } from '../../protocol/model'
import { scrollTopFor, type SeenPart } from './row-window'

function rowHeightOfStyle(): number {
  return parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) || 1
}

/**
 * Where the user is in a list: what is scrolled to and which row is selected. Both are kept for as long as the window
 * lives, over reloads too.
 */
export class TablePlace {
  readonly #listId: string
  #scroller: HTMLElement | undefined
  #selectedId = $state<IndexId>()
  /** Rounded down to whole rows, so that scrolling by a pixel draws nothing anew. */
  #scrollTop = $state(0)
  /** Sizes in CSS pixels, bound to what they measure. */
  width = $state(0)
  height = $state(0)
  headerHeight = $state(0)
  rowHeight = $state(rowHeightOfStyle())

  /** What is seen of the rows. */
  readonly seen: SeenPart = $derived({
    scrollTop: this.#scrollTop,
    height: Math.max(0, this.height - this.headerHeight),
    rowHeight: this.rowHeight,
  })

  constructor(listId: string) {
    this.#listId = listId
    this.#selectedId = sessionStorage.getItem(`selected-index:${listId}`) ?? undefined
    this.#scrollTop = Number(sessionStorage.getItem(`scrolled:${listId}`) ?? 0)
  }

  get selectedId(): IndexId | undefined {
    return this.#selectedId
  }

  /** How many rows Page Up and Page Down go. */
  get rowsOnPage(): number {
    return Math.max(1, Math.floor(this.seen.height / this.rowHeight) - 1)
  }

  select(id: IndexId): void {
    if (this.#selectedId === id) return
    this.#selectedId = id
    sessionStorage.setItem(`selected-index:${this.#listId}`, id)
  }

  /** Attachment of the element that scrolls: goes to where the user was, and keeps account of where they go. */
  readonly follow = (scroller: HTMLElement): (() => void) => {
    this.#scroller = scroller
    const remember = () => {
      this.#scrollTop = Math.floor(scroller.scrollTop / this.rowHeight) * this.rowHeight
      sessionStorage.setItem(`scrolled:${this.#listId}`, String(scroller.scrollTop))
    }
    untrack(() => {
      scroller.scrollTop = this.#scrollTop
    })
    scroller.addEventListener('scroll', remember, { passive: true })
    return () => {
      scroller.removeEventListener('scroll', remember)
    }
  }

  get scroller(): HTMLElement | undefined {
    return this.#scroller
  }

  /** Scrolls no further than needed to see row `at` wholly. */
  reveal(at: number): void {
    if (this.#scroller === undefined) return
    this.#scroller.scrollTop = scrollTopFor(at, { ...this.seen, scrollTop: this.#scroller.scrollTop })
  }

  /** Keeps the first row that is seen where it is when rows become higher or lower, as they do with the density. */
  keepTopRow(formerHeight: number): void {
    if (this.#scroller === undefined || formerHeight === 0) return
    this.#scroller.scrollTop = (this.#scroller.scrollTop / formerHeight) * this.rowHeight
  }

  /** The row of an index, when it is in the page. */
  rowOf(id: IndexId): HTMLElement | null | undefined {
    return this.#scroller?.querySelector<HTMLElement>(`tr[data-index="${CSS.escape(id)}"]`)
  }

  /** Whether the pointer is over the table or the focus in it. */
  get isInUse(): boolean {
    const hasFocus = document.hasFocus() && this.#scroller?.contains(document.activeElement) === true
    return hasFocus || this.#scroller?.matches(':hover') === true
  }
}
