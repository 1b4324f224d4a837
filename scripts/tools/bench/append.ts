/** B12: the history store over a real file, against a plain table. Runs in Electron's main process. */
import { join } from 'node:path'
import Database from 'libsql'
import type { StoredValue } from '../../../main/history-store/contract'
import { prepareSchema, useJournal } from '../../../main/history-store/schema'
import { HistoryTables } from '../../../main/history-store/tables'
import { openPlainTable } from './limits/sqlite-append'
import type { Samples } from './report'
import { cpuUs, inTurns } from './rounds'

const rounds = 7
const indexCount = 50
const transactions = 200

/** CPU in µs per value, in transactions of 50. */
export function measureAppend(folder: string): Promise<Samples> {
  const database = new Database(join(folder, 'append.db'))
  useJournal(database)
  prepareSchema(database, () => undefined)
  const store = new HistoryTables(database)
  const appendPlainly = openPlainTable(join(folder, 'plain.db'))
  const startMs = Date.UTC(2023, 10, 1, 12)
  const seconds = { ours: 0, limit: 0 }
  const text = (second: number, index: number) => (10_000 + ((second * 7_919 + index) % 100_000) / 100).toFixed(2)
  const indices = Array.from({ length: indexCount }, (_, index) => index)
  const perValueUs = (append: () => void) => {
    const beforeUs = cpuUs()
    for (let number = 0; number < transactions; number++) append()
    return (cpuUs() - beforeUs) / (transactions * indexCount)
  }
  return inTurns(rounds, {
    ours: () =>
      perValueUs(() => {
        const publishedAtMs = startMs + seconds.ours++ * 1_000
        const learned = { learnedAtMs: publishedAtMs + 150, origin: 'stream', connection: 'Desk' } as const
        const values = indices.map((index): StoredValue => ({
          id: `INDEX${index}`,
          value: text(seconds.ours, index),
          publishedAtMs,
          ...learned,
        }))
        store.commit([{ values }])
      }),
    limit: () =>
      perValueUs(() => {
        const publishedAtMs = startMs + seconds.limit++ * 1_000
        appendPlainly(indices.map((index) => [index, publishedAtMs, text(seconds.limit, index)] as const))
      }),
  })
}
