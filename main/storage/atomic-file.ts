import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { utf8Text } from '../../core/file-text'
import { ok, failure, type Failure, type Outcome } from '../../core/model'
import type { Clock } from '../base/clock'
import type { JsonFile, JsonRead } from '../base/json-file'
import { errorCode, placeAside } from '../base/own-file'
import { parseJson } from '../base/sanitize'
import { WriteQueue, readSmallFile, temporaryPath, writeFileAtomically } from './disk'

/** Names of files that a killed process was writing: ours and electron-store's. */
const temporaryEnding = /^\.(?:[0-9a-f]{12}\.tmp|tmp-\d{10}[0-9a-f]{6})$/

/** A busy disk, or a used-up limit of open files, may recover within this time. */
const readAgainAfterMs = [100, 400, 1_500]

/** Writes the copy, without syncing. If the disk has no room for both, the older copy stays. */
async function writeCopy(text: string, path: string): Promise<void> {
  const temporary = temporaryPath(path)
  try {
    await writeFile(temporary, text, { mode: 0o600 })
    await rename(temporary, path)
  } catch {
    await rm(temporary, { force: true })
  }
}

interface Options {
  path: string
  clock: Clock
  maxBytes: number
  accepts?: (value: unknown) => boolean
  /** Keeps a copy of the file, and formats both for people. Not for data that must be gone when it is overwritten. */
  keepsCopy?: boolean
}

/**
 * A JSON file that survives a full disk, a crash at any moment and damage from outside. `.bak` beside it is the
 * copy. A file that is not a JSON object or array, or that `accepts` refuses, is moved to
 * `NAME.corrupt-YYYYMMDD-HHMMSS.json` (UTC), and the copy is read. If the system fails to read the file, reading is
 * retried for two seconds. If it still fails, the file is never overwritten. Read before writing.
 */
export class AtomicJsonFile implements JsonFile {
  readonly name: string
  readonly #options: Options
  readonly #queue = new WriteQueue((text) => this.#save(text))
  #refusal: Failure | undefined

  constructor(options: Options) {
    this.name = basename(options.path)
    this.#options = options
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
    // The existing file could not be read, so it is kept.
    if (this.#refusal !== undefined) return Promise.resolve(this.#refusal)
    return this.#queue.write(JSON.stringify(value, undefined, this.#options.keepsCopy === true ? 2 : 0))
  }

  async #readOnce(): Promise<JsonRead> {
    const main = await this.#readAccepted(this.#options.path)
    if (main.kind === 'ok' || main.kind === 'unreadable') return main
    const copy: JsonContent = this.#options.keepsCopy
      ? await this.#readAccepted(copyPath(this.#options.path))
      : { kind: 'absent' }
    if (copy.kind === 'unreadable') return copy
    // A crash can leave only the copy: after a damaged file was set aside and before the next write.
    if (main.kind === 'absent') return copy.kind === 'ok' ? copy : { kind: 'absent' }
    const setAside = await this.#setAside()
    if (!setAside.ok) return { kind: 'unreadable', reason: setAside.problem.message }
    const setAsidePath = setAside.value
    return copy.kind === 'ok' ? { kind: 'restored', value: copy.value, setAsidePath } : { kind: 'lost', setAsidePath }
  }

  async #save(text: string): Promise<Outcome<null>> {
    const { path, keepsCopy } = this.#options
    const written = await writeFileAtomically(path, text)
    if (written.ok && keepsCopy) await writeCopy(text, copyPath(path))
    return written
  }

  async #readAccepted(path: string): Promise<JsonContent> {
    const content = await readJson(path, this.#options.maxBytes)
    const isRefused = content.kind === 'ok' && this.#options.accepts?.(content.value) === false
    return isRefused ? { kind: 'damaged' } : content
  }

  /** Returns the new path of the damaged file, or why it could not be moved. */
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

/** Path of the copy of a file. */
function copyPath(path: string): string {
  return `${path}.bak`
}

/** Removes temporary files of killed writers. */
async function sweep(path: string): Promise<void> {
  const name = basename(path)
  const own = [name, basename(copyPath(path))]
  try {
    for (const other of await readdir(dirname(path))) {
      const isLeftover = own.some((start) => other.startsWith(start) && temporaryEnding.test(other.slice(start.length)))
      if (isLeftover) await rm(join(dirname(path), other), { force: true })
    }
  } catch {
    // The folder does not exist yet or cannot be listed. Writing will report that.
  }
}

/** `damaged`: not a valid JSON file, too large, or not a regular file. `unreadable`: the system reported an error. */
type JsonContent =
  | { kind: 'ok'; value: unknown }
  | { kind: 'absent' }
  | { kind: 'damaged' }
  | { kind: 'unreadable'; reason: string }

/**
 * Reads a JSON object or array. Only a regular file of at most `maxBytes` is opened, because opening a pipe would
 * block.
 */
async function readJson(path: string, maxBytes: number): Promise<JsonContent> {
  try {
    const bytes = await readSmallFile(path, maxBytes)
    const value = parseJson((bytes && utf8Text(bytes)) ?? '')
    return typeof value === 'object' && value !== null ? { kind: 'ok', value } : { kind: 'damaged' }
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? { kind: 'absent' } : { kind: 'unreadable', reason: String(error) }
  }
}
