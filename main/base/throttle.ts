import type { Clock } from './clock'

interface Options {
  clock: Clock
  /** Minimum time between two runs. */
  spacingMs: number
  run: () => void
  /** When a request after a longer pause runs: immediately (the default), on the next turn, or after the spacing. */
  first?: 'now' | 'nextTurn' | 'afterSpacing'
}

/** Runs something at most once per spacing, however often it is requested. The last request is never lost. */
export class Throttle {
  readonly #options: Options
  #ranAtMs = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** True while a requested run is waiting. */
  get isWaiting(): boolean {
    return this.#cancel !== undefined
  }

  /** Runs as soon as the spacing allows. One run serves all requests until then. */
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

  /** Runs immediately and replaces a waiting run. */
  runNow(): void {
    this.cancel()
    this.#ranAtMs = this.#options.clock.monotonicMs()
    this.#options.run()
  }

  /** Drops a waiting run. */
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
