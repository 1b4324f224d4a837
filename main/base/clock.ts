import { performance } from 'node:perf_hooks'

/** Time as the main process sees it. Injected everywhere, so that tests move it by hand. */
export interface Clock {
  /** Milliseconds since the Unix epoch; jumps when the user or the network sets the clock. */
  wallMs(): number
  /** The service's time where it is known to differ (`connections/service-time.ts`), else as `wallMs`: for ages and the future. */
  serviceMs(): number
  /**
   * What a source has confirmed the service's time to be, ahead of the monotonic clock; `undefined` takes it back. Answers
   * whether that is what `serviceMs` counts by.
   */
  followService(source: object, aheadMs: number | undefined): boolean
  /** Milliseconds since some fixed moment; never jumps back. For ages and time-outs. */
  monotonicMs(): number
  /** Runs `run` once after `delayMs` (at most 24 days); the answer cancels it. */
  after(delayMs: number, run: () => void): () => void
  /** Runs `run` once the present events have been handled, before any timer. */
  nextTurn(run: () => void): void
}

/** The answer, or `late` where it takes longer than that; what comes later is dropped. */
export function within<T>(answer: Promise<T>, { clock, timeoutMs }: TimeLimit, late: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(timeoutMs, () => resolve(late()))
    void answer.then(resolve, reject).finally(cancel)
  })
}

export interface TimeLimit {
  readonly clock: Clock
  readonly timeoutMs: number
}

/** Less is within what an estimate can be wrong by. */
const minCorrectionMs = 2_000
/** By so much two estimates of one time may differ: answers take their time, and both are rounded. */
const maxDisagreementMs = 10_000

/**
 * The service's time, from what every source has confirmed. There is one for the whole app, so it is followed only while
 * all sources agree: one that plays back the past must not make the live values of another come from the future.
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

  /** As `Clock.followService`. */
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

/** The machine's clocks. */
export class SystemClock implements Clock {
  #sleptMs = 0
  readonly #serviceTimes = new ServiceTimes(this)

  wallMs(): number {
    return Date.now()
  }

  serviceMs(): number {
    return this.#serviceTimes.nowMs()
  }

  monotonicMs(): number {
    return performance.now() + this.#sleptMs
  }

  after(delayMs: number, run: () => void): () => void {
    // A part of a millisecond is cut off by the timer, which would be early by it.
    const timer = setTimeout(run, Math.max(0, Math.ceil(delayMs)))
    return () => clearTimeout(timer)
  }

  nextTurn(run: () => void): void {
    setImmediate(run)
  }

  followService(source: object, aheadMs: number | undefined): boolean {
    return this.#serviceTimes.follow(source, aheadMs)
  }

  /** Counts time the machine slept: the operating system's monotonic clock stands still meanwhile. */
  noteSleep(sleptMs: number): void {
    this.#sleptMs += Math.max(0, sleptMs)
  }
}
