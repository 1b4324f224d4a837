import type { Clock } from '../base/clock'

/** A timer later than this means that we were not running, not that the peer was silent. */
const latenessToleranceMs = 1_000

interface Options {
  clock: Clock
  silenceTimeoutMs: number
  pongTimeoutMs: number
  ping: () => void
  onDead: () => void
}

/**
 * Tries whether a silent link is dead. Anything that comes counts. After a silence the peer is pinged; if it stays silent,
 * `onDead` is called once. One timer, set by silence and not by messages, so that a message costs one clock reading.
 */
export class Liveness {
  readonly #options: Options
  #activeAtMs = 0
  #cancel: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  start(): void {
    this.noteActivity()
    this.#listen(this.#options.silenceTimeoutMs)
  }

  /** Something came from the peer. */
  noteActivity(): void {
    this.#activeAtMs = this.#options.clock.monotonicMs()
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #listen(waitMs: number): void {
    this.#cancel = this.#options.clock.after(waitMs, () => {
      const silentMs = this.#options.clock.monotonicMs() - this.#activeAtMs
      if (silentMs >= this.#options.silenceTimeoutMs) this.#ask()
      else this.#listen(this.#options.silenceTimeoutMs - silentMs)
    })
  }

  #ask(): void {
    const { clock, silenceTimeoutMs, pongTimeoutMs, ping, onDead } = this.#options
    const askedAtMs = clock.monotonicMs()
    ping()
    this.#cancel = clock.after(pongTimeoutMs, () => {
      const latenessMs = clock.monotonicMs() - askedAtMs - pongTimeoutMs
      if (this.#activeAtMs >= askedAtMs)
        this.#listen(Math.max(0, this.#activeAtMs + silenceTimeoutMs - clock.monotonicMs()))
      else if (latenessMs > latenessToleranceMs) this.#ask()
      else onDead()
    })
  }
}
