import type { Snippet } from 'svelte'
import type { TablePlace } from './table-place.svelte'

/** The width of the widest content measured so far under a name, in CSS pixels. 0 before the first. */
export type Widest = (name: string) => number

/** A width in CSS pixels, or a function of the measured widths. */
type Px = number | ((widest: Widest) => number)

/** A column of a data-table.svelte: its head, its cells, its width, and when it shrinks or hides. */
export interface TableColumn<Row, Key extends string = string> {
  key: Key
  /** Text of the head. */
  name: string
  title?: string | undefined
  /** Text of a cell. It is measured, and drawn unless there is a `cell`. */
  text?: (row: Row) => string
  /** Draws the `td` or `th`. The row draws a column that has neither text nor cell. */
  cell?: Snippet<[row: Row, column: ShownColumn<Row, Key>]>
  /** Class of a cell that is drawn from `text`. */
  cellClass?: (row: Row) => string
  cellTitle?: (row: Row) => string | undefined
  /** The published value behind the text, for `data-value`. */
  value?: (row: Row) => string | undefined
  /** Its cells are the headers of the rows. */
  isHeader?: boolean
  /** Cells and head are aligned right. */
  isNumber?: boolean
  /** It holds buttons. Its name is for assistive technology only, and it does not sort. */
  isAction?: boolean
  /** It has no width of its own. Its head and cells lie within the column before it. */
  isUnder?: boolean
  /** Width of a cell's content in CSS pixels, if that is not the width of `text`. */
  room?: ((row: Row) => number) | undefined
  /** Further widths to measure in each row, by name. */
  also?: Record<string, (row: Row) => number>
  /** Measures all rows, not only the drawn ones. For texts that change rarely. */
  isMeasuredWhole?: boolean
  /** The wanted width. By default that of the widest content plus `edge`, from `min` to `max`. */
  px?: Px
  edge?: number
  min?: number
  max?: number
  /** Its turns in giving way. The lowest turn of all columns is first. It shrinks to `to` in the form `as`, or hides. */
  gives?: readonly (readonly [turn: number, to?: Px, as?: string])[]
  /** Its turns in taking spare width, at most `more` CSS pixels beyond the wanted width. */
  takes?: readonly (readonly [turn: number, more?: number])[]
}

/** A column that is shown. */
export interface ShownColumn<Row, Key extends string = string> {
  column: TableColumn<Row, Key>
  /** Width in CSS pixels. Undefined for the column that takes the rest. */
  px: number | undefined
  /** The form in which it shrank. */
  form: string | undefined
  /** Width of the widest content so far; CSS pixels. */
  contentPx: number
}

/** The parts of a row that the caller draws. */
export interface RowParts<Row, Key extends string = string> {
  /** The shown columns, in order. */
  shown: readonly ShownColumn<Row, Key>[]
  /** Draws the cells of the first `count` columns. By default of all. */
  cells: Snippet<[row: Row, count?: number]>
}

/** A line between the rows of a table, above row `at`. */
export interface TableDivider {
  key: string
  at: number
}

export interface TableSort<Key extends string> {
  column: Key
  isDescending: boolean
}

/** The methods of a data-table.svelte, for `bind:this`. */
export interface TableHandle {
  place: TablePlace
  /** Focuses a row and scrolls to it. The first row is 0. */
  focus: (at: number) => void
  shows: (key: string) => boolean
}

type More<Row> = Partial<TableColumn<Row>>

/** A column of text. Its key is its name. */
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
