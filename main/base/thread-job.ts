/** Work in a thread of its own, with progress, that can be cancelled. */
import { parentPort, type Worker } from 'node:worker_threads'
import type { Outcome } from '../../core/model'

/** What the thread says; whatever it is sent cancels it. */
type JobMessage<Progress, Answer> =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'ended'; outcome: Outcome<Answer | null> }

/** One job, seen from outside its thread. */
export class ThreadJob<Progress, Answer> {
  readonly #worker: Worker
  /** As last said; `undefined` before that. */
  progress: Progress | undefined
  /** Never rejects. `null`: it was cancelled. */
  readonly ended: Promise<Outcome<Answer | null>>

  /** `onLost` answers for a thread that has ended without a word. */
  constructor(worker: Worker, onLost: (reason: string) => Outcome<never> | Promise<Outcome<never>>) {
    this.#worker = worker
    this.ended = new Promise((resolve) => {
      worker.on('message', (message: JobMessage<Progress, Answer>) => {
        if (message.kind === 'progress') this.progress = message.progress
        else resolve(message.outcome)
      })
      // Of no effect where it has said before how it ended.
      worker.on('error', (error) => resolve(onLost(error instanceof Error ? error.message : String(error))))
      worker.on('exit', (code) => resolve(onLost(`code ${code}.`)))
    })
  }

  /** It ends soon, and answers `null` unless it was done before. */
  cancel(): void {
    this.#worker.postMessage('cancel')
  }
}

/** What a job in its thread is given beside its task. */
export interface JobTools<Progress> {
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

/** In the thread: does the work it was started for, once. Does nothing in a process of its own. */
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
