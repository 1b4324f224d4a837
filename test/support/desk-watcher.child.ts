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
import { faultyLink, type WatcherFault } from './desk-faults'
import { MemoryHistory } from './memory-history'
import { DeskWatcher } from '../../main/desk/watcher'
import { SystemClock } from '../../main/base/clock'

const [address = '', desk = '', name = '', folder = '', user = '', fault] = process.argv.slice(2)
const access = { address, name: desk, ...(user !== '' && { signIn: { user, password: user } }) }
const database = new Database(`${folder}/history.db`) as unknown as HistoryDatabase
prepareSchema(database, () => undefined)
const clock = new SystemClock()
const judging = await JudgingEngine.open(clock, new MemoryHistory(new HistoryTables(database)))
const memory = new AtomicJsonFile({ path: `${folder}/desk.json`, clock, maxBytes: 2 ** 20 })
const wrap = fault === undefined ? undefined : await faultyLink(access, fault as WatcherFault)
const { watcher, notices } = await begin()

/** The server may not answer yet. */
async function begin(): Promise<Awaited<ReturnType<typeof startWatcher>>> {
  for (;;) {
    try {
      const begun = await startWatcher({ access, name, judging, memory, ...(wrap !== undefined && { wrap }) })
      valueOf(begun.started)
      return begun
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
}

if (fault === 'keepsLeading') {
  const led = { has: false }
  const leads = Object.getOwnPropertyDescriptor(DeskWatcher.prototype, 'isLeading')?.get
  Object.defineProperty(watcher, 'isLeading', {
    get: () => (led.has ||= leads?.call(watcher) === true),
  })
}
/** A value, or values that were missed. */
createInterface({ input: process.stdin }).on('line', (line) => {
  const received = JSON.parse(line) as Publication | Publication[]
  if (Array.isArray(received)) judging.learn(received)
  else judging.see(received)
})
for (let said = ''; ;) {
  const { isLeading: leads, unpublished: waiting } = watcher
  const line = JSON.stringify({ leads, waiting, rules: judging.engine.count, notices })
  if (line !== said) process.stdout.write(`${line}\n`)
  said = line
  await new Promise((resolve) => setTimeout(resolve, 20))
}
