import { rm } from 'node:fs/promises'
import type { Worker } from 'node:worker_threads'
import type { ExportProgress, ExportRequest } from '../../protocol/history'
import { ok, failure, type Outcome } from '../../core/model'
import type { Clock } from '../base/clock'
import { ThreadJob } from '../base/thread-job'
import { readSmallFile, temporaryPath } from '../storage/disk'
import type { UnfinishedFiles } from '../storage/unfinished-files'
import type { HistoryStore } from '../history-store/history-store'
import type { ExportOutcome, ExportTask } from './export-file'

interface Options {
  clock: Clock
  history: Pick<HistoryStore, 'path' | 'query'>
  unfinished: UnfinishedFiles
  startThread: (task: ExportTask) => Worker
}

/** Of an export that is read into memory: some 500,000 values. */
const maxReadBytes = 64 * 2 ** 20
const notBegun: ExportProgress = { rowCount: 0, fraction: 0 }

/** Exports values to a file, one export at a time, each in a thread of its own. */
export class Exporter {
  readonly #options: Options
  #running: ThreadJob<ExportProgress, { rowCount: number }> | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** `undefined` while nothing is being exported. */
  get progress(): ExportProgress | undefined {
    return this.#running === undefined ? undefined : (this.#running.progress ?? notBegun)
  }

  /** Done when the file is there, or why it is not. Problems `exportRunning`, `noValues`, and those of disk and history. */
  async run(request: ExportRequest, path: string): Promise<ExportOutcome> {
    const { clock, history, unfinished, startThread } = this.#options
    // What was received a moment ago is part of it.
    const written = await history.query('size', null)
    if (!written.ok) return written
    if (this.#running !== undefined) {
      return failure('exportRunning', 'Another export is running. Wait until it is done, or cancel it.')
    }
    const historyPath = history.path
    if (historyPath === undefined) return failure('notReady', 'The history is not open yet. Try again in a moment.')
    const task = { historyPath, request, path, temporaryPath: temporaryPath(path), nowMs: clock.wallMs() }
    const running = new ThreadJob<ExportProgress, { rowCount: number }>(startThread(task), async (reason) => {
      await rm(task.temporaryPath, { force: true })
      return failure('internal', `The export ended unexpectedly: ${reason} Try a shorter range.`)
    })
    this.#running = running
    const outcome = await unfinished.during(task.temporaryPath, () => running.ended)
    this.#running = undefined
    return outcome
  }

  /** As `run`, the bytes of it; `path` is where they lie meanwhile. Problem `tooLarge` as well. */
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

  /** The one that is running ends soon, without a file. */
  cancel(): void {
    this.#running?.cancel()
  }

  /** Cancels; done when nothing is left of it. */
  async dispose(): Promise<void> {
    this.cancel()
    await this.#running?.ended
  }
}
