import type { Clock } from '../base/clock'

/** An answer and how long ago it came. */
export interface AgedAnswer<T> {
  value: T
  ageMs: number
}

const mostAnswers = 200

/** Answers that hold for a while, the newest 200 of them. Ages by the monotonic clock: setting the time ages nothing. */
export class AnswerCache<T> {
  readonly #clock: Clock
  /** Oldest first. */
  readonly #answers = new Map<string, { value: T; receivedAtMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The answer kept for this question, if it is younger than `maxAgeMs`. */
  get(question: string, maxAgeMs: number): AgedAnswer<T> | undefined {
    const answer = this.#answers.get(question)
    if (answer === undefined) return undefined
    const ageMs = this.#clock.monotonicMs() - answer.receivedAtMs
    return ageMs < maxAgeMs ? { value: answer.value, ageMs } : undefined
  }

  keep(question: string, value: T): void {
    this.#answers.delete(question)
    this.#answers.set(question, { value, receivedAtMs: this.#clock.monotonicMs() })
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > mostAnswers && oldest !== undefined) this.#answers.delete(oldest)
  }
}
