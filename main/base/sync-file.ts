/** Keeps files safe across a power cut. */
import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Flushes a file to the disk. */
export function syncFile(path: string): void {
  // Windows needs write access for this.
  sync(path, 'r+')
}

/**
 * Flushes a folder, so that a new name in it survives. Does nothing where this is not supported, such as on Windows.
 */
export function syncFolder(path: string): void {
  try {
    sync(path, 'r')
  } catch {
    // This system cannot flush a folder.
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
