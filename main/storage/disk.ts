/** Disk access for this folder: atomic writes, limited reads, and messages for failures. */
import { randomBytes } from 'node:crypto'
import { accessSync, constants, lstatSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { done, type Outcome, type Problem } from '../../core/model'
import { errorCode, makePrivate } from '../base/own-file'

/** A text, or pieces written as they arrive. */
export type FileContent = string | Iterable<string> | AsyncIterable<string | Uint8Array>

/** Ending of temporary names. */
export const temporaryEnding = /\.[0-9a-f]{12}\.tmp$/

/** A temporary name beside `path`. */
export function temporaryPath(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`
}

/** A rename is durable only when the folder is synced. Windows cannot open a folder and does not need it. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * Replaces the file at `path`. On error it throws the system's error and leaves the file unchanged. The content is
 * written to `temporary`, synced, its size checked, and renamed. By default only the owner can read the file.
 */
export async function replaceFile(
  path: string,
  data: FileContent,
  { mode = 0o600, temporary = temporaryPath(path) }: { mode?: number; temporary?: string } = {},
): Promise<void> {
  const handle = await open(temporary, 'wx', mode)
  try {
    try {
      let bytes = 0
      for await (const piece of typeof data === 'string' ? [data] : data) {
        await handle.appendFile(piece)
        bytes += Buffer.byteLength(piece)
      }
      await handle.sync()
      const { size } = await handle.stat()
      if (size !== bytes) throw new Error(`${size} of ${bytes} bytes were written`)
    } finally {
      await handle.close()
    }
    await rename(temporary, path)
    await syncFolder(dirname(path))
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Replaces the file at `path`, in a folder that is created if missing. On failure the file is unchanged. */
export async function writeFileAtomically(path: string, data: string): Promise<Outcome<null>> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await replaceFile(path, data)
    return done
  } catch (error) {
    return { ok: false, problem: saveProblem(error) }
  }
}

/** In a shared folder with this bit, only a file's owner may remove the file. */
const stickyBit = 0o1000

/**
 * Creates the folder if missing, makes it private, and returns whether files can be created in it. Call it before the
 * single-instance lock, which in a read-only folder fails as if another instance were running.
 */
export function isWritableFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
    // A folder such as /tmp is shared by all users.
    if ((statSync(folder).mode & stickyBit) === 0) makePrivate(folder)
    return true
  } catch {
    return false
  }
}

/** Folders in which Chromium stores databases, files, buckets and service workers of a page. */
const pageStores = ['IndexedDB', 'File System', 'WebStorage', 'Service Worker']

/**
 * Keeps the page from filling the disk. Electron sets no limit, so an empty file replaces each folder of a store that
 * the page does not use. Chromium limits session and local storage itself. Call before the first page. Throws the
 * system's error.
 */
export function denyPageStores(profileFolder: string): void {
  for (const name of pageStores) {
    const path = join(profileFolder, name)
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === true) continue
    rmSync(path, { recursive: true, force: true })
    writeFileSync(path, '', { mode: 0o600 })
  }
}

/** The bytes of a regular file of at most `maxBytes`. Undefined for any other. Throws the system's error. */
export async function readSmallFile(path: string, maxBytes: number): Promise<Buffer | undefined> {
  const found = await lstat(path)
  return found.isFile() && found.size <= maxBytes ? readBytes(path) : undefined
}

async function readBytes(path: string): Promise<Buffer> {
  // Does not block if a pipe has replaced the file since the check. Windows has no such flag and no such pipes.
  const handle = await open(path, constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0))
  try {
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

type DiskFault = 'diskFull' | 'readOnly' | 'noPermission' | 'notSaved'

const faults: Partial<Record<string, DiskFault>> = {
  ENOSPC: 'diskFull',
  EDQUOT: 'diskFull',
  EROFS: 'readOnly',
  EACCES: 'noPermission',
  EPERM: 'noPermission',
}

/** The problem of a failed write, with the caller's message for each fault. `notSaved` receives the system's reason. */
export function problemOfDisk(error: unknown, words: Record<DiskFault, (reason: string) => string>): Problem {
  const code = faults[errorCode(error)] ?? 'notSaved'
  return { code, message: words[code](error instanceof Error ? error.message : String(error)) }
}

/** The message for a file of the app that could not be saved. */
export function saveProblem(error: unknown): Problem {
  return problemOfDisk(error, {
    diskFull: () => 'Disk full: changes not saved. Free some space, and they will be saved automatically.',
    readOnly: () =>
      'The disk is read-only: changes not saved. Make it writable, and they will be saved automatically. Or start with another data folder.',
    noPermission: () =>
      'No permission to write to the data folder: changes not saved. Check its permissions, and they will be saved automatically.',
    notSaved: (reason) => `Changes not saved: ${reason}. Saving will be retried.`,
  })
}

/**
 * Runs one write at a time. Of the writes requested during another one only the last is done, and all of them get its
 * outcome.
 */
export class WriteQueue {
  readonly #save: (text: string) => Promise<Outcome<null>>
  #nextText = ''
  #next: Promise<Outcome<null>> | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** `save` must not reject. */
  constructor(save: (text: string) => Promise<Outcome<null>>) {
    this.#save = save
  }

  write(text: string): Promise<Outcome<null>> {
    this.#nextText = text
    if (this.#next === undefined) {
      this.#next = this.#last.then(() => {
        this.#next = undefined
        return this.#save(this.#nextText)
      })
      this.#last = this.#next
    }
    return this.#next
  }
}
