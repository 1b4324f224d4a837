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
  /** The token that `--row` stands for around the table. */
  rowToken: string
  /** Where the table was scrolled to, in CSS pixels. */
  scrollTop: number
  /** Called when it is scrolled. */
  onscrolled: (scrollTop: number) => void
}

/**
 * Where the user is in a table of rows of one height: how much of it is scrolled away and seen. The table may have its
 * scrolling parent for itself or share it. One for each data-table.svelte, which keeps the sizes up to date.
 */
export class TablePlace {
  readonly #remembered: Remembered | undefined
  #table: HTMLElement | undefined
  #scroller: HTMLElement | undefined
  /** Rounded down to whole rows, so that scrolling by a pixel draws nothing again. */
  #scrolledPx = $state(0)
  /** How many rows were above what is seen when it was last scrolled. */
  #rowsAway = 0
  #height = $state(0)
  #width = $state(0)
  /** Sizes in CSS pixels, bound to what they measure. */
  headHeight = $state(0)
  rowHeight = $state(0)

  /** What is seen of the rows. */
  readonly seen: SeenPart = $derived({
    scrollTop: this.#scrolledPx,
    height: Math.max(0, this.#height - this.headHeight),
    rowHeight: this.rowHeight,
  })

  constructor(remembered?: Remembered) {
    this.#remembered = remembered
    this.rowHeight = rowHeightOfStyle(remembered?.rowToken ?? '--row')
    this.#scrolledPx = remembered?.scrollTop ?? 0
  }

  /** Width in CSS pixels that there is for the columns. */
  get width(): number {
    return this.#width
  }

  /** How many rows Page Up and Page Down go. */
  get rowsOnPage(): number {
    return Math.max(1, Math.floor(this.seen.height / this.rowHeight) - 1)
  }

  /** What scrolls the table, once it is there. */
  get scroller(): HTMLElement | undefined {
    return this.#scroller
  }

  /** Whether the pointer is over what scrolls, or the focus in it. */
  get isInUse(): boolean {
    const hasFocus = document.hasFocus() && this.#scroller?.contains(document.activeElement) === true
    return hasFocus || this.#scroller?.matches(':hover') === true
  }

  /** Attachment of the table: goes to where the user was, and follows where they go. */
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
      // In a window of another height another element may scroll.
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

  /** Scrolls no further than needed to see row `at` wholly. */
  reveal(at: number): void {
    if (this.#scroller === undefined) return
    const scrollTop = this.#awayPx()
    this.#scroller.scrollTop += scrollTopFor(at, { ...this.seen, scrollTop }) - scrollTop
  }

  /**
   * Keeps the first row that is seen where it is when rows become higher or lower, as they do with the density. The
   * browser's scroll anchoring has moved the table by then, so the place is the one of the last scrolling.
   */
  keepTopRow(): void {
    if (this.#scroller === undefined || this.#rowsAway <= 0) return
    this.#scroller.scrollTop += this.#rowsAway * this.rowHeight - this.#awayPx()
  }

  /** How much of the table is above what is seen; less than 0 while something stands above the table. */
  #awayPx(): number {
    if (this.#table === undefined || this.#scroller === undefined) return 0
    return (
      this.#scroller.getBoundingClientRect().top + this.#scroller.clientTop - this.#table.getBoundingClientRect().top
    )
  }
}
