/** Files of the profile. Each is checked before it is opened, and only their owner may read them. */
import { chmodSync, readFileSync, statSync, type Stats } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'

/** A pipe, folder or device has the file's name. Opening a pipe could wait for ever. */
export class SpecialFile extends Error {
  constructor(path: string, found: Stats) {
    super(`${basename(path)} is ${kindOf(found)}, not a file. Move it away.`)
  }
}

/** The file's status. Undefined if there is no file. Throws `SpecialFile` or the system's error. */
export function statFile(path: string, look: typeof statSync = statSync): Stats | undefined {
  const found = look(path, { throwIfNoEntry: false })
  if (found !== undefined && !found.isFile()) throw new SpecialFile(path, found)
  return found
}

/** The text of a file. Throws `SpecialFile` or the system's error. */
export function readOwnFile(path: string): string {
  statFile(path)
  return readFileSync(path, 'utf8')
}

/**
 * An unused path in the same folder, `NAME.WHY-YYYYMMDD-HHMMSS.json` (UTC), for a file that is set aside. Throws the
 * system's error.
 */
export async function placeAside(path: string, why: 'corrupt' | 'damaged', nowMs: number): Promise<string> {
  const stamp = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  const ending = extname(path)
  const stem = `${basename(path, ending)}.${why}-${stamp}`
  const taken = new Set(await readdir(dirname(path)))
  let name = `${stem}${ending}`
  for (let count = 2; taken.has(name); count++) name = `${stem}-${count}${ending}`
  return join(dirname(path), name)
}

/** The system's code of a file error, such as `ENOSPC`. Empty for any other error. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/**
 * Removes access of other users to a file or folder. Does nothing on a file system without modes, or if somebody else
 * owns the file.
 */
export function makePrivate(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (process.platform === 'win32' || found === undefined || (found.mode & 0o077) === 0) return
  try {
    chmodSync(path, found.mode & 0o700)
  } catch {
    // The file system has no modes, or the file belongs to another user.
  }
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder'
  if (found.isFIFO()) return 'a pipe'
  if (found.isSymbolicLink()) return 'a link'
  return found.isSocket() ? 'a socket' : 'a device'
}
