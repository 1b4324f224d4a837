/**
 * Ten thousand alerts on the history store over a real file, with a clock of their own. Runs in Electron's main
 * process.
 */
import { join } from 'node:path'
import Database from 'libsql'
import { AlertEngine } from '../../../main/alerts/engine'
import { createLog } from '../../../main/base/log'
import { prepareSchema, useJournal } from '../../../main/history-store/schema'
import { HistoryTables } from '../../../main/history-store/tables'
import type { AlertDraft } from '../../../core/alerts'
import type { Quote } from '../../../core/model'
import { FakeClock } from '../../../test/support/fake-clock'
import { MemoryHistory } from '../../../test/support/memory-history'
import type { Samples } from './report'
import { cpuUs, inTurns } from './rounds'

const rounds = 5
const indexCount = 2_500
/** Each index has four of these rules. */
const ruleCount = 10_000
const secondsOfRound = 4
/** How many rules a round changes. A table with this many of them is the limit. */
const changedCount = 50
const startMs = Date.UTC(2023, 10, 1, 12)

/** The value of an index at a time. It swings by half a percent in about ten minutes, with some noise. */
function valueAt(index: number, ms: number): string {
  const swing = Math.sin(ms / 95_000 + index) + 0.1 * Math.sin(ms / 1_300 + 7 * index)
  return (10_000 + 50 * swing).toFixed(2)
}

/** A level that is often crossed, one far away, a held level, or a move. */
function draftOf(at: number): AlertDraft {
  const indexId = `INDEX${at % indexCount}`
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

/** An engine with this many rules, and the values published to it. */
class Watched {
  readonly #clock = new FakeClock(startMs)
  readonly #path: string
  readonly #latest = new Map<string, Quote>()
  #history: MemoryHistory
  #engine: AlertEngine
  #made = 0

  constructor(path: string) {
    this.#path = path
    this.#history = this.#open()
    this.#engine = this.#start()
  }

  async make(count: number): Promise<void> {
    await this.#engine.use()
    const drafts = Array.from({ length: count }, (_, at) => draftOf(at))
    const made = await this.#engine.createAll(drafts, () => undefined)
    if (!made.ok) throw new Error(made.problem.message)
  }

  /** Publishes a value of every index each second. Returns CPU in µs per value, including writes. */
  async publish(): Promise<number> {
    const beforeUs = cpuUs()
    for (let second = 0; second < secondsOfRound; second++) {
      for (let index = 0; index < indexCount; index++) this.#publish(index)
      this.#clock.advance(1_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await this.#engine.flush()
    return (cpuUs() - beforeUs) / (secondsOfRound * indexCount)
  }

  /** Deletes some rules and restores them. Returns CPU in µs per rule, including writes. */
  async change(): Promise<number> {
    const ids = this.#engine
      .views()
      .slice(0, changedCount)
      .map(({ id }) => id)
    const beforeUs = cpuUs()
    for (const id of ids) {
      await this.#engine.remove(id)
      await this.#engine.putBack(id)
    }
    await this.#engine.flush()
    return (cpuUs() - beforeUs) / changedCount
  }

  /** Restarts the engine. Returns CPU in ms until all rules are read and evaluated up to the last value. */
  async startAgain(): Promise<number> {
    this.#engine.dispose()
    await this.#engine.flush()
    this.#history = this.#open()
    this.#engine = this.#start()
    const beforeUs = cpuUs()
    await this.#engine.use()
    return (cpuUs() - beforeUs) / 1_000
  }

  #publish(index: number): void {
    const id = `INDEX${index}`
    const publishedAtMs = this.#clock.wallMs()
    const value = valueAt(index, publishedAtMs - startMs)
    const next: Quote = { id, value, publishedAtMs, source: 'stream' }
    this.#history.append([
      { id, value, publishedAtMs, learnedAtMs: publishedAtMs, origin: 'stream', connection: 'Desk' },
    ])
    this.#engine.consider(this.#latest.get(id), next)
    this.#latest.set(id, next)
  }

  #open(): MemoryHistory {
    const database = new Database(this.#path)
    useJournal(database)
    prepareSchema(database, () => undefined)
    return new MemoryHistory(new HistoryTables(database))
  }

  #start(): AlertEngine {
    return new AlertEngine({
      clock: this.#clock,
      newId: () => `rule-${this.#made++}`,
      log: createLog({ write: () => undefined, redact: (text) => text, clock: this.#clock }),
      history: this.#history,
      cadenceOf: () => 'PER_SECOND',
      originOf: () => ({ connection: 'Desk', isDemo: false }),
    })
  }
}

async function watchedPair(folder: string): Promise<{ ours: Watched; limit: Watched }> {
  const pair = { ours: new Watched(join(folder, 'rules.db')), limit: new Watched(join(folder, 'none.db')) }
  await pair.ours.make(ruleCount)
  await pair.limit.make(0)
  return pair
}

/** Compares with a history without rules. */
export async function measureJudging(folder: string): Promise<Samples> {
  const { ours, limit } = await watchedPair(folder)
  return inTurns(rounds, { ours: () => ours.publish(), limit: () => limit.publish() })
}

/** Compares with a table that has no other rules. */
export async function measureChange(folder: string): Promise<Samples> {
  const pair = { ours: new Watched(join(folder, 'many.db')), limit: new Watched(join(folder, 'few.db')) }
  await pair.ours.make(ruleCount)
  await pair.limit.make(changedCount)
  return inTurns(rounds, { ours: () => pair.ours.change(), limit: () => pair.limit.change() })
}

/** Compares with a history without rules. */
export async function measureAlertStart(folder: string): Promise<Samples> {
  const { ours, limit } = await watchedPair(folder)
  const again = async (each: Watched) => {
    await each.publish()
    return each.startAgain()
  }
  return inTurns(rounds, { ours: () => again(ours), limit: () => again(limit) })
}
