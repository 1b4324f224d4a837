/**
 * What the tape costs, over real files in a temporary folder:
 * `node --import ./test/support/typescript-resolution.js test/measure/tape.ts`. Prints one line for each figure.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { SystemClock } from '../../main/base/clock'
import { createLog } from '../../main/base/log'
import { Exporter } from '../../main/history/exporter'
import type { TapeValue, ValueCursor } from '../../main/tape/contract'
import { Tape } from '../../main/tape/tape'
import type { ExportRequest } from '../../protocol/history'
import { firedEvent, levelDraft } from '../support/sample-alerts'
import { fillTape } from './large-tape'

const resolution = pathToFileURL(join(import.meta.dirname, '../support/typescript-resolution.js')).href
const workerPath = join(import.meta.dirname, '../../main/tape/worker.ts')
const exporterPath = join(import.meta.dirname, '../../main/history/export-worker.ts')
const clock = new SystemClock()
const folder = mkdtempSync(join(tmpdir(), 'indexwatch-measure-'))
const endMs = Date.now() - 8 * 86_400_000
const indexCount = 10
const valuesOfEach = 1_000_000
const startMs = endMs - valuesOfEach * 1_000

function tapeIn(place: string): Tape {
  return new Tape({
    folder: place,
    clock,
    log: createLog({ write: () => undefined, redact: (text) => text, clock }),
    startThread: (workerData) => new Worker(workerPath, { workerData, execArgv: ['--import', resolution] }),
  })
}

function say(what: string, figure: string): void {
  process.stdout.write(`${what}: ${figure}\n`)
}

/** Of the last one, five and fifteen minutes: what else the machine has to do. */
function sayLoad(): void {
  say(
    'load',
    loadavg()
      .map((load) => load.toFixed(1))
      .join(' '),
  )
}

const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
const percentile95 = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0

function value(index: number, publishedAtMs: number): TapeValue {
  const learned = { learnedAtMs: publishedAtMs + 150, origin: 'stream', connection: 'Demo' } as const
  return { id: `I${index}`, value: `68${publishedAtMs % 1_000}.12`, publishedAtMs, ...learned }
}

const cpuMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000

/** The longest that this thread has worked without a pause, in CPU: the time others take from it does not count. */
function watchBlocks(): () => string {
  let before = process.threadCpuUsage()
  let longestMs = 0
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, cpuMs(process.threadCpuUsage(before)))
    before = process.threadCpuUsage()
  }, 1)
  return () => {
    clearInterval(timer)
    return `longest block of main ${longestMs.toFixed(1)} ms of CPU`
  }
}

/** 250 values a second, as 50 indices publish each 200 ms: what the process spends above an idle one. */
async function measureAppends(tape: Tape): Promise<void> {
  const idle = process.cpuUsage()
  await pause(5_000)
  const idleSpent = process.cpuUsage(idle)
  const before = process.cpuUsage()
  const seconds = 20
  for (let tick = 0; tick < seconds * 5; tick++) {
    const publishedAtMs = Date.now()
    for (let index = 0; index < 50; index++) tape.append([value(index, publishedAtMs)])
    await pause(200)
  }
  const spent = process.cpuUsage(before)
  const idleShare = (idleSpent.user + idleSpent.system) / 5e6
  const share = (spent.user + spent.system) / (seconds * 1.01e6) - idleShare
  say('250 values/s', `${(share * 100).toFixed(2)} % of a core`)
}

async function measureCommits(tape: Tape): Promise<void> {
  const times: number[] = []
  const spentMs: number[] = []
  const blocks = watchBlocks()
  for (let number = 1; number <= 500; number++) {
    const publishedAtMs = Date.now()
    const beganAt = performance.now()
    const before = process.cpuUsage()
    await tape.commit({
      values: Array.from({ length: 50 }, (_, index) => value(index, publishedAtMs)),
      checkpoints: [{ ruleId: 'r0', run: 1, publishedAtMs, state: '{"up":true}' }],
      firings: [{ ruleId: 'r0', run: 1, publishedAtMs, document: '{}' }],
      events: [firedEvent(number, levelDraft(), { inputs: { publishedAtMs } })],
    })
    times.push(performance.now() - beganAt)
    spentMs.push(cpuMs(process.cpuUsage(before)))
  }
  say('commit of an alert', `${blocks()}; CPU of both threads median ${median(spentMs).toFixed(2)} ms`)
  say('commit of an alert', `median ${median(times).toFixed(2)} ms, p95 ${percentile95(times).toFixed(2)} ms`)
}

async function measureReads(tape: Tape): Promise<void> {
  const times: number[] = []
  const spentMs: number[] = []
  const blocks = watchBlocks()
  let count = 0
  for (let round = 0; round < 9; round++) {
    const fromMs = startMs + round * 90_000_000
    const asked = { id: `F${round + 1}`, revisions: 'latest', fromMs, toMs: fromMs + 86_399_000 } as const
    const beganAt = performance.now()
    const before = process.cpuUsage()
    count = 0
    for (let after: ValueCursor | undefined, isMore = true; isMore; isMore = after !== undefined) {
      const page = await tape.ask('values', { ...asked, ...(after !== undefined && { after }) })
      if (!page.ok) throw new Error(page.problem.message)
      count += page.value.values.length
      after = page.value.next
    }
    times.push(performance.now() - beganAt)
    spentMs.push(cpuMs(process.cpuUsage(before)))
  }
  const [first = 0] = times
  say('a day of one index', `${blocks()}; CPU of both threads median ${median(spentMs).toFixed(0)} ms`)
  say(
    `a day of one index (${count} values) of ${indexCount * valuesOfEach}`,
    `median ${median(times).toFixed(0)} ms, first ${first.toFixed(0)} ms`,
  )
}

/** A million values of one index into a file, while 250 values a second are recorded. */
async function measureExports(tape: Tape): Promise<void> {
  const exporter = new Exporter({
    clock,
    tape,
    startThread: (workerData) => new Worker(exporterPath, { workerData, execArgv: ['--import', resolution] }),
  })
  const range: Omit<ExportRequest, 'format'> = {
    indexIds: ['F0'],
    fromMs: startMs,
    toMs: endMs + 1,
    resolution: 'every',
  }
  for (const format of ['csv', 'parquet'] as const) {
    const recording = setInterval(() => {
      const publishedAtMs = Date.now()
      for (let index = 0; index < 50; index++) tape.append([value(index, publishedAtMs)])
    }, 200)
    const blocks = watchBlocks()
    const before = process.cpuUsage()
    const outcome = await exporter.run({ ...range, format }, join(folder, `values.${format}`))
    clearInterval(recording)
    if (!outcome.ok) throw new Error(outcome.problem.message)
    const spentMs = cpuMs(process.cpuUsage(before))
    say(
      `${outcome.value?.rowCount ?? 0} values as ${format}`,
      `${blocks()}; CPU of all threads ${(spentMs / 1_000).toFixed(1)} s`,
    )
  }
}

async function openingMs(place: string): Promise<number> {
  const tape = tapeIn(place)
  const beganAt = performance.now()
  await tape.use('real')
  const latest = await tape.ask('latest', null)
  const ms = performance.now() - beganAt
  if (!latest.ok) throw new Error(latest.problem.message)
  await tape.close()
  return ms
}

sayLoad()
const tape = tapeIn(folder)
await tape.use('real')
await measureAppends(tape)
await measureCommits(tape)
await tape.close()
const empty = mkdtempSync(join(tmpdir(), 'indexwatch-measure-'))
await openingMs(empty)
const emptyMs = median([await openingMs(empty), await openingMs(empty), await openingMs(empty)])
const path = join(folder, 'tape.db')
fillTape(
  path,
  Array.from({ length: indexCount }, (_, index) => `F${index}`),
  { count: valuesOfEach, toMs: endMs },
)
say(
  'the file',
  `${(statSync(path).size / 2 ** 30).toFixed(2)} GiB, ${(statSync(path).size / indexCount / valuesOfEach).toFixed(1)} bytes a value`,
)
const fullMs = median([await openingMs(folder), await openingMs(folder), await openingMs(folder)])
say('opening with the latest values', `${fullMs.toFixed(0)} ms, an empty one ${emptyMs.toFixed(0)} ms`)
const reopened = tapeIn(folder)
await reopened.use('real')
await measureReads(reopened)
await measureExports(reopened)
await reopened.close()
sayLoad()
for (const place of [folder, empty]) rmSync(place, { recursive: true, force: true })
