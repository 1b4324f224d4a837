import type { Clock } from '../base/clock'

/** A timer later than this means that this process was suspended, not that the peer was silent. */
const latenessToleranceMs = 1_000

interface Options {
  clock: Clock
  silenceTimeoutMs: number
  pongTimeoutMs: number
  ping: () => void
  onDead: () => void
}

/**
 * Detects a dead connection. After a silence the peer is pinged. If it stays silent, `onDead` is called once. Anything
 * received counts as a sign of life. There is one timer, set by silence, so each message costs one clock reading.
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

  /** Call when anything arrives from the peer. */
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
