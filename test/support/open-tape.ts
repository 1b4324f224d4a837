import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'
import { SystemClock, type Clock } from '../../main/base/clock'
import type { QuestionName, Questions } from '../../main/tape/contract'
import { Tape } from '../../main/tape/tape'
import type { ThreadTask } from '../../main/tape/thread'
import type { Outcome } from '../../core/model'
import { RecordedLog } from './recorded-log'
import { startTapeThread } from './tape-thread'
import { temporaryFolder } from './temporary-folder'

/** The tape of a folder as the app has it, but for Electron; closed with the test. */
export async function openTape({
  folder = temporaryFolder(),
  clock = new SystemClock(),
}: { folder?: string; clock?: Clock } = {}) {
  const notices: string[] = []
  const log = new RecordedLog()
  const threads: { task: ThreadTask; worker: Worker }[] = []
  const tape = new Tape({
    folder,
    clock,
    log,
    startThread: (task) => {
      const worker = startTapeThread(task)
      threads.push({ task, worker })
      return worker
    },
  })
  onTestFinished(() => tape.close())
  tape.events.on('notice', (notice) => notices.push(notice))
  let lost = 0
  tape.events.on('lost', () => lost++)
  await tape.use('real')
  const ask = async <Q extends QuestionName>(question: Q, asked: Questions[Q]['asked']) =>
    valueOf(await tape.ask(question, asked))
  /** Texts of all values of an index, oldest first. */
  const texts = async (id = 'BRTI') => {
    const { values } = await ask('values', { id, revisions: 'all', fromMs: 0, toMs: Number.MAX_SAFE_INTEGER })
    return values.map(({ value }) => value)
  }
  return { tape, ask, texts, notices, lost, log, folder, threads, path: join(folder, 'tape.db') }
}

/** What an outcome holds; throws its problem. */
export function valueOf<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.problem.code}: ${outcome.problem.message}`)
  return outcome.value
}
