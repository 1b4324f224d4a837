import type { Clock } from '../base/clock'

/** A timer later than this means that we were not running, not that the peer was silent. */
const latenessToleranceMs = 1_000

/**
 * Tells a silent link from a dead one. Anything heard counts. After a silence the peer is pinged; if it stays silent,
 * `onDead` is called once. One timer, set by silence and not by messages, so that a message costs one clock reading.
 */
export class Liveness {
  readonly #clock: Clock
  readonly #silenceTimeoutMs: number
  readonly #pongTimeoutMs: number
  readonly #ping: () => void
  readonly #onDead: () => void
  #heardAtMs = 0
  #cancel: (() => void) | undefined

  constructor(options: {
    clock: Clock
    silenceTimeoutMs: number
    pongTimeoutMs: number
    ping: () => void
    onDead: () => void
  }) {
    this.#clock = options.clock
    this.#silenceTimeoutMs = options.silenceTimeoutMs
    this.#pongTimeoutMs = options.pongTimeoutMs
    this.#ping = options.ping
    this.#onDead = options.onDead
  }

  start(): void {
    this.heard()
    this.#listen(this.#silenceTimeoutMs)
  }

  /** Something came from the peer. */
  heard(): void {
    this.#heardAtMs = this.#clock.monotonicMs()
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #listen(waitMs: number): void {
    this.#cancel = this.#clock.after(waitMs, () => {
      const silentMs = this.#clock.monotonicMs() - this.#heardAtMs
      if (silentMs >= this.#silenceTimeoutMs) this.#ask()
      else this.#listen(this.#silenceTimeoutMs - silentMs)
    })
  }

  #ask(): void {
    const askedAtMs = this.#clock.monotonicMs()
    this.#ping()
    this.#cancel = this.#clock.after(this.#pongTimeoutMs, () => {
      const latenessMs = this.#clock.monotonicMs() - askedAtMs - this.#pongTimeoutMs
      if (this.#heardAtMs >= askedAtMs)
        this.#listen(Math.max(0, this.#heardAtMs + this.#silenceTimeoutMs - this.#clock.monotonicMs()))
      else if (latenessMs > latenessToleranceMs) this.#ask()
      else this.#onDead()
    })
  }
}
