import type { Clock } from '../base/clock'

/** `user`: somebody waits for the answer. `background`: nobody does. */
export type Urgency = 'user' | 'background'

/** A question that waits for its turn; somebody may come to wait for it meanwhile. */
export interface Waiting {
  urgency: Urgency
}

const burst = 10
/** Ten requests within this time are eight a second, and never more than ten in any second (wire facts 9). */
const burstMs = 1_250

/**
 * Spaces out what the app asks of one service: at most eight requests a second, in bursts of at most ten. Questions that
 * the user waits for go first, otherwise the one that has waited longest.
 */
export class RequestBudget {
  readonly #clock: Clock
  /** Monotonic times of the last requests, oldest first; at most `burst`. */
  readonly #sentAtMs: number[] = []
  #waiting: { question: Waiting; go: () => void }[] = []
  #heldUntilMs = Number.NEGATIVE_INFINITY
  #cancelTimer: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How long the service has asked to wait, from now; 0 or less when it has not. */
  get heldForMs(): number {
    return this.#heldUntilMs - this.#clock.monotonicMs()
  }

  /** The service asks for a pause: nothing is sent before its end, and nobody is kept waiting for that. */
  hold(pauseMs: number): void {
    this.#heldUntilMs = Math.max(this.#heldUntilMs, this.#clock.monotonicMs() + pauseMs)
    this.#next()
  }

  /**
   * Resolves when this question may be sent, at once where the budget allows it, or when waiting is of no use: `signal` has
   * ended it, or the service has asked for a pause and the user waits.
   */
  turn(question: Waiting, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        this.#waiting = this.#waiting.filter((each) => each !== entry)
        if (this.#waiting.length === 0) this.#cancelTimer?.()
        resolve()
      }
      const go = () => {
        signal.removeEventListener('abort', end)
        if (this.heldForMs <= 0) this.#sentAtMs.push(this.#clock.monotonicMs())
        if (this.#sentAtMs.length > burst) this.#sentAtMs.shift()
        resolve()
      }
      const entry = { question, go }
      signal.addEventListener('abort', end, { once: true })
      this.#waiting.push(entry)
      this.#next()
    })
  }

  #next = (): void => {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    while (this.#waiting.length > 0) {
      const urgent = this.#waiting.findIndex(({ question }) => question.urgency === 'user')
      const waitMs = urgent !== -1 && this.heldForMs > 0 ? 0 : this.#waitMs()
      if (waitMs > 0) {
        this.#cancelTimer = this.#clock.after(waitMs, this.#next)
        return
      }
      const [first] = this.#waiting.splice(Math.max(0, urgent), 1)
      first?.go()
    }
  }

  /** Until the next request may be sent. */
  #waitMs(): number {
    const [oldest] = this.#sentAtMs
    const nowMs = this.#clock.monotonicMs()
    const budgetMs = oldest === undefined || this.#sentAtMs.length < burst ? 0 : oldest + burstMs - nowMs
    return Math.max(budgetMs, this.heldForMs)
  }
}
