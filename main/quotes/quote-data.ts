import { isHourlyOrSlower, lastMidnight } from '../../core/cadence'
import type { IndexId, Quote, Resolution, ServiceKind } from '../../core/model'
import type { ChangeBase } from '../../core/preferences'
import type { Clock } from '../base/clock'
import type { Log } from '../base/log'
import { publicationOf, sourceOf } from '../../core/publication'
import { PastValues } from './past-values'
import { QuoteStore } from './quote-store'
import { RowMemory, type RowPast } from './row-memory'
import type { HistoryAccess, RowPastQuery, StoredValue } from '../history-store/contract'

/** This many consecutive values from the future mean that this computer's clock is wrong. */
const minFromFuture = 5
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Sixty publications of an index that skips weekends and holidays. */
const slowPastMs = 100 * dayMs
/**
 * Rows whose past is read by one query. More would block main, because an hourly index has 2,400 values. Fewer would
 * wake two threads more often.
 */
const rowsAtOnce = { slow: 4, fast: 25 }

interface RecalledIndex {
  id: IndexId
  resolution: Resolution
  /** Names of other connections. Their values are not used as a reference. */
  others: ReadonlySet<string>
}

interface Options {
  history: HistoryAccess
  clock: Clock
  log: Log
  changeBase: () => ChangeBase
  /** Name of the connection that provides an index. */
  connectionOf?: (id: IndexId) => string
  onError: (error: unknown) => void
}

/** The values of the service in use: the latest ones and their short past. */
export class QuoteData {
  readonly store: QuoteStore
  readonly pastValues: PastValues
  readonly #options: Options
  readonly #memory: RowMemory
  #kind: ServiceKind | undefined

  constructor(options: Options) {
    const { connectionOf = () => '' } = options
    this.#options = options
    this.store = new QuoteStore(options)
    this.#memory = new RowMemory(options)
    this.pastValues = new PastValues({
      ...options,
      keep: (what, id, publications) => this.#memory.keep(what, id, { connection: connectionOf(id), publications }),
    })
  }

  /**
   * Another service will answer. Values of the same kind stay as cached. Those of the other kind are replaced by what
   * its history has. Returns whether the history could be read.
   */
  async use(kind: ServiceKind): Promise<boolean> {
    const ids = this.store.all().map(({ id }) => id)
    if (kind === this.#kind) {
      this.demote(ids)
      return true
    }
    for (const id of ids) this.forget(id)
    this.#kind = kind
    return this.read()
  }

  /** Loads the latest values from the history for indices without received values. Returns whether it could. */
  async read(): Promise<boolean> {
    const kind = this.#kind
    const latest = await this.#options.history.query('latest', null)
    // Another service was chosen during the query.
    if (kind !== this.#kind) return true
    if (latest.ok) {
      const sources = new Map(latest.value.map((value) => [value.id, sourceOf(value)]))
      this.store.seed(latest.value.map(toQuote), (id) => sources.get(id))
    } else this.#options.log.warn('The latest values could not be read', { problem: latest.problem.message })
    return latest.ok
  }

  /**
   * Loads the short past of these indices from the history. Their changes and trends use it until the service sends its
   * own. Returns whether any index has a past.
   */
  async recall(indices: readonly RecalledIndex[]): Promise<boolean> {
    const kind = this.#kind
    const { history, log } = this.#options
    const atOnce = rowsAtOnce[indices.some(({ resolution }) => isHourlyOrSlower(resolution)) ? 'slow' : 'fast']
    let hasAny = false
    for (let start = 0; start < indices.length; start += atOnce) {
      const rows = indices.slice(start, start + atOnce)
      const [known, remembered] = await Promise.all([
        history.query(
          'rowPasts',
          rows.map((row) => this.#pastOf(row)),
        ),
        this.#memory.recall(rows.map(({ id }) => id)),
      ])
      if (kind !== this.#kind) return false
      if (!known.ok) {
        log.warn('The past of the rows could not be read', { problem: known.problem.message })
        return hasAny
      }
      for (const [at, { id, resolution, others }] of rows.entries()) {
        const isOwn = ({ connection }: { connection: string }) => !others.has(connection)
        const ownOf = (kept: RowPast | undefined) => (kept !== undefined && isOwn(kept) ? kept.publications : [])
        const past = known.value[at]?.filter(isOwn) ?? []
        this.pastValues.restore(id, past.map(publicationOf), resolution)
        const [day, session] = [ownOf(remembered('day', id)), ownOf(remembered('session', id))]
        this.pastValues.recall(id, { day, first: session[0] }, resolution)
        hasAny ||= past.length > 0
      }
    }
    return hasAny
  }

  /** The query for the stored values that a row needs for its past. */
  #pastOf({ id, resolution }: RecalledIndex): RowPastQuery {
    const toMs = this.store.get(id)?.publishedAtMs ?? this.#options.clock.serviceMs()
    if (isHourlyOrSlower(resolution)) return { id, samples: [{ fromMs: toMs - slowPastMs, toMs, stepMs: 1 }] }
    const stepMs = this.pastValues.dayStepMs
    const day = { fromMs: toMs - dayMs - stepMs, toMs, stepMs }
    const hour = { fromMs: toMs - hourMs, toMs, stepMs: minuteMs }
    // Samples are the first of each step, but the midnight reference is the last value before midnight.
    return { id, beforeMs: lastMidnight(toMs), samples: [day, hour] }
  }

  /**
   * Calls `warn` once if received values seem to come from the future because this computer's clock is slow. Those
   * values are left out, so the list would stand still without explanation.
   */
  watchClock(warn: (message: string) => void): void {
    let inARow = 0
    let hasWarned = false
    this.store.events.on('changed', () => {
      inARow = 0
    })
    this.store.events.on('refused', ({ id }) => {
      this.#options.log.warn('A value from the future was left out', { id })
      inARow++
      if (inARow < minFromFuture || hasWarned) return
      hasWarned = true
      warn('Ignoring values dated in the future: this computer’s clock is minutes behind. Set it correctly.')
    })
  }

  /** Another service provides these ids. Their values stay as cached. */
  demote(ids: readonly IndexId[]): void {
    for (const id of ids) this.pastValues.forget(id)
    this.store.demote(ids)
  }

  forget(id: IndexId): void {
    this.store.forget(id)
    this.pastValues.forget(id)
  }
}

function toQuote(value: StoredValue): Quote {
  return { id: value.id, ...publicationOf(value), source: 'cache' }
}
