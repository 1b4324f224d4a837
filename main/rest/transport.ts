import { utf8Text } from '../../core/file-text'
import { ok } from '../../core/model'
import { restPrefix } from '../../protocol/rest'
import {
  basicAuthorization,
  isCertificateFault,
  retryAfterMs,
  type ServiceOutcome,
  type ServiceProblem,
} from '../base/http'
import { RequestBudget, type Urgency, type Waiting } from './request-budget'
import type { Clock } from '../base/clock'
import { redactor, type Counters, type Log } from '../base/log'
import { fetchDirectly, ProxyError, type Routes } from '../base/routes'
import { sanitizeText } from '../base/sanitize'
import { decodeEnvelope } from './decode'
import { parseBody } from './long-body'
import {
  closed,
  problemOfBody,
  problemOfFault,
  problemOfStatus,
  rateLimited,
  timedOut,
  type HttpFault,
} from './problems'

/** Time limit of a request with all its attempts, after it was let through by the budget. */
const deadlineMs = 15_000
const maxTries = 3
const retryBaseMs = 1_000
/** Pause after a 429 without `Retry-After`. */
const defaultPauseMs = 10_000

export interface RestOptions {
  /** The part before `/api/v1`. */
  baseUrl: string
  keyId: string
  keySecret: string
  clock: Clock
  log: Log
  counters: Counters
  /** Proxy routes. Direct by default. */
  routes?: Routes | undefined
  random?: () => number
  /** Called with the service's time of the response, and the duration of the request. */
  onServerTime?: (serverTimeMs: number, roundTripMs: number) => void
}

/**
 * Requests to the service's REST interface, with authorisation, limits, time-outs and retries. Does not interpret the
 * payload. Identical concurrent requests are sent once. A request that met a service error is retried within its
 * deadline. During a pause the service asked for, requests of the user fail immediately and background requests wait.
 */
export class RestTransport {
  readonly #base: string
  readonly #authorization: string
  readonly #options: RestOptions
  readonly #redact: (text: string) => string
  readonly #budget: RequestBudget
  readonly #inFlight = new Map<string, { request: Waiting; answer: Promise<ServiceOutcome<unknown>> }>()
  readonly #disposal = new AbortController()

  constructor(options: RestOptions) {
    this.#base = options.baseUrl.replace(/\/+$/, '') + restPrefix
    this.#authorization = basicAuthorization(options.keyId, options.keySecret)
    this.#options = options
    this.#budget = new RequestBudget(options.clock)
    this.#redact = redactor(() => [options.keySecret])
  }

  /** Returns the unvalidated payload at this path and query. */
  ask(path: string, urgency: Urgency): Promise<ServiceOutcome<unknown>> {
    const refusal = this.#refusal({ urgency })
    if (refusal !== undefined) return Promise.resolve(this.failed(path, refusal))
    const inFlight = this.#inFlight.get(path)
    if (inFlight !== undefined) {
      if (urgency === 'user') inFlight.request.urgency = urgency
      return inFlight.answer
    }
    const request = { urgency }
    const answer = this.#askWithRetries(path, request).finally(() => this.#inFlight.delete(path))
    this.#inFlight.set(path, { request, answer })
    return answer
  }

  /** Counts and logs a failed request. */
  failed(path: string, problem: ServiceProblem): { ok: false; problem: ServiceProblem } {
    this.#options.counters.add('rest.failed')
    this.#options.log.warn('A REST request failed', { path, ...problem })
    return { ok: false, problem }
  }

  /** Aborts all requests. Later ones are answered as closed. */
  dispose(): void {
    this.#disposal.abort()
  }

  async #askWithRetries(path: string, request: Waiting): Promise<ServiceOutcome<unknown>> {
    for (let tries = 1; ; tries++) {
      const outcome = await this.#askWithinDeadline(path, request)
      if (outcome.ok) return outcome
      const isWorthWaiting = outcome.problem.code === 'rateLimited' && request.urgency === 'background'
      if (!isWorthWaiting || tries === maxTries) return this.failed(path, outcome.problem)
    }
  }

  /** The problem for a request the user waits for, if the service asked for a pause. */
  #refusal({ urgency }: Waiting): ServiceProblem | undefined {
    const pauseMs = this.#budget.heldForMs
    return urgency === 'user' && pauseMs > 0 ? rateLimited(pauseMs) : undefined
  }

  async #askWithinDeadline(path: string, request: Waiting): Promise<ServiceOutcome<unknown>> {
    await this.#budget.admit(request, this.#disposal.signal)
    const deadline = new AbortController()
    const cancel = this.#options.clock.after(deadlineMs, () => deadline.abort())
    try {
      return await this.#askUntilAnswered(path, request, AbortSignal.any([deadline.signal, this.#disposal.signal]))
    } finally {
      cancel()
    }
  }

  async #askUntilAnswered(path: string, request: Waiting, signal: AbortSignal): Promise<ServiceOutcome<unknown>> {
    for (let tries = 1; ; tries++) {
      const refusal = this.#refusal(request)
      if (refusal !== undefined) return { ok: false, problem: refusal }
      const outcome = await this.#askOnce(path, signal)
      if (outcome.ok || outcome.problem.code !== 'serviceError' || tries === maxTries) return outcome
      const ceilingMs = retryBaseMs * 2 ** (tries - 1)
      await this.#pause(ceilingMs * (0.25 + 0.75 * (this.#options.random ?? Math.random)()), signal)
      await this.#budget.admit(request, signal)
    }
  }

  async #askOnce(path: string, signal: AbortSignal): Promise<ServiceOutcome<unknown>> {
    const askedAtMs = this.#options.clock.monotonicMs()
    const result = await this.#get(this.#base + path, signal)
    if (result.kind === 'response') {
      const roundTripMs = this.#options.clock.monotonicMs() - askedAtMs
      return this.#judge(result, await parseBody(result.body), roundTripMs)
    }
    if (result.fault instanceof ProxyError)
      return { ok: false, problem: { code: 'unreachable', message: result.fault.message } }
    if (result.fault !== 'aborted') return { ok: false, problem: problemOfFault[result.fault] }
    return { ok: false, problem: this.#disposal.signal.aborted ? closed : timedOut }
  }

  /**
   * One authorised GET. Redirects are not followed, so the key goes only to the address the user entered. `signal`
   * aborts it at any time, even within the body. Never throws.
   */
  async #get(url: string, signal: AbortSignal): Promise<HttpResult> {
    try {
      const headers = { Authorization: this.#authorization, Accept: 'application/json' }
      const init: RequestInit = { headers, redirect: 'error', signal }
      const response = await (this.#options.routes?.fetch(url, init) ?? fetchDirectly(url, init))
      const bytes = await readBody(response)
      if (bytes === undefined) return { kind: 'fault', fault: 'tooLarge' }
      const body = utf8Text(bytes)
      if (body === undefined) return { kind: 'fault', fault: 'notText' }
      const retryAfter = response.headers.get('retry-after')
      const dateMs = Date.parse(response.headers.get('date') ?? '')
      const received: HttpResponse = { kind: 'response', status: response.status, body, dateMs }
      return retryAfter === null ? received : { ...received, retryAfter }
    } catch (error) {
      return { kind: 'fault', fault: signal.aborted ? 'aborted' : faultOf(error) }
    }
  }

  #judge(
    { status, body, retryAfter, dateMs }: HttpResponse,
    parsed: unknown,
    roundTripMs: number,
  ): ServiceOutcome<unknown> {
    const envelope = decodeEnvelope(parsed)
    if (status === 429) {
      const pauseMs = retryAfterMs(retryAfter, this.#options.clock.wallMs()) ?? defaultPauseMs
      this.#options.log.warn('The provider asks to wait', { pauseMs })
      this.#budget.hold(pauseMs)
      return { ok: false, problem: rateLimited(pauseMs) }
    }
    const isSuccess = status >= 200 && status < 300
    if (isSuccess && envelope.kind === 'success') {
      // The header has whole seconds, cut off, so half a second is added on average.
      const { serverTimeMs = dateMs + 500 } = envelope
      if (!Number.isNaN(serverTimeMs)) this.#options.onServerTime?.(serverTimeMs, roundTripMs)
      return ok(envelope.payload)
    }
    if (isSuccess && envelope.kind === 'unreadable') return { ok: false, problem: problemOfBody(body) }
    const reason = envelope.kind === 'failure' ? sanitizeText(this.#redact(envelope.error)) : ''
    return { ok: false, problem: problemOfStatus(isSuccess ? 400 : status, reason) }
  }

  #pause(pauseMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancel()
        resolve()
      }
      const cancel = this.#options.clock.after(pauseMs, end)
      signal.addEventListener('abort', end, { once: true })
    })
  }
}

/** A response with any status, or the reason why there is none. */
type HttpResult = HttpResponse | HttpFaulty

interface HttpResponse {
  kind: 'response'
  status: number
  body: string
  retryAfter?: string
  /** Time in the `Date` header. `NaN` without one. */
  dateMs: number
}

interface HttpFaulty {
  kind: 'fault'
  fault: HttpFault | ProxyError
}

/** Size after decompression, so that a small response cannot expand into a large one. */
const maxBodyBytes = 8 * 1024 * 1024

async function readBody(response: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let byteLength = 0
  // Leaving the loop early cancels the stream and closes the connection.
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array
    byteLength += bytes.byteLength
    if (byteLength > maxBodyBytes) return undefined
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function faultOf(error: unknown): HttpFault | ProxyError {
  if (error instanceof ProxyError) return error
  if (!(error instanceof Error)) return 'unreachable'
  // If a proxy tunnel cuts the body, the error has no cause of its own.
  const cause = error.cause instanceof Error ? error.cause : error
  if (cause.message === 'unexpected redirect') return 'redirected'
  const code = String((cause as NodeJS.ErrnoException).code)
  if (isCertificateFault(code)) return 'certificate'
  return /^(UND_ERR_(SOCKET|HEADERS_OVERFLOW|RES)|ECONNRESET|EPIPE|HPE_|Z_)/.test(code) ? 'cut' : 'unreachable'
}
