import { done, failure, type Outcome } from '../../core/model'
import type { Clock } from './clock'

/** Limits how often something happens: calls of a program, which is told to wait, or restarts after a crash. */
export class CallLimit {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #max: number
  readonly #windowMs: number
  #atMs: number[] = []

  constructor(clock: Pick<Clock, 'monotonicMs'>, max = 200, windowMs = 10_000) {
    this.#clock = clock
    this.#max = max
    this.#windowMs = windowMs
  }

  /** Counts a call, or refuses it with problem `rateLimited`. */
  admit(): Outcome<null> {
    const nowMs = this.#clock.monotonicMs()
    this.#atMs = this.#atMs.filter((atMs) => atMs > nowMs - this.#windowMs)
    const [first = nowMs] = this.#atMs
    if (this.#atMs.length >= this.#max) {
      const waitSeconds = Math.ceil((first + this.#windowMs - nowMs) / 1_000)
      return failure(
        'rateLimited',
        `More than ${this.#max} calls in ${this.#windowMs / 1_000} s. Wait ${waitSeconds} s.`,
      )
    }
    this.#atMs.push(nowMs)
    return done
  }
}

/** Allows three restarts after a crash in ten minutes. */
export function restartLimit(clock: Pick<Clock, 'monotonicMs'>): CallLimit {
  return new CallLimit(clock, 3, 10 * 60_000)
}
