import type { DesktopApi } from '../protocol/commands/contract'

declare global {
  interface Window {
    /** Put there by the preload script; absent in an ordinary browser. */
    readonly indexwatch?: DesktopApi
  }
}
