import { copyFile, link, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { done, ok, failure, type Failure, type Outcome } from '../../core/model'
import type { Clock } from '../base/clock'
import type { JsonFile, JsonRead } from '../base/json-file'
import { errorCode, lookAtFile, placeAside } from '../base/own-file'
import { parseJson } from '../base/sanitize'
import { WriteQueue, readSmallFile, replaceFile, saveProblem, temporaryPath } from './disk'

/** Of files being written when their writer was killed: ours, and electron-store's. */
const temporaryEnding = /^\.(?:[0-9a-f]{12}\.tmp|tmp-\d{10}[0-9a-f]{6})$/

/** A disk that is busy, or a limit that others have used up, may be over a moment later. */
const readAgainAfterMs = [100, 400, 1_500]

/** Makes `backup` hold what `path` holds. It is whole at every moment: a link, where links are possible. */
async function keepCopy(path: string, backup: string): Promise<void> {
  const temporary = temporaryPath(backup)
  lookAtFile(path)
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

/** Makes `backup` hold what was just written. Nothing waits for the disk: a disk without room for two keeps the older copy. */
async function copyAfterwards(text: string, backup: string): Promise<void> {
  const temporary = temporaryPath(backup)
  try {
    await writeFile(temporary, text, { mode: 0o600 })
    await rename(temporary, backup)
  } catch {
    await rm(temporary, { force: true })
  }
}

interface Options {
  path: string
  clock: Clock
  maxBytes: number
  accepts?: (value: unknown) => boolean
  /** False for what must be gone once it is overwritten. */
  keepsBackup?: boolean
  /** The copy is of the present version, not of the one before, and is written for people to read. */
  copiesPresent?: boolean
}

/**
 * A JSON file that survives a full disk, a crash at any moment and damage from outside. Beside it lies `.bak`, the
 * version before. A file that is no good JSON object or array, or that `accepts` refuses, is moved to
 * `NAME.corrupt-YYYYMMDD-HHMMSS.json` (UTC) and the copy answers. A file that the system does not give is tried again for
 * two seconds, then left alone: nothing is written over it. To be read before it is written.
 */
export class AtomicJsonFile implements JsonFile {
  readonly name: string
  readonly #options: Options
  readonly #keepsBackup: boolean
  readonly #queue = new WriteQueue((text) => this.#save(text))
  #isGood = false
  #refusal: Failure | undefined

  constructor(options: Options) {
    this.name = basename(options.path)
    this.#options = options
    this.#keepsBackup = options.keepsBackup ?? true
  }

  async read(): Promise<JsonRead> {
    await sweep(this.#options.path)
    let read = await this.#readOnce()
    for (const waitMs of readAgainAfterMs) {
      if (read.kind !== 'unreadable') break
      await new Promise<void>((resolve) => this.#options.clock.after(waitMs, resolve))
      read = await this.#readOnce()
    }
    this.#refusal = read.kind === 'unreadable' ? refusalOf(this.name) : undefined
    return read
  }

  write(value: unknown): Promise<Outcome<null>> {
    // What lies there could not be read.
    if (this.#refusal !== undefined) return Promise.resolve(this.#refusal)
    const { copiesPresent } = this.#options
    return this.#queue.write(
      copiesPresent === true ? JSON.stringify(value, undefined, 2) : `${JSON.stringify(value)}\n`,
    )
  }

  async #readOnce(): Promise<JsonRead> {
    const main = await this.#readAccepted(this.#options.path)
    this.#isGood = main.kind === 'ok'
    if (main.kind === 'ok' || main.kind === 'unreadable') return main
    const copy: JsonContent = this.#keepsBackup
      ? await this.#readAccepted(backupPath(this.#options.path))
      : { kind: 'absent' }
    if (copy.kind === 'unreadable') return copy
    // The copy alone is what a crash leaves after damage was set aside and before the next write.
    if (main.kind === 'absent') return copy.kind === 'ok' ? copy : { kind: 'absent' }
    const setAside = await this.#setAside()
    if (!setAside.ok) return { kind: 'unreadable', reason: setAside.problem.message }
    const setAsidePath = setAside.value
    return copy.kind === 'ok' ? { kind: 'restored', value: copy.value, setAsidePath } : { kind: 'lost', setAsidePath }
  }

  async #save(text: string): Promise<Outcome<null>> {
    const { path, copiesPresent = false } = this.#options
    const backup = backupPath(path)
    const copiesFormer = this.#keepsBackup && !copiesPresent && this.#isGood
    try {
      await replaceFile(path, text, copiesFormer ? { beforehand: () => keepCopy(path, backup) } : {})
    } catch (error) {
      return { ok: false, problem: saveProblem(error) }
    }
    this.#isGood = true
    if (copiesPresent) await copyAfterwards(text, backup)
    return done
  }

  async #readAccepted(path: string): Promise<JsonContent> {
    const content = await readJson(path, this.#options.maxBytes)
    const isRefused = content.kind === 'ok' && this.#options.accepts?.(content.value) === false
    return isRefused ? { kind: 'damaged' } : content
  }

  /** Where the damaged file went, or why it could not be moved. */
  async #setAside(): Promise<Outcome<string>> {
    try {
      const place = await placeAside(this.#options.path, 'corrupt', this.#options.clock.wallMs())
      await rename(this.#options.path, place)
      return ok(place)
    } catch (error) {
      return failure('unreadable', String(error))
    }
  }
}

function refusalOf(name: string): Failure {
  return failure(
    'unreadable',
    `${name} could not be read at the start, so it is not overwritten. Check the disk and start Indexwatch again.`,
  )
}

/** Where the last good copy of a file lies. */
function backupPath(path: string): string {
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

/**
 * `damaged` has something in its place that is no good JSON file: broken, too large, or no file at all. Of what is
 * `unreadable` the system says nothing but its error.
 */
type JsonContent =
  | { kind: 'ok'; value: unknown }
  | { kind: 'absent' }
  | { kind: 'damaged' }
  | { kind: 'unreadable'; reason: string }

/**
 * Reads a JSON object or array. Anything but a regular file of at most `maxBytes` is left untouched and unread: opening a
 * pipe would wait for its writer for ever.
 */
async function readJson(path: string, maxBytes: number): Promise<JsonContent> {
  try {
    const bytes = await readSmallFile(path, maxBytes)
    const value = bytes === undefined ? undefined : parseJson(decode(bytes))
    return typeof value === 'object' && value !== null ? { kind: 'ok', value } : { kind: 'damaged' }
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? { kind: 'absent' } : { kind: 'unreadable', reason: String(error) }
  }
}

/** UTF-8; empty, which is no JSON, where the bytes are not that. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return ''
  }
}
