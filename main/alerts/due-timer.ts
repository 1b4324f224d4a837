import type { Clock } from '../base/clock'

/** The longest a clock can wait at once. */
const maxDelayMs = 24 * 86_400_000
/** Where something should have come due and has not, as after the wall clock was set back. */
const retryMs = 1_000

/** Runs something at a wall time that is planned again as things change. */
export class DueTimer {
  readonly #clock: Clock
  readonly #run: () => void
  #atMs: number | undefined
  #cancel: (() => void) | undefined

  constructor(clock: Clock, run: () => void) {
    this.#clock = clock
    this.#run = run
  }

  /** Whether the time has come, also where the timer is late, as it is after the machine slept. */
  get isDue(): boolean {
    return this.#atMs !== undefined && this.#atMs <= this.#clock.wallMs()
  }

  /** The wall time, unless it is planned for an earlier one. */
  bringForward(atMs: number): void {
    if (this.#atMs === undefined || atMs < this.#atMs) this.plan(atMs)
  }

  /** The wall time; `undefined` for never. */
  plan(atMs: number | undefined): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#atMs = atMs
    if (atMs === undefined) return
    const delayMs = atMs - this.#clock.wallMs()
    this.#cancel = this.#clock.after(delayMs > 0 ? Math.min(delayMs, maxDelayMs) : retryMs, this.#run)
  }
}
