import { randomBytes } from 'node:crypto'
import { copyFile, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Outcome } from '../../protocol/model'
import type { Clock } from '../base/clock'
import type { JsonFile, JsonRead } from '../base/json-file'
import { readJson } from './read-json'
import type { JsonContent } from './read-json'
import { errorCode, saveProblem } from './save-problem'
import { WriteQueue } from './write-queue'

/** Of files being written when their writer was killed: ours, and electron-store's. */
const temporaryEnding = /^\.(?:[0-9a-f]{12}\.tmp|tmp-\d{10}[0-9a-f]{6})$/

function temporaryPath(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`
}

/**
 * Writes `data` beside `path`, readable by its owner alone unless `mode` says otherwise, onto the disk and checked to be whole. Answers where; the
 * file at `path` is untouched. Throws the system's error and leaves nothing behind.
 */
export async function prepareFile(path: string, data: string, mode = 0o600): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = temporaryPath(path)
  const handle = await open(temporary, 'wx', mode)
  try {
    await handle.writeFile(data)
    await handle.sync()
    const { size } = await handle.stat()
    if (size !== Buffer.byteLength(data)) throw new Error(`${size} of ${Buffer.byteLength(data)} bytes were written`)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  return temporary
}

/** Puts a prepared file in the place of `path`, lastingly. Throws the system's error. */
export async function putInPlace(temporary: string, path: string): Promise<void> {
  await rename(temporary, path)
  // A rename is on the disk when its folder is. Windows cannot open a folder and needs no such thing.
  if (process.platform === 'win32') return
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Replaces the file at `path` by `data`, or leaves it as it is and says why. */
export async function writeFileAtomically(path: string, data: string): Promise<Outcome<null>> {
  try {
    const temporary = await prepareFile(path, data)
    try {
      await putInPlace(temporary, path)
    } finally {
      await rm(temporary, { force: true })
    }
    return { ok: true, value: null }
  } catch (error) {
    return { ok: false, problem: saveProblem(error) }
  }
}

/** Makes `backup` hold what `path` holds. It is whole at every moment: a link, where links are possible. */
async function keepCopy(path: string, backup: string): Promise<void> {
  const temporary = temporaryPath(backup)
  try {
    await link(path, temporary)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    await copyFile(path, temporary)
  }
  try {
    await rename(temporary, backup)
  } finally {
    // Renaming one link of a file onto another leaves both.
    await rm(temporary, { force: true })
  }
}

/**
 * A JSON file that survives a full disk, a crash at any moment and damage from outside. Beside it lies `.bak`, the
 * version before. A file that is no good JSON object or array, or that `accepts` refuses, is moved to
 * `NAME.corrupt-YYYYMMDD-HHMMSS.json` (UTC) and the copy answers. To be read before it is written.
 */
export class AtomicJsonFile implements JsonFile {
  readonly name: string
  readonly #path: string
  readonly #clock: Clock
  readonly #maxBytes: number
  readonly #accepts: (value: unknown) => boolean
  readonly #keepsBackup: boolean
  readonly #queue = new WriteQueue((text) => this.#save(text))
  #isGood = false

  constructor(options: {
    path: string
    clock: Clock
    maxBytes: number
    accepts?: (value: unknown) => boolean
    /** False for what must be gone once it is overwritten. */
    keepsBackup?: boolean
  }) {
    this.name = basename(options.path)
    this.#path = options.path
    this.#clock = options.clock
    this.#maxBytes = options.maxBytes
    this.#accepts = options.accepts ?? (() => true)
    this.#keepsBackup = options.keepsBackup ?? true
  }

  async read(): Promise<JsonRead> {
    await sweep(this.#path)
    const main = await this.#readAccepted(this.#path)
    this.#isGood = main.kind === 'ok'
    if (main.kind === 'ok') return main
    const copy: JsonContent = this.#keepsBackup ? await this.#readAccepted(backupPath(this.#path)) : { kind: 'absent' }
    // The copy alone is what a crash leaves after damage was set aside and before the next write.
    if (main.kind === 'absent') return copy.kind === 'ok' ? copy : { kind: 'absent' }
    const setAsidePath = await this.#setAside()
    return copy.kind === 'ok' ? { kind: 'restored', value: copy.value, setAsidePath } : { kind: 'lost', setAsidePath }
  }

  write(value: unknown): Promise<Outcome<null>> {
    return this.#queue.write(`${JSON.stringify(value)}\n`)
  }

  async #save(text: string): Promise<Outcome<null>> {
    try {
      const temporary = await prepareFile(this.#path, text)
      try {
        if (this.#keepsBackup && this.#isGood) await keepCopy(this.#path, backupPath(this.#path))
        await putInPlace(temporary, this.#path)
      } finally {
        await rm(temporary, { force: true })
      }
      this.#isGood = true
      return { ok: true, value: null }
    } catch (error) {
      return { ok: false, problem: saveProblem(error) }
    }
  }

  async #readAccepted(path: string): Promise<JsonContent> {
    const content = await readJson(path, this.#maxBytes)
    return content.kind === 'ok' && !this.#accepts(content.value) ? { kind: 'unreadable' } : content
  }

  /** Where the damaged file went; its own path when it could not be moved. */
  async #setAside(): Promise<string> {
    const moment = new Date(this.#clock.wallMs()).toISOString()
    const stamp = moment.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
    const folder = dirname(this.#path)
    const stem = `${basename(this.#path, '.json')}.corrupt-${stamp}`
    try {
      const taken = new Set(await readdir(folder))
      let name = `${stem}.json`
      for (let count = 2; taken.has(name); count++) name = `${stem}-${count}.json`
      await rename(this.#path, join(folder, name))
      return join(folder, name)
    } catch {
      return this.#path
    }
  }
}

/** Where the last good copy of a file lies. */
export function backupPath(path: string): string {
  return `${path}.bak`
}

/** Removes what writers of this file left behind when they were killed. */
async function sweep(path: string): Promise<void> {
  const name = basename(path)
  const own = [name, basename(backupPath(path))]
  try {
    for (const other of await readdir(dirname(path))) {
      const isLeftover = own.some((start) => other.startsWith(start) && temporaryEnding.test(other.slice(start.length)))
      if (isLeftover) await rm(join(dirname(path), other), { force: true })
    }
  } catch {
    // No folder yet, or one that is not ours to tidy: reading goes on, writing will tell.
  }
}
