/**
 * B12: reads a day of one index from the history as the app does, against a plain table. Runs in Electron's main
 * process.
 */
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { SystemClock } from '../../../main/base/clock'
import { createLog } from '../../../main/base/log'
import type { ValueCursor } from '../../../main/history-store/contract'
import { HistoryStore } from '../../../main/history-store/history-store'
import { historyPath } from '../../../main/history-store/thread'
import { fillHistory } from './large-history'
import { openPlainRange } from './limits/sqlite-range'
import type { Samples } from './report'
import { cpuUs, inTurns } from './rounds'

const rounds = 7
const dayMs = 86_400_000
const valuesOfDay = 86_400
/** Gives two million rows on each side. The ten million in the budget would take too long to create. */
const indexCount = 10
const valuesOfEach = 200_000
/** Recent enough not to be thinned. */
const endMs = Math.floor(Date.now() / 1_000) * 1_000 - dayMs
const startMs = endMs - valuesOfEach * 1_000

/** CPU in ms of both threads for reading a day. `workerPath` is the built history thread. */
export async function measureRange(folder: string, workerPath: string): Promise<Samples> {
  const clock = new SystemClock()
  const log = createLog({ write: (line) => process.stderr.write(`${line}\n`), redact: (text) => text, clock })
  const open = async () => {
    const history = new HistoryStore({
      folder,
      clock,
      log,
      startThread: (workerData) => new Worker(workerPath, { workerData }),
    })
    await history.use('real')
    return history
  }
  // Opening it creates its tables.
  await (await open()).close()
  const ids = Array.from({ length: indexCount }, (_, at) => `INDEX${at}`)
  fillHistory(historyPath(folder, 'real'), ids, { count: valuesOfEach, toMs: endMs })
  const readPlainly = openPlainRange(join(folder, 'plain.db'), {
    seriesCount: indexCount,
    count: valuesOfEach,
    startMs,
  })
  const history = await open()
  const readDay = async (id: string) => {
    const asked = { id, revisions: 'latest', fromMs: startMs, toMs: startMs + dayMs - 1_000 } as const
    let count = 0
    for (let after: ValueCursor | undefined, isMore = true; isMore; isMore = after !== undefined) {
      const page = await history.query('values', { ...asked, ...(after !== undefined && { after }) })
      if (!page.ok) throw new Error(page.problem.message)
      count += page.value.values.length
      after = page.value.next
    }
    return count
  }
  const next = { ours: 0, limit: 0 }
  const dayCpuMs = async (read: () => Promise<number> | number) => {
    const beforeUs = cpuUs()
    const count = await read()
    if (count !== valuesOfDay) throw new Error(`a day had ${count} values`)
    return (cpuUs() - beforeUs) / 1_000
  }
  try {
    return await inTurns(rounds, {
      ours: () => dayCpuMs(() => readDay(ids[next.ours++ % indexCount] ?? '')),
      limit: () => dayCpuMs(() => readPlainly(next.limit++ % indexCount, startMs, startMs + dayMs - 1_000).length),
    })
  } finally {
    await history.close()
  }
}
