import { appendFileSync, lstatSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { lookAtFile } from '../base/own-file'

/** A file of this size holds weeks; two of them are the most that is kept. */
const defaultMaxBytes = 2 ** 20

/**
 * The log in a folder: `indexwatch.log`, and `indexwatch.old.log`, which was written before it. Readable by their owner
 * alone. A line is on its way to the disk when `write` returns, so that the last ones survive a crash. Secrets must be
 * taken out of it before.
 */
export class LogFile {
  readonly #folder: string
  readonly #path: string
  readonly #maxBytes: number
  readonly #onProblem: (message: string) => void
  #hasFailed = false

  /** `onProblem` gets once why lines are missing. */
  constructor(options: { folder: string; maxBytes?: number; onProblem: (message: string) => void }) {
    this.#folder = options.folder
    this.#path = join(options.folder, 'indexwatch.log')
    this.#maxBytes = options.maxBytes ?? defaultMaxBytes
    this.#onProblem = options.onProblem
  }

  /** Appends a line. Never throws: where it cannot be written it is lost. */
  write(line: string): void {
    const text = `${line}\n`
    try {
      const size = this.#size()
      if (size > 0 && size + Buffer.byteLength(text) > this.#maxBytes) {
        renameSync(this.#path, join(this.#folder, 'indexwatch.old.log'))
      }
      appendFileSync(this.#path, text, { mode: 0o600 })
    } catch (error) {
      if (!this.#hasFailed) this.#onProblem(`The log file cannot be written: ${String(error)}`)
      this.#hasFailed = true
    }
  }

  /** Makes the folder where there is none. Throws where something else than a file is in the log's place. */
  #size(): number {
    const found = lookAtFile(this.#path, lstatSync)
    if (found === undefined) mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    return found?.size ?? 0
  }
}
