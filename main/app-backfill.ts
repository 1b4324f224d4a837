import type { IndexId, IndexInfo, Problem, Publication } from '../protocol/model'
import type { Clock } from './base/clock'
import type { RestClient } from './rest/client'

interface Options {
  rest: RestClient
  clock: Clock
  /** Ids of the rows on screen which the service has not refused. */
  wanted: () => readonly IndexId[]
  onCatalogue: (indices: IndexInfo[]) => void
  onLatest: (id: IndexId, publication: Publication) => void
  onHistory: (id: IndexId, publications: Publication[]) => void
  /** Whether changes are counted from what the last 24 hours tell. */
  needsDay: () => boolean
  onDay: (id: IndexId, publications: Publication[]) => void
  /** What the first question of a snapshot met, or nothing. */
  onProblem: (problem: Problem | undefined) => void
}

/** A trend has one point a minute: a shorter break leaves no hole in it. */
const shortBreakMs = 60_000
const retryMs = 30_000
/** Problems that concern one question alone; after any other the next would meet the same. */
const problemsOfOneQuestion = new Set(['notFound', 'badRequest', 'unreadable', 'tooLarge'])

/**
 * What the stream does not tell, fetched by REST: after each connect the catalogue and the latest values, then, one at a
 * time, the history of each row that has none. A refused key is not tried again before the next connect.
 */
export class Backfill {
  readonly #options: Options
  readonly #restored = new Set<IndexId>()
  /** The last 24 hours of these have been told. */
  readonly #daysTold = new Set<IndexId>()
  #isRestoring = false
  #isDisposed = false
  #connects = 0
  #cancelRetry: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** The stream is live, after a break of `breakMs`. */
  async connected(breakMs: number): Promise<void> {
    const { rest, wanted, onCatalogue, onLatest, onProblem } = this.#options
    const connect = ++this.#connects
    const isOver = () => this.#isDisposed || connect !== this.#connects
    if (breakMs > shortBreakMs) this.#forgetAll()
    // The catalogue of a minute ago holds; after a long break there may be more to add.
    const indices = await rest.indices(breakMs > shortBreakMs ? { maxAgeMs: 0 } : {})
    if (isOver()) return
    onProblem(indices.ok ? undefined : indices.problem)
    if (indices.ok) onCatalogue(indices.value)
    else if (!problemsOfOneQuestion.has(indices.problem.code)) {
      this.#retryAfter(indices.problem, () => this.connected(0))
      return
    }
    const latest = await rest.latestValues(wanted())
    if (isOver()) return
    if (latest.ok) for (const [id, publication] of latest.value) onLatest(id, publication)
    await this.restoreMissing()
  }

  /**
   * Fetches the history of rows that have none, and their last 24 hours where these are needed; rows that come while it
   * runs are taken along.
   */
  async restoreMissing(): Promise<void> {
    if (this.#isRestoring) return
    this.#isRestoring = true
    let problem: Problem | undefined
    for (let hasMore = true; hasMore && problem === undefined;) {
      problem = await this.#restoreDays()
      const id = problem === undefined ? this.#next() : undefined
      hasMore = id !== undefined
      if (id !== undefined) problem = await this.#restore(id)
    }
    this.#isRestoring = false
    if (problem !== undefined) this.#retryAfter(problem, () => this.restoreMissing())
  }

  /** The row is gone; when it comes back its history is fetched anew. */
  forget(id: IndexId): void {
    this.#restored.delete(id)
    this.#daysTold.delete(id)
  }

  /** While the last 24 hours were not needed nobody kept them up: they are told anew. */
  forgetDays(): void {
    this.#daysTold.clear()
  }

  dispose(): void {
    this.#isDisposed = true
    this.#cancelRetry?.()
  }

  #forgetAll(): void {
    this.#restored.clear()
    this.#daysTold.clear()
  }

  /** As `#restore`, for all that lack their last 24 hours, in batches. */
  async #restoreDays(): Promise<Problem | undefined> {
    const { rest, wanted, needsDay, onDay } = this.#options
    const missing = needsDay() && !this.#isDisposed ? wanted().filter((id) => !this.#daysTold.has(id)) : []
    if (missing.length === 0) return undefined
    const summaries = await rest.summaries(missing)
    if (this.#isDisposed) return undefined
    if (!summaries.ok && !problemsOfOneQuestion.has(summaries.problem.code)) return summaries.problem
    // What left meanwhile may come back, or be another connection's by now.
    const stillWanted = new Set(wanted())
    for (const id of missing.filter((each) => stillWanted.has(each))) {
      this.#daysTold.add(id)
      const summary = summaries.ok ? summaries.value.get(id) : undefined
      if (summary !== undefined) onDay(id, summary.last24Hours)
    }
    return undefined
  }

  #next(): IndexId | undefined {
    if (this.#isDisposed) return undefined
    return this.#options.wanted().find((id) => !this.#restored.has(id))
  }

  /** Answers with the problem that makes going on with other indices pointless. */
  async #restore(id: IndexId): Promise<Problem | undefined> {
    const values = await this.#options.rest.values(id)
    if (this.#isDisposed) return undefined
    if (!values.ok && !problemsOfOneQuestion.has(values.problem.code)) return values.problem
    // What left meanwhile is fetched anew when it comes back.
    if (!this.#options.wanted().includes(id)) return undefined
    this.#restored.add(id)
    if (values.ok) this.#options.onHistory(id, values.value)
    return undefined
  }

  #retryAfter(problem: Problem, retry: () => Promise<void>): void {
    this.#cancelRetry?.()
    if (this.#isDisposed || problem.code === 'notAuthorised') return
    this.#cancelRetry = this.#options.clock.after(retryMs, () => {
      void retry()
    })
  }
}
