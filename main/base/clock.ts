import { performance } from 'node:perf_hooks'

/** Time as the main process sees it. Injected everywhere, so that tests move it by hand. */
export interface Clock {
  /** Milliseconds since the Unix epoch; jumps when the user or the network sets the clock. */
  wallMs(): number
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

  wallMs(): number {
    return Date.now()
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

  /** Counts time the machine slept: the operating system's monotonic clock stands still meanwhile. */
  noteSleep(sleptMs: number): void {
    this.#sleptMs += Math.max(0, sleptMs)
  }
}
