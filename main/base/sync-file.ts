/** What must hold after a power cut. */
import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Writes what the system still holds of a file to the disk. */
export function syncFile(path: string): void {
  // Windows asks for a file that could be written to.
  sync(path, 'r+')
}

/** So that a new name in a folder holds. Not every file system can, and Windows cannot at all; the name is there all the same. */
export function syncFolder(path: string): void {
  try {
    sync(path, 'r')
  } catch {
    // See above.
  }
}

function sync(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags)
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
