import type { Clock } from './clock'

interface Options {
  clock: Clock
  /** Minimum time between two runs. */
  spacingMs: number
  run: () => void
  /** When a request is met after a longer pause: at once (the default), on the next turn, or after the spacing. */
  first?: 'now' | 'nextTurn' | 'afterSpacing'
}

/** Runs something at most once per spacing, however often it is requested; the last request is never lost. */
export class Throttle {
  readonly #options: Options
  #ranAtMs = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** A requested run is still to come. */
  get isWaiting(): boolean {
    return this.#cancel !== undefined
  }

  /** Runs as soon as the spacing allows; requests until then are met by the same run. */
  request(): void {
    if (this.isWaiting) return
    const { clock, spacingMs, first = 'now' } = this.#options
    const sinceMs = clock.monotonicMs() - this.#ranAtMs
    const waitMs = first === 'afterSpacing' ? spacingMs : spacingMs - sinceMs
    const run = () => this.runNow()
    if (waitMs > 0) this.#cancel = clock.after(waitMs, run)
    else if (first === 'nextTurn') this.#onNextTurn(run)
    else run()
  }

  /** Runs at once, whatever the spacing; a run that is waiting is this one. */
  runNow(): void {
    this.cancel()
    this.#ranAtMs = this.#options.clock.monotonicMs()
    this.#options.run()
  }

  /** Drops a run that is waiting. */
  cancel(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #onNextTurn(run: () => void): void {
    let isCancelled = false
    this.#cancel = () => {
      isCancelled = true
    }
    this.#options.clock.nextTurn(() => {
      if (!isCancelled) run()
    })
  }
}
