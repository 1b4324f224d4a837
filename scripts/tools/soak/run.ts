/** `npm run soak`: runs the built app for hours on a service with known values and a connection that fails by plan. */
import { readdir, stat } from 'node:fs/promises'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openForReading } from '../../../main/history-store/schema'
import { addressOf } from '../../../simulator/address'
import { catalogue } from '../../../simulator/catalogue'
import { MachineClock } from '../../../simulator/clock'
import { startSimulator } from '../../../simulator/server'
import { AppBench, type RunningApp } from '../../../test/support/app-bench'
import { AlertRun } from '../../../test/support/alert-run'
import { processTree } from '../../../test/support/process-memory'
import { levelDraft } from '../../../test/support/sample-alerts'
import { cpuOfUs, ownBytes, pssBytes } from '../bench/processes'
import { ChaosLine, planFaults } from './chaos-line'
import { readOrExit, say } from '../command'
import { KnownDay, level } from './known-day'

const indexCount = 50
const alertCount = 10
const lookEveryMs = 10_000

interface Sample {
  minute: number
  pssMb: number
  ownMb: number
  heapMb?: number
}

const { minutes, seed } = readArguments()
const totalMs = minutes * 60_000
const listed = catalogue.filter(
  ({ schedule, isHistoryWithheld }) => isHistoryWithheld !== true && isEverySecond(schedule),
)
const load = Array.from({ length: indexCount }, (_, at) => `LOAD${String(at + 1).padStart(4, '0')}`)
const ids = [...listed.map(({ id }) => id), ...load].slice(0, indexCount)
const alertIds = ids.slice(0, alertCount)
/** Shorter swings and faults, so that a run of half a minute also has alerts and faults. */
const isShort = minutes < 3
const swingSeconds = isShort ? 10 : 60
const day = new KnownDay(ids, seed, swingSeconds)
// No faults in the last minutes, so that missed values can be fetched.
const plan = planFaults(seed, totalMs - Math.min(120_000, totalMs / 3), isShort ? 1 / 6 : 1)
const simulator = await startSimulator({ recording: day, clock: new MachineClock() })
const line = await ChaosLine.open(simulator.port, seed)
const bench = await AppBench.create()

async function soak(): Promise<number> {
  say(
    `soak of ${minutes} min, seed ${seed}: ${indexCount} values a second, ${(alertCount * 60) / swingSeconds} alerts a minute, ${plan.length} faults of the line`,
  )
  const entries = ids.map((id) => ({ id, maxResolution: 'PER_SECOND' as const }))
  await bench.writeSettings({ watchlists: [{ id: 'watchlist', name: 'Soak', entries }] })
  const address = addressOf(simulator)
  const running = await bench.launch([], {
    INDEXWATCH_WS_URL: address.ws.replace(String(simulator.port), String(line.port)),
    INDEXWATCH_REST_URL: `http://127.0.0.1:${line.port}`,
    INDEXWATCH_KEY_ID: address.keyId,
    INDEXWATCH_KEY_SECRET: address.keySecret,
  })
  const watch = await running.watch()
  await watch.expectState('Live')
  const run = new AlertRun(running, watch)
  for (const indexId of alertIds)
    await run.make({ ...levelDraft(level, { indexId }), repeat: { mode: 'everyCrossing' } })
  const startMs = Date.now()
  const startedAt = performance.now()
  const page = new ShownValues(running)
  const samples: Sample[] = []
  const notified = { notifications: 0 }
  const ends = playFaults()
  for (let look = 1; performance.now() - startedAt < totalMs; look++) {
    await pause(look * lookEveryMs - (performance.now() - startedAt))
    await page.look()
    while (bench.peer.unreadCount > 0) {
      await bench.peer.nextNotification()
      notified.notifications++
    }
    if (look % (60_000 / lookEveryMs) === 0) samples.push(await sample(running, samples.length + 1, notified))
  }
  for (const end of ends) end()
  // An alert starts with the value in effect, so its first swing is not compared.
  const compared = { fromMs: startMs + swingSeconds * 1_000, untilMs: Date.now() }
  await caughtUp(compared)
  return report({ running, run, page, samples, ...compared })
}

/** Waits until every value is in the history, at most 60 s. The app retries a failed request after 30 s. */
async function caughtUp({ fromMs, untilMs }: { fromMs: number; untilMs: number }): Promise<void> {
  const [from, until] = [Math.ceil(fromMs / 1_000), Math.floor(untilMs / 1_000)]
  const marks = ids.map(() => '?').join(', ')
  const startedAt = performance.now()
  for (;;) {
    const database = openForReading(join(bench.userData, 'tape.db'))
    const [count] = database
      .prepare(
        `SELECT count(DISTINCT series * 10000000000 + published / 1000) FROM value
         WHERE series IN (SELECT no FROM series WHERE id IN (${marks})) AND published BETWEEN ? AND ?`,
      )
      .raw()
      .get([...ids, from * 1_000, until * 1_000]) as [number]
    database.close()
    const seconds = (performance.now() - startedAt) / 1_000
    if (count >= ids.length * (until - from + 1) || seconds > 60) {
      say(`${seconds.toFixed(0)} s after the end of the run ${count} values of it are in the history`)
      return
    }
    await pause(1_000)
  }
}

/** Returns functions that cancel the plan. */
function playFaults(): (() => void)[] {
  const timers = plan.flatMap(({ fault, fromMs, toMs }) => [
    setTimeout(() => {
      say(`${fault} begins`)
      line.begin(fault)
    }, fromMs),
    setTimeout(() => {
      line.end()
      say('the line is good again')
    }, toMs + 1),
  ])
  return timers.map((timer) => () => clearTimeout(timer))
}

/** Checks the page: each value was published, and no row shows an older value than before. */
class ShownValues {
  readonly #running: RunningApp
  readonly #last = new Map<string, number>()
  compared = 0
  wrong = 0
  back = 0
  live = 0
  looks = 0

  constructor(running: RunningApp) {
    this.#running = running
  }

  async look(): Promise<{ id: string; ageSeconds: number }[]> {
    const { page } = await this.#running.watch()
    const { rows, status } = await page.evaluate(() => {
      const rows = [...document.querySelectorAll('tr[data-index]')].map((row) => ({
        id: row.getAttribute('data-index') ?? '',
        value: row.querySelector('[data-value]')?.getAttribute('data-value') ?? '',
      }))
      const status = document.querySelector('[role="status"][aria-label="Connection"]')?.textContent ?? ''
      return { rows, status }
    })
    const nowSecond = Math.floor(Date.now() / 1_000)
    this.looks++
    if (status.includes('Live')) this.live++
    const ages: { id: string; ageSeconds: number }[] = []
    for (const { id, value } of rows) {
      if (value === '') continue
      this.compared++
      const second = day.secondOf(id, value, nowSecond)
      if (second === undefined) this.#printError(`${id} shows ${value}, which was never published`, 'wrong')
      else if (second < (this.#last.get(id) ?? 0)) this.#printError(`${id} went back to ${value}`, 'back')
      else {
        this.#last.set(id, second)
        ages.push({ id, ageSeconds: nowSecond - second })
      }
    }
    return ages
  }

  #printError(text: string, kind: 'wrong' | 'back'): void {
    this[kind]++
    say(text)
  }
}

/** Takes the sample of a minute. */
async function sample(running: RunningApp, minute: number, notified: { notifications: number }): Promise<Sample> {
  // Uncollected garbage varies the app's memory by 20 MB.
  const collected = minute % 5 === 0 ? await collect(running) : undefined
  const pids = await processTree(running.app.process().pid ?? 0)
  const pssMb = pids.reduce((sum, pid) => sum + pssBytes(pid), 0) / 1e6
  const ownMb = pids.reduce((sum, pid) => sum + ownBytes(pid), 0) / 1e6
  const descriptors = pids.reduce((sum, pid) => sum + countIn(`/proc/${pid}/fd`), 0)
  const cpuS = pids.reduce((sum, pid) => sum + cpuOfUs(pid), 0) / 1e6
  const byKind = new Map<string, number>()
  for (const pid of pids) byKind.set(kindOf(pid), (byKind.get(kindOf(pid)) ?? 0) + ownBytes(pid) / 1e6)
  const timers = await running.app.evaluate(
    () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
  )
  const database = openForReading(join(bench.userData, 'tape.db'))
  const counted = (table: string) => (database.prepare(`SELECT count(*) FROM ${table}`).raw().get() as [number])[0]
  const [values, events] = [counted('value'), counted('event')]
  database.close()
  say(
    [
      `min ${minute}`,
      `PSS ${pssMb.toFixed(1)} MB, own ${ownMb.toFixed(1)} MB${collected === undefined ? '' : ' after a collection'} (${[...byKind].map(([kind, mb]) => `${kind} ${mb.toFixed(1)}`).join(', ')})`,
      ...(collected === undefined
        ? []
        : [
            `heap of main ${collected.heapMb.toFixed(2)} MB`,
            `heaps of its threads ${collected.threadHeapsMb.map((mb) => mb.toFixed(2)).join(', ')} MB`,
            `external ${collected.externalMb.toFixed(2)} MB`,
          ]),
      `descriptors ${descriptors}`,
      `timers ${timers}`,
      `CPU ${cpuS.toFixed(0)} s`,
      `values ${values}, events ${events}, notified ${notified.notifications}`,
      `files ${(await sizes(bench.userData)).join(', ')}`,
    ].join(' | '),
  )
  return { minute, pssMb, ownMb, ...(collected !== undefined && { heapMb: collected.heapMb }) }
}

/** Memory after a garbage collection, in MB. */
interface Collected {
  heapMb: number
  /** Heap of each thread of the main process. */
  threadHeapsMb: number[]
  /** External memory known to V8 in addition to its heaps. */
  externalMb: number
}

/** Collects the garbage of main, its threads and the page. */
async function collect(running: RunningApp): Promise<Collected> {
  await (await running.watch()).page.requestGC()
  const collected = await running.app.evaluate(async () => {
    const { queryObjects } = process.getBuiltinModule('v8') as unknown as {
      queryObjects: (of: unknown, options: { format: 'count' }) => number
    }
    const { Session } = process.getBuiltinModule('inspector')
    const session = new Session()
    session.connect()
    const asked = new Map<string, (heapMb: number) => void>()
    const collections: Promise<number>[] = []
    const send = (sessionId: string, id: number, method: string) =>
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method }) })
    session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
      collections.push(new Promise((resolve) => asked.set(sessionId, resolve)))
      send(sessionId, 1, 'HeapProfiler.collectGarbage')
    })
    session.on('NodeWorker.receivedMessageFromWorker', ({ params: { sessionId, message } }) => {
      const { id, result } = JSON.parse(message) as { id?: number; result?: { usedSize: number } }
      // The collection runs after its request and before its answer.
      if (id === 1) send(sessionId, 2, 'Runtime.getHeapUsage')
      if (id === 2) asked.get(sessionId)?.((result?.usedSize ?? NaN) / 1e6)
    })
    await new Promise<void>((resolve) =>
      session.post('NodeWorker.enable', { waitForDebuggerOnStart: false }, () => resolve()),
    )
    const threadHeapsMb = await Promise.all(collections)
    session.disconnect()
    // Counting objects of any kind collects the garbage first.
    queryObjects(Map, { format: 'count' })
    const { heapUsed, external } = process.memoryUsage()
    return { heapMb: heapUsed / 1e6, threadHeapsMb, externalMb: external / 1e6 }
  })
  // Freed memory returns to the system a little later.
  await pause(2_000)
  return collected
}

function countIn(folder: string): number {
  try {
    return readdirSync(folder).length
  } catch {
    return 0
  }
}

function kindOf(pid: number): string {
  try {
    return /--type=([\w-]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1] ?? 'main'
  } catch {
    return 'ended'
  }
}

/** The app's own files, the largest first. */
async function sizes(folder: string): Promise<string[]> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile())
  const found = await Promise.all(
    files.map(async ({ name }) => ({ name, bytes: (await stat(join(folder, name)).catch(() => ({ size: 0 }))).size })),
  )
  const large = found.filter(({ bytes }) => bytes > 20_000).sort((a, b) => b.bytes - a.bytes)
  return large.map(({ name, bytes }) => `${name} ${(bytes / 1e6).toFixed(2)} MB`)
}

interface Outcome {
  running: RunningApp
  run: AlertRun
  page: ShownValues
  samples: readonly Sample[]
  fromMs: number
  untilMs: number
}

async function report({ running, run, page, samples, fromMs, untilMs }: Outcome): Promise<number> {
  const ages = await page.look()
  const late = ages.filter(({ ageSeconds }) => ageSeconds > 5)
  const [from, until] = [Math.ceil(fromMs / 1_000), Math.floor(untilMs / 1_000)]
  await run.watch.expectState('Live')
  await running.quit()
  const database = openForReading(join(bench.userData, 'tape.db'))
  const rows = <Row>(sql: string, ...cells: (string | number)[]) => database.prepare(sql).raw().all(cells) as Row[]

  const values = { sent: 0, recorded: 0, missing: 0, wrong: 0 }
  const missingAt = new Map<number, number>()
  const lacking = new Set<string>()
  for (const id of ids) {
    const recorded = new Map(
      rows<[number, string]>(
        'SELECT published, text FROM value WHERE series = (SELECT no FROM series WHERE id = ?) AND published BETWEEN ? AND ?',
        ...[id, from * 1_000, until * 1_000],
      ),
    )
    values.recorded += recorded.size
    for (let second = from; second <= until; second++) {
      values.sent++
      const text = recorded.get(second * 1_000)
      if (text === undefined) {
        values.missing++
        lacking.add(id)
        missingAt.set(second, (missingAt.get(second) ?? 0) + 1)
      } else if (text !== day.valueAt(id, second)) values.wrong++
    }
  }

  const spans = [...lacking]
    .slice(0, 3)
    .flatMap((id) =>
      rows<[number, number, string, number]>(
        'SELECT from_ms, to_ms, state, asked FROM span WHERE series = (SELECT no FROM series WHERE id = ?) AND to_ms >= ?',
        ...[id, fromMs],
      ).map(
        ([spanFromMs, toMs, state, askedMs]) =>
          `${id} ${state} ${clock(spanFromMs)}–${clock(toMs)}, asked ${clock(askedMs)}`,
      ),
    )
  const ruleOf = new Map(rows<[string, string]>("SELECT json_extract(document, '$.indexId'), id FROM rule"))
  const alerts = { expected: 0, raised: 0, missing: 0, doubled: 0, false: 0 }
  const told = new Map<string, number>()
  for (const id of alertIds) {
    const ruleId = ruleOf.get(id) ?? ''
    const expected = new Set<number>()
    for (let second = from; second <= until; second++) if (day.isCrossing(id, second)) expected.add(second * 1_000)
    const fired = rows<[number, string | null]>(
      'SELECT published, event FROM firing WHERE rule = ? AND published BETWEEN ? AND ?',
      ...[ruleId, from * 1_000, until * 1_000],
    )
    alerts.expected += expected.size
    alerts.raised += fired.length
    const times = new Set(fired.map(([published]) => published))
    alerts.missing += [...expected].filter((time) => !times.has(time)).length
    alerts.false += [...times].filter((time) => !expected.has(time)).length
    // Each firing has its own event. Two firings for one crossing would be two notifications.
    alerts.doubled += fired.length - new Set(fired.map(([, event]) => event)).size
    const events = rows<[string, string]>(
      "SELECT kind, json_extract(document, '$.delivery') FROM event WHERE rule = ? ORDER BY number",
      ruleId,
    )
    for (const [kind, delivery] of events) {
      const name = `${kind} ${delivery}`
      told.set(name, (told.get(name) ?? 0) + 1)
    }
  }
  const single = (sql: string) => rows<[number | string]>(sql)[0]?.[0]
  const eventCount = Number(
    single("SELECT count(*) FROM event WHERE kind IN ('fired', 'lateFromHistory', 'lateByAmendment')"),
  )
  const retracted = Number(single("SELECT count(*) FROM event WHERE kind = 'retracted'"))
  const firings = Number(single('SELECT count(*) FROM firing'))
  const check = single('PRAGMA integrity_check')
  database.close()
  const extra = eventCount - retracted - firings

  // Samples after half an hour show real growth instead of warm-up.
  const settled = samples.filter(({ minute }) => minute > 30)
  const used = settled.length > 10 ? settled : samples
  const pss = slopePerHour(used.map(({ minute, pssMb }) => [minute, pssMb]))
  const own = slopePerHour(used.flatMap(({ minute, ownMb, heapMb }) => (heapMb === undefined ? [] : [[minute, ownMb]])))
  const heap = slopePerHour(used.flatMap(({ minute, heapMb }) => (heapMb === undefined ? [] : [[minute, heapMb]])))
  say(`line: ${plan.map(({ fault, fromMs: at }) => `${(at / 60_000).toFixed(1)} ${fault}`).join(', ')}`)
  say(`values: sent ${values.sent}, recorded ${values.recorded}, missing ${values.missing}, wrong ${values.wrong}`)
  for (const [second, count] of [...missingAt].sort().slice(0, 30)) {
    say(`missing at ${clock(second * 1_000)}: ${count} of ${ids.length} indices`)
  }
  for (const span of spans) say(span)
  if (values.missing > 0) for (const text of logLines()) say(text)
  say(
    `shown: ${page.compared} values in ${page.looks} looks (Live in ${page.live}), never published ${page.wrong}, older than the one before ${page.back}, behind at the end ${late.length}`,
  )
  say(
    `alerts: expected ${alerts.expected}, raised ${alerts.raised}, missing ${alerts.missing}, false ${alerts.false}, doubled ${alerts.doubled}, events without a firing ${extra}`,
  )
  say(`delivery: ${[...told].map(([name, count]) => `${name} ${count}`).join(', ')}`)
  say(`history: ${String(check)}`)
  say(
    `slopes from minute ${used[0]?.minute ?? 0} to ${used.at(-1)?.minute ?? 0}: PSS ${pss.toFixed(2)} MB/h, own after a collection ${own.toFixed(2)} MB/h, heap of main ${heap.toFixed(2)} MB/h`,
  )
  const { missing, wrong: badValues } = values
  const failures = [
    missing,
    badValues,
    page.wrong,
    page.back,
    late.length,
    alerts.missing,
    alerts.false,
    alerts.doubled,
    extra,
  ]
  const isGood = failures.every((count) => count === 0) && check === 'ok'
  say(isGood ? 'nothing lost, nothing doubled, nothing wrong' : 'FAILED')
  return isGood ? 0 : 1
}

/** The median of the slopes between any two points, which outliers do not affect (Theil and Sen). */
function slopePerHour(points: readonly (readonly [minute: number, mb: number] | number[])[]): number {
  const slopes: number[] = []
  for (const [at, [x = 0, y = 0]] of points.entries()) {
    for (const [laterX = 0, laterY = 0] of points.slice(at + 1)) slopes.push(((laterY - y) / (laterX - x)) * 60)
  }
  slopes.sort((a, b) => a - b)
  return slopes[Math.floor(slopes.length / 2)] ?? 0
}

function isEverySecond(schedule: (typeof catalogue)[number]['schedule']): boolean {
  return 'stepMs' in schedule && schedule.stepMs === 1_000
}

const clock = (ms: number) => new Date(ms).toISOString().slice(11, 23)

/** The end of the app's log. */
function logLines(): string[] {
  const files = readdirSync(bench.userData, { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => name.endsWith('.log'))
    .flatMap((name) => readFileSync(join(bench.userData, name), 'utf8').trim().split('\n').slice(-60))
}

function readArguments(): { minutes: number; seed: number } {
  const usage = 'Usage: npm run soak -- [--hours N | --minutes N] [--seed N]'
  const options = {
    hours: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string', default: '1' },
  } as const
  return readOrExit({ options }, usage, ({ values }) => {
    const minutes = values.hours === undefined ? Number(values.minutes ?? 10) : Number(values.hours) * 60
    const seed = Number(values.seed)
    if (!(minutes >= 0.5) || !Number.isSafeInteger(seed))
      throw new Error('A soak takes at least half a minute; a seed is a whole number.')
    return { minutes, seed }
  })
}

try {
  process.exitCode = await soak()
} finally {
  await bench.dispose()
  line.close()
  await simulator.close()
}
