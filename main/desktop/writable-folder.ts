import { accessSync, constants, mkdirSync } from 'node:fs'

/**
 * Whether files can be made in `folder`, which is made when it is missing. To be asked before the single-instance lock:
 * in a folder that is not writable the lock is refused as if another instance were running.
 */
export function isWritableFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
