import { FakeClock } from './fake-clock'

/** A clock that advances by 0.1 ms each time it is read. Its next turn is that of the event loop. */
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
