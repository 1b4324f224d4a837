import { performance } from 'node:perf_hooks'

/** Time as the main process sees it. Injected everywhere, so that tests move it by hand. */
export interface Clock {
  /** Milliseconds since the Unix epoch; jumps when the user or the network sets the clock. */
  wallMs(): number
  /** The service's time where it is known to differ (`connections/service-time.ts`), else as `wallMs`: for ages and the future. */
  serviceMs(): number
  /** Sets the service's time, ahead of the monotonic clock, or no longer: only the source that set it takes it back. */
  followService(source: object, aheadMs: number | undefined): void
  /** Milliseconds since some fixed moment; never jumps back. For ages and time-outs. */
  monotonicMs(): number
  /** Runs `run` once after `delayMs` (at most 24 days); the answer cancels it. */
  after(delayMs: number, run: () => void): () => void
  /** Runs `run` once the present events have been handled, before any timer. */
  nextTurn(run: () => void): void
}

/** The machine's clocks. */
export class SystemClock implements Clock {
  #sleptMs = 0
  #followed: { source: object; aheadMs: number } | undefined

  wallMs(): number {
    return Date.now()
  }

  serviceMs(): number {
    return this.#followed === undefined ? Date.now() : this.monotonicMs() + this.#followed.aheadMs
  }

  monotonicMs(): number {
    return performance.now() + this.#sleptMs
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = setTimeout(run, Math.max(0, delayMs))
    return () => {
      clearTimeout(timer)
    }
  }

  nextTurn(run: () => void): void {
    setImmediate(run)
  }

  followService(source: object, aheadMs: number | undefined): void {
    if (aheadMs !== undefined) this.#followed = { source, aheadMs }
    else if (this.#followed?.source === source) this.#followed = undefined
  }

  /** Counts time the machine slept: the operating system's monotonic clock stands still meanwhile. */
  noteSleep(sleptMs: number): void {
    this.#sleptMs += Math.max(0, sleptMs)
  }
}
