import type { Preferences } from '../../core/preferences'

/** What is used of Electron's `globalShortcut`. */
export interface GlobalShortcuts {
  register(accelerator: string, callback: () => void): boolean
  unregister(accelerator: string): void
}

/** The keys that show or hide the window from anywhere, as the user wants them. */
export class ShowShortcut {
  readonly #shortcuts: GlobalShortcuts
  readonly #run: () => void
  readonly #onTaken: (keys: string) => void
  #wanted: Preferences['showShortcut'] = 'off'
  #isRegistered = false

  /** `onTaken`: another program has these keys, or the desktop gives none away. */
  constructor(shortcuts: GlobalShortcuts, { run, onTaken }: { run: () => void; onTaken: (keys: string) => void }) {
    this.#shortcuts = shortcuts
    this.#run = run
    this.#onTaken = onTaken
  }

  follow({ showShortcut }: Pick<Preferences, 'showShortcut'>): void {
    if (showShortcut === this.#wanted) return
    this.dispose()
    this.#wanted = showShortcut
    if (showShortcut === 'off') return
    this.#isRegistered = this.#shortcuts.register(showShortcut, this.#run)
    if (!this.#isRegistered) this.#onTaken(showShortcut)
  }

  dispose(): void {
    if (this.#isRegistered) this.#shortcuts.unregister(this.#wanted)
    this.#isRegistered = false
    this.#wanted = 'off'
  }
}
