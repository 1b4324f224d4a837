import type {
  IndexDetail,
  IndexId,
  IndexInfo,
  IndexSummary,
  Outcome,
  Problem,
  Publication,
  RequestedResolution,
} from '../../protocol/model'
import { latestValuesLimit } from '../../protocol/rest'
import type { StatsStreamType } from '../../protocol/rest'
import type { Counters } from '../base/counters'
import type { Log } from '../base/log'
import { AnswerCache } from './answer-cache'
import {
  decodeDetail,
  decodeIndex,
  decodeIndices,
  decodeLatestValues,
  decodeSummaries,
  decodeSummary,
  decodeValues,
} from './decode'
import type { Rows } from './decode'
import { problemOfBody } from './problems'
import { Questions } from './questions'
import type { QuestionOptions, RestOutcome } from './questions'
import { decodeStatistics } from './statistics'
import type { StatisticByType } from './statistics'

/** An outcome with the age of its answer: reference data is answered from memory while it is young. */
export type AgedOutcome<T> = { ok: true; value: T; ageMs: number } | { ok: false; problem: Problem }

/** How old an answer from memory may be; the service is asked when it is older. */
export interface Freshness {
  maxAgeMs?: number
}

const referenceDataHoldsMs = 600_000
const problemsOfOneBatch = new Set(['badRequest', 'notFound', 'tooLarge'])

/**
 * The service's REST interface (spec 4.2). Every answer is an `Outcome`: errors are values with the codes of
 * `RestProblemCode` and a sentence for the user. Reference data is kept for ten minutes. Without a `maxResolution` the
 * service gives the values of whole seconds. Counts `rest.failed` (questions without an answer) and `rest.droppedRows`.
 */
export class RestClient {
  readonly #questions: Questions
  readonly #log: Log
  readonly #counters: Counters
  readonly #indexLists: AnswerCache<IndexInfo[]>
  readonly #indices: AnswerCache<IndexInfo>
  readonly #details: AnswerCache<IndexDetail>

  constructor(options: QuestionOptions) {
    const { clock, log, counters } = options
    this.#questions = new Questions(options)
    this.#log = log
    this.#counters = counters
    this.#indexLists = new AnswerCache(clock)
    this.#indices = new AnswerCache(clock)
    this.#details = new AnswerCache(clock)
  }

  /** Every index this key may use. */
  indices(freshness: Freshness = {}): Promise<AgedOutcome<IndexInfo[]>> {
    return this.#kept(this.#indexLists, 'indices', freshness, (payload) =>
      this.#rowsOf('indices', decodeIndices(payload)),
    )
  }

  index(id: IndexId, freshness: Freshness = {}): Promise<AgedOutcome<IndexInfo>> {
    return this.#kept(this.#indices, `indices/${encodeURIComponent(id)}`, freshness, decodeIndex)
  }

  /** Reference data in full. */
  detail(id: IndexId, freshness: Freshness = {}): Promise<AgedOutcome<IndexDetail>> {
    return this.#kept(this.#details, `indices/${encodeURIComponent(id)}/detail`, freshness, decodeDetail)
  }

  /** The last hour of a real-time index, the last year of a daily one; ascending. */
  values(id: IndexId, maxResolution?: RequestedResolution): Promise<Outcome<Publication[]>> {
    return this.#ask('values', question('values', [id], maxResolution), (payload) =>
      this.#rowsOf('values', decodeValues(payload)),
    )
  }

  /**
   * The latest value of each id that the service knows; others are missing from the answer. Values that did arrive are
   * not given up for a later batch that failed: the problem is answered only when there is nothing else.
   */
  latestValues(
    ids: readonly IndexId[],
    maxResolution?: RequestedResolution,
  ): Promise<Outcome<Map<IndexId, Publication>>> {
    return this.#askInBatches(ids, 'latest_values', maxResolution, decodeLatestValues)
  }

  /** The latest value and those of the last 24 hours. */
  summary(id: IndexId, maxResolution?: RequestedResolution): Promise<Outcome<IndexSummary>> {
    return this.#ask('summary', question('summary', [id], maxResolution), (payload) => {
      const read = decodeSummary(payload)
      this.#noteDropped('summary', read?.unreadable)
      return read?.summary
    })
  }

  /** As `latestValues`, with the last 24 hours of each. */
  summaries(
    ids: readonly IndexId[],
    maxResolution?: RequestedResolution,
  ): Promise<Outcome<Map<IndexId, IndexSummary>>> {
    return this.#askInBatches(ids, 'summaries', maxResolution, decodeSummaries)
  }

  /** A statistics stream of an index, ascending. */
  stats<T extends StatsStreamType>(id: IndexId, streamType: T): Promise<Outcome<StatisticByType[T][]>> {
    return this.#ask('stats', `${question('stats', [id])}&streamtype=${streamType}`, (payload) =>
      this.#rowsOf('stats', decodeStatistics(streamType, payload)),
    )
  }

  /** Ends every question at hand; later ones are answered as closed. */
  dispose(): void {
    this.#questions.dispose()
  }

  async #kept<T>(
    cache: AnswerCache<T>,
    path: string,
    { maxAgeMs = referenceDataHoldsMs }: Freshness,
    decode: (payload: unknown) => T | undefined,
  ): Promise<AgedOutcome<T>> {
    const kept = cache.get(path, maxAgeMs)
    if (kept !== undefined) return { ok: true, ...kept }
    const outcome = await this.#ask(path, path, decode)
    if (!outcome.ok) return outcome
    cache.keep(path, outcome.value)
    return { ...outcome, ageMs: 0 }
  }

  async #askInBatches<T>(
    ids: readonly IndexId[],
    endpoint: string,
    maxResolution: RequestedResolution | undefined,
    decode: (payload: unknown) => Rows<[IndexId, T]> | undefined,
  ): Promise<Outcome<Map<IndexId, T>>> {
    const answers = new Map<IndexId, T>()
    const batches = inBatches([...new Set(ids)])
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      const asked = new Set(batch)
      const outcome = await this.#ask(endpoint, question(endpoint, batch, maxResolution), (payload) =>
        this.#rowsOf(endpoint, decode(payload)),
      )
      if (outcome.ok) {
        for (const [id, answer] of outcome.value) if (asked.has(id)) answers.set(id, answer)
      } else if (!problemsOfOneBatch.has(outcome.problem.code)) {
        return answers.size > 0 ? { ok: true, value: answers } : outcome
      } else if (batch.length > 1) {
        // One unknown id fails its whole batch: the halves tell which. They are shorter, too.
        const middle = Math.ceil(batch.length / 2)
        batches.unshift(batch.slice(0, middle), batch.slice(middle))
      }
    }
    return { ok: true, value: answers }
  }

  async #ask<T>(name: string, path: string, decode: (payload: unknown) => T | undefined): Promise<RestOutcome<T>> {
    const outcome = await this.#questions.ask(path)
    if (!outcome.ok) return outcome
    const value = decode(outcome.value)
    return value === undefined ? this.#questions.failed(name, problemOfBody('')) : { ok: true, value }
  }

  #rowsOf<T>(name: string, decoded: Rows<T> | undefined): T[] | undefined {
    this.#noteDropped(name, decoded?.unreadable)
    return decoded?.rows
  }

  #noteDropped(name: string, rows = 0): void {
    if (rows === 0) return
    this.#counters.add('rest.droppedRows', rows)
    this.#log.warn('Rows of an answer could not be read', { name, rows })
  }
}

function question(endpoint: string, ids: readonly IndexId[], maxResolution?: RequestedResolution): string {
  const resolution = maxResolution === undefined ? '' : `&maxResolution=${maxResolution}`
  return `${endpoint}?id=${ids.map(encodeURIComponent).join(',')}${resolution}`
}

function inBatches(ids: readonly IndexId[]): IndexId[][] {
  const batches: IndexId[][] = []
  for (let start = 0; start < ids.length; start += latestValuesLimit) {
    batches.push(ids.slice(start, start + latestValuesLimit))
  }
  return batches
}
