/** Runs work in order. Each begins when the one before has resolved or rejected. */
export class SerialTasks {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /** Resolves when all work added so far has ended. */
  async idle(): Promise<void> {
    await this.#last
  }
}
