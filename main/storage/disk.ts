/** The disk as the files of this folder need it: whole writes, limited reads, and why either failed. */
import { randomBytes } from 'node:crypto'
import { accessSync, constants, lstatSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { done, type Outcome, type Problem } from '../../core/model'
import { errorCode, makePrivate } from '../base/own-file'

/** What is written: a text, or in pieces as they come. */
export type FileContent = string | Iterable<string> | AsyncIterable<string | Uint8Array>

/** How such a name ends. */
export const temporaryEnding = /\.[0-9a-f]{12}\.tmp$/

/** A name beside `path` for what is being written. */
export function temporaryPath(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`
}

/** Puts a prepared file in the place of `path`, lastingly. Throws the system's error. */
export async function putInPlace(temporary: string, path: string): Promise<void> {
  await rename(temporary, path)
  await syncFolder(dirname(path))
}

/** A new name is on the disk when its folder is. Windows cannot open a folder and needs no such thing. */
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
 * Replaces the file at `path` by `data`, or throws the system's error and leaves it as it is. The new content is written to
 * `temporary`, beside `path`, readable by its owner alone unless `mode` says otherwise, onto the disk and checked to be whole;
 * then `beforehand` runs.
 */
export async function replaceFile(
  path: string,
  data: FileContent,
  {
    mode = 0o600,
    beforehand,
    temporary = temporaryPath(path),
  }: { mode?: number; beforehand?: () => Promise<void>; temporary?: string } = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
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
    await beforehand?.()
    await putInPlace(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Replaces the file at `path` by `data`, or leaves it as it is and says why. */
export async function writeFileAtomically(path: string, data: string): Promise<Outcome<null>> {
  try {
    await replaceFile(path, data)
    return done
  } catch (error) {
    return { ok: false, problem: saveProblem(error) }
  }
}

/** In a shared folder with this bit, only a file's owner may remove the file. */
const stickyBit = 0o1000

/**
 * Whether files can be made in `folder`, which is made when it is missing, and made its owner's alone. To be asked before the single-instance lock:
 * in a folder that is not writable the lock is refused as if another instance were running.
 */
export function isWritableFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
    // A folder such as /tmp is for everybody.
    if ((statSync(folder).mode & stickyBit) === 0) makePrivate(folder)
    return true
  } catch {
    return false
  }
}

/** Where Chromium keeps what a page stores in databases, files, buckets and by workers. */
const pageStores = ['IndexedDB', 'File System', 'WebStorage', 'Service Worker']

/**
 * Keeps the page from filling the disk: Electron lets every page store as much as fits, so an empty file takes the place of
 * each folder of a store that the page has no use for. What remains, session and local storage, Chromium bounds itself. To be
 * called before the first page. Throws the system's error.
 */
export function denyPageStores(profileFolder: string): void {
  for (const name of pageStores) {
    const path = join(profileFolder, name)
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === true) continue
    rmSync(path, { recursive: true, force: true })
    writeFileSync(path, '', { mode: 0o600 })
  }
}

/** The bytes of a regular file of at most `maxBytes`; `undefined` for any other. Throws the system's error. */
export async function readSmallFile(path: string, maxBytes: number): Promise<Buffer | undefined> {
  const found = await lstat(path)
  return found.isFile() && found.size <= maxBytes ? readBytes(path) : undefined
}

async function readBytes(path: string): Promise<Buffer> {
  // Without waiting, should a pipe have taken the file's place since it was looked at. Windows has neither.
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

/** Why a file could not be written, in the words for it; those of `notSaved` are given the system's own. */
export function problemOfDisk(error: unknown, words: Record<DiskFault, (reason: string) => string>): Problem {
  const code = faults[errorCode(error)] ?? 'notSaved'
  return { code, message: words[code](error instanceof Error ? error.message : String(error)) }
}

/** Says in plain words why a file of the app's could not be saved and what to do. */
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
 * One write at a time. Of what comes in while one is running only the last is written, and its outcome answers for all
 * of them.
 */
export class WriteQueue {
  readonly #save: (text: string) => Promise<Outcome<null>>
  #nextText = ''
  #next: Promise<Outcome<null>> | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** `save` answers its errors as values. */
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
