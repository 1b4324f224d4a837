/** The pointer scrolls the list within `edgePx` of its edge, at most this many pixels per frame; CSS pixels. */
const edgePx = 36
const maxPxPerFrame = 14
/** A press becomes a drag once the pointer has moved this far; CSS pixels. */
const startPx = 4
/** Rows leave the window once the pointer is this far outside. A careless drag to its edge stays inside; CSS pixels. */
const leavePx = 16

/**
 * Where dragged rows would be dropped: before line `gap`, whose top is at `topPx` of the table, in another list, or at a
 * point of the screen outside the window.
 */
export type DropTarget =
  | { gap: number; topPx: number; listId?: never; outside?: never }
  | { listId: string; gap?: never; outside?: never }
  | { outside: { x: number; y: number }; gap?: never; listId?: never }

/** The table, as a drag uses it. */
export interface DragSpace {
  scroller: HTMLElement
  /** Height of the header, which stays above the rows; CSS pixels. */
  headerHeight: () => number
  /** The place under the pointer. Undefined if dropping there changes nothing. */
  targetAt: (x: number, y: number) => DropTarget | undefined
  /** True if the dragged rows can be dropped outside the window. */
  mayLeave: boolean
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
    let outside: { x: number; y: number } | undefined
    const targetHere = () => (outside === undefined ? space.targetAt(this.x, this.y) : { outside })
    const follow = () => {
      scrollAtEdge(this.x, this.y, space)
      this.target = targetHere()
      frame = requestAnimationFrame(follow)
    }
    const see = ({ clientX, clientY, screenX, screenY, ctrlKey, metaKey }: PointerEvent) => {
      this.x = clientX
      this.y = clientY
      const beyondPx = Math.max(-clientX, -clientY, clientX - window.innerWidth, clientY - window.innerHeight)
      outside = space.mayLeave && beyondPx >= leavePx ? { x: Math.round(screenX), y: Math.round(screenY) } : undefined
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
      const target = this.ids.length > 0 ? targetHere() : undefined
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
