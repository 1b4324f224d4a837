/** Lays out the columns of a table. Columns of numbers are never cut: others shrink or hide. */
import type { ShownColumn, TableColumn, Widest } from './table-column'
import { textPx } from './text-width'

/** Padding left and right of a cell's text together; CSS pixels. */
const paddingPx = 16

/** The width of a cell whose text is `px` wide (text-width.ts); CSS pixels. */
export function cellPx(px: number): number {
  return Math.ceil(px) + paddingPx
}

/** The widest contents of a table by name, in CSS pixels. */
export type Widths = Readonly<Record<string, number>>

/** Adds the widths of `rows`. Widths only grow. Returns the same object if none grew. */
export function grownBy<Row>(widths: Widths, columns: readonly TableColumn<Row>[], rows: readonly Row[]): Widths {
  let grown: Record<string, number> | undefined
  function see(name: string, px: number): void {
    if (px > ((grown ?? widths)[name] ?? 0)) (grown ??= { ...widths })[name] = px
  }
  for (const row of rows) {
    for (const { key, text, room, also, px } of columns) {
      if (room !== undefined) see(key, room(row))
      else if (text !== undefined && typeof px !== 'number') see(key, textPx(text(row)))
      if (also !== undefined) for (const [name, measure] of Object.entries(also)) see(name, measure(row))
    }
  }
  return grown ?? widths
}

/**
 * Measures columns whose texts change rarely, in all rows. Measures each new row once. Measures all rows again when one was
 * removed or the columns changed.
 */
export function wholeWidths<Row>(keyOf: (row: Row, at: number) => string) {
  let known = new Set<string>()
  let knownColumns: readonly TableColumn<Row>[] = []
  return (widths: Widths, columns: readonly TableColumn<Row>[], rows: readonly Row[]): Widths => {
    const keys = new Set(rows.map(keyOf))
    const isAnew = columns !== knownColumns || [...known].some((key) => !keys.has(key))
    const names = new Set(columns.flatMap(({ key, also = {} }) => [key, ...Object.keys(also)]))
    const others = Object.fromEntries(Object.entries(widths).filter(([name]) => !names.has(name)))
    const before = known
    known = keys
    knownColumns = columns
    if (isAnew) return grownBy(others, columns, rows)
    return grownBy(
      widths,
      columns,
      rows.filter((row, at) => !before.has(keyOf(row, at))),
    )
  }
}

/** The width that a column asks for. `undefined` if it takes the rest. */
function wishOf<Row, Key extends string>(column: TableColumn<Row, Key>, widest: Widest): number | undefined {
  const { key, text, room, px, edge = 0, min = 0, max = Infinity } = column
  if (px !== undefined) return typeof px === 'number' ? px : px(widest)
  if (text === undefined && room === undefined) return undefined
  return Math.min(max, Math.max(min, cellPx(widest(key)) + edge))
}

/** Widths that the user chose; CSS pixels. */
export type ChosenWidths<Key extends string = string> = Readonly<Partial<Record<Key, number>>>

/** How the user chooses widths. `onsized` is called with all chosen widths. */
export interface Sizing<Key extends string> {
  chosen: ChosenWidths<Key> | undefined
  min: number
  max: number
  onsized: (widths: ChosenWidths<Key>) => void
}

/** A column with a chosen width cuts no number, takes no spare room, and gives way only by hiding. */
function asChosen<Row, Key extends string>(column: TableColumn<Row, Key>, wishPx: number, ownPx: number) {
  const { isNumber = false, gives = [] } = column
  const short = gives.find(([, to, as]) => as !== undefined && typeof to === 'number' && ownPx < (to + wishPx) / 2)
  return {
    column: { ...column, gives: gives.filter(([, to]) => to === undefined), takes: [] },
    px: isNumber ? Math.max(wishPx, ownPx) : ownPx,
    form: short?.[2],
  }
}

/** The columns that are shown, in order. They are wider than `availablePx` in sum if none can shrink or hide further. */
export function layOutColumns<Row, Key extends string>(
  columns: readonly TableColumn<Row, Key>[],
  widths: Widths,
  availablePx: number,
  chosen?: ChosenWidths<Key>,
): ShownColumn<Row, Key>[] {
  const widest: Widest = (name) => widths[name] ?? 0
  const all = columns.map((column) => {
    const px = wishOf(column, widest)
    const ownPx = chosen?.[column.key]
    const own = ownPx === undefined ? undefined : asChosen(column, px ?? 0, ownPx)
    const shownColumn: ShownColumn<Row, Key> = { column, px, form: undefined, contentPx: widest(column.key), ...own }
    return { ...shownColumn, wishPx: px }
  })
  const shown = new Set(all)
  const sparePx = () => availablePx - [...shown].reduce((sum, { px = 0 }) => sum + px, 0)
  function inTurns<Turn extends readonly [turn: number, ...unknown[]]>(
    turnsOf: (column: TableColumn<Row, Key>) => readonly Turn[] | undefined,
  ) {
    const turns = all.flatMap((each) => (turnsOf(each.column) ?? []).map((turn) => ({ each, turn })))
    return turns.sort((a, b) => a.turn[0] - b.turn[0])
  }

  for (const { each, turn } of inTurns(({ gives }) => gives)) {
    if (sparePx() >= 0) break
    const [, to, as] = turn
    const toPx = typeof to === 'function' ? to(widest) : to
    if (toPx === undefined) shown.delete(each)
    else if (each.px !== undefined && toPx < each.px) Object.assign(each, { px: toPx, form: as })
  }
  for (const { each, turn } of inTurns(({ takes }) => takes)) {
    const [, more = Infinity] = turn
    if (each.px === undefined || each.wishPx === undefined || !shown.has(each)) continue
    const px = Math.max(each.px, Math.min(each.wishPx + more, each.px + Math.max(0, sparePx())))
    // Of its wanted width it takes all or nothing while it has another form.
    if (each.form !== undefined && more === 0 && px < each.wishPx) continue
    Object.assign(each, { px, ...(px >= each.wishPx && { form: undefined }) })
  }
  return [...shown]
}
