import { FakeClock } from './fake-clock'

/** A clock by which work takes time: each look at it takes a tenth of a millisecond. Its next turn is that of the loop. */
export class BusyClock extends FakeClock {
  #spentMs = 0

  override monotonicMs(): number {
    this.#spentMs += 0.1
    return super.monotonicMs() + this.#spentMs
  }

  override nextTurn(run: () => void): void {
    setImmediate(run)
  }
}
