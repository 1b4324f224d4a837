import type { IndexId, IndexInfo, Problem, Publication } from '../../core/model'
import type { ProblemCode } from '../../core/problems'
import type { Clock } from '../base/clock'
import type { RestClient } from '../rest/client'

interface Options {
  rest: RestClient
  clock: Clock
  /** Ids of the shown rows that the service has not refused. */
  wanted: () => readonly IndexId[]
  onCatalogue: (indices: IndexInfo[]) => void
  onLatest: (id: IndexId, publication: Publication) => void
  /** Called with ids that REST does not know. */
  onUnknown: (ids: readonly IndexId[]) => void
  onDay: (id: IndexId, publications: Publication[]) => void
  /** Called when the key is refused for everything. Nothing more is requested until the next connect. */
  onKeyRefused: () => void
  /** Called with the problem of a snapshot's first request, or undefined. */
  onProblem: (problem: Problem | undefined) => void
  /** Called when the latest value of everything wanted has been requested. */
  onReady: () => void
}

/** The last 24 hours have one point per minute, so a shorter break leaves no gap. */
const shortBreakMs = 60_000
const retryMs = 30_000
/** Problems of a single request. After any other problem the next request would fail too. */
const problemsOfOneQuestion: ReadonlySet<ProblemCode> = new Set(['notFound', 'badRequest', 'unreadable', 'tooLarge'])

/**
 * Fetches by REST what the stream does not send: after each connect the catalogue, the latest values and the last 24
 * hours. After a refused key it waits for the next connect.
 */
export class Backfill {
  readonly #options: Options
  /** Ids whose latest value was requested since the connect. */
  readonly #checked = new Set<IndexId>()
  readonly #unknown = new Set<IndexId>()
  /** Ids whose last 24 hours were fetched. */
  readonly #daysFetched = new Set<IndexId>()
  #isRestoring = false
  #isDisposed = false
  #connects = 0
  #cancelRetry: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Call when the stream is live again after a break of `breakMs`. */
  async connected(breakMs: number): Promise<void> {
    const { rest, onCatalogue, onProblem } = this.#options
    const connect = ++this.#connects
    const isOver = () => this.#isDisposed || connect !== this.#connects
    if (breakMs > shortBreakMs) this.#daysFetched.clear()
    this.#checked.clear()
    this.#unknown.clear()
    // A catalogue of the last minute is fresh enough. After a long break it is requested again.
    const indices = await rest.indices({ urgency: 'background', ...(breakMs > shortBreakMs && { maxAgeMs: 0 }) })
    if (isOver()) return
    onProblem(indices.ok ? undefined : indices.problem)
    if (indices.ok) onCatalogue(indices.value)
    else if (!problemsOfOneQuestion.has(indices.problem.code)) {
      this.#retryAfter(indices.problem, () => this.connected(0))
      return
    }
    await this.restoreMissing()
  }

  /** Fetches what is missing for the wanted indices, including those added while it runs. */
  async restoreMissing(): Promise<void> {
    if (this.#isRestoring) return
    this.#isRestoring = true
    let problem: Problem | undefined
    do {
      problem = await this.#checkLatest()
      // Catch-up for rules must not wait for the rows' last 24 hours.
      if (problem === undefined && !this.#isDisposed) this.#options.onReady()
      problem ??= await this.#restoreDays()
    } while (problem === undefined && this.#unchecked().length > 0)
    this.#isRestoring = false
    if (problem !== undefined) this.#retryAfter(problem, () => this.restoreMissing())
  }

  /** The row is gone. If it returns, it is fetched again. */
  forget(id: IndexId): void {
    this.#checked.delete(id)
    this.#unknown.delete(id)
    this.#daysFetched.delete(id)
  }

  /** The last 24 hours are needed in other steps, so they are fetched again. */
  forgetDays(): void {
    this.#daysFetched.clear()
  }

  dispose(): void {
    this.#isDisposed = true
    this.#cancelRetry?.()
  }

  #unchecked(): IndexId[] {
    return this.#isDisposed ? [] : this.#options.wanted().filter((id) => !this.#checked.has(id))
  }

  /** Fetches the latest values. Returns a problem that makes further requests pointless. */
  async #checkLatest(): Promise<Problem | undefined> {
    const { rest, onLatest, onUnknown } = this.#options
    const ids = this.#unchecked()
    if (ids.length === 0) return undefined
    const latest = await rest.latestValues(ids, undefined, 'background')
    if (this.#isDisposed) return undefined
    if (!latest.ok && !problemsOfOneQuestion.has(latest.problem.code)) return latest.problem
    for (const id of ids) this.#checked.add(id)
    if (!latest.ok) return undefined
    for (const [id, publication] of latest.value) onLatest(id, publication)
    const unknown = ids.filter((id) => !latest.value.has(id))
    for (const id of unknown) this.#unknown.add(id)
    if (unknown.length > 0) onUnknown(unknown)
    return undefined
  }

  /** The same for the last 24 hours. */
  async #restoreDays(): Promise<Problem | undefined> {
    const { rest, wanted, onDay } = this.#options
    const isMissing = (id: IndexId) => !this.#daysFetched.has(id) && !this.#unknown.has(id)
    const missing = this.#isDisposed ? [] : wanted().filter(isMissing)
    if (missing.length === 0) return undefined
    const summaries = await rest.summaries(missing, undefined, 'background')
    if (this.#isDisposed) return undefined
    if (!summaries.ok && !problemsOfOneQuestion.has(summaries.problem.code)) return summaries.problem
    // An index removed in the meantime may return, or belong to another connection.
    const stillWanted = new Set(wanted())
    for (const id of missing.filter((each) => stillWanted.has(each))) {
      this.#daysFetched.add(id)
      const summary = summaries.ok ? summaries.value.get(id) : undefined
      if (summary !== undefined) onDay(id, summary.last24Hours)
    }
    return undefined
  }

  #retryAfter(problem: Problem, retry: () => Promise<void>): void {
    this.#cancelRetry?.()
    if (this.#isDisposed) return
    if (problem.code === 'notAuthorised') {
      this.#options.onKeyRefused()
      return
    }
    this.#cancelRetry = this.#options.clock.after(retryMs, () => void retry())
  }
}
