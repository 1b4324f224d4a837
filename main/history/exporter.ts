import { rm } from 'node:fs/promises'
import type { Worker } from 'node:worker_threads'
import type { ExportProgress, ExportRequest } from '../../protocol/history'
import { ok, failure, type Outcome } from '../../core/model'
import type { Clock } from '../base/clock'
import type { DecimalSign } from '../base/region'
import { ThreadJob } from '../base/thread-job'
import { readSmallFile, temporaryPath } from '../storage/disk'
import type { UnfinishedFiles } from '../storage/unfinished-files'
import type { HistoryStore } from '../history-store/history-store'
import type { ExportOutcome, ExportTask } from './export-file'

interface Options {
  clock: Clock
  history: Pick<HistoryStore, 'path' | 'query'>
  unfinished: UnfinishedFiles
  decimalSign: () => DecimalSign
  startThread: (task: ExportTask) => Worker
}

/** Limit of an export that is returned as bytes: about 500,000 values. */
const maxReadBytes = 64 * 2 ** 20
const notBegun: ExportProgress = { rowCount: 0, fraction: 0 }

/** Exports values to files. One export runs at a time, in its own thread. */
export class Exporter {
  readonly #options: Options
  #running: ThreadJob<ExportProgress, { rowCount: number }> | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Undefined if no export is running. */
  get progress(): ExportProgress | undefined {
    return this.#running === undefined ? undefined : (this.#running.progress ?? notBegun)
  }

  /** Resolves when the file is complete. Problems: `exportRunning`, `noValues`, and those of disk and history. */
  async run(request: ExportRequest, path: string): Promise<ExportOutcome> {
    const { clock, history, unfinished, decimalSign, startThread } = this.#options
    // A query waits for values appended before it, so the export includes them.
    const written = await history.query('size', null)
    if (!written.ok) return written
    if (this.#running !== undefined) {
      return failure('exportRunning', 'Another export is running. Wait until it is done, or cancel it.')
    }
    const historyPath = history.path
    if (historyPath === undefined) return failure('notReady', 'The history is not open yet. Try again in a moment.')
    const context = { nowMs: clock.wallMs(), decimalSign: decimalSign() }
    const task = { historyPath, request, path, temporaryPath: temporaryPath(path), ...context }
    const running = new ThreadJob<ExportProgress, { rowCount: number }>(startThread(task), async (reason) => {
      await rm(task.temporaryPath, { force: true })
      return failure('internal', `The export ended unexpectedly: ${reason} Try a shorter range.`)
    })
    this.#running = running
    const outcome = await unfinished.during(task.temporaryPath, () => running.ended)
    this.#running = undefined
    return outcome
  }

  /** Like `run`, but returns the bytes. `path` is a temporary file. Additional problem: `tooLarge`. */
  async read(request: ExportRequest, path: string): Promise<Outcome<Buffer>> {
    try {
      const outcome = await this.run(request, path)
      if (!outcome.ok) return outcome
      const bytes = outcome.value === null ? undefined : await readSmallFile(path, maxReadBytes)
      if (bytes !== undefined) return ok(bytes)
      return failure('tooLarge', `More than ${maxReadBytes / 2 ** 20} MB. Ask for a shorter time or a lower frequency.`)
    } finally {
      await rm(path, { force: true })
    }
  }

  /** Cancels the running export. No file is written. */
  cancel(): void {
    this.#running?.cancel()
  }

  /** Cancels, and resolves when the temporary file is gone. */
  async dispose(): Promise<void> {
    this.cancel()
    await this.#running?.ended
  }
}
