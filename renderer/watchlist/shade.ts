const shadedForMs = 400
const running = new WeakMap<Element, Animation>()

/**
 * Shades a cell's background (its `::after`) for a moment, again from the start when it is shaded already. Opacity
 * alone changes, so nothing is laid out. With reduced motion the shade stands still for the same moment.
 */
export function shade(cell: Element): void {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  running.get(cell)?.cancel()
  const frames = isStill ? [{ opacity: 0.6 }, { opacity: 0.6 }] : [{ opacity: 1 }, { opacity: 0 }]
  running.set(cell, cell.animate(frames, { duration: shadedForMs, easing: 'ease-in', pseudoElement: '::after' }))
}
