/** The simulator's time. The market is a function of it, so a test that moves it moves the market. */
export interface SimulatorClock {
  /** Milliseconds since the Unix epoch. */
  wallMs(): number
  /** Runs `run` once after `delayMs`. The returned function cancels it. */
  after(delayMs: number, run: () => void): () => void
}

/**
 * The clock of a replayed day. It stands still until the first timer is set, as by the stream's first subscription.
 * Then it runs at a multiple of the machine's speed.
 */
export class ReplayClock implements SimulatorClock {
  readonly #fromMs: number
  readonly #speed: number
  #startedMs: number | undefined

  constructor(fromMs: number, speed: number) {
    this.#fromMs = fromMs
    this.#speed = speed
  }

  wallMs(): number {
    const elapsedMs = this.#startedMs === undefined ? 0 : performance.now() - this.#startedMs
    return Math.floor(this.#fromMs + elapsedMs * this.#speed)
  }

  after(delayMs: number, run: () => void): () => void {
    this.#startedMs ??= performance.now()
    const timer = setTimeout(run, delayMs / this.#speed)
    return () => clearTimeout(timer)
  }
}

/** The machine's clock. */
export class MachineClock implements SimulatorClock {
  wallMs(): number {
    return Date.now()
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  }
}
