import type { Clock } from '../base/clock'
import type { Log } from '../base/log'
import { Throttle } from '../base/throttle'

/** One or two may be a hiccup; from here on the user is shown them. */
const shownFrom = 3
/** So long without one, and they have stopped. */
const quietAfterMs = 60_000
const changeSpacingMs = 1_000
/** More than the log keeps of it: the log takes the key out before it cuts. */
const maxExcerptLength = 2_000

interface Options {
  clock: Clock
  log: Log
  /** `persistentCount` is another than before; at most once a second. */
  onChange: () => void
}

/**
 * Messages that could not be read: each goes to the log, and while they keep coming their number is there to be shown.
 * A warning in the log names the fault and the text of the one with which they began to.
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

  /** How many since they began to come; absent while there are none or few. */
  get persistentCount(): number | undefined {
    return this.#count < shownFrom ? undefined : this.#count
  }

  /** Takes a message that could not be read, or in which `count` entries could not. */
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
