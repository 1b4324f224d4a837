/** Time as the simulator sees it. The market is a function of it, so a test that moves it moves the market. */
export interface SimulatorClock {
  /** Milliseconds since the Unix epoch. */
  wallMs(): number
  /** Runs `run` once after `delayMs`; the answer cancels it. */
  after(delayMs: number, run: () => void): () => void
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
