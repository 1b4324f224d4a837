import type { IndexId } from '../../../core/model'
import { gapAt, placeForGap } from '../../ui/row-window'

/** How near the edge of the list the pointer scrolls it, and how fast at most, in CSS pixels and pixels a frame. */
const edgePx = 36
const maxPxPerFrame = 14

/** What a drag needs to know of the table. */
export interface DragSpace {
  scroller: HTMLElement
  /** Height of the header, which stays above the rows. */
  headerHeight: () => number
  rowHeight: () => number
  count: () => number
  /** Place of the dragged row, -1 once it is gone. */
  from: () => number
  ondropped: (place: number) => void
}

/** One row on its way to another place. Nothing moves until it is dropped; a line shows where it would go. */
export class RowDrag {
  /** The index that is being dragged. */
  id = $state<IndexId>()
  /** The gap before which row the dragged one would be dropped; absent where that changes nothing. */
  gap = $state<number>()

  /** Follows the pointer that was pressed until it is released. Escape, or a window that loses it, leaves all as it was. */
  start(id: IndexId, pressed: PointerEvent, space: DragSpace): void {
    if (this.id !== undefined || pressed.button !== 0) return
    this.id = id
    const listening = new AbortController()
    const options = { signal: listening.signal, capture: true }
    let y = pressed.clientY
    let frame = 0
    const follow = () => {
      scrollAtEdge(y, space)
      this.gap = gapUnder(y, space)
      frame = requestAnimationFrame(follow)
    }
    const end = (isDropped: boolean) => {
      cancelAnimationFrame(frame)
      listening.abort()
      const gap = isDropped ? gapUnder(y, space) : undefined
      this.id = this.gap = undefined
      if (gap !== undefined) space.ondropped(placeForGap(space.from(), gap))
    }
    const cancel = () => end(false)
    window.addEventListener('pointermove', (event) => (y = event.clientY), options)
    window.addEventListener(
      'pointerup',
      (event) => {
        y = event.clientY
        end(true)
      },
      options,
    )
    window.addEventListener('pointercancel', cancel, options)
    // Not captured: an element that loses the focus is no window that does.
    window.addEventListener('blur', cancel, { signal: listening.signal })
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        end(false)
      },
      options,
    )
    follow()
  }
}

function gapUnder(y: number, space: DragSpace): number | undefined {
  const { scroller } = space
  const top = scroller.getBoundingClientRect().top + space.headerHeight()
  const from = space.from()
  const gap = gapAt(y - top + scroller.scrollTop, space.count(), space.rowHeight())
  return from === -1 || placeForGap(from, gap) === from ? undefined : gap
}

function scrollAtEdge(y: number, { scroller, headerHeight }: DragSpace): void {
  const { top, bottom } = scroller.getBoundingClientRect()
  const above = Math.max(0, top + headerHeight() + edgePx - y)
  const below = Math.max(0, y - (bottom - edgePx))
  const by = ((below - above) / edgePx) * maxPxPerFrame
  if (by !== 0) scroller.scrollTop += Math.max(-maxPxPerFrame, Math.min(maxPxPerFrame, by))
}
