const windowMs = 10 * 60_000
const maxInWindow = 3

/** Counts crashes: whether one more restart is allowed, at most three in ten minutes. */
export class CrashBudget {
  readonly #monotonicMs: () => number
  #crashes: number[] = []

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  /** Notes a crash; true while restarting is still sensible. */
  allowsRestart(): boolean {
    const nowMs = this.#monotonicMs()
    this.#crashes = [...this.#crashes.filter((atMs) => nowMs - atMs < windowMs), nowMs]
    return this.#crashes.length <= maxInWindow
  }
}
