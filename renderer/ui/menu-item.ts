import type List from '@lucide/svelte/icons/list'

interface EntryOfAnyKind {
  name: string
  /** The shortcut that does the same. */
  keys?: string
  /** Why it has no effect now, in a few words. */
  note?: string
  /** Absent from an entry that opens `groups`. */
  run?: () => void
}

/** An entry of a menu: an action, a setting with a tick while it is on, or the title of another menu. */
export type MenuItem = EntryOfAnyKind &
  (
    | { Icon: typeof List; isChecked?: never; groups?: readonly (readonly MenuItem[])[] }
    | { Icon?: never; isChecked: boolean; groups?: never }
  )

/** The element beside which a menu opens, or a point in the window; CSS pixels. */
export type MenuAnchor = HTMLElement | { x: number; y: number }

/** A menu to be opened. `name` is for assistive technology. Empty groups are left out. */
export interface OpenedMenu {
  name: string
  anchor: MenuAnchor
  groups: readonly (readonly MenuItem[])[]
}

/**
 * For `oncontextmenu`. Prevents the system's menu, and calls `open` once the pointer's button is up. `at` is where the pointer
 * was. It is undefined if a key asked for the menu.
 */
export function openByContextMenu(event: MouseEvent, open: (at: { x: number; y: number } | undefined) => void): void {
  event.preventDefault()
  // On macOS, Ctrl+click asks for the menu with the first button.
  const isByPointer = event.button === 2 || event.ctrlKey
  const openThere = () => open(isByPointer ? { x: event.clientX, y: event.clientY } : undefined)
  // On some systems pressing asks for the menu. The release would then close it as a click beside it.
  if (event.buttons === 0) openThere()
  else window.addEventListener('pointerup', () => setTimeout(openThere), { once: true })
}
