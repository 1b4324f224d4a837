import type { Clock } from '../base/clock'
import type { Log } from '../base/log'

const windowMs = 60_000
const worthAWarning = 50
/** More than the log keeps of it: the log takes the key out before it cuts. */
const longestExcerpt = 2_000

/** Writes every frame that could not be read to the log, and one warning when they become many within a minute. */
export class DropWatch {
  readonly #clock: Clock
  readonly #log: Log
  #windowStartMs = Number.NEGATIVE_INFINITY
  #countInWindow = 0

  constructor(clock: Clock, log: Log) {
    this.#clock = clock
    this.#log = log
  }

  note(fault: string, text: string): void {
    this.#log.info('Frame dropped', { fault, text: text.slice(0, longestExcerpt) })
    const nowMs = this.#clock.monotonicMs()
    if (nowMs - this.#windowStartMs >= windowMs) {
      this.#windowStartMs = nowMs
      this.#countInWindow = 0
    }
    this.#countInWindow++
    if (this.#countInWindow === worthAWarning + 1) this.#log.warn('Some data could not be read')
  }
}
