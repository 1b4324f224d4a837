/**
 * B1, B2: all work of main for published messages, against a bare socket with `JSON.parse`. Runs in Electron's main
 * process.
 */
import { createHook } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { AlertEngine } from '../../main/alerts/engine'
import { distribute } from '../../main/app/received'
import { SystemClock } from '../../main/base/clock'
import { Emitter } from '../../main/base/emitter'
import { Counters, createLog } from '../../main/base/log'
import type { ConnectionEvents } from '../../main/connections/connection-events'
import { FeedSession } from '../../main/feed/session'
import { IndexPage } from '../../main/index-page/index-page'
import { PageMemory } from '../../main/index-page/page-memory'
import { Batcher } from '../../main/ipc/batcher'
import { QuoteData } from '../../main/quotes/quote-data'
import { HistoryStore } from '../../main/history-store/history-store'
import type { AlertDraft } from '../../core/alerts'
import { floods, type Side } from './floods'
import { openPlainFeed } from './limits/plain-feed'
import type { Samples } from './report'
import { cpuUs, inTurns } from './rounds'

const rounds = 7

export interface FloodOptions {
  kind: keyof typeof floods
  urls: Record<Side, string>
  folder: string
  /** Path of the built history thread. */
  workerPath: string
  /** Messages in a round. By default the flood's own count. */
  count?: number
  /** Makes the service send the next round of messages to this side's socket. */
  flood: (side: Side) => void
}

/** CPU in µs per message, of the app's path and of the limit. */
export function measureFeedPath(options: FloodOptions): Promise<Samples> {
  return measurePerMessage(options, cpuUs)
}

/** How often main's code is entered per message, by the socket, a timer, a promise or a decompressor. */
export function measureTurns(options: FloodOptions): Promise<Samples> {
  let turns = 0
  createHook({
    before: () => {
      turns++
    },
  }).enable()
  return measurePerMessage(options, () => turns)
}

async function measurePerMessage(options: FloodOptions, spent: () => number): Promise<Samples> {
  const { count = floods[options.kind].count } = options
  const arrivals: Record<Side, Arrivals> = { ours: new Arrivals(count), limit: new Arrivals(count) }
  await openAppPath(options, () => arrivals.ours.note())
  await openPlainFeed(options.urls.limit, () => arrivals.limit.note())
  const round = async (side: Side) => {
    const before = spent()
    const arrived = arrivals[side].all()
    options.flood(side)
    await arrived
    return (spent() - before) / count
  }
  return inTurns(rounds, { ours: () => round('ours'), limit: () => round('limit') })
}

/**
 * Opens everything behind the socket, combined as in the app. Values are not appended to the history, which B12
 * measures.
 */
async function openAppPath({ kind, urls, folder, workerPath }: FloodOptions, onPublished: () => void): Promise<void> {
  const clock = new SystemClock()
  const onError = (error: unknown) => {
    throw error
  }
  const log = createLog({ write: (line) => process.stderr.write(`${line}\n`), redact: (text) => text, clock })
  const history = new HistoryStore({
    folder,
    clock,
    log,
    startThread: (workerData) => new Worker(workerPath, { workerData }),
  })
  await history.use('real')
  const quotes = new QuoteData({ history, clock, log, changeBase: () => 'sessionFirst', onError })
  await quotes.use('real')
  const originOf = () => ({ connection: 'Desk', isDemo: false })
  const alerts = new AlertEngine({ clock, newId: randomUUID, log, history, cadenceOf: () => 'PER_200MS', originOf })
  await alerts.use()
  const ids = floods[kind].ids
  const created = await alerts.createAll(ids.flatMap(farLevels), () => undefined)
  if (!created.ok) throw new Error(created.problem.message)
  const page = new IndexPage({
    clock,
    source: () => undefined,
    memory: new PageMemory({ history, clock, log }),
    onIdChange: () => undefined,
    onChange: () => undefined,
  })
  const batcher = new Batcher({
    clock,
    send: () => undefined,
    ageMs: (id) => quotes.store.ageMs(id),
    lists: () => ({ alerts: alerts.views(), inbox: alerts.inbox() }),
  })
  batcher.resume()
  const events = new Emitter<ConnectionEvents>(onError)
  const unrecorded = { append: () => undefined, commit: history.commit.bind(history) }
  distribute(events, { clock, history: unrecorded, quotes, page, rules: alerts }, () => undefined)
  quotes.store.events.on('changed', ({ previous, next }) => {
    alerts.consider(previous, next)
    batcher.quoteChanged(next)
  })
  const endpoint = { url: urls.ours, keyId: 'bench', keySecret: 'bench secret' }
  const session = new FeedSession({ endpoint, clock, random: Math.random, log, counters: new Counters() })
  session.events.on('published', ({ id, publication }) => {
    events.emit('published', { id, publication, source: 'stream', resolution: 'PER_200MS' })
    onPublished()
  })
  session.events.on('constituentsPublished', (event) => {
    events.emit('constituentsPublished', event)
    onPublished()
  })
  session.setWanted(ids.map((id) => ({ stream: floods[kind].stream, id, maxResolution: 'PER_200MS' })))
  const live = new Promise((resolve) => session.events.on('wentLive', resolve))
  session.connect()
  await live
}

/** Two rules that no value of a flood fires. */
function farLevels(indexId: string): AlertDraft[] {
  const common = { indexId, repeat: { mode: 'once' }, severity: 'normal' } as const
  return [
    { ...common, terms: { condition: 'risesTo', level: '12000.00' } },
    { ...common, terms: { condition: 'fallsTo', level: '8000.00' } },
  ]
}

/** Counts the messages of a round. */
class Arrivals {
  readonly #count: number
  #left = 0
  #finish: () => void = () => undefined

  constructor(count: number) {
    this.#count = count
  }

  /** Resolves at the last message of the next round. */
  all(): Promise<void> {
    this.#left = this.#count
    return new Promise((resolve) => {
      this.#finish = resolve
    })
  }

  note(): void {
    this.#left--
    if (this.#left === 0) this.#finish()
  }
}
