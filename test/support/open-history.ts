import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'
import { SystemClock, type Clock } from '../../main/base/clock'
import type { QueryName, Queries } from '../../main/history-store/contract'
import { HistoryStore } from '../../main/history-store/history-store'
import type { ThreadTask } from '../../main/history-store/thread'
import { valueOf } from './value-of'
import { RecordedLog } from './recorded-log'
import { startHistoryThread } from './history-thread'
import { temporaryFolder } from './temporary-folder'

/** The history of a folder as in the app, without Electron. It is closed with the test. */
export async function openHistory({
  folder = temporaryFolder(),
  clock = new SystemClock(),
}: { folder?: string; clock?: Clock } = {}) {
  const notices: string[] = []
  const log = new RecordedLog()
  const threads: { task: ThreadTask; worker: Worker }[] = []
  const history = new HistoryStore({
    folder,
    clock,
    log,
    startThread: (task) => {
      const worker = startHistoryThread(task)
      threads.push({ task, worker })
      return worker
    },
  })
  onTestFinished(() => history.close())
  history.events.on('notice', (notice) => notices.push(notice))
  let lost = 0
  history.events.on('lost', () => lost++)
  await history.use('real')
  const query = async <Q extends QueryName>(name: Q, params: Queries[Q]['params']) =>
    valueOf(await history.query(name, params))
  /** Texts of all values of an index, oldest first. */
  const texts = async (id = 'BRTI') => {
    const { values } = await query('values', { id, revisions: 'all', fromMs: 0, toMs: Number.MAX_SAFE_INTEGER })
    return values.map(({ value }) => value)
  }
  return { history, query, texts, notices, lost, log, folder, threads, path: join(folder, 'tape.db') }
}
