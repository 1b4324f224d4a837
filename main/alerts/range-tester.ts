import type { Worker } from 'node:worker_threads'
import type { RangeTest, RangeTestProgress } from '../../core/alert-events'
import { failure, type Outcome } from '../../core/model'
import { ThreadJob } from '../base/thread-job'
import type { Tape } from '../tape/tape'
import type { RangeTestTask } from './range-test'

interface Options {
  tape: Pick<Tape, 'path' | 'ask'>
  startThread: (task: RangeTestTask) => Worker
}

const notBegun: RangeTestProgress = { valueCount: 0, fraction: 0 }

/** Tries drafts on ranges of the tape, each in a thread of its own, one at a time: a new test ends the one before. */
export class RangeTester {
  readonly #options: Options
  #running: ThreadJob<RangeTestProgress, RangeTest> | undefined
  /** Counts what was asked for and cancelled, so that a test that is about to begin is ended too. */
  #turn = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** `undefined` while none is running. */
  get progress(): RangeTestProgress | undefined {
    return this.#running === undefined ? undefined : (this.#running.progress ?? notBegun)
  }

  /** `null`: it was cancelled, or another one was asked for. */
  async run(task: Omit<RangeTestTask, 'tapePath'>): Promise<Outcome<RangeTest | null>> {
    const { tape, startThread } = this.#options
    this.cancel()
    const turn = this.#turn
    // What was received a moment ago is part of it.
    const written = await tape.ask('size', null)
    if (!written.ok) return written
    await this.#running?.ended
    if (turn !== this.#turn) return { ok: true, value: null }
    const tapePath = tape.path
    if (tapePath === undefined) return failure('notReady', 'The history is not open yet. Try again in a moment.')
    const running = new ThreadJob<RangeTestProgress, RangeTest>(startThread({ ...task, tapePath }), (reason) =>
      failure('internal', `The test ended unexpectedly: ${reason} Try a shorter range.`),
    )
    this.#running = running
    const outcome = await running.ended
    if (this.#running === running) this.#running = undefined
    return turn === this.#turn ? outcome : { ok: true, value: null }
  }

  /** The one that is running, or about to, ends soon. */
  cancel(): void {
    this.#turn++
    this.#running?.cancel()
  }

  /** Cancels; done when it has ended. */
  async dispose(): Promise<void> {
    this.cancel()
    await this.#running?.ended
  }
}
