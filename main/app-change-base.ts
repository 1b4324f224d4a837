import type { SettingsStore } from './storage/settings'

/** Tells each time that changes are counted from something else, from now on. */
export function followChangeBase(settings: SettingsStore, onChange: () => void): void {
  let base = settings.get().changeBase
  settings.events.on('changed', ({ changeBase }) => {
    if (changeBase === base) return
    base = changeBase
    onChange()
  })
}
