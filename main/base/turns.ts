/** Work one after the other: each begins when the one before has ended, however that ended. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /** Done when all that was to be done by now has ended. */
  async idle(): Promise<void> {
    await this.#last
  }
}
