import { appendFileSync, lstatSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { statFile } from '../base/own-file'

/** A file of this size holds weeks. At most two are kept. */
const defaultMaxBytes = 2 ** 20

/**
 * The log in a folder: `indexwatch.log`, and the previous one as `indexwatch.old.log`. Only the owner can read them.
 * Lines are written synchronously, so that the last ones survive a crash. Secrets must be removed before.
 */
export class LogFile {
  readonly #folder: string
  readonly #path: string
  readonly #maxBytes: number
  readonly #onProblem: (message: string) => void
  #hasFailed = false

  /** `onProblem` is called once, with the reason why lines are missing. */
  constructor(options: { folder: string; maxBytes?: number; onProblem: (message: string) => void }) {
    this.#folder = options.folder
    this.#path = join(options.folder, 'indexwatch.log')
    this.#maxBytes = options.maxBytes ?? defaultMaxBytes
    this.#onProblem = options.onProblem
  }

  /** Appends a line. Never throws: a line that cannot be written is lost. */
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

  /** Creates the folder if it is missing. Throws if the log's path is not a regular file. */
  #size(): number {
    const found = statFile(this.#path, lstatSync)
    if (found === undefined) mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    return found?.size ?? 0
  }
}
