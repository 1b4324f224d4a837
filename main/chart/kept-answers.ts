import type { Publication } from '../../protocol/model'
import type { Clock } from '../base/clock'

interface Answer {
  points: readonly Publication[]
  service: object
  epoch: number
  receivedAtMs: number
}

/**
 * How long an answer is good for. Going through the ranges and back asks once; asking again so soon brings nothing, since
 * what is published meanwhile, amendments too, comes by the stream. After that the service is asked again, which heals
 * what the stream may have lost. An hour at 200 ms is a megabyte: not to be asked for lightly.
 */
const freshMs = 10_000
const mostAnswers = 8

/** What REST told, while it is young; older answers are kept for when REST does not answer any more. */
export class KeptAnswers {
  readonly #clock: Clock
  /** By question, oldest first. */
  readonly #answers = new Map<string, Answer>()
  #epoch = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get(question: string, service: object): { points: readonly Publication[]; isFresh: boolean } | undefined {
    const answer = this.#answers.get(question)
    if (answer?.service !== service) return undefined
    const isYoung = this.#clock.monotonicMs() - answer.receivedAtMs < freshMs
    return { points: answer.points, isFresh: isYoung && answer.epoch === this.#epoch }
  }

  /** A question is about to be sent; what comes back is kept by the function answered. */
  begin(question: string, service: object): (points: readonly Publication[]) => void {
    const epoch = this.#epoch
    return (points) => {
      this.#answers.delete(question)
      this.#answers.set(question, { points, service, epoch, receivedAtMs: this.#clock.monotonicMs() })
      const [oldest] = this.#answers.keys()
      if (this.#answers.size > mostAnswers && oldest !== undefined) this.#answers.delete(oldest)
    }
  }

  /** No answer so far is fresh, nor that to a question already sent. */
  outdate(): void {
    this.#epoch++
  }
}
