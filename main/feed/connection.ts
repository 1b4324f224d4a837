import type { ConnectionState } from '../../core/model'
import type { Clock } from '../base/clock'
import type { Log } from '../base/log'
import { retryAfterMs } from '../base/http'
import { verdictOn, type AttemptEnd, type Verdict } from './verdict'
import { Liveness } from './liveness'
import { FeedSocket, type FeedEndpoint, type SocketTiming } from './socket'

/** All delays of the feed. Tests shorten them. The app uses `feedTiming`. */
export interface FeedTiming extends SocketTiming {
  /** Silence after which the peer is pinged. */
  silenceTimeoutMs: number
  /** Maximum wait for its answer. */
  pongTimeoutMs: number
  /** After a connection that lasted this long, earlier failures do not count. */
  stableAfterMs: number
  backoffBaseMs: number
  backoffFloorMs: number
  backoffCapMs: number
  /** After a connection that lasted this long, the next wait has the short cap. */
  heldAfterMs: number
  /** Cap of the wait while the service is not reached, and of the first wait after a connection that lasted. */
  shortCapMs: number
}

export const feedTiming: FeedTiming = {
  handshakeTimeoutMs: 10_000,
  closeTimeoutMs: 2_000,
  silenceTimeoutMs: 15_000,
  pongTimeoutMs: 10_000,
  stableAfterMs: 60_000,
  backoffBaseMs: 1_000,
  backoffFloorMs: 250,
  backoffCapMs: 60_000,
  heldAfterMs: 5_000,
  shortCapMs: 3_000,
}

interface ConnectionListener {
  /** The state is `live`, and messages can be sent. */
  opened(): void
  message(text: string | undefined): void
  /** An attempt ended by itself. `stateChanged` follows. */
  ended(end: AttemptEnd): void
  stateChanged(): void
}

interface Attempt {
  readonly socket: FeedSocket
  readonly liveness: Liveness
  openedAtMs?: number
}

interface Options {
  endpoint: FeedEndpoint
  clock: Clock
  random: () => number
  log: Log
  timing: FeedTiming
  listener: ConnectionListener
}

/**
 * Keeps one connection: attempt, wait, attempt, with one timer. Each attempt is an object that reports nothing after it
 * was closed or has ended. So a late close of an old socket never touches the new one.
 */
export class Connection {
  readonly #options: Options
  #attempt: Attempt | undefined
  #cancelRetry: (() => void) | undefined
  #retryAtMs: number | undefined
  #state: ConnectionState = 'connecting'
  #problem: string | undefined
  #hasBeenLive = false
  /** Attempts in a row that failed although the service was reached. */
  #failures = 0
  /** Attempts in a row in which the service was not reached. */
  #unreached = 0

  constructor(options: Options) {
    this.#options = options
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** The current problem. Undefined if there is none. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Time until the next attempt. Undefined if none is planned. */
  get retryInMs(): number | undefined {
    if (this.#retryAtMs === undefined) return undefined
    return Math.max(0, Math.ceil(this.#retryAtMs - this.#options.clock.monotonicMs()))
  }

  /** Starts an attempt now, instead of the current attempt or wait. */
  connect(): void {
    this.#leave()
    if (this.#state === 'notAuthorised' || this.#state === 'live') {
      this.#state = this.#hasBeenLive ? 'reconnecting' : 'connecting'
      this.#problem = undefined
    }
    this.#startAttempt()
    this.#options.listener.stateChanged()
  }

  send(text: string): void {
    this.#attempt?.socket.send(text)
  }

  dispose(): void {
    this.#leave()
  }

  #leave(): void {
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    this.#retryAtMs = undefined
    this.#attempt?.liveness.stop()
    this.#attempt?.socket.close()
    this.#attempt = undefined
  }

  #startAttempt(): void {
    const { endpoint, clock, timing, listener } = this.#options
    const liveness = new Liveness({
      clock,
      ...timing,
      ping: () => socket.ping(),
      onDead: () => socket.abandon({ kind: 'silent' }),
    })
    const socket = new FeedSocket(endpoint, timing, clock, {
      opened: () => this.#onOpened(attempt),
      message: (text) => listener.message(text),
      onActivity: () => liveness.noteActivity(),
      ended: (end) => this.#onEnded(attempt, end),
    })
    const attempt: Attempt = { socket, liveness }
    this.#attempt = attempt
  }

  #onOpened(attempt: Attempt): void {
    attempt.openedAtMs = this.#options.clock.monotonicMs()
    attempt.liveness.start()
    this.#unreached = 0
    this.#hasBeenLive = true
    this.#state = 'live'
    this.#problem = undefined
    this.#options.log.info('Connected')
    this.#options.listener.opened()
  }

  #onEnded(attempt: Attempt, end: AttemptEnd): void {
    this.#attempt = undefined
    attempt.liveness.stop()
    const heldMs = attempt.openedAtMs === undefined ? 0 : this.#options.clock.monotonicMs() - attempt.openedAtMs
    if (heldMs >= this.#options.timing.stableAfterMs) this.#failures = 0
    const verdict = verdictOn(end)
    this.#problem = verdict.problem
    if (verdict.retry.kind === 'stop') {
      this.#state = 'notAuthorised'
    } else {
      this.#state = this.#hasBeenLive ? 'reconnecting' : 'offline'
      this.#retryAfter(this.#delayMs(verdict, end, heldMs))
    }
    this.#options.log.warn(`Connection ended: ${end.kind}`, { ...end, retryInMs: this.retryInMs ?? 'never' })
    this.#options.listener.ended(end)
    this.#options.listener.stateChanged()
  }

  #delayMs({ retry }: Verdict, end: AttemptEnd, heldMs: number): number {
    const { backoffBaseMs: baseMs, backoffFloorMs: floorMs, shortCapMs, heldAfterMs } = this.#options.timing
    if (retry.kind === 'unanswered') {
      return backoffMs(this.#unreached++, this.#options.random, { baseMs, floorMs, capMs: shortCapMs })
    }
    this.#unreached = 0
    const failures = this.#failures++
    if (retry.kind === 'soon' && failures === 0) return Math.floor(this.#options.random() * retry.withinMs)
    const askedMs = end.kind === 'handshake' ? retryAfterMs(end.retryAfter, this.#options.clock.wallMs()) : undefined
    const capMs = heldMs >= heldAfterMs ? shortCapMs : this.#options.timing.backoffCapMs
    const delayMs = askedMs ?? backoffMs(failures, this.#options.random, { baseMs, floorMs, capMs })
    return retry.kind === 'backoff' ? Math.max(retry.atLeastMs, delayMs) : delayMs
  }

  #retryAfter(delayMs: number): void {
    this.#retryAtMs = this.#options.clock.monotonicMs() + delayMs
    this.#cancelRetry = this.#options.clock.after(delayMs, () => {
      this.#cancelRetry = undefined
      this.#retryAtMs = undefined
      this.#startAttempt()
      this.#options.listener.stateChanged()
    })
  }
}

interface BackoffLimits {
  baseMs: number
  floorMs: number
  capMs: number
}

/**
 * The wait after `failures` earlier failures (0 for the first). It is a random time up to a cap that doubles each time ("full
 * jitter"), so that a thousand apps do not return together.
 */
export function backoffMs(failures: number, random: () => number, limits: BackoffLimits): number {
  const ceilingMs = Math.min(limits.capMs, limits.baseMs * 2 ** failures)
  return Math.max(limits.floorMs, Math.floor(random() * ceilingMs))
}
