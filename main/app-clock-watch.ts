/** So many values in a row from the future are not the service's mistake. */
const telling = 5

/**
 * Tells once when the machine's clock is so far behind that received values are taken for ones from the future and left
 * out: without a word the list would just stand still.
 */
export class ClockWatch {
  readonly #tell: (message: string) => void
  #inARow = 0
  #hasTold = false

  constructor(tell: (message: string) => void) {
    this.#tell = tell
  }

  /** A value from the future was left out. */
  refused(): void {
    this.#inARow++
    if (this.#inARow < telling || this.#hasTold) return
    this.#hasTold = true
    this.#tell(
      "Values are left out because they seem to come from the future: this computer's clock is minutes behind the service's. Set the clock to the right time.",
    )
  }

  /** A value was taken. */
  accepted(): void {
    this.#inARow = 0
  }
}
