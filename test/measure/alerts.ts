/**
 * Measures what 2,000 alerts cost the main process, an hour of fake time of 500 indices that publish every second and 20
 * every 200 ms, over the store of a tape in a real file, in this thread; asserts nothing. `node --import ./test/support/typescript-resolution.js --expose-gc
 * test/measure/alerts.ts [SECONDS]`
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { AlertEngine } from '../../main/alerts/engine'
import { createLog } from '../../main/base/log'
import { prepareSchema, useJournal } from '../../main/tape/schema'
import { TapeStore } from '../../main/tape/store'
import type { AlertDraft } from '../../protocol/alerts'
import type { Quote } from '../../protocol/model'
import { FakeClock } from '../support/fake-clock'
import { MemoryTape } from '../support/memory-tape'

const seconds = Number(process.argv[2] ?? '600')
const indexCount = 500
const fastCount = 20
const ruleCount = 2_000
const startMs = Date.UTC(2023, 10, 1, 12)

const folder = mkdtempSync(join(tmpdir(), 'measure-alerts-'))
const path = join(folder, 'tape.db')
const clock = new FakeClock(startMs)
let made = 0

/** The value of an index at a moment: swings by half a percent in about ten minutes, with a little noise. */
function valueAt(index: number, ms: number): string {
  const swing = Math.sin(ms / 95_000 + index) + 0.1 * Math.sin(ms / 1_300 + 7 * index)
  return (10_000 + 50 * swing).toFixed(2)
}

/** Four rules an index: a level often crossed, one far off, a level that is held, and a move or a crossing. */
function draftOf(at: number): AlertDraft {
  const indexId = `I${at % indexCount}`
  const once = { indexId, severity: 'normal', repeat: { mode: 'once' } } as const
  const every = { ...once, repeat: { mode: 'everyCrossing' } } as const
  const kind = Math.floor(at / indexCount)
  if (kind === 0) return { ...every, terms: { condition: 'crosses', level: '10000' }, cooldownMs: 3_600_000 }
  if (kind === 1) return { ...once, terms: { condition: 'risesTo', level: '12000' } }
  if (kind === 2) return { ...every, terms: { condition: 'isAbove', level: '10010' }, holdMs: 3_600_000 }
  return {
    ...every,
    terms: { condition: 'moves', direction: 'either', amount: '5', unit: 'percent', withinMs: 300_000 },
  }
}

async function open() {
  const database = new Database(path)
  useJournal(database)
  prepareSchema(database, () => undefined)
  const tape = new MemoryTape(new TapeStore(database))
  const engine = new AlertEngine({
    clock,
    newId: () => `id-${made++}-0000-0000-0000-000000000000`,
    log: createLog({ write: () => undefined, redact: (text) => text, clock }),
    tape,
    cadenceOf: (id) => (Number(id.slice(1)) < fastCount ? 'PER_200MS' : 'PER_SECOND'),
    originOf: () => ({ connection: 'Desk', isDemo: false }),
  })
  const begin = cpuMs()
  await engine.use()
  return { engine, tape, loadMs: cpuMs() - begin, writes: () => tape.written.length }
}

/** CPU of this process, all threads: steadier than time where others work too. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

function memoryMb(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}

const before = memoryMb()
const { engine, tape, writes } = await open()
const createdAt = cpuMs()
await engine.createAll(
  Array.from({ length: ruleCount }, (_, at) => draftOf(at)),
  () => undefined,
)
console.log(`made ${engine.views().length} rules in ${(cpuMs() - createdAt).toFixed(0)} ms of CPU`)
let changes = 0
let notified = 0
engine.events.on('changed', () => changes++)
engine.events.on(
  'notify',
  (notification) => (notified += notification.kind === 'single' ? 1 : notification.events.length),
)

const latest = new Map<string, Quote>()
let values = 0

function publish(index: number): void {
  const id = `I${index}`
  const publishedAtMs = clock.wallMs()
  const next: Quote = { id, value: valueAt(index, publishedAtMs - startMs), publishedAtMs, source: 'stream' }
  const { value } = next
  tape.append([{ id, value, publishedAtMs, learnedAtMs: publishedAtMs, origin: 'stream', connection: 'Demo' }])
  engine.consider(latest.get(id), next)
  values++
  latest.set(id, next)
}

let judgedMs = 0
const cpuBefore = cpuMs()
const writesBefore = writes()
for (let second = 0; second < seconds; second++) {
  for (let fifth = 0; fifth < 5; fifth++) {
    const begin = cpuMs()
    for (let index = 0; index < (fifth === 0 ? indexCount : fastCount); index++) publish(index)
    judgedMs += cpuMs() - begin
    clock.advance(200)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
await engine.flush()
const spentMs = cpuMs() - cpuBefore
const perSecond = (count: number) => (count / seconds).toFixed(2)
console.log(`${values} values in ${seconds} s of fake time, ${notified} firings notified`)
console.log(
  `judging: ${((1_000 * judgedMs) / values).toFixed(1)} us of CPU a value, ${values / seconds} values a second`,
)
console.log(`process: ${(spentMs / seconds).toFixed(1)} ms of CPU a second of fake time`)
console.log(`a second: ${perSecond(changes)} changes, ${perSecond(writes() - writesBefore)} writes`)
console.log(`heap: ${(memoryMb() - before).toFixed(0)} MB`)

const views = cpuMs()
const state = { alerts: engine.views(), inbox: engine.inbox(), snoozes: engine.snoozes() }
const json = JSON.stringify(state)
console.log(`window: ${(json.length / 2 ** 20).toFixed(2)} MB in ${(cpuMs() - views).toFixed(1)} ms of CPU`)
const parsing = cpuMs()
JSON.parse(json)
console.log(`parsing it: ${(cpuMs() - parsing).toFixed(1)} ms of CPU`)
const commit = cpuMs()
engine.markRead()
await engine.flush()
console.log(
  `one commit: ${(cpuMs() - commit).toFixed(1)} ms of CPU, file ${(statSync(path).size / 2 ** 20).toFixed(2)} MB`,
)
engine.dispose()
await engine.flush()
console.log(`load: ${(await open()).loadMs.toFixed(0)} ms of CPU`)
rmSync(folder, { recursive: true })
