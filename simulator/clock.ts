/** The simulator's time. The market is a function of it, so a test that moves it moves the market. */
export interface SimulatorClock {
  /** Milliseconds since the Unix epoch. */
  wallMs(): number
  /** Runs `run` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, run: () => void): () => void
}

/** A day of the past played again: starts at a time and runs at a multiple of the machine's speed. */
export class ReplayClock implements SimulatorClock {
  readonly #fromMs: number
  readonly #speed: number
  readonly #startedMs = performance.now()

  constructor(fromMs: number, speed: number) {
    this.#fromMs = fromMs
    this.#speed = speed
  }

  wallMs(): number {
    return Math.floor(this.#fromMs + (performance.now() - this.#startedMs) * this.#speed)
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = setTimeout(run, delayMs / this.#speed)
    return () => {
      clearTimeout(timer)
    }
  }
}

/** The machine's clock. */
export class MachineClock implements SimulatorClock {
  wallMs(): number {
    return Date.now()
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = setTimeout(run, delayMs)
    return () => {
      clearTimeout(timer)
    }
  }
}
