import { copyFile, constants, mkdir, open, type FileHandle } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Outcome } from '../../protocol/model'
import type { AppendedRead, AppendFile } from '../base/json-file'
import type { Clock } from '../base/clock'
import { parseJson } from '../base/sanitize'
import { errorCode, placeForDamage, saveProblem, syncFolder, writeFileAtomically } from './disk'

const newline = 10
const byteOrderMark = '\ufeff'
/** To append without waiting, should a pipe lie in the file's place. Windows has neither. */
const appending =
  constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0)

/**
 * A file of JSON lines on the disk, readable by its owner alone. Lines that are no JSON, or that `accepts` refuses, are
 * damage: the file is copied to `NAME.corrupt-YYYYMMDD-HHMMSS.jsonl` (UTC) and goes on without them. To be read before
 * it is appended to; one call at a time.
 */
export class JsonLinesFile implements AppendFile {
  readonly name: string
  readonly #path: string
  readonly #clock: Clock
  readonly #maxBytes: number
  readonly #accepts: (entry: unknown) => boolean
  /** False where half a line may stand at the end, which what follows must not be joined to. */
  #endsWhole = true

  /** Of a file longer than `maxBytes` only its end is read. */
  constructor(options: { path: string; clock: Clock; maxBytes: number; accepts: (entry: unknown) => boolean }) {
    this.name = basename(options.path)
    this.#path = options.path
    this.#clock = options.clock
    this.#maxBytes = options.maxBytes
    this.#accepts = options.accepts
  }

  async read(): Promise<Outcome<AppendedRead>> {
    try {
      const lines = await this.#readLines()
      const entries: unknown[] = []
      const good = lines.filter((line) => {
        const entry = this.#entryIn(line)
        if (entry !== undefined) entries.push(entry)
        return entry !== undefined
      })
      if (good.length === lines.length) return { ok: true, value: { entries } }
      const setAsidePath = await this.#setAside()
      const rewritten = await writeFileAtomically(this.#path, good.map((line) => `${line}\n`).join(''))
      return rewritten.ok ? { ok: true, value: { entries, setAsidePath } } : rewritten
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return { ok: true, value: { entries: [] } }
      const message = error instanceof Error ? error.message : String(error)
      return { ok: false, problem: { code: 'unreadable', message: `${message}.` } }
    }
  }

  async append(entries: readonly unknown[]): Promise<Outcome<null>> {
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    try {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 })
      const handle = await open(this.#path, appending, 0o600)
      try {
        await this.#appendText(handle, this.#endsWhole ? text : `\n${text}`)
      } finally {
        await handle.close()
      }
      return { ok: true, value: null }
    } catch (error) {
      return { ok: false, problem: saveProblem(error) }
    }
  }

  async #appendText(handle: FileHandle, text: string): Promise<void> {
    const { size } = await handle.stat()
    this.#endsWhole = false
    try {
      await handle.appendFile(text)
      await handle.sync()
      if (size === 0) await syncFolder(dirname(this.#path))
    } catch (error) {
      // On a full disk half of it may be there.
      await handle.truncate(size)
      this.#endsWhole = true
      throw error
    }
    this.#endsWhole = true
  }

  /** `undefined` for damage; no JSON text means that. */
  #entryIn(line: string): unknown {
    const entry = parseJson(line)
    return entry !== undefined && this.#accepts(entry) ? entry : undefined
  }

  /**
   * The whole lines at the end of the file. Half a line that a crash has left is cut off it; a whole one gets the end it
   * lacks; anything else there is damage and comes as a line.
   */
  async #readLines(): Promise<string[]> {
    const handle = await open(this.#path, 'r+')
    try {
      const { size } = await handle.stat()
      const fromByte = Math.max(0, size - this.#maxBytes)
      const found = await readFrom(handle, fromByte, size)
      const lines = found.toString('utf8').split('\n')
      const last = lines.pop() ?? ''
      if (this.#entryIn(last) !== undefined) {
        await handle.write('\n', size)
        lines.push(last)
      } else if (last.startsWith('{')) {
        await handle.truncate(fromByte + found.lastIndexOf(newline) + 1)
        await handle.sync()
      } else lines.push(last)
      // The first may have begun before what was read.
      const own = fromByte > 0 ? lines.slice(1) : lines.map(withoutMark)
      return own.filter((line) => line !== '')
    } finally {
      await handle.close()
    }
  }

  /** Where the copy is. */
  async #setAside(): Promise<string> {
    const place = await placeForDamage(this.#path, this.#clock.wallMs())
    await copyFile(this.#path, place, constants.COPYFILE_EXCL)
    return place
  }
}

async function readFrom(handle: FileHandle, fromByte: number, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size - fromByte)
  let filled = 0
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, fromByte + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

/** Editors may leave one before the first line. */
function withoutMark(line: string, at: number): string {
  return at === 0 && line.startsWith(byteOrderMark) ? line.slice(1) : line
}
