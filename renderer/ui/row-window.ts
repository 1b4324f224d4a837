/** Selects the rows of a long list that are in the page. All rows have one height, which the style sheet gives. */

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
}

/** The visible rows with some around them, and `kept`, the selected row, which must not lose the focus by scrolling. */
export function windowOf<T>(items: readonly T[], kept: T | undefined, seen: SeenPart): RowWindow<T> {
  const rowHeight = Math.max(1, seen.rowHeight)
  const top = Math.max(0, Math.min(seen.scrollTop, items.length * rowHeight - seen.height))
  const first = Math.max(0, Math.floor(top / rowHeight) - overscan)
  const end = Math.min(items.length, Math.ceil((top + seen.height) / rowHeight) + overscan)
  const places = Array.from({ length: end - first }, (_, at) => first + at)
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

/** The scroll position at which row `at` is fully visible. Unchanged if it already is. */
export function scrollTopFor(at: number, { scrollTop, height, rowHeight }: SeenPart): number {
  const top = at * rowHeight
  return Math.min(top, Math.max(scrollTop, top + rowHeight - height))
}

/** The new number of a row that is dropped before row `gap`. */
export function placeForGap(from: number, gap: number): number {
  return gap > from ? gap - 1 : gap
}

/** The number of the row before which a row dropped at `y` goes. `y` is in CSS pixels from the top of the first row. */
export function gapAt(y: number, count: number, rowHeight: number): number {
  return Math.min(count, Math.max(0, Math.round(y / Math.max(1, rowHeight))))
}
