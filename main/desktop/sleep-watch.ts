export interface Clocks {
  wallMs(): number
  monotonicMs(): number
}

/**
 * How long the machine slept. The monotonic clock stands still during sleep, the wall clock does not: the difference is
 * the sleep. Desktops announce sleep and waking more than once; only the first of each counts.
 */
export class SleepWatch {
  readonly #clocks: Clocks
  readonly #onWake: (sleptMs: number) => void
  #before: { wallMs: number; monotonicMs: number } | undefined

  constructor(clocks: Clocks, onWake: (sleptMs: number) => void) {
    this.#clocks = clocks
    this.#onWake = onWake
  }

  suspended(): void {
    this.#before ??= { wallMs: this.#clocks.wallMs(), monotonicMs: this.#clocks.monotonicMs() }
  }

  resumed(): void {
    if (this.#before === undefined) return
    const wallMs = this.#clocks.wallMs() - this.#before.wallMs
    const monotonicMs = this.#clocks.monotonicMs() - this.#before.monotonicMs
    this.#before = undefined
    this.#onWake(Math.max(0, wallMs - monotonicMs))
  }
}
