/**
 * A profile's settings, keys and history in a process whose system calls fail through a preloaded library. Prints each
 * number once it was reported as stored.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SystemClock } from '../../main/base/clock'
import { createLog } from '../../main/base/log'
import { AtomicJsonFile } from '../../main/storage/atomic-file'
import { HistoryStore } from '../../main/history-store/history-store'
import { startHistoryThread, storedValue } from './history-thread'

export type StoredThing = 'settings' | 'keys' | 'history'

const [folder = '', first = '1', last = '0'] = process.argv.slice(2)
const clock = new SystemClock()
const log = createLog({ write: () => undefined, redact: (text) => text, clock })
const file = (name: string, keepsCopy: boolean) =>
  new AtomicJsonFile({ path: join(folder, name), clock, maxBytes: 65_536, keepsCopy })
const settings = file('settings.json', true)
const keys = file('secret.json', false)
const history = new HistoryStore({ folder, clock, log, startThread: startHistoryThread })

function say(thing: StoredThing, number: number, isStored: boolean): void {
  if (isStored) writeSync(1, `${thing} ${number}\n`)
}

await Promise.all([settings.read(), keys.read(), history.use('real')])
for (let number = Number(first); number <= Number(last); number++) {
  say('settings', number, (await settings.write({ number })).ok)
  say('keys', number, (await keys.write({ number })).ok)
  // A failed batch stays queued for the next write. Its answer may not come, so the wait for it is bounded.
  const written = await Promise.race([history.commit({ values: [storedValue(number, String(number))] }), pause(5_000)])
  say('history', number, written?.ok === true)
}
await history.close()
// The remaining timers only limit calls that were answered.
process.exit()
