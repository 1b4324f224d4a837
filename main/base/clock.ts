import { performance } from 'node:perf_hooks'

/**
 * Time as the main process sees it. Injected everywhere, so that tests move it by hand. Time may stand still within a
 * turn of the event loop, except for `busyMs`.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. Jumps when the user or the network sets the clock. */
  wallMs(): number
  /**
   * The service's time if it is known to differ (`connections/service-time.ts`), otherwise `wallMs`. Used for ages and
   * for detecting values from the future.
   */
  serviceMs(): number
  /**
   * Sets how far a source's confirmed time is ahead of the monotonic clock. `undefined` removes the source. Returns
   * true if `serviceMs` now follows it.
   */
  followService(source: object, aheadMs: number | undefined): boolean
  /** Milliseconds since a fixed moment. Never jumps back. For ages and time-outs. */
  monotonicMs(): number
  /** As `monotonicMs`, also correct within a turn. Measures how long the turn has taken. */
  busyMs(): number
  /** Runs `run` once after `delayMs` (at most 24 days). Returns its cancel function. */
  after(delayMs: number, run: () => void): () => void
  /** Runs `run` once after the current events, before any timer. */
  nextTurn(run: () => void): void
}

/** Resolves with the answer, or with `late()` after `timeoutMs`. A later answer is dropped. */
export function withTimeout<T>(
  answer: Promise<T>,
  { clock, timeoutMs }: TimeLimit,
  late: () => T | Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(timeoutMs, () => resolve(late()))
    void answer.then(resolve, reject).finally(cancel)
  })
}

export interface TimeLimit {
  readonly clock: Clock
  readonly timeoutMs: number
}

/** A smaller difference is within the error of the estimate. */
const minCorrectionMs = 2_000
/** Two estimates of one time may differ by this much: answers take time, and both are rounded. */
const maxDisagreementMs = 10_000

/**
 * The service's time, from what all sources confirmed. The whole app has one, so it is used only while all sources
 * agree. A source that replays the past must not put another source's live values in the future.
 */
export class ServiceTimes {
  readonly #clock: Pick<Clock, 'wallMs' | 'monotonicMs'>
  readonly #aheadMs = new Map<object, number>()
  #followedMs: number | undefined

  constructor(clock: Pick<Clock, 'wallMs' | 'monotonicMs'>) {
    this.#clock = clock
  }

  nowMs(): number {
    return this.#followedMs === undefined ? this.#clock.wallMs() : this.#clock.monotonicMs() + this.#followedMs
  }

  /** See `Clock.followService`. */
  follow(source: object, aheadMs: number | undefined): boolean {
    if (aheadMs === undefined) this.#aheadMs.delete(source)
    else this.#aheadMs.set(source, aheadMs)
    this.#followedMs = this.#agreedMs()
    return aheadMs !== undefined && this.#followedMs !== undefined
  }

  #agreedMs(): number | undefined {
    const all = [...this.#aheadMs.values()]
    const [first] = all
    if (first === undefined || Math.max(...all) - Math.min(...all) > maxDisagreementMs) return undefined
    const skewMs = this.#clock.monotonicMs() + first - this.#clock.wallMs()
    return Math.abs(skewMs) < minCorrectionMs ? undefined : first
  }
}

/**
 * The machine's clocks. Each is read once a turn, because one read of the socket may bring hundreds of values and each
 * value asks for the time about eight times.
 */
export class SystemClock implements Clock {
  #sleptMs = 0
  readonly #serviceTimes = new ServiceTimes(this)
  /** The readings of this turn. */
  #wallMs: number | undefined
  #monotonicMs: number | undefined

  wallMs(): number {
    if (this.#wallMs !== undefined) return this.#wallMs
    this.#endWithTurn()
    return (this.#wallMs = Date.now())
  }

  serviceMs(): number {
    return this.#serviceTimes.nowMs()
  }

  monotonicMs(): number {
    if (this.#monotonicMs !== undefined) return this.#monotonicMs
    this.#endWithTurn()
    return (this.#monotonicMs = this.busyMs())
  }

  busyMs(): number {
    return performance.now() + this.#sleptMs
  }

  after(delayMs: number, run: () => void): () => void {
    // The timer drops fractions of a millisecond and would fire early.
    const timer = setTimeout(run, Math.max(0, Math.ceil(delayMs)))
    return () => clearTimeout(timer)
  }

  nextTurn(run: () => void): void {
    setImmediate(run)
  }

  followService(source: object, aheadMs: number | undefined): boolean {
    return this.#serviceTimes.follow(source, aheadMs)
  }

  /** Adds time for which the machine slept. The operating system's monotonic clock stops during sleep. */
  noteSleep(sleptMs: number): void {
    this.#sleptMs += Math.max(0, sleptMs)
    this.#forget()
  }

  #endWithTurn(): void {
    if (this.#wallMs === undefined && this.#monotonicMs === undefined) queueMicrotask(() => this.#forget())
  }

  #forget(): void {
    this.#wallMs = undefined
    this.#monotonicMs = undefined
  }
}
