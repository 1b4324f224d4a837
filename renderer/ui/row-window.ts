/** Selects the rows of a long list that are in the page. All rows have one height, which the style sheet gives. */

/** Height of a divider above a row; CSS pixels. section-row.svelte gives the same. */
export const dividerHeight = 28

/** Number of rows in the page above and below the visible ones, so that a slow frame shows no gap. */
const overscan = 6

/** A row in the page. `skipped` is the number of rows left out before it. */
interface PlacedRow<T> {
  item: T
  at: number
  skipped: number
}

export interface RowWindow<T> {
  rows: PlacedRow<T>[]
  /** Number of rows after the last one in the page. */
  skippedAfter: number
}

/** The visible part of the rows, without the header; CSS pixels. */
export interface SeenPart {
  scrollTop: number
  height: number
  rowHeight: number
  /** For each divider the number of the row that it is above, in ascending order. The number of rows if it is the last line. */
  dividers: readonly number[]
}

type Heights = Pick<SeenPart, 'rowHeight' | 'dividers'>

/** Height of the lines above row `at` and its dividers; CSS pixels. */
export function topOf(at: number, { rowHeight, dividers }: Heights): number {
  return at * rowHeight + dividers.filter((each) => each < at).length * dividerHeight
}

/** Number of rows above `y`, also in parts; `y` is in CSS pixels from the first line. */
function rowsAbove(y: number, { rowHeight, dividers }: Heights): number {
  const passed = dividers.filter((at, before) => at * rowHeight + (before + 1) * dividerHeight <= y)
  return (y - passed.length * dividerHeight) / Math.max(1, rowHeight)
}

/** The visible rows with some around them, and `kept`, the selected row, which must not lose the focus by scrolling. */
export function windowOf<T>(items: readonly T[], kept: T | undefined, seen: SeenPart): RowWindow<T> {
  const top = Math.max(0, Math.min(seen.scrollTop, topOf(items.length, seen) - seen.height))
  const first = Math.max(0, Math.floor(rowsAbove(top, seen)) - overscan)
  const end = Math.min(items.length, Math.ceil(rowsAbove(top + seen.height, seen)) + overscan)
  const places = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at)
  const keptAt = kept === undefined ? -1 : items.indexOf(kept)
  if (keptAt >= end) places.push(keptAt)
  else if (keptAt !== -1 && keptAt < first) places.unshift(keptAt)

  let next = 0
  const rows: PlacedRow<T>[] = []
  for (const at of places) {
    const item = items[at]
    if (item === undefined) continue
    rows.push({ item, at, skipped: at - next })
    next = at + 1
  }
  return { rows, skippedAfter: items.length - next }
}

/** The scroll position at which row `at` and its dividers are fully visible. Unchanged if they already are. */
export function scrollTopFor(at: number, seen: SeenPart): number {
  return Math.min(topOf(at, seen), Math.max(seen.scrollTop, topOf(at + 1, seen) - seen.height))
}
