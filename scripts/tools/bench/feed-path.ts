/**
 * B1, B2: all work of main for published messages, against a bare socket with `JSON.parse`. Runs in Electron's main
 * process.
 */
import { createHook } from 'node:async_hooks'
import { levelDraft } from '../../../test/support/sample-alerts'
import { historyThreadUs, openAppPath } from './app-path'
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

/** CPU in µs per message, of the app's path and of the limit. Without the thread that writes the history. */
export function measureFeedPath(options: FloodOptions): Promise<Samples> {
  return measurePerMessage(options, () => cpuUs() - historyThreadUs())
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

/** How often main reads a clock of the system per message. */
export function measureClockReads(options: FloodOptions): Promise<Samples> {
  let reads = 0
  for (const clock of [Date, performance]) {
    const now = clock.now.bind(clock)
    clock.now = () => {
      reads++
      return now()
    }
  }
  return measurePerMessage(options, () => reads)
}

async function measurePerMessage(options: FloodOptions, spent: () => number): Promise<Samples> {
  const { kind, urls, count = floods[kind].count } = options
  const { ids, stream } = floods[kind]
  const arrivals: Record<Side, Arrivals> = { ours: new Arrivals(count), limit: new Arrivals(count) }
  const path = await openAppPath({
    ...options,
    url: urls.ours,
    wanted: ids.map((id) => ({ stream, id, maxResolution: 'PER_200MS' })),
  })
  await path.watch(ids.flatMap(farLevels))
  path.events.on(stream === 'value' ? 'published' : 'constituentsPublished', () => arrivals.ours.note())
  await openPlainFeed(urls.limit, () => arrivals.limit.note())
  const written: Record<Side, () => Promise<void>> = { ours: path.written, limit: () => Promise.resolve() }
  const round = async (side: Side) => {
    const before = spent()
    const arrived = arrivals[side].all()
    options.flood(side)
    await arrived
    await written[side]()
    return (spent() - before) / count
  }
  return inTurns(rounds, { ours: () => round('ours'), limit: () => round('limit') })
}

/** Two rules that no value of a flood fires. */
const farLevels = (indexId: string) => [
  levelDraft('12000.00', { indexId }),
  levelDraft('8000.00', { indexId, condition: 'fallsTo' }),
]

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
