import type { IndexId, IndexInfo, Outcome, Publication } from '../../protocol/model'
import { latestValuesLimit, restPrefix } from '../../protocol/rest'
import { basicAuthorization } from '../base/basic-authorization'
import type { Clock } from '../base/clock'
import type { Counters } from '../base/counters'
import { redactor } from '../base/log'
import type { Log } from '../base/log'
import type { Random } from '../base/random'
import { retryAfterMs } from '../base/retry-after'
import { readWords } from '../base/untrusted-text'
import { decodeEnvelope, decodeIndex, decodeIndices, decodeLatestValues, decodeValues } from './decode'
import type { Rows } from './decode'
import { get } from './http'
import type { HttpAnswer } from './http'
import { closed, problemOfBody, problemOfFault, problemOfStatus, rateLimited, timedOut } from './problems'
import type { RestProblem } from './problems'

type RestOutcome<T> = { ok: true; value: T } | { ok: false; problem: RestProblem }

/** The whole question, with all its tries, and the longest answer the user should wait for. */
const deadlineMs = 15_000
const mostTries = 3
const retryBaseMs = 1_000
/** When the service limits us without saying for how long. */
const defaultPauseMs = 10_000

/**
 * The service's REST interface (spec 4.2). Every answer is an `Outcome`: errors are values with the codes of
 * `RestProblemCode` and a sentence for the user. The same question asked twice at a time is sent once; a question the
 * service had trouble with is tried again within its deadline; when the service asks to wait, all questions wait.
 * Counts `rest.failed` (questions without an answer) and `rest.droppedRows`.
 */
export class RestClient {
  readonly #base: string
  readonly #authorization: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #counters: Counters
  readonly #random: Random
  readonly #redact: (text: string) => string
  readonly #inFlight = new Map<string, Promise<RestOutcome<unknown>>>()
  readonly #disposal = new AbortController()
  #pausedUntilMs = Number.NEGATIVE_INFINITY

  /** `baseUrl` is what comes before `/api/v1`. */
  constructor(options: {
    baseUrl: string
    keyId: string
    keySecret: string
    clock: Clock
    log: Log
    counters: Counters
    random?: Random
  }) {
    this.#base = options.baseUrl.replace(/\/+$/, '') + restPrefix
    this.#authorization = basicAuthorization(options.keyId, options.keySecret)
    this.#clock = options.clock
    this.#log = options.log
    this.#counters = options.counters
    this.#random = options.random ?? Math.random
    this.#redact = redactor(() => [options.keySecret])
  }

  /** Every index this key may use. */
  async indices(): Promise<Outcome<IndexInfo[]>> {
    return this.#read('indices', await this.#ask('indices'), (payload) =>
      this.#rowsOf('indices', decodeIndices(payload)),
    )
  }

  async index(id: IndexId): Promise<Outcome<IndexInfo>> {
    return this.#read('index', await this.#ask(`indices/${encodeURIComponent(id)}`), decodeIndex)
  }

  /** The last hour of a real-time index, the last year of a daily one; ascending. */
  async values(id: IndexId): Promise<Outcome<Publication[]>> {
    return this.#read('values', await this.#ask(`values?id=${encodeURIComponent(id)}`), (payload) =>
      this.#rowsOf('values', decodeValues(payload)),
    )
  }

  /**
   * The latest value of each id that the service knows; others are missing from the answer. Values that did arrive are
   * not given up for a later batch that failed: the problem is answered only when there is nothing else.
   */
  async latestValues(ids: readonly IndexId[]): Promise<Outcome<Map<IndexId, Publication>>> {
    const values = new Map<IndexId, Publication>()
    const batches = inBatches([...new Set(ids)])
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      const outcome = await this.#latestValuesOf(batch)
      if (outcome.ok) {
        for (const [id, publication] of outcome.value) values.set(id, publication)
      } else if (outcome.problem.code !== 'badRequest' && outcome.problem.code !== 'notFound') {
        return values.size > 0 ? { ok: true, value: values } : outcome
      } else if (batch.length > 1) {
        // One unknown id fails its whole batch: the halves tell which.
        const middle = Math.ceil(batch.length / 2)
        batches.unshift(batch.slice(0, middle), batch.slice(middle))
      }
    }
    return { ok: true, value: values }
  }

  /** Ends every question at hand; later ones are answered as closed. */
  dispose(): void {
    this.#disposal.abort()
  }

  async #latestValuesOf(ids: IndexId[]): Promise<RestOutcome<[IndexId, Publication][]>> {
    const asked = new Set(ids)
    const answer = await this.#ask(`latest_values?id=${ids.map(encodeURIComponent).join(',')}`)
    return this.#read('latest_values', answer, (payload) =>
      this.#rowsOf('latest_values', decodeLatestValues(payload))?.filter(([id]) => asked.has(id)),
    )
  }

  #read<T>(name: string, outcome: RestOutcome<unknown>, decode: (payload: unknown) => T | undefined): RestOutcome<T> {
    if (!outcome.ok) return outcome
    const value = decode(outcome.value)
    return value === undefined ? this.#failed(name, problemOfBody('')) : { ok: true, value }
  }

  #rowsOf<T>(name: string, decoded: Rows<T> | undefined): T[] | undefined {
    if (decoded !== undefined && decoded.unreadable > 0) {
      this.#counters.add('rest.droppedRows', decoded.unreadable)
      this.#log.warn('Rows of an answer could not be read', { name, rows: decoded.unreadable })
    }
    return decoded?.rows
  }

  #failed(path: string, problem: RestProblem): { ok: false; problem: RestProblem } {
    this.#counters.add('rest.failed')
    this.#log.warn('A REST question failed', { path, ...problem })
    return { ok: false, problem }
  }

  #ask(path: string): Promise<RestOutcome<unknown>> {
    const inFlight = this.#inFlight.get(path)
    if (inFlight !== undefined) return inFlight
    const question = this.#askWithinDeadline(path).finally(() => this.#inFlight.delete(path))
    this.#inFlight.set(path, question)
    return question
  }

  async #askWithinDeadline(path: string): Promise<RestOutcome<unknown>> {
    const deadline = new AbortController()
    const cancel = this.#clock.after(deadlineMs, () => {
      deadline.abort()
    })
    try {
      const signal = AbortSignal.any([deadline.signal, this.#disposal.signal])
      const outcome = await this.#askUntilAnswered(path, signal)
      return outcome.ok ? outcome : this.#failed(path, outcome.problem)
    } finally {
      cancel()
    }
  }

  async #askUntilAnswered(path: string, signal: AbortSignal): Promise<RestOutcome<unknown>> {
    for (let tries = 1; ; tries++) {
      const outcome = await this.#askOnce(path, signal)
      if (outcome.ok || outcome.problem.code !== 'serviceError' || tries === mostTries) return outcome
      const ceilingMs = retryBaseMs * 2 ** (tries - 1)
      await this.#pause(ceilingMs * (0.25 + 0.75 * this.#random()), signal)
    }
  }

  async #askOnce(path: string, signal: AbortSignal): Promise<RestOutcome<unknown>> {
    const pauseMs = this.#pausedUntilMs - this.#clock.monotonicMs()
    if (pauseMs > 0) return { ok: false, problem: rateLimited(pauseMs) }
    const result = await get(this.#base + path, this.#authorization, signal)
    if (result.kind === 'answer') return this.#judge(result)
    if (result.fault !== 'aborted') return { ok: false, problem: problemOfFault(result.fault) }
    return { ok: false, problem: this.#disposal.signal.aborted ? closed : timedOut }
  }

  #judge({ status, body, retryAfter }: HttpAnswer): RestOutcome<unknown> {
    const envelope = decodeEnvelope(body)
    if (status === 429) {
      const pauseMs = retryAfterMs(retryAfter, this.#clock.wallMs()) ?? defaultPauseMs
      this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#clock.monotonicMs() + pauseMs)
      return { ok: false, problem: rateLimited(pauseMs) }
    }
    const isSuccess = status >= 200 && status < 300
    if (isSuccess && envelope.kind === 'success') return { ok: true, value: envelope.payload }
    if (isSuccess && envelope.kind === 'unreadable') return { ok: false, problem: problemOfBody(body) }
    const words = envelope.kind === 'failure' ? readWords(this.#redact(envelope.error)) : ''
    return { ok: false, problem: problemOfStatus(isSuccess ? 400 : status, words) }
  }

  #pause(pauseMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(pauseMs, resolve)
      signal.addEventListener(
        'abort',
        () => {
          cancel()
          resolve()
        },
        { once: true },
      )
    })
  }
}

function inBatches(ids: readonly IndexId[]): IndexId[][] {
  const batches: IndexId[][] = []
  for (let start = 0; start < ids.length; start += latestValuesLimit) {
    batches.push(ids.slice(start, start + latestValuesLimit))
  }
  return batches
}
