/**
 * Which rows of a long list are in the page. Every row has the same height, read from the style sheet, so a place and
 * a distance are one multiplication apart, for scrolling as for dragging.
 */

/** Rows in the page above and below those that are seen, so that a slow frame shows no gap. */
const overscan = 6

/** A row that is in the page, and how many rows before it are not. */
interface PlacedRow<T> {
  item: T
  at: number
  skipped: number
}

export interface RowWindow<T> {
  rows: PlacedRow<T>[]
  /** Rows after the last one in the page. */
  skippedAfter: number
}

/** What is seen, in CSS pixels, the header not counted. */
export interface SeenPart {
  scrollTop: number
  height: number
  rowHeight: number
}

/** The rows around what is seen, and `kept` (the selected row), which must not lose the focus by scrolling. */
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

/** Where to scroll so that row `at` is wholly seen; the same place when it is. */
export function scrollTopFor(at: number, { scrollTop, height, rowHeight }: SeenPart): number {
  const top = at * rowHeight
  return Math.min(top, Math.max(scrollTop, top + rowHeight - height))
}

/** The place a row takes when it is dropped at the gap before row `gap`, counted without the row itself. */
export function placeForGap(from: number, gap: number): number {
  return gap > from ? gap - 1 : gap
}

/** The gap between rows nearest to `y`, a distance in CSS pixels from the top of the first row. */
export function gapAt(y: number, count: number, rowHeight: number): number {
  return Math.min(count, Math.max(0, Math.round(y / Math.max(1, rowHeight))))
}
