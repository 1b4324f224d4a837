import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'

const shadedForMs = 400
const running = new WeakMap<Element, Animation>()

/**
 * Shades a cell's background (its `::after`) for a moment, again from the start when it is shaded already. Opacity
 * alone changes, so nothing is laid out. With reduced motion the shade stands still for the same moment.
 */
function shade(cell: Element): void {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  running.get(cell)?.cancel()
  const frames = isStill ? [{ opacity: 0.6 }, { opacity: 0.6 }] : [{ opacity: 1 }, { opacity: 0 }]
  running.set(cell, cell.animate(frames, { duration: shadedForMs, easing: 'ease-in', pseudoElement: '::after' }))
}

/** Shades an element of class `ticking` whenever `value` has changed. The first value of all is no change. */
export function shadeChanges(value: () => string | undefined): Attachment {
  let shown = untrack(value)
  return (element) => {
    const next = value()
    if (next === shown) return
    if (shown !== undefined && next !== undefined) shade(element)
    shown = next
  }
}
