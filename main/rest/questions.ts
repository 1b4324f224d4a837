import { restPrefix } from '../../protocol/rest'
import { basicAuthorization } from '../base/basic-authorization'
import type { Clock } from '../base/clock'
import type { Counters } from '../base/counters'
import { redactor } from '../base/log'
import type { Log } from '../base/log'
import type { Random } from '../base/random'
import { retryAfterMs } from '../base/retry-after'
import { readWords } from '../base/untrusted-text'
import { decodeEnvelope } from './decode'
import { get } from './http'
import type { HttpAnswer } from './http'
import { closed, problemOfBody, problemOfFault, problemOfStatus, rateLimited, timedOut } from './problems'
import type { RestProblem } from './problems'

export type RestOutcome<T> = { ok: true; value: T } | { ok: false; problem: RestProblem }

/** The whole question, with all its tries, and the longest answer the user should wait for. */
const deadlineMs = 15_000
const mostTries = 3
const retryBaseMs = 1_000
/** When the service limits us without saying for how long. */
const defaultPauseMs = 10_000

export interface QuestionOptions {
  /** What comes before `/api/v1`. */
  baseUrl: string
  keyId: string
  keySecret: string
  clock: Clock
  log: Log
  counters: Counters
  random?: Random
}

/**
 * Questions to the service's REST interface: authorisation, limits, time-outs and tries in one place, nothing of what is
 * asked. The same question asked twice at a time is sent once; one the service had trouble with is tried again within
 * its deadline; when the service asks to wait, all questions wait.
 */
export class Questions {
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

  constructor(options: QuestionOptions) {
    this.#base = options.baseUrl.replace(/\/+$/, '') + restPrefix
    this.#authorization = basicAuthorization(options.keyId, options.keySecret)
    this.#clock = options.clock
    this.#log = options.log
    this.#counters = options.counters
    this.#random = options.random ?? Math.random
    this.#redact = redactor(() => [options.keySecret])
  }

  /** The payload at this path and query, not looked into. */
  ask(path: string): Promise<RestOutcome<unknown>> {
    const inFlight = this.#inFlight.get(path)
    if (inFlight !== undefined) return inFlight
    const question = this.#askWithinDeadline(path).finally(() => this.#inFlight.delete(path))
    this.#inFlight.set(path, question)
    return question
  }

  /** Counts and logs a question without an answer. */
  failed(path: string, problem: RestProblem): { ok: false; problem: RestProblem } {
    this.#counters.add('rest.failed')
    this.#log.warn('A REST question failed', { path, ...problem })
    return { ok: false, problem }
  }

  /** Ends every question at hand; later ones are answered as closed. */
  dispose(): void {
    this.#disposal.abort()
  }

  async #askWithinDeadline(path: string): Promise<RestOutcome<unknown>> {
    const deadline = new AbortController()
    const cancel = this.#clock.after(deadlineMs, () => {
      deadline.abort()
    })
    try {
      const signal = AbortSignal.any([deadline.signal, this.#disposal.signal])
      const outcome = await this.#askUntilAnswered(path, signal)
      return outcome.ok ? outcome : this.failed(path, outcome.problem)
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
