import type { IndexId } from '../../../core/model'
import { gapAt, placeForGap } from '../../ui/row-window'

/** The pointer scrolls the list within `edgePx` of its edge, at most this many pixels per frame; CSS pixels. */
const edgePx = 36
const maxPxPerFrame = 14

/** The table, as a drag uses it. */
export interface DragSpace {
  scroller: HTMLElement
  /** Height of the header, which stays above the rows; CSS pixels. */
  headerHeight: () => number
  rowHeight: () => number
  count: () => number
  /** Number of the dragged row. -1 once it was removed. */
  from: () => number
  ondropped: (place: number) => void
}

/** The drag of a row. The row moves only when it is dropped. A line shows the new position. */
export class RowDrag {
  /** The dragged index. */
  id = $state<IndexId>()
  /** Number of the row before which the dragged one would be dropped. Undefined if that changes nothing. */
  gap = $state<number>()

  /** Follows the pressed pointer until it is released. Escape, or the window losing the focus, cancels the drag. */
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
    // Not captured, because elements that lose the focus must not cancel the drag.
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
