import { statusOf, type IndexWithoutData, type MissingData } from '../../core/alert-standing'
import type { AlertSnooze, AlertView } from '../../core/alerts'
import { hasData, type IndexData } from '../../core/freshness'
import type { IndexId } from '../../core/model'
import { arrayEqual } from '../base/array-equal'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { Throttle } from '../base/throttle'

/** State of an index. `publishedAtMs` is the published time of its latest value. */
export interface WatchedIndex extends IndexData {
  publishedAtMs?: number
}

interface Options {
  clock: Clock
  /** The indices that have rules, each once. */
  ids: () => Iterable<IndexId>
  rulesOf: (id: IndexId) => readonly AlertView[]
  snoozes: () => readonly AlertSnooze[]
  indexOf: (id: IndexId) => WatchedIndex
  onError: (error: unknown) => void
}

interface Missing extends IndexWithoutData {
  /** On the monotonic clock. */
  noticedAtMs: number
}

/** Minimum time between two checks after changes. */
const spacingMs = 250
/** Interval of checks, because values become stale without an event. */
const lookEveryMs = 1_000
/** An index counts only after this time, to leave out a start and an ordinary reconnect. */
const graceMs = 10_000

/** Watches which indices of rules have no data (alert engine, 21) and how many rules wait for it. */
export class DataWatch {
  readonly events: Emitter<{ changed: MissingData }>
  readonly #options: Options
  readonly #looks: Throttle
  #missing: ReadonlyMap<IndexId, Missing> = new Map()
  /** Indices that had data at the last check. */
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

  /** Call when rules, snoozes or connections may have changed. */
  changed(): void {
    this.#looks.request()
  }

  /** Call for each new value. */
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

  /**
   * If only the connection was lost, the data is missing from now on. Otherwise it is missing since the last value,
   * also if that one arrived stale.
   */
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
