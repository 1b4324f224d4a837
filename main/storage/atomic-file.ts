import { copyFile, link, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Outcome } from '../../protocol/model'
import type { Clock } from '../base/clock'
import type { JsonFile, JsonRead } from '../base/json-file'
import { parseJson } from '../base/sanitize'
import { WriteQueue, errorCode, placeForDamage, readSmallFile, replaceFile, saveProblem, temporaryPath } from './disk'

/** Of files being written when their writer was killed: ours, and electron-store's. */
const temporaryEnding = /^\.(?:[0-9a-f]{12}\.tmp|tmp-\d{10}[0-9a-f]{6})$/

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
      await replaceFile(this.#path, text, {
        beforehand: async () => {
          if (this.#keepsBackup && this.#isGood) await keepCopy(this.#path, backupPath(this.#path))
        },
      })
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
    try {
      const place = await placeForDamage(this.#path, this.#clock.wallMs())
      await rename(this.#path, place)
      return place
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
    // No folder yet, or one that is not ours to tidy: reading goes on, writing will show it.
  }
}

/** `unreadable` has something in its place that is no good JSON file: damaged, too large, or no file at all. */
type JsonContent = { kind: 'ok'; value: unknown } | { kind: 'absent' } | { kind: 'unreadable' }

/**
 * Reads a JSON object or array. Anything but a regular file of at most `maxBytes` is left untouched and unread: opening a
 * pipe would wait for its writer for ever.
 */
async function readJson(path: string, maxBytes: number): Promise<JsonContent> {
  try {
    const bytes = await readSmallFile(path, maxBytes)
    if (bytes === undefined) return { kind: 'unreadable' }
    const value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null ? { kind: 'ok', value } : { kind: 'unreadable' }
  } catch (error) {
    return { kind: errorCode(error) === 'ENOENT' ? 'absent' : 'unreadable' }
  }
}
