import { done, failure, type Outcome } from '../../core/model'
import type { Clock } from './clock'

const windowMs = 10_000

/** Limits how many calls of a program are answered. A program that calls in a loop is told to wait. */
export class CallLimit {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #maxCalls: number
  #atMs: number[] = []

  /** `maxCalls` is per ten seconds. */
  constructor(clock: Pick<Clock, 'monotonicMs'>, maxCalls = 200) {
    this.#clock = clock
    this.#maxCalls = maxCalls
  }

  /** Counts a call, or refuses it with problem `rateLimited`. */
  admit(): Outcome<null> {
    const nowMs = this.#clock.monotonicMs()
    this.#atMs = this.#atMs.filter((atMs) => atMs > nowMs - windowMs)
    const [first = nowMs] = this.#atMs
    if (this.#atMs.length >= this.#maxCalls) {
      const waitSeconds = Math.ceil((first + windowMs - nowMs) / 1_000)
      return failure(
        'rateLimited',
        `More than ${this.#maxCalls} calls in ${windowMs / 1_000} s. Wait ${waitSeconds} s.`,
      )
    }
    this.#atMs.push(nowMs)
    return done
  }
}
