import type { Clock } from '../base/clock'

/** `user`: the user waits for the answer. `background`: no one waits. */
export type Urgency = 'user' | 'background'

/** A waiting request. Its urgency rises if a user begins to wait for it. */
export interface Waiting {
  urgency: Urgency
}

const burst = 10
/** Ten requests per 1.25 s are eight a second, and never more than ten in any second (protocol, 8). */
const burstMs = 1_250

/**
 * Limits requests to one service: at most eight a second, in bursts of ten. Requests the user waits for go first, then
 * those that have waited longest.
 */
export class RequestBudget {
  readonly #clock: Clock
  /** Monotonic times of the last requests, oldest first, at most `burst`. */
  readonly #sentAtMs: number[] = []
  #waiting: { request: Waiting; go: () => void }[] = []
  #heldUntilMs = Number.NEGATIVE_INFINITY
  #cancelTimer: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Remaining pause that the service asked for. 0 or less if there is none. */
  get heldForMs(): number {
    return this.#heldUntilMs - this.#clock.monotonicMs()
  }

  /**
   * Starts a pause that the service asked for. Nothing is sent before its end. Requests the user waits for fail
   * immediately.
   */
  hold(pauseMs: number): void {
    this.#heldUntilMs = Math.max(this.#heldUntilMs, this.#clock.monotonicMs() + pauseMs)
    this.#next()
  }

  /**
   * Resolves when the request may be sent. Also resolves when waiting is useless: `signal` aborted it, or the service
   * asked for a pause and the user waits.
   */
  admit(request: Waiting, signal: AbortSignal): Promise<void> {
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
      const entry = { request, go }
      signal.addEventListener('abort', end, { once: true })
      this.#waiting.push(entry)
      this.#next()
    })
  }

  #next = (): void => {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    while (this.#waiting.length > 0) {
      const urgent = this.#waiting.findIndex(({ request }) => request.urgency === 'user')
      const waitMs = urgent !== -1 && this.heldForMs > 0 ? 0 : this.#waitMs()
      if (waitMs > 0) {
        this.#cancelTimer = this.#clock.after(waitMs, this.#next)
        return
      }
      const [first] = this.#waiting.splice(Math.max(0, urgent), 1)
      first?.go()
    }
  }

  /** Time until the next request may be sent. */
  #waitMs(): number {
    const [oldest] = this.#sentAtMs
    const nowMs = this.#clock.monotonicMs()
    const budgetMs = oldest === undefined || this.#sentAtMs.length < burst ? 0 : oldest + burstMs - nowMs
    return Math.max(budgetMs, this.heldForMs)
  }
}
