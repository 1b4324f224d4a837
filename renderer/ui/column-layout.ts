/** Which columns of a table fit, and how wide they are. Numbers are never cut: something else gives way. */

/** Room left and right of a cell's text, in CSS pixels. */
const paddingPx = 16

/** What a cell takes whose text is `px` wide (text-width.ts). */
export function cellPx(px: number): number {
  return Math.ceil(px) + paddingPx
}

export interface ColumnPlan<Key extends string> {
  /** The columns in order, each as wide as it would like to be, in CSS pixels. */
  columns: readonly (readonly [Key, number])[]
  /** What gives way until the rest fits, the first first: a column hides, or shrinks to `toPx`. */
  givesWay: readonly { key: Key; toPx?: number }[]
  /** Who takes what is left over: the first that is shown, up to `maxPx` wide, then the next. */
  takesRest: readonly { key: Key; maxPx?: number }[]
}

/**
 * The width in CSS pixels of each column that is shown, in order. Where nothing can give way any more, the sum is more
 * than `availablePx`.
 */
export function layOutColumns<Key extends string>(
  { columns, givesWay, takesRest }: ColumnPlan<Key>,
  availablePx: number,
): ReadonlyMap<Key, number> {
  const widths = new Map(columns)
  const sparePx = () => availablePx - [...widths.values()].reduce((sum, width) => sum + width, 0)
  for (const { key, toPx } of givesWay) {
    if (sparePx() >= 0) break
    const px = widths.get(key)
    if (px === undefined) continue
    if (toPx === undefined) widths.delete(key)
    else widths.set(key, Math.min(px, toPx))
  }
  for (const { key, maxPx = Infinity } of takesRest) {
    const px = widths.get(key)
    if (px !== undefined) widths.set(key, Math.max(px, Math.min(maxPx, px + Math.max(0, sparePx()))))
  }
  return widths
}
