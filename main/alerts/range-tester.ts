import type { Worker } from 'node:worker_threads'
import type { RangeTest, RangeTestProgress } from '../../core/alert-events'
import { ok, failure, type Outcome } from '../../core/model'
import { ThreadJob } from '../base/thread-job'
import type { HistoryStore } from '../history-store/history-store'
import type { RangeTestTask } from './range-test'

interface Options {
  history: Pick<HistoryStore, 'path' | 'query'>
  startThread: (task: RangeTestTask) => Worker
}

const notBegun: RangeTestProgress = { valueCount: 0, fraction: 0 }

/** Tests drafts on ranges of the history, each in a thread of its own. A new test cancels the running one. */
export class RangeTester {
  readonly #options: Options
  #running: ThreadJob<RangeTestProgress, RangeTest> | undefined
  /** Increments with each test and each cancellation, so that a test about to start is cancelled too. */
  #turn = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Undefined while no test is running. */
  get progress(): RangeTestProgress | undefined {
    return this.#running === undefined ? undefined : (this.#running.progress ?? notBegun)
  }

  /** Null if the test was cancelled or replaced by another. */
  async run(task: Omit<RangeTestTask, 'historyPath'>): Promise<Outcome<RangeTest | null>> {
    const { history, startThread } = this.#options
    this.cancel()
    const turn = this.#turn
    // Waits until all received values are written.
    const written = await history.query('size', null)
    if (!written.ok) return written
    await this.#running?.ended
    if (turn !== this.#turn) return ok(null)
    const historyPath = history.path
    if (historyPath === undefined) return failure('notReady', 'The history is not open yet. Try again in a moment.')
    const running = new ThreadJob<RangeTestProgress, RangeTest>(startThread({ ...task, historyPath }), (reason) =>
      failure('internal', `The test ended unexpectedly: ${reason} Try a shorter range.`),
    )
    this.#running = running
    const outcome = await running.ended
    if (this.#running === running) this.#running = undefined
    return turn === this.#turn ? outcome : { ok: true, value: null }
  }

  /** Cancels the test that is running or about to start. */
  cancel(): void {
    this.#turn++
    this.#running?.cancel()
  }

  /** Cancels, and resolves when the thread has ended. */
  async dispose(): Promise<void> {
    this.cancel()
    await this.#running?.ended
  }
}
