import type { MessageBoxOptions } from 'electron'
import type { Unsaved } from '../../protocol/unsaved'
import { withTimeout, type Clock } from '../base/clock'
import { unsavedWords, type UnsavedChanges } from '../features/unsaved'

/** Electron's `dialog`, as far as it is used. */
export interface MessageBoxes {
  showMessageBox(options: MessageBoxOptions): Promise<{ response: number }>
}

interface Options {
  clock: Clock
  unsaved: Pick<UnsavedChanges, 'view' | 'events'>
  /** Tries to save all unsaved changes. */
  save: () => Promise<unknown>
  dialog: MessageBoxes
}

/** Longer than the time after which the settings call a disk slow. */
const saveTimeoutMs = 3_000

/** Returns true if everything is saved or the user accepts the loss. The question closes when everything is saved. */
export async function mayQuit({ clock, unsaved, save, dialog }: Options): Promise<boolean> {
  await withTimeout(Promise.allSettled([save()]), { clock, timeoutMs: saveTimeoutMs }, () => undefined)
  const { view } = unsaved
  if (view === null) return true
  const saved = new AbortController()
  const stop = unsaved.events.on('changed', (changed: Unsaved | null) => {
    if (changed === null) saved.abort()
  })
  // Without a parent: the window may be hidden.
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    title: 'Not saved',
    message: unsavedWords(view),
    detail: 'Unsaved changes are lost when Indexwatch quits. Indexwatch quits automatically once everything is saved.',
    buttons: ['Stay', 'Quit anyway'],
    defaultId: 0,
    cancelId: 0,
    signal: saved.signal,
  })
  stop()
  return response === 1 || saved.signal.aborted
}
