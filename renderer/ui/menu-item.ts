import type List from '@lucide/svelte/icons/list'

interface EntryOfAnyKind {
  name: string
  /** The keys that do the same. */
  keys?: string
  /** Why it will not do what it says, in a few words. */
  note?: string
  run: () => void
}

/** An entry of a menu: an action, or what is on or off and shows a tick while it is on. */
export type MenuItem = EntryOfAnyKind &
  ({ Icon: typeof List; isChecked?: never } | { Icon?: never; isChecked: boolean })

/** What a menu opens beside: an element, or a point in CSS pixels of the window. */
type MenuAnchor = HTMLElement | { x: number; y: number }

/** A menu to be opened: what it is called for assistive technology, and its entries; empty groups are left out. */
export interface OpenedMenu {
  name: string
  anchor: MenuAnchor
  groups: readonly (readonly MenuItem[])[]
}

/** For `oncontextmenu`: keeps the system's menu away and calls `open`, once the button of the pointer is up. */
export function openByContextMenu(event: MouseEvent, open: () => void): void {
  event.preventDefault()
  // Where pressing asks for the menu, and not releasing, the release would count as a click beside it.
  if (event.buttons === 0) open()
  else window.addEventListener('pointerup', () => setTimeout(open), { once: true })
}
