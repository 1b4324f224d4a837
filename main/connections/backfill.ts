import type { IndexId, IndexInfo, Problem, Publication } from '../../core/model'
import type { ProblemCode } from '../../core/problems'
import type { Clock } from '../base/clock'
import type { RestClient } from '../rest/client'

interface Options {
  rest: RestClient
  clock: Clock
  /** Ids of the rows on screen which the service has not refused. */
  wanted: () => readonly IndexId[]
  onCatalogue: (indices: IndexInfo[]) => void
  onLatest: (id: IndexId, publication: Publication) => void
  /** REST does not know these. */
  onUnknown: (ids: readonly IndexId[]) => void
  onDay: (id: IndexId, publications: Publication[]) => void
  /** The key is refused for everything: nothing more is asked before the next connect. */
  onKeyRefused: () => void
  /** What the first question of a snapshot met, or nothing. */
  onProblem: (problem: Problem | undefined) => void
  /** The latest value of everything wanted has been asked for. */
  onReady: () => void
}

/** The last 24 hours have one point a minute: a shorter break leaves no gap in them. */
const shortBreakMs = 60_000
const retryMs = 30_000
/** Problems that concern one question alone; after any other the next would meet the same. */
const problemsOfOneQuestion: ReadonlySet<ProblemCode> = new Set(['notFound', 'badRequest', 'unreadable', 'tooLarge'])

/**
 * What the stream does not send, fetched by REST: after each connect the catalogue, the latest values and the last
 * 24 hours. A refused key is not tried again before the next connect.
 */
export class Backfill {
  readonly #options: Options
  /** The latest value of these has been asked for since the connect. */
  readonly #checked = new Set<IndexId>()
  readonly #unknown = new Set<IndexId>()
  /** The last 24 hours of these have been fetched. */
  readonly #daysFetched = new Set<IndexId>()
  #isRestoring = false
  #isDisposed = false
  #connects = 0
  #cancelRetry: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** The stream is live, after a break of `breakMs`. */
  async connected(breakMs: number): Promise<void> {
    const { rest, onCatalogue, onProblem } = this.#options
    const connect = ++this.#connects
    const isOver = () => this.#isDisposed || connect !== this.#connects
    if (breakMs > shortBreakMs) this.#daysFetched.clear()
    this.#checked.clear()
    this.#unknown.clear()
    // The catalogue of a minute ago holds; after a long break there may be more to add.
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

  /** Fetches what the wanted indices lack; those that come while it runs are taken along. */
  async restoreMissing(): Promise<void> {
    if (this.#isRestoring) return
    this.#isRestoring = true
    let problem: Problem | undefined
    do {
      problem = await this.#checkLatest()
      // What rules have missed does not wait for what rows look back on.
      if (problem === undefined && !this.#isDisposed) this.#options.onReady()
      problem ??= await this.#restoreDays()
    } while (problem === undefined && this.#unchecked().length > 0)
    this.#isRestoring = false
    if (problem !== undefined) this.#retryAfter(problem, () => this.restoreMissing())
  }

  /** The row is gone; when it comes back it is asked for again. */
  forget(id: IndexId): void {
    this.#checked.delete(id)
    this.#unknown.delete(id)
    this.#daysFetched.delete(id)
  }

  /** The last 24 hours are needed in other steps: they are fetched again. */
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

  /** Fetches the latest values; answers with the problem that makes going on pointless. */
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

  /** As `#checkLatest`, of the last 24 hours. */
  async #restoreDays(): Promise<Problem | undefined> {
    const { rest, wanted, onDay } = this.#options
    const isMissing = (id: IndexId) => !this.#daysFetched.has(id) && !this.#unknown.has(id)
    const missing = this.#isDisposed ? [] : wanted().filter(isMissing)
    if (missing.length === 0) return undefined
    const summaries = await rest.summaries(missing, undefined, 'background')
    if (this.#isDisposed) return undefined
    if (!summaries.ok && !problemsOfOneQuestion.has(summaries.problem.code)) return summaries.problem
    // What left meanwhile may come back, or be another connection's by now.
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
