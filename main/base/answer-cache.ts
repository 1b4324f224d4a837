import type { Clock } from './clock'

/** A cache of the newest `max` answers. Ages use the monotonic clock, so setting the time does not change them. */
export class AnswerCache<T> {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #max: number
  /** Oldest first. */
  readonly #answers = new Map<string, { value: T; receivedAtMs: number }>()

  constructor(clock: Pick<Clock, 'monotonicMs'>, max: number) {
    this.#clock = clock
    this.#max = max
  }

  get(question: string): { value: T; ageMs: number } | undefined {
    const kept = this.#answers.get(question)
    return kept && { value: kept.value, ageMs: this.#clock.monotonicMs() - kept.receivedAtMs }
  }

  keep(question: string, value: T): void {
    this.#answers.delete(question)
    this.#answers.set(question, { value, receivedAtMs: this.#clock.monotonicMs() })
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > this.#max && oldest !== undefined) this.#answers.delete(oldest)
  }
}
