/** The curves of parts, the real modules in plain Node: what rules, the inbox and the catalogue cost. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { AlertEngine } from '../../../main/alerts/engine'
import { Records } from '../../../main/alerts/records'
import { createLog } from '../../../main/base/log'
import { decodeEnvelope, decodeIndices } from '../../../main/rest/decode'
import { prepareSchema, useJournal } from '../../../main/tape/schema'
import { TapeStore } from '../../../main/tape/store'
import type { AlertDraft, AlertRule } from '../../../core/alerts'
import type { Quote } from '../../../core/model'
import { FakeClock } from '../../support/fake-clock'
import { MemoryTape } from '../../support/memory-tape'
import { firedEvent, levelDraft } from '../../support/sample-alerts'
import { successBody } from '../../support/scripted-service'
import { cpuUs } from '../rounds'
import type { Point } from './curves'

const rounds = 7
const startMs = Date.UTC(2023, 10, 1, 12)

/** CPU in microseconds of one of so many, the median of rounds after one that does not count. */
async function medianUs(count: number, run: () => Promise<void> | void): Promise<number> {
  const figures: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const beforeUs = cpuUs()
    await run()
    if (round > 0) figures.push((cpuUs() - beforeUs) / count)
  }
  return figures.toSorted((a, b) => a - b)[(rounds - 1) / 2] ?? Number.NaN
}

const rulesOfIndex = 4

/** Rules that no value here fires: two levels, one that is held, and a move. No two of one index are alike. */
function draftOf(at: number, indexId: string): AlertDraft {
  const common = { indexId, severity: 'normal', repeat: { mode: 'everyCrossing' } } as const
  const no = Math.floor(at / rulesOfIndex)
  const level = String(20_000 + no)
  switch (at % rulesOfIndex) {
    case 0:
      return { ...common, terms: { condition: 'crosses', level } }
    case 1:
      return { ...common, terms: { condition: 'risesTo', level } }
    case 2:
      return { ...common, terms: { condition: 'isAbove', level }, holdMs: 60_000 }
    default:
      return {
        ...common,
        terms: { condition: 'moves', direction: 'either', amount: String(50 + no), unit: 'percent', withinMs: 300_000 },
      }
  }
}

/** CPU for a value of an engine with so many rules, four on each index or all on one. */
async function perValueUs(ruleCount: number, place: 'spread' | 'one'): Promise<number> {
  const indexCount = place === 'one' ? 1 : Math.ceil(ruleCount / rulesOfIndex)
  const clock = new FakeClock(startMs)
  const tape = new MemoryTape()
  // More than the app lets its user make are on the tape before it starts.
  const records = new Records(tape)
  for (let at = 0; at < ruleCount; at++) {
    const draft = draftOf(at, `I${Math.floor(at / rulesOfIndex) % indexCount}`)
    const rule: AlertRule = { ...draft, id: `rule-${at}`, version: 1, createdAtMs: startMs }
    records.begin({ number: 1, rule, first: 'wait', startedAtMs: startMs, sinceMs: startMs }, at)
  }
  await records.commit({ rules: [] }, startMs)
  const engine = new AlertEngine({
    clock,
    newId: () => 'id',
    log: createLog({ write: (line) => process.stderr.write(`${line}\n`), redact: (text) => text, clock }),
    tape,
    cadenceOf: () => 'PER_SECOND',
    originOf: () => ({ connection: 'Desk', isDemo: false }),
  })
  await engine.use()
  if (engine.views().length !== ruleCount) throw new Error(`${engine.views().length} of ${ruleCount} rules are there`)
  engine.events.on('notify', () => {
    throw new Error('a rule has fired')
  })
  const latest = new Map<string, Quote>()
  let made = 0
  const seconds = Math.ceil(Math.max(20, Math.min(2_000, 100_000 / ruleCount)) / indexCount)
  const run = async () => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000)
      const publishedAtMs = clock.wallMs()
      for (let index = 0; index < indexCount; index++) {
        const id = `I${index}`
        const value = (10_000 + ((made++ * 7_919) % 1_000) / 100).toFixed(2)
        const next: Quote = { id, value, publishedAtMs, source: 'stream' }
        engine.consider(latest.get(id), next)
        latest.set(id, next)
      }
      await engine.flush()
    }
  }
  const figure = await medianUs(seconds * indexCount, run)
  engine.dispose()
  return figure
}

export async function measureRules(rules: number): Promise<Point> {
  return { rules, spread: await perValueUs(rules, 'spread'), one: await perValueUs(rules, 'one') }
}

/** A tape with so many events, the newest 50 unread. */
function databaseWithEvents(path: string, events: number): Database.Database {
  const database = new Database(path)
  useJournal(database)
  prepareSchema(database, () => undefined)
  const template = JSON.stringify(firedEvent(1, levelDraft(), { recordedAtMs: startMs }))
  database
    .prepare(
      `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ?1)
       INSERT INTO event (id, number, kind, rule, index_id, is_read, words, document)
       SELECT 'e' || n, n, 'fired', 'r1', 'BRTI', n <= ?1 - 50, 'brti',
         json_set(?2, '$.id', 'e' || n, '$.number', n) FROM counted`,
    )
    .run([events, template])
  return database
}

/** CPU for what a start asks of an inbox of so many events, and for a page from its middle. */
export async function measureInbox(events: number): Promise<Point> {
  const folder = mkdtempSync(join(tmpdir(), 'indexwatch-inbox-'))
  const database = databaseWithEvents(join(folder, 'tape.db'), events)
  const records = new Records(new MemoryTape(new TapeStore(database)))
  const repeats = 10
  const perAskUs = (ask: () => Promise<{ ok: boolean }>) =>
    medianUs(repeats, async () => {
      for (let each = 0; each < repeats; each++) if (!(await ask()).ok) throw new Error('the inbox could not be read')
    })
  try {
    const start = await perAskUs(() => records.read(new FakeClock()))
    const back = await perAskUs(() => records.events({ before: Math.ceil(events / 2) + 1 }))
    return { events, start, back }
  } finally {
    database.close()
    rmSync(folder, { recursive: true })
  }
}

/** CPU in milliseconds to read the service's list of so many indices. */
export async function readCatalogueMs(entries: number): Promise<number> {
  const listed = Array.from({ length: entries }, (_, at) => ({
    id: `INDEX${at}`,
    name: `Index INDEX${at}`,
    decimals: 2,
    base: 'BTC',
    quote: 'USD',
    maxResolution: 'PER_SECOND',
    demiseDateTime: null,
  }))
  const body = successBody(listed)
  const repeats = Math.ceil(20_000 / entries)
  const us = await medianUs(repeats, () => {
    for (let each = 0; each < repeats; each++) {
      const envelope = decodeEnvelope(body)
      const read = envelope.kind === 'success' ? decodeIndices(envelope.payload) : undefined
      if (read?.rows.length !== entries) throw new Error('the catalogue could not be read')
    }
  })
  return us / 1e3
}
