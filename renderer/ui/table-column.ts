import type { Snippet } from 'svelte'
import type { TablePlace } from './table-place.svelte'

/** How wide the widest content is that a table had under a name, in CSS pixels; 0 before the first. */
export type Widest = (name: string) => number

/** A width in CSS pixels, or one that follows from what was measured. */
type Px = number | ((widest: Widest) => number)

/** A column of a data-table.svelte: its head, its cells, its width, and how it gives way. */
export interface TableColumn<Row, Key extends string = string> {
  key: Key
  /** What its head says. */
  name: string
  title?: string | undefined
  /** What it says in a row: measured, and drawn where there is no `cell`. */
  text?: (row: Row) => string
  /** Draws the `td` or `th`. A column with neither text nor cell is drawn by the row. */
  cell?: Snippet<[row: Row, column: ShownColumn<Row, Key>]>
  /** Of a cell with text alone. */
  cellClass?: (row: Row) => string
  cellTitle?: (row: Row) => string | undefined
  /** The published value that the text stands for. */
  value?: (row: Row) => string | undefined
  /** It names the row: its cells are headers. */
  isHeader?: boolean
  /** Its cells are class `number`: the head keeps to the right as they do. */
  isNumber?: boolean
  /** It holds buttons: its name is for assistive technology alone, and it does not sort. */
  isAction?: boolean
  /** It takes no room: its head and its cells lie in the column before, beside the head and below. */
  isUnder?: boolean
  /** How wide its content is in a row, in CSS pixels, where that is not the width of `text`. */
  room?: ((row: Row) => number) | undefined
  /** More to measure in each row, by name. */
  also?: Record<string, (row: Row) => number>
  /** Its texts change rarely: those of all rows are measured, drawn or not. */
  isMeasuredWhole?: boolean
  /** The width it would like to have. By default that of the widest content and `edge`, from `min` to `max`. */
  px?: Px
  edge?: number
  min?: number
  max?: number
  /** Its turns in giving way, the lowest of all columns first: it shrinks, in the form `as`, or hides. */
  gives?: readonly (readonly [turn: number, to?: Px, as?: string])[]
  /** Its turns in taking what is left over, up to so much `more` than it would like. */
  takes?: readonly (readonly [turn: number, more?: number])[]
}

/** A column that fits. */
export interface ShownColumn<Row, Key extends string = string> {
  column: TableColumn<Row, Key>
  /** Without a width it takes the rest. */
  px: number | undefined
  /** The form it took when it shrank. */
  form: string | undefined
  /** Of the widest content so far, in CSS pixels. */
  contentPx: number
}

/** What a row that the caller draws is made of. */
export interface RowParts<Row, Key extends string = string> {
  /** The columns that fit, in order. */
  shown: readonly ShownColumn<Row, Key>[]
  /** The cells of the first `count` of them; without it of all. */
  cells: Snippet<[row: Row, count?: number]>
}

export interface TableSort<Key extends string> {
  column: Key
  isDescending: boolean
}

/** What a data-table.svelte offers whoever binds it. */
export interface TableHandle {
  place: TablePlace
  /** Puts the focus on a row, 0 the first, and scrolls to it. */
  focus: (at: number) => void
  shows: (key: string) => boolean
}

type More<Row> = Partial<TableColumn<Row>>

/** A column of text, known by what its head says. */
export function textColumn<Row>(name: string, text: (row: Row) => string, more: More<Row> = {}): TableColumn<Row> {
  return { key: name, name, text, ...more }
}

export function numberColumn<Row>(name: string, text: (row: Row) => string, more: More<Row> = {}): TableColumn<Row> {
  return { key: name, name, text, isNumber: true, ...more }
}

/** A column that `cell` draws. */
export function drawnColumn<Row>(
  name: string,
  cell: NonNullable<TableColumn<Row>['cell']>,
  more: More<Row> = {},
): TableColumn<Row> {
  return { key: name, name, cell, ...more }
}
