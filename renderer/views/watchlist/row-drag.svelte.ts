/** The pointer scrolls the list within `edgePx` of its edge, at most this many pixels per frame; CSS pixels. */
const edgePx = 36
const maxPxPerFrame = 14
/** A press becomes a drag once the pointer has moved this far; CSS pixels. */
const startPx = 4

/** Where dragged rows would be dropped: before line `gap`, whose top is at `topPx` of the table, or in another list. */
export type DropTarget = { gap: number; topPx: number; listId?: never } | { listId: string; gap?: never }

/** The table, as a drag uses it. */
export interface DragSpace {
  scroller: HTMLElement
  /** Height of the header, which stays above the rows; CSS pixels. */
  headerHeight: () => number
  /** The place under the pointer. Undefined if dropping there changes nothing. */
  targetAt: (x: number, y: number) => DropTarget | undefined
  ondropped: (target: DropTarget, isCopy: boolean) => void
}

/** The drag of rows. They move only when they are dropped. */
export class RowDrag {
  /** The dragged indices, or a section. */
  ids = $state.raw<readonly string[]>([])
  target = $state.raw<DropTarget>()
  /** Ctrl is held: dropping in another list adds the rows there. */
  isCopy = $state(false)
  /** The place of the pointer in the window; CSS pixels. */
  x = $state(0)
  y = $state(0)

  /** Follows the pressed pointer until it is released. Escape, or the window losing the focus, cancels the drag. */
  start(ids: readonly string[], pressed: PointerEvent, space: DragSpace): void {
    if (this.ids.length > 0 || pressed.button !== 0) return
    const listening = new AbortController()
    const options = { signal: listening.signal, capture: true }
    let frame = 0
    const follow = () => {
      scrollAtEdge(this.x, this.y, space)
      this.target = space.targetAt(this.x, this.y)
      frame = requestAnimationFrame(follow)
    }
    const see = ({ clientX, clientY, ctrlKey, metaKey }: PointerEvent) => {
      this.x = clientX
      this.y = clientY
      this.isCopy = ctrlKey || metaKey
    }
    const end = () => {
      cancelAnimationFrame(frame)
      listening.abort()
      this.ids = []
      this.target = undefined
    }
    const move = (event: PointerEvent) => {
      see(event)
      const isFar = Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) >= startPx
      if (this.ids.length > 0 || !isFar) return
      this.ids = ids
      follow()
    }
    const drop = (event: PointerEvent) => {
      see(event)
      const target = this.ids.length > 0 ? space.targetAt(this.x, this.y) : undefined
      end()
      if (target !== undefined) space.ondropped(target, this.isCopy)
    }
    window.addEventListener('pointermove', move, options)
    window.addEventListener('pointerup', drop, options)
    window.addEventListener('pointercancel', end, options)
    // Not captured, because elements that lose the focus must not cancel the drag.
    window.addEventListener('blur', end, { signal: listening.signal })
    const followKeys = (event: KeyboardEvent) => {
      if (event.key === 'Control' || event.key === 'Meta') this.isCopy = event.type === 'keydown'
      if (event.key !== 'Escape' || this.ids.length === 0) return
      event.preventDefault()
      event.stopPropagation()
      end()
    }
    window.addEventListener('keydown', followKeys, options)
    window.addEventListener('keyup', followKeys, options)
  }
}

function scrollAtEdge(x: number, y: number, { scroller, headerHeight }: DragSpace): void {
  const { top, bottom, left, right } = scroller.getBoundingClientRect()
  if (x < left || x > right) return
  const above = Math.max(0, top + headerHeight() + edgePx - y)
  const below = Math.max(0, y - (bottom - edgePx))
  const by = ((below - above) / edgePx) * maxPxPerFrame
  if (by !== 0) scroller.scrollTop += Math.max(-maxPxPerFrame, Math.min(maxPxPerFrame, by))
}
