import type { TimeRange } from '../../core/ranges'
import {
  ok,
  type IndexDetail,
  type IndexId,
  type IndexInfo,
  type IndexSummary,
  type MarketConditions,
  type Outcome,
  type Problem,
  type Publication,
  type RequestedResolution,
} from '../../core/model'
import { latestValuesLimit, type HistoryTimespan, type StatsStreamType } from '../../protocol/rest'
import {
  decodeConditions,
  decodeCorporateActions,
  decodeDetail,
  decodeIndex,
  decodeIndices,
  decodeLatestValues,
  decodeSummaries,
  decodeSummary,
  decodeManyValues,
  type Rows,
} from './decode'
import { problemOfBody, problemOfOtherTime } from './problems'
import type { Urgency } from './request-budget'
import { RestTransport, type RestOptions } from './transport'
import { AnswerCache } from '../base/answer-cache'
import type { ServiceProblemCode } from '../../core/problems'
import { isFarFuture } from '../../core/publication'
import type { ServiceOutcome, ServiceProblem } from '../base/http'
import type { CorporateActionState } from '../base/payloads'

/** An outcome with the age of its response. Reference data may come from the cache. */
export type AgedOutcome<T> = { ok: true; value: T; ageMs: number } | { ok: false; problem: Problem }

/** Largest age of a cached response. An older one is fetched again. */
export interface Freshness {
  maxAgeMs?: number
  urgency?: Urgency
}

const hourMs = 3_600_000
const dayMs = 86_400_000
const referenceDataHoldsMs = 600_000
const maxKept = 200
const problemsOfOneBatch: ReadonlySet<ServiceProblemCode> = new Set(['badRequest', 'tooLarge'])
/**
 * After this many consecutive refusals a batch is not divided further. Most likely the service knows none of its ids.
 */
const maxRefusedInRow = 8

/**
 * The service's REST interface (protocol, 4.2). Errors are values with a `ServiceProblemCode` and a sentence for the
 * user. Reference data is cached for ten minutes. Without `maxResolution` the service returns values of whole seconds.
 * All requests share one `RequestBudget`, in which background requests wait for the user's. An endpoint that the
 * service does not have is not requested again until `forgetMissing`. Counts `rest.failed` (failed requests) and
 * `rest.droppedRows`.
 */
export class RestClient {
  readonly #transport: RestTransport
  readonly #options: RestOptions
  /** By path. */
  readonly #referenceData: AnswerCache<unknown>
  /** Endpoints that the service does not have, with its error. */
  readonly #missing = new Map<string, ServiceProblem>()

  constructor(options: RestOptions) {
    this.#transport = new RestTransport(options)
    this.#options = options
    this.#referenceData = new AnswerCache(options.clock, maxKept)
  }

  /** Every index this key may use. */
  indices(freshness: Freshness = {}): Promise<AgedOutcome<IndexInfo[]>> {
    return this.#kept('indices', freshness, (payload) => this.#rowsOf('indices', decodeIndices(payload)))
  }

  index(id: IndexId, freshness: Freshness = {}): Promise<AgedOutcome<IndexInfo>> {
    return this.#kept(`indices/${encodeURIComponent(id)}`, freshness, decodeIndex)
  }

  /** Complete reference data. */
  detail(id: IndexId, freshness: Freshness = {}): Promise<AgedOutcome<IndexDetail>> {
    return this.#kept(`indices/${encodeURIComponent(id)}/detail`, freshness, decodeDetail)
  }

  /** The last hour of a real-time index, or the last year of a daily one. Ascending, each revision once. */
  values(id: IndexId, maxResolution?: RequestedResolution, urgency: Urgency = 'user'): Promise<Outcome<Publication[]>> {
    const path = pathOf('values', [id], maxResolution)
    return this.#askForValues('values', path, urgency, (row) => !isFarFuture(row, this.#options.clock.serviceMs()))
  }

  /**
   * All values of the UTC period that contains `atMs`, ascending, each revision once. The newest may be missing for up
   * to 15 minutes. Real-time indices have HOUR and DAY, daily ones MONTH and YEAR. Problems: `badRequest` if the key
   * may not query this history, `unreadable` if the values are of another time.
   */
  historyValues(
    id: IndexId,
    timespan: HistoryTimespan,
    atMs: number,
    urgency: Urgency = 'user',
  ): Promise<Outcome<Publication[]>> {
    const { fromMs, toMs } = periodOf(timespan, atMs)
    const timestamp = new Date(fromMs).toISOString().replace('.000Z', 'Z')
    const path = `${pathOf('history/values', [id])}&timespan=${timespan}&timestamp=${timestamp}`
    const isWithin = ({ publishedAtMs }: Publication) => publishedAtMs >= fromMs && publishedAtMs < toMs
    return this.#askForValues('history/values', path, urgency, isWithin)
  }

  /**
   * The latest value of each id that the service knows. If a later batch fails, the values received so far are
   * returned. The problem is returned only if there are none.
   */
  latestValues(
    ids: readonly IndexId[],
    maxResolution?: RequestedResolution,
    urgency: Urgency = 'user',
  ): Promise<Outcome<Map<IndexId, Publication>>> {
    return this.#askInBatches(ids, { endpoint: 'latest_values', maxResolution, urgency }, decodeLatestValues)
  }

  /** The latest value and the last 24 hours. */
  summary(id: IndexId, maxResolution?: RequestedResolution): Promise<Outcome<IndexSummary>> {
    return this.#ask('summary', pathOf('summary', [id], maxResolution), (payload) => {
      const read = decodeSummary(payload)
      this.#noteDropped('summary', read?.unreadable)
      return read?.summary
    })
  }

  /** Like `latestValues`, with the last 24 hours of each. */
  summaries(
    ids: readonly IndexId[],
    maxResolution?: RequestedResolution,
    urgency: Urgency = 'user',
  ): Promise<Outcome<Map<IndexId, IndexSummary>>> {
    return this.#askInBatches(ids, { endpoint: 'summaries', maxResolution, urgency }, decodeSummaries)
  }

  /** All market conditions the service has of a real-time index, oldest first. */
  conditions(id: IndexId): Promise<Outcome<MarketConditions[]>> {
    return this.#statistics(id, 'rti', decodeConditions)
  }

  /** The corporate action of a real-time index, or that there is none. Undefined if the service says neither. */
  async corporateAction(id: IndexId): Promise<Outcome<CorporateActionState | undefined>> {
    const states = await this.#statistics(id, 'activecorporateaction', decodeCorporateActions)
    return states.ok ? ok(states.value.at(-1)) : states
  }

  /** Requests missing endpoints again, because the service may have them by now. */
  forgetMissing(): void {
    this.#missing.clear()
  }

  /** Aborts all requests. Later ones are answered as closed. */
  dispose(): void {
    this.#transport.dispose()
  }

  async #statistics<T extends { publishedAtMs: number }>(
    id: IndexId,
    streamType: StatsStreamType,
    decode: (payload: unknown) => Rows<T> | undefined,
  ): Promise<Outcome<T[]>> {
    const path = `${pathOf('stats', [id])}&streamtype=${streamType}`
    const rows = await this.#ask('stats', path, (payload) => this.#rowsOf('stats', decode(payload)))
    if (!rows.ok) return rows
    return ok(rows.value.toSorted((a, b) => a.publishedAtMs - b.publishedAtMs))
  }

  async #kept<T>(
    path: string,
    { maxAgeMs = referenceDataHoldsMs, urgency = 'user' }: Freshness,
    decode: (payload: unknown) => T | undefined,
  ): Promise<AgedOutcome<T>> {
    const kept = this.#referenceData.get(path)
    if (kept !== undefined && kept.ageMs < maxAgeMs) return { ok: true, value: kept.value as T, ageMs: kept.ageMs }
    const outcome = await this.#ask(path, path, decode, urgency)
    if (!outcome.ok) return outcome
    this.#referenceData.keep(path, outcome.value)
    return { ...outcome, ageMs: 0 }
  }

  async #askForValues(
    name: string,
    path: string,
    urgency: Urgency,
    isPossible: (row: Publication) => boolean,
  ): Promise<Outcome<Publication[]>> {
    const decode = async (payload: unknown) => this.#rowsOf(name, await decodeManyValues(payload))
    const outcome = await this.#ask(name, path, decode, urgency)
    if (!outcome.ok) return outcome
    const possible = outcome.value.filter(isPossible)
    this.#noteDropped(name, outcome.value.length - possible.length)
    if (possible.length === 0 && outcome.value.length > 0) return this.#transport.failed(path, problemOfOtherTime)
    return ok(possible)
  }

  async #askInBatches<T>(
    ids: readonly IndexId[],
    asked: { endpoint: string; maxResolution: RequestedResolution | undefined; urgency: Urgency },
    decode: (payload: unknown) => Rows<[IndexId, T]> | undefined,
  ): Promise<Outcome<Map<IndexId, T>>> {
    const { endpoint, maxResolution, urgency } = asked
    const answers = new Map<IndexId, T>()
    let refusedInRow = 0
    for (const batch of inBatches([...new Set(ids)])) {
      // One unknown id fails the whole batch. Dividing the batch finds it.
      for (let parts = [batch], part = parts.shift(); part !== undefined; part = parts.shift()) {
        const path = pathOf(endpoint, part, maxResolution)
        const rows = (payload: unknown) => this.#rowsOf(endpoint, decode(payload))
        const outcome = await this.#ask(endpoint, path, rows, urgency)
        if (outcome.ok) {
          refusedInRow = 0
          const wanted = new Set(part)
          for (const [id, answer] of outcome.value) if (wanted.has(id)) answers.set(id, answer)
        } else if (!problemsOfOneBatch.has(outcome.problem.code)) {
          return answers.size > 0 ? ok(answers) : outcome
        } else {
          refusedInRow++
          const middle = Math.ceil(part.length / 2)
          if (part.length > 1) parts.push(part.slice(0, middle), part.slice(middle))
        }
        if (refusedInRow >= maxRefusedInRow) parts = []
      }
    }
    return ok(answers)
  }

  async #ask<T>(
    name: string,
    path: string,
    decode: (payload: unknown) => T | undefined | Promise<T | undefined>,
    urgency: Urgency = 'user',
  ): Promise<ServiceOutcome<T>> {
    const missing = this.#missing.get(name)
    if (missing !== undefined) return { ok: false, problem: missing }
    const outcome = await this.#transport.ask(path, urgency)
    if (!outcome.ok) {
      // Under `indices/` the id may be unknown. Elsewhere the endpoint is missing.
      if (outcome.problem.code === 'notFound' && !path.startsWith('indices/')) this.#missing.set(name, outcome.problem)
      return outcome
    }
    const value = await decode(outcome.value)
    return value === undefined ? this.#transport.failed(name, problemOfBody('')) : ok(value)
  }

  #rowsOf<T>(name: string, decoded: Rows<T> | undefined): T[] | undefined {
    this.#noteDropped(name, decoded?.unreadable)
    return decoded?.rows
  }

  #noteDropped(name: string, rows = 0): void {
    if (rows === 0) return
    this.#options.counters.add('rest.droppedRows', rows)
    this.#options.log.warn('Rows of an answer could not be read', { name, rows })
  }
}

function pathOf(endpoint: string, ids: readonly IndexId[], maxResolution?: RequestedResolution): string {
  const resolution = maxResolution === undefined ? '' : `&maxResolution=${maxResolution}`
  return `${endpoint}?id=${ids.map(encodeURIComponent).join(',')}${resolution}`
}

/** The UTC period that contains a time. `toMs` is exclusive. */
export function periodOf(timespan: HistoryTimespan, atMs: number): TimeRange {
  const at = new Date(atMs)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  if (timespan === 'YEAR') return { fromMs: Date.UTC(year, 0), toMs: Date.UTC(year + 1, 0) }
  if (timespan === 'MONTH') return { fromMs: Date.UTC(year, month), toMs: Date.UTC(year, month + 1) }
  const spanMs = timespan === 'DAY' ? dayMs : hourMs
  const fromMs = Math.floor(atMs / spanMs) * spanMs
  return { fromMs, toMs: fromMs + spanMs }
}

function inBatches(ids: readonly IndexId[]): IndexId[][] {
  const batches: IndexId[][] = []
  for (let start = 0; start < ids.length; start += latestValuesLimit) {
    batches.push(ids.slice(start, start + latestValuesLimit))
  }
  return batches
}
