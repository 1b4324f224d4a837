import { untrack } from 'svelte'
import { scrollTopFor, type SeenPart } from './row-window'

function rowHeightOfStyle(token: string): number {
  return parseFloat(getComputedStyle(document.documentElement).getPropertyValue(token)) || 1
}

function scrollerOf(element: HTMLElement): HTMLElement {
  for (let each = element.parentElement; each !== null; each = each.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(each).overflowY)) return each
  }
  return document.documentElement
}

export interface Remembered {
  /** The token whose height the rows have. */
  rowToken: string
  /** Scroll position; CSS pixels. */
  scrollTop: number
  /** Called with the new position after scrolling. */
  onscrolled: (scrollTop: number) => void
}

/**
 * Scroll position and sizes of a table whose rows have one height. Other content may share its scrolling parent. Each
 * data-table.svelte has one and keeps the sizes up to date.
 */
export class TablePlace {
  readonly #remembered: Remembered | undefined
  #table: HTMLElement | undefined
  #scroller: HTMLElement | undefined
  /** Rounded down to whole rows, so that scrolling by a pixel redraws nothing. */
  #scrolledPx = $state(0)
  /** Number of rows above the visible part after the last scrolling. Not always whole. */
  #rowsAway = 0
  #height = $state(0)
  #width = $state(0)
  /** Measured heights; CSS pixels. */
  headHeight = $state(0)
  rowHeight = $state(0)
  /** See SeenPart. */
  dividers = $state.raw<readonly number[]>([])

  /** The visible part of the rows. */
  readonly seen: SeenPart = $derived({
    scrollTop: this.#scrolledPx,
    height: Math.max(0, this.#height - this.headHeight),
    rowHeight: this.rowHeight,
    dividers: this.dividers,
  })

  constructor(remembered?: Remembered) {
    this.#remembered = remembered
    this.rowHeight = rowHeightOfStyle(remembered?.rowToken ?? '--row')
    this.#scrolledPx = remembered?.scrollTop ?? 0
  }

  /** Width available to the columns; CSS pixels. */
  get width(): number {
    return this.#width
  }

  /** Number of rows that Page Up and Page Down move by. */
  get rowsOnPage(): number {
    return Math.max(1, Math.floor(this.seen.height / this.rowHeight) - 1)
  }

  /** The element that scrolls the table. Undefined before the table is mounted. */
  get scroller(): HTMLElement | undefined {
    return this.#scroller
  }

  /** True while the pointer is over the scrolling element or the focus is in it. */
  get isInUse(): boolean {
    const hasFocus = document.hasFocus() && this.#scroller?.contains(document.activeElement) === true
    return hasFocus || this.#scroller?.matches(':hover') === true
  }

  /** Attachment for the table. Restores the remembered scroll position and follows scrolling and sizes. */
  readonly follow = (table: HTMLElement): (() => void) => {
    let scroller = scrollerOf(table)
    const { parentElement: parent } = table
    this.#table = table
    this.#scroller = scroller
    const look = () => {
      this.#height = scroller.clientHeight
      if (parent !== null) this.#width = parent.clientWidth
      this.#scrolledPx = Math.floor(Math.max(0, this.#awayPx()) / this.rowHeight) * this.rowHeight
    }
    const scrolled = () => {
      this.#rowsAway = this.#awayPx() / this.rowHeight
      look()
      this.#remembered?.onscrolled(scroller.scrollTop)
    }
    const sizes = new ResizeObserver(() => {
      // At another window height another element may scroll.
      const next = scrollerOf(table)
      if (next !== scroller) {
        scroller.removeEventListener('scroll', scrolled)
        sizes.unobserve(scroller)
        scroller = next
        this.#scroller = next
        next.addEventListener('scroll', scrolled, { passive: true })
        sizes.observe(next)
      }
      look()
    })
    untrack(() => {
      if (this.#remembered !== undefined) scroller.scrollTop = this.#remembered.scrollTop
      this.#rowsAway = this.#awayPx() / this.rowHeight
      look()
    })
    for (const element of [scroller, table, ...(parent === null ? [] : [parent])]) sizes.observe(element)
    scroller.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      sizes.disconnect()
      scroller.removeEventListener('scroll', scrolled)
    }
  }

  /** Scrolls just as far as needed to make row `at` fully visible. */
  reveal(at: number): void {
    if (this.#scroller === undefined) return
    const scrollTop = this.#awayPx()
    this.#scroller.scrollTop += scrollTopFor(at, { ...this.seen, scrollTop }) - scrollTop
  }

  /**
   * Keeps the first visible row in place when the density changes the height of the rows. Uses the position of the last
   * scrolling, because the browser's scroll anchoring has moved the table by now.
   */
  keepTopRow(): void {
    if (this.#scroller === undefined || this.#rowsAway <= 0) return
    this.#scroller.scrollTop += this.#rowsAway * this.rowHeight - this.#awayPx()
  }

  /** Height of the table above the visible part; CSS pixels. Negative while other content is visible above the table. */
  #awayPx(): number {
    if (this.#table === undefined || this.#scroller === undefined) return 0
    return (
      this.#scroller.getBoundingClientRect().top + this.#scroller.clientTop - this.#table.getBoundingClientRect().top
    )
  }
}
