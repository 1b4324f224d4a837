import type { Preferences } from '../../core/preferences'

/** The part of Electron's `globalShortcut` that is used. */
export interface GlobalShortcuts {
  register(accelerator: string, callback: () => void): boolean
  unregister(accelerator: string): void
}

/** The system-wide shortcut that shows or hides the window. */
export class ShowShortcut {
  readonly #shortcuts: GlobalShortcuts
  readonly #actions: { run: () => void; onTaken: (keys: string) => void }
  #wanted: Preferences['showShortcut'] = 'off'
  #isRegistered = false

  /** `onTaken` is called if another program has these keys, or the desktop does not allow shortcuts. */
  constructor(shortcuts: GlobalShortcuts, actions: { run: () => void; onTaken: (keys: string) => void }) {
    this.#shortcuts = shortcuts
    this.#actions = actions
  }

  follow({ showShortcut }: Pick<Preferences, 'showShortcut'>): void {
    if (showShortcut === this.#wanted) return
    this.dispose()
    this.#wanted = showShortcut
    if (showShortcut === 'off') return
    this.#isRegistered = this.#shortcuts.register(showShortcut, this.#actions.run)
    if (!this.#isRegistered) this.#actions.onTaken(showShortcut)
  }

  dispose(): void {
    if (this.#isRegistered) this.#shortcuts.unregister(this.#wanted)
    this.#isRegistered = false
    this.#wanted = 'off'
  }
}
