/**
 * A watcher of a desk in a process of its own, so that it can be killed. It takes values of BRTI from its input, a JSON
 * text each, and prints a line when it leads and when it has stored an event.
 */
import { createInterface } from 'node:readline'
import Database from 'libsql'
import { AtomicJsonFile } from '../../main/storage/atomic-file'
import { HistoryTables } from '../../main/history-store/tables'
import { prepareSchema, type HistoryDatabase } from '../../main/history-store/schema'
import type { Publication } from '../../core/model'
import { JudgingEngine, startWatcher, valueOf } from './desk-parts'
import { MemoryHistory } from './memory-history'
import { SystemClock } from '../../main/base/clock'

const [address = '', desk = '', name = '', folder = ''] = process.argv.slice(2)
const database = new Database(`${folder}/history.db`) as unknown as HistoryDatabase
prepareSchema(database, () => undefined)
const clock = new SystemClock()
const judging = await JudgingEngine.open(clock, new MemoryHistory(new HistoryTables(database)))
const memory = new AtomicJsonFile({ path: `${folder}/desk.json`, clock, maxBytes: 2 ** 20 })
const { watcher, started, notices } = await startWatcher({
  access: { address, name: desk },
  name,
  judging,
  memory,
})
valueOf(started)
createInterface({ input: process.stdin }).on('line', (line) => judging.see(JSON.parse(line) as Publication))
for (let said = ''; ;) {
  const { isLeading: leads, unpublished: waiting } = watcher
  const line = JSON.stringify({ leads, waiting, rules: judging.engine.count, notices })
  if (line !== said) process.stdout.write(`${line}\n`)
  said = line
  await new Promise((resolve) => setTimeout(resolve, 20))
}
