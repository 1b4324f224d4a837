import type List from '@lucide/svelte/icons/list'

/** An entry of a menu. */
export interface MenuItem {
  name: string
  Icon: typeof List
  /** The keys that do the same. */
  keys?: string
  /** Why it will not do what it says, in a few words. */
  note?: string
  run: () => void
}
