/** Where the labels of alert levels go, so that none lies on another. */

export interface PlacedLabel {
  /** Middle of the label; CSS pixels from the top of the canvas. */
  y: number
  /** Labels that find no room below each other stand beside each other. */
  column: number
}

/**
 * Places labels `height` pixels high near where they belong, between `top` and `bottom`, in the order of `wanted`.
 */
export function placeLabels(
  wanted: readonly number[],
  { top, bottom, height }: { top: number; bottom: number; height: number },
): PlacedLabel[] {
  const rows = Math.max(1, Math.floor((bottom - top) / height))
  const columns = Math.max(1, Math.ceil(wanted.length / rows))
  const order = wanted.map((y, at) => ({ y, at })).sort((a, b) => a.y - b.y || a.at - b.at)
  const placed = wanted.map((): PlacedLabel => ({ y: top, column: 0 }))
  for (let column = 0; column < columns; column++) {
    const mine = order.filter((_, place) => place % columns === column)
    // Down from the top, none on the one above; then up from the bottom, none beyond it.
    let lowest = top - height / 2
    const down = mine.map(({ y, at }) => {
      lowest = Math.max(y, lowest + height)
      return { y: lowest, at }
    })
    let highest = bottom + height / 2
    for (const { y, at } of down.reverse()) {
      highest = Math.min(y, highest - height)
      placed[at] = { y: highest, column }
    }
  }
  return placed
}
