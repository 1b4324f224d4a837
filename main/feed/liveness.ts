import type { Clock } from '../base/clock'

/** A timer later than this means that we were not running, not that the peer was silent. */
const latenessToleranceMs = 1_000

/**
 * Tries whether a silent link is dead. Anything that comes counts. After a silence the peer is pinged; if it stays silent,
 * `onDead` is called once. One timer, set by silence and not by messages, so that a message costs one clock reading.
 */
export class Liveness {
  readonly #clock: Clock
  readonly #silenceTimeoutMs: number
  readonly #pongTimeoutMs: number
  readonly #ping: () => void
  readonly #onDead: () => void
  #activeAtMs = 0
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
    this.noteActivity()
    this.#listen(this.#silenceTimeoutMs)
  }

  /** Something came from the peer. */
  noteActivity(): void {
    this.#activeAtMs = this.#clock.monotonicMs()
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #listen(waitMs: number): void {
    this.#cancel = this.#clock.after(waitMs, () => {
      const silentMs = this.#clock.monotonicMs() - this.#activeAtMs
      if (silentMs >= this.#silenceTimeoutMs) this.#ask()
      else this.#listen(this.#silenceTimeoutMs - silentMs)
    })
  }

  #ask(): void {
    const askedAtMs = this.#clock.monotonicMs()
    this.#ping()
    this.#cancel = this.#clock.after(this.#pongTimeoutMs, () => {
      const latenessMs = this.#clock.monotonicMs() - askedAtMs - this.#pongTimeoutMs
      if (this.#activeAtMs >= askedAtMs)
        this.#listen(Math.max(0, this.#activeAtMs + this.#silenceTimeoutMs - this.#clock.monotonicMs()))
      else if (latenessMs > latenessToleranceMs) this.#ask()
      else this.#onDead()
    })
  }
}
