/** `npm run kill`: kills the built app at random and specific moments while everything it stores is being changed. */
import { once } from 'node:events'
import { rm, stat } from 'node:fs/promises'
import { readdirSync, watch as watchFolder } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openForReading, type HistoryDatabase } from '../../../main/history-store/schema'
import { AppBench } from '../../../test/support/app-bench'
import { buildFailingCalls, failingCodes, failingKinds, faultVariables } from '../../../test/support/failing-calls'
import { Keyring } from '../../../test/support/keyring'
import { launchPlainly, type PlainApp } from '../../../test/support/plain-app'
import { levelDraft } from '../../../test/support/sample-alerts'
import { serveCatalogue } from '../../../test/support/scripted-rest'
import { ScriptedService, successBody } from '../../../test/support/scripted-service'
import type { WatchPage } from '../../../test/support/watch-page'
import { readOrExit, say } from '../command'
import { randomFrom } from '../soak/chaos-line'

/** Changes in the profile's folder at which to kill the app, by file name. */
const fileMoments = {
  'settings being written': /^settings\.json\.[0-9a-f]+\.tmp$/,
  'settings replaced': /^settings\.json$/,
  'copy of the settings replaced': /^settings\.json\.bak$/,
  'keys being written': /^secret\.json\.[0-9a-f]+\.tmp$/,
  'keys replaced': /^secret\.json$/,
  'history written': /^tape\.db-wal$/,
} as const
type Moment = keyof typeof fileMoments | 'random' | 'start' | 'disk'
const killMoments: readonly Moment[] = [
  'random',
  'start',
  ...(Object.keys(fileMoments) as (keyof typeof fileMoments)[]),
]
/** The files on which a disk fails. The empty name means the whole profile, including Chromium's own files. */
const failingFiles = ['settings.json', 'secret.json', 'tape.db', ''] as const

/** A cycle takes some seconds on an idle machine. */
const stuckMs = 180_000
/** Longest wait for an answer that an idle machine gives at once, in ms. */
const maxWaitMs = 30_000
const momentWithinMs = 4_000
const maxRules = 6
/** More system calls than one start's changes can explain. */
const manyCalls = 5_000
const [below, above] = ['90', '110']

/** A number that grows with each change. `answered` is the last confirmed one, `asked` the last that may be stored. */
class Counter {
  answered = 0
  asked = 0

  next(): number {
    this.asked = this.answered + 1
    return this.asked
  }

  isPossible(count: number): boolean {
    return count === this.answered || count === this.asked
  }
}

/** A rule by its level. Rules are in order of creation. */
interface KnownRule {
  level: string
  id: string
}

const { count, seed, isOnDisk } = readArguments()
/** Kill moments, or disk faults followed by a kill. */
const moments: readonly Moment[] = isOnDisk ? ['disk'] : killMoments
const random = randomFrom(seed)
const main = await ScriptedService.start()
const spare = await ScriptedService.start()
const listName = new Counter()
const key = new Counter()
const made = new Counter()
const rules: KnownRule[] = []
const seenEvents = new Set<string>()
let step = 'starts'
let deleting: KnownRule | undefined
/** The latest fault of a disk. */
let lastFault = 'no fault'
/** The last key could not be stored, and its user was told to enter it again. */
let isKeyOfSession = false
const faults = { failedCalls: 0, cyclesWithOne: 0, withoutWindow: 0 }
const found = { lost: 0, corrupt: 0, doubled: 0, mixedKeys: 0, missedMoments: 0 }
const kills = new Map<Moment, number>()
const changes = { lists: 0, keys: 0, rules: 0, deletions: 0, events: 0 }

serveCatalogue(main)
spare.routes.set('indices', {
  body: successBody([{ id: 'NCI', name: 'Nasdaq Crypto Index', decimals: 2, maxResolution: 'PER_SECOND' }]),
})
const bench = await AppBench.create()
const keyring = await Keyring.start(bench.environment())
const library = buildFailingCalls(bench.folder)

function printError(kind: keyof typeof found, text: string): void {
  found[kind]++
  say(`${kind}: ${text}${isOnDisk ? `; ${lastFault}` : ''}`)
}

function profile(id: string, service: ScriptedService, keyId: string) {
  const addresses = { webSocketUrl: service.webSocketUrl, restUrl: service.restUrl }
  return { ...addresses, id, name: id, auth: 'basic', isEnabled: true, keyId } as const
}

let lastMs = 0
function publish(value: string): void {
  lastMs = Math.max(Date.now(), lastMs + 1)
  main.sendValue('BRTI', value, lastMs)
}

async function kill(app: PlainApp): Promise<void> {
  process.kill(app.pid, 'SIGKILL')
  await app.ended
}

/** The first start, which saves both connections. */
async function setUp(): Promise<void> {
  const app = await launchPlainly(bench)
  for (const [id, service] of [
    ['main', main],
    ['spare', spare],
  ] as const) {
    const answer = await app.watch.ask('saveProfile', { profile: profile(id, service, 'key-0'), keySecret: 'secret-0' })
    if (!answer.ok || answer.value.kept !== 'keyring') throw new Error('the keyring keeps no key here')
  }
  await app.watch.ask('renameList', { listId: 'watchlist', name: 'List 0' })
  await app.watch.expectState('Live')
  await app.quit()
}

/** Changes everything in turn until the app is gone. */
async function changeAll(watch: WatchPage, hasDisk = true): Promise<void> {
  const lists = async () => {
    const name = `List ${listName.next()}`
    const answer = await watch.ask('renameList', { listId: 'watchlist', name })
    if (!answer.ok || (!hasDisk && (await saysUnsaved(watch)))) return
    listName.answered = listName.asked
    changes.lists++
  }
  const keys = async () => {
    const next = key.next()
    const answer = await watch.ask('saveProfile', {
      profile: profile('spare', spare, `key-${next}`),
      keySecret: `secret-${next}`,
    })
    if (!answer.ok) return
    isKeyOfSession = answer.value.kept === 'session'
    if (!hasDisk && (await saysUnsaved(watch))) return
    key.answered = next
    changes.keys++
  }
  const alerts = async () => {
    const oldest = rules.length > maxRules ? rules[0] : undefined
    if (oldest !== undefined) {
      deleting = oldest
      const gone = await watch.ask('deleteAlert', { ruleId: oldest.id })
      if (gone.ok) {
        rules.shift()
        changes.deletions++
      }
      deleting = undefined
    }
    const level = `100.${made.next()}`
    const answer = await watch.ask('createAlert', { draft: levelDraft(level), whenAlreadyMet: 'wait' })
    if (answer.ok && (hasDisk || !(await saysUnsaved(watch)))) {
      made.answered = made.asked
      rules.push({ level, id: answer.value.id })
      changes.rules++
    }
    for (const value of [below, above]) publish(value)
    // A change that cannot be stored is still shown, marked as not saved.
    if (hasDisk) await noteEvents(watch)
  }
  const forever = async (change: () => Promise<void>) => {
    for (;;) await change()
  }
  await Promise.allSettled([lists, keys, alerts].map(forever))
}

/** Settings that cannot be saved still apply. Returns whether a notice says so. */
async function saysUnsaved(watch: WatchPage): Promise<boolean> {
  const { notices } = (await watch.snapshot()).state
  return notices.some(({ message }) => /not saved|not recorded|lost when the app quits/i.test(message))
}

/** Records the inbox events that the user has seen. */
async function noteEvents(watch: WatchPage): Promise<void> {
  const { state } = await watch.snapshot()
  for (const { id } of state.inbox) seenEvents.add(id)
  changes.events = seenEvents.size
}

/** Checks that everything confirmed is there exactly once. */
async function check(watch: WatchPage): Promise<void> {
  if (isKeyOfSession) await enterKeyAgain(watch)
  await watch.connection
    .getByText('Live')
    .waitFor({ timeout: stuckMs / 2 })
    .catch(async () => {
      const text = await watch.page.evaluate(() => document.body.innerText)
      throw new Error(`${watch.page.url()} is not live: ${text}`)
    })
  const { state } = await watch.snapshot()
  const name = state.settings.watchlists[0]?.name ?? ''
  if (!listName.isPossible(Number(name.replace('List ', ''))))
    printError('lost', `the list is ${name}, answered ${listName.answered}`)
  listName.answered = Number(name.replace('List ', ''))

  const levels = new Map(state.alerts.flatMap(({ id, terms }) => ('level' in terms ? [[terms.level, id]] : [])))
  for (const rule of rules) {
    if (!levels.has(rule.level) && rule !== deleting) printError('lost', `the rule of ${rule.level}`)
  }
  if (levels.size < state.alerts.length) printError('doubled', 'a rule')
  const unanswered = `100.${made.asked}`
  const newest = levels.get(unanswered)
  if (newest !== undefined && made.asked > made.answered) {
    made.answered = made.asked
    rules.push({ level: unanswered, id: newest })
  }
  const present = rules.filter(({ level }) => levels.has(level))
  rules.splice(0, rules.length, ...present)
  deleting = undefined

  const { profiles } = (await watch.snapshot()).state.settings
  const keyId = profiles.find(({ id }) => id === 'spare')?.keyId ?? ''
  const sent = await lastKey()
  const [idCount, secretCount] = [Number(keyId.replace('key-', '')), Number(sent.replace(/^.*secret-/, ''))]
  if (!key.isPossible(idCount) || !key.isPossible(secretCount)) {
    printError('lost', `the key is ${keyId}, sent ${sent}, answered ${key.answered}`)
  } else if (idCount !== secretCount) printError('mixedKeys', `${keyId} with ${sent}`)
  key.answered = idCount

  const bad = readdirSync(bench.userData).filter((file) => /\.(corrupt|damaged)-/.test(file))
  if (bad.length > found.corrupt) printError('corrupt', bad.join(', '))
  // Every rule has fired exactly once after the value rose.
  for (const value of [below, above]) {
    publish(value)
    await pause(20)
  }
  await firedOnce()
  await noteEvents(watch)
}

/** Enters the key again, like a user told that it is kept for the session only. */
async function enterKeyAgain(watch: WatchPage): Promise<void> {
  const next = key.next()
  const handshakes = spare.handshakes.length
  const answer = await watch.ask('saveProfile', {
    profile: profile('spare', spare, `key-${next}`),
    keySecret: `secret-${next}`,
  })
  if (!answer.ok || answer.value.kept !== 'keyring') throw new Error('a key entered again is not kept')
  key.answered = next
  isKeyOfSession = false
  while (spare.handshakes.length === handshakes) await pause(20)
}

/** The key id and secret of the latest request to the spare service. */
async function lastKey(): Promise<string> {
  for (const startedAt = performance.now(); performance.now() - startedAt < maxWaitMs;) {
    await pause(50)
    const header = spare.handshakes.at(-1)?.authorization
    if (header !== undefined) return atob(header.replace('Basic ', ''))
  }
  return 'nobody'
}

/** Undefined until the app has created its journal, because no other program can read before. */
function tryOpening(path: string): HistoryDatabase | undefined {
  try {
    return openForReading(path)
  } catch {
    return undefined
  }
}

async function firedOnce(): Promise<void> {
  const path = join(bench.userData, 'tape.db')
  let silent = ['an unreadable history']
  for (const startedAt = performance.now(); performance.now() - startedAt < maxWaitMs;) {
    await pause(100)
    const database = tryOpening(path)
    if (database === undefined) continue
    const ask = (sql: string) => database.prepare(sql).raw().all() as [string, number][]
    const fired = new Map(
      ask(
        "SELECT rule, count(*) FROM event WHERE kind IN ('fired', 'lateFromHistory', 'lateByAmendment') GROUP BY rule",
      ),
    )
    const events = new Set(ask('SELECT id, number FROM event').map(([id]) => id))
    database.close()
    for (const [rule, times] of fired) if (times > 1) printError('doubled', `${times} events of ${rule}`)
    const missing = [...seenEvents].filter((id) => !events.has(id))
    for (const id of missing) {
      printError('lost', `event ${id}`)
      seenEvents.delete(id)
    }
    silent = rules.filter(({ id }) => !fired.has(id)).map(({ level }) => level)
    if (silent.length === 0) return
  }
  printError('lost', `no event of the rules of ${silent.join(', ')}`)
}

/** Resolves at the moment, or after a timeout if it does not come. */
async function momentComes(moment: Exclude<Moment, 'start' | 'disk'>): Promise<void> {
  if (moment === 'random') {
    await pause(random() * 2_500)
    return
  }
  await pause(300 + random() * 1_200)
  const wanted = fileMoments[moment]
  await new Promise<void>((resolve) => {
    const watcher = watchFolder(bench.userData, (_event, name) => {
      if (name !== null && wanted.test(name)) end()
    })
    const timer = setTimeout(() => {
      found.missedMoments++
      end()
    }, momentWithinMs)
    const end = () => {
      clearTimeout(timer)
      watcher.close()
      resolve()
    }
  })
}

/** Kills the app during its start, before it answers any request. */
async function killStarting(): Promise<void> {
  const child = bench.spawn()
  child.stdout.resume()
  child.stderr.resume()
  const ended = once(child, 'exit')
  await pause(100 + random() * 2_500)
  child.kill('SIGKILL')
  await ended
}

/** Starts the app. Resolves when all stored data was checked. */
async function launchChecked(): Promise<PlainApp> {
  const handshakes = spare.handshakes.length
  const app = await launchPlainly(bench)
  step = 'waits for its key'
  while (!isKeyOfSession && spare.handshakes.length === handshakes) await pause(20)
  step = 'is checked'
  await check(app.watch)
  return app
}

/** Checks all stored data, then kills the app while everything is changed. */
async function killChanging(moment: Exclude<Moment, 'start' | 'disk'>): Promise<void> {
  const app = await launchChecked()
  step = 'is changed'
  const changed = changeAll(app.watch)
  await momentComes(moment)
  step = 'is killed'
  await kill(app)
  await changed
  step = 'starts'
}

function pick<T>(choices: readonly T[]): T {
  const chosen = choices[Math.floor(random() * choices.length)]
  if (chosen === undefined) throw new Error('there is nothing to choose from')
  return chosen
}

/**
 * Starts the app on a disk that fails once or from some call on, changes everything, and kills it. Then everything
 * confirmed must be found.
 */
async function failChanging(): Promise<void> {
  const [kind, file] = [pick(failingKinds), pick(failingFiles)]
  const at = 1 + Math.floor(random() ** 2 * 80)
  const fault = { kind, code: pick(failingCodes[kind]), at, times: pick([1, 1, 1_000_000]) }
  const note = join(bench.folder, 'failed-calls')
  await rm(note, { force: true })
  lastFault = JSON.stringify({ file, ...fault })
  step = 'starts on a disk that fails'
  const variables = { ...faultVariables(library, join(bench.userData, file), fault), FAIL_NOTE: note }
  const app = await launchPlainly(bench, variables).catch(() => undefined)
  if (app === undefined) faults.withoutWindow++
  else {
    step = 'is changed on a disk that fails'
    const changed = changeAll(app.watch, false)
    await pause(1_000 + random() * 2_000)
    await kill(app)
    await changed
  }
  const failedCalls = (await stat(note).catch(() => undefined))?.size ?? 0
  faults.failedCalls += failedCalls
  if (failedCalls > manyCalls) say(`${failedCalls} calls failed: ${lastFault}`)
  if (failedCalls > 0) faults.cyclesWithOne++
  await kill(await launchChecked())
}

async function run(): Promise<number> {
  say(`${count} ${isOnDisk ? 'faults of the disk, each with two' : ''} kills, seed ${seed}`)
  await setUp()
  const startedAt = performance.now()
  for (let number = 1; number <= count; number++) {
    const moment = moments[number % moments.length] ?? 'random'
    const cycle = moment === 'start' ? killStarting() : moment === 'disk' ? failChanging() : killChanging(moment)
    await Promise.race([cycle, late(moment)])
    kills.set(moment, (kills.get(moment) ?? 0) + 1)
    if (number % 20 === 0) report(number, startedAt)
  }
  const app = await launchPlainly(bench)
  await check(app.watch)
  await app.quit()
  const database = openForReading(join(bench.userData, 'tape.db'))
  const [state] = database.prepare('PRAGMA integrity_check').raw().get() as [string]
  database.close()
  if (state !== 'ok') printError('corrupt', `the history: ${state}`)
  report(count, startedAt)
  return found.lost + found.corrupt + found.doubled + found.mixedKeys === 0 ? 0 : 1
}

async function late(moment: Moment): Promise<never> {
  await pause(stuckMs, undefined, { ref: false })
  throw new Error(`stuck for minutes: ${moment}, ${step}; ${lastFault}`)
}

function report(number: number, startedAt: number): void {
  const seconds = (performance.now() - startedAt) / 1_000
  say(
    `${number} kills in ${seconds.toFixed(0)} s (${[...kills].map(([moment, times]) => `${moment} ${times}`).join(', ')}); ` +
      `answered: ${changes.lists} names of a list, ${changes.keys} keys, ${changes.rules} rules, ${changes.deletions} deletions, ${changes.events} alerts seen; ` +
      `lost ${found.lost}, corrupt ${found.corrupt}, doubled ${found.doubled}; ` +
      `keys with the secret of another ${found.mixedKeys}, moments that did not come ${found.missedMoments}` +
      (isOnDisk
        ? `; calls that failed ${faults.failedCalls}, in ${faults.cyclesWithOne} starts; starts without a window ${faults.withoutWindow}`
        : ''),
  )
}

function readArguments(): { count: number; seed: number; isOnDisk: boolean } {
  const options = { seed: { type: 'string', default: '1' }, disk: { type: 'boolean', default: false } } as const
  const usage = 'Usage: npm run kill -- [N] [--disk] [--seed N]'
  return readOrExit({ allowPositionals: true, options }, usage, ({ values, positionals }) => {
    const [count, seed] = [Number(positionals[0] ?? 100), Number(values.seed)]
    if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed))
      throw new Error('Both are whole numbers.')
    return { count, seed, isOnDisk: values.disk }
  })
}

try {
  process.exitCode = await run()
} finally {
  await keyring.stop()
  await bench.dispose()
  await Promise.all([main.stop(), spare.stop()])
}
