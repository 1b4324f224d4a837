import type { Unsaved } from '../../protocol/unsaved'
import { within, type Clock } from '../base/clock'
import { unsavedWords, type UnsavedChanges } from '../features/unsaved'

interface Options {
  clock: Clock
  unsaved: Pick<UnsavedChanges, 'view' | 'events'>
  /** Tries to save all unsaved changes. */
  save: () => Promise<unknown>
  /** Asks the user whether to quit anyway. `signal` closes the question. */
  ask: (question: string, signal: AbortSignal) => Promise<boolean>
}

/** Longer than the time after which the settings call a disk slow. */
const saveTimeoutMs = 3_000

/** Returns true if everything is saved or the user accepts the loss. The question closes when everything is saved. */
export async function mayQuit({ clock, unsaved, save, ask }: Options): Promise<boolean> {
  await within(Promise.allSettled([save()]), { clock, timeoutMs: saveTimeoutMs }, () => undefined)
  const { view } = unsaved
  if (view === null) return true
  const saved = new AbortController()
  const stop = unsaved.events.on('changed', (changed: Unsaved | null) => {
    if (changed === null) saved.abort()
  })
  const isAccepted = await ask(unsavedWords(view), saved.signal)
  stop()
  return isAccepted || saved.signal.aborted
}
