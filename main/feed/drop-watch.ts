import type { Clock } from '../base/clock'
import type { Log } from '../base/log'
import { Throttle } from '../base/throttle'

/** One or two may be an accident. From this number on they are shown to the user. */
const minShownCount = 3
/** After this time without a further one they have stopped. */
const quietAfterMs = 60_000
const changeSpacingMs = 1_000
/** More than a log line keeps, because the log removes the key before it cuts. */
const maxExcerptLength = 2_000

interface Options {
  clock: Clock
  log: Log
  /** Called when `persistentCount` changed, at most once a second. */
  onChange: () => void
}

/**
 * Unreadable messages. Each is logged. While they continue, their number can be shown. A warning is logged with the
 * fault and text of the message that made it persistent.
 */
export class DropWatch {
  readonly #clock: Clock
  readonly #log: Log
  readonly #changes: Throttle
  #count = 0
  #lastAtMs = 0
  #cancelQuiet: (() => void) | undefined

  constructor({ clock, log, onChange }: Options) {
    this.#clock = clock
    this.#log = log
    this.#changes = new Throttle({ clock, spacingMs: changeSpacingMs, run: onChange })
  }

  /** Number of unreadable messages since they began. Undefined while there are few. */
  get persistentCount(): number | undefined {
    return this.#count < minShownCount ? undefined : this.#count
  }

  /** Call for an unreadable message, or for one with `count` unreadable entries. */
  note(fault: string, text: string, count = 1): void {
    const facts = { fault, text: text.slice(0, maxExcerptLength) }
    this.#log.info('Frame dropped', facts)
    const wasShown = this.persistentCount !== undefined
    this.#count += count
    this.#lastAtMs = this.#clock.monotonicMs()
    if (this.#cancelQuiet === undefined) this.#watchForQuiet(quietAfterMs)
    if (this.persistentCount === undefined) return
    if (!wasShown) this.#log.warn('Messages of the provider cannot be read', facts)
    this.#changes.request()
  }

  dispose(): void {
    this.#cancelQuiet?.()
    this.#changes.cancel()
  }

  #watchForQuiet(delayMs: number): void {
    this.#cancelQuiet = this.#clock.after(delayMs, () => {
      const quietForMs = this.#clock.monotonicMs() - this.#lastAtMs
      if (quietForMs < quietAfterMs) {
        this.#watchForQuiet(quietAfterMs - quietForMs)
        return
      }
      this.#cancelQuiet = undefined
      const wasShown = this.persistentCount !== undefined
      this.#count = 0
      if (wasShown) this.#changes.request()
    })
  }
}
