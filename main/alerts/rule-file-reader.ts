import type { Worker } from 'node:worker_threads'
import type { AlertDraft } from '../../core/alerts'
import { failure, type Outcome } from '../../core/model'
import type { RuleFilePart } from './rule-file'

/** Receives the rules of a file in parts from the thread of `rule-file-worker.ts`. Never rejects. */
export function takeRules(worker: Worker): Promise<Outcome<AlertDraft[]>> {
  const all: AlertDraft[] = []
  return new Promise<Outcome<AlertDraft[]>>((resolve) => {
    worker.on('message', (reply: Outcome<RuleFilePart>) => {
      if (!reply.ok) {
        resolve(reply)
        return
      }
      const { drafts, isLast } = reply.value
      for (const draft of drafts) all.push(draft)
      if (isLast) resolve({ ok: true, value: all })
      else worker.postMessage('next')
    })
    // No effect after the last part.
    worker.on('error', (error) => {
      const reason = error instanceof Error ? error.message : String(error)
      resolve(failure('internal', `The file could not be read: ${reason}. Choose another one.`))
    })
    worker.on('exit', () => resolve(failure('unreadable', 'The file could not be read. Choose it again.')))
  }).finally(() => void worker.terminate())
}
