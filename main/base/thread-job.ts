/** Cancellable work in a thread of its own, with progress. */
import { parentPort, type Worker } from 'node:worker_threads'
import type { Outcome } from '../../core/model'

/** Messages of the thread. Any message to the thread cancels it. */
type JobMessage<Progress, Answer> =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'ended'; outcome: Outcome<Answer | null> }

/** A job as seen from outside its thread. */
export class ThreadJob<Progress, Answer> {
  readonly #worker: Worker
  /** The last reported progress. Undefined before the first. */
  progress: Progress | undefined
  /** Never rejects. `null` means cancelled. */
  readonly ended: Promise<Outcome<Answer | null>>

  /** `onLost` makes the outcome of a thread that ended without reporting one. */
  constructor(worker: Worker, onLost: (reason: string) => Outcome<never> | Promise<Outcome<never>>) {
    this.#worker = worker
    this.ended = new Promise((resolve) => {
      worker.on('message', (message: JobMessage<Progress, Answer>) => {
        if (message.kind === 'progress') this.progress = message.progress
        else resolve(message.outcome)
      })
      // No effect if the thread has already reported its outcome.
      worker.on('error', (error) => resolve(onLost(error instanceof Error ? error.message : String(error))))
      worker.on('exit', (code) => resolve(onLost(`code ${code}.`)))
    })
  }

  /** Ends the job soon. `ended` is then `null`, unless the job had finished. */
  cancel(): void {
    this.#worker.postMessage('cancel')
  }
}

/** What a job gets in its thread besides its task. */
export interface JobTools<Progress> {
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

/** Runs in the thread: does the work once and reports its outcome. Does nothing in a process's main thread. */
export function doJob<Progress, Answer>(work: (tools: JobTools<Progress>) => Promise<Outcome<Answer | null>>): void {
  const port = parentPort
  if (port === null) return
  const say = (message: JobMessage<Progress, Answer>) => port.postMessage(message)
  const cancelling = new AbortController()
  port.on('message', () => cancelling.abort())
  const onProgress = (progress: Progress) => say({ kind: 'progress', progress })
  void work({ signal: cancelling.signal, onProgress }).then((outcome) => {
    say({ kind: 'ended', outcome })
    port.close()
  })
}
