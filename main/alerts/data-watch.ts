import { statusOf, type IndexWithoutData, type MissingData } from '../../core/alert-standing'
import type { AlertSnooze, AlertView } from '../../core/alerts'
import { hasData, type IndexData } from '../../core/freshness'
import type { IndexId } from '../../core/model'
import { arrayEqual } from '../base/array-equal'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { Throttle } from '../base/throttle'

/** What is known of an index; `publishedAtMs` is the time of its latest value. */
export interface WatchedIndex extends IndexData {
  publishedAtMs?: number
}

interface Options {
  clock: Clock
  /** The indices of rules, each once. */
  ids: () => Iterable<IndexId>
  rulesOf: (id: IndexId) => readonly AlertView[]
  snoozes: () => readonly AlertSnooze[]
  indexOf: (id: IndexId) => WatchedIndex
  onError: (error: unknown) => void
}

interface Missing extends IndexWithoutData {
  /** By the monotonic clock. */
  noticedAtMs: number
}

/** At most so often is everything looked at after a change. */
const spacingMs = 250
/** Values become stale while nothing happens. */
const lookEveryMs = 1_000
/** The first seconds after a start and an ordinary reconnect are not counted. */
const graceMs = 10_000

/** Watches which indices of rules are without data (alert engine, 21), and how many rules wait for it. */
export class DataWatch {
  readonly events: Emitter<{ changed: MissingData }>
  readonly #options: Options
  readonly #looks: Throttle
  #missing: ReadonlyMap<IndexId, Missing> = new Map()
  /** Had data when it was looked at last. */
  #supplied: ReadonlySet<IndexId> = new Set()
  #view: MissingData = { indices: [], ruleCount: 0 }
  #cancelNext: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
    this.events = new Emitter(options.onError)
    this.#looks = new Throttle({
      clock: options.clock,
      spacingMs,
      run: () => this.#look(),
    })
  }

  get view(): MissingData {
    return this.#view
  }

  /** Rules, snoozes or connections may have changed. */
  changed(): void {
    this.#looks.request()
  }

  /** A value has come. */
  valueSeen(id: IndexId): void {
    if (this.#missing.has(id)) this.#looks.request()
  }

  dispose(): void {
    this.#looks.cancel()
    this.#cancelNext?.()
  }

  #look(): void {
    const { clock, ids, indexOf } = this.#options
    const watched = new Map([...ids()].map((id) => [id, indexOf(id)]))
    this.#cancelNext?.()
    this.#cancelNext = watched.size === 0 ? undefined : clock.after(lookEveryMs, () => this.#looks.runNow())
    const without = [...watched].filter(([, index]) => !hasData(index))
    this.#missing = new Map(without.map(([id, index]) => [id, this.#missed(id, index)]))
    this.#supplied = new Set([...watched.keys()].filter((id) => !this.#missing.has(id)))
    this.#show()
  }

  /** Where only the connection is lost, the data is missing from now on; else since its last value, also one that came stale. */
  #missed(id: IndexId, index: WatchedIndex): Missing {
    const { clock } = this.#options
    const before = this.#missing.get(id)
    const { publishedAtMs = -Infinity } = index
    if (before !== undefined)
      return publishedAtMs > (before.sinceMs ?? -Infinity) ? { ...before, sinceMs: publishedAtMs } : before
    const isCutOff = this.#supplied.has(id) && hasData({ ...index, connection: 'live' })
    const sinceMs = isCutOff ? clock.wallMs() : index.publishedAtMs
    return { id, noticedAtMs: clock.monotonicMs(), sinceMs }
  }

  #show(): void {
    const { clock, rulesOf, snoozes } = this.#options
    const nowMs = clock.wallMs()
    const countedFromMs = clock.monotonicMs() - graceMs
    const surroundings = { nowMs, snoozes: snoozes(), hasData: false }
    const counted = [...this.#missing.values()].filter(({ noticedAtMs }) => noticedAtMs <= countedFromMs)
    const waiting = counted.flatMap(({ id }) => rulesOf(id).filter((rule) => statusOf(rule, surroundings) === 'noData'))
    const shown = [...this.#missing.values()].map(({ id, sinceMs }) => ({ id, sinceMs }))
    const keys = (indices: readonly IndexWithoutData[]) => indices.map(({ id, sinceMs = '' }) => `${id} ${sinceMs}`)
    const { indices, ruleCount } = this.#view
    if (waiting.length === ruleCount && arrayEqual(keys(shown), keys(indices))) return
    this.#view = { indices: shown, ruleCount: waiting.length }
    this.events.emit('changed', this.#view)
  }
}
