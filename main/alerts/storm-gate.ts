import type { AlertEvent } from '../../protocol/alert-events'
import type { Clock } from '../base/clock'

const minuteMs = 60_000
const collectMs = 10_000

/**
 * Lets so many notices a minute through at once. While the minute is full, events are collected and told together ten
 * seconds after the first of them, whether or not there is room again. A rolling minute thus sees `mostPerMinute`
 * notices and five more at most, and no event waits longer than ten seconds. Everything passes in order.
 */
export class StormGate {
  readonly #clock: Clock
  readonly #tell: (events: readonly AlertEvent[]) => void
  readonly #mostPerMinute: number
  /** Monotonic times of the notices of the last minute. */
  #toldAtMs: number[] = []
  #collected: AlertEvent[] = []
  #cancel: (() => void) | undefined

  constructor(options: { clock: Clock; tell: (events: readonly AlertEvent[]) => void; mostPerMinute: number }) {
    const { clock, tell, mostPerMinute } = options
    this.#clock = clock
    this.#tell = tell
    this.#mostPerMinute = mostPerMinute
  }

  /** Events for one notice. */
  pass(events: readonly AlertEvent[]): void {
    if (this.#collected.length === 0 && this.#hasRoom()) {
      this.#tellNow(events)
      return
    }
    this.#collected.push(...events)
    this.#cancel ??= this.#clock.after(collectMs, () => {
      this.flush()
    })
  }

  /** Tells what is collected without waiting. */
  flush(): void {
    this.#cancel?.()
    this.#cancel = undefined
    const events = this.#collected
    this.#collected = []
    if (events.length > 0) this.#tellNow(events)
  }

  #hasRoom(): boolean {
    const nowMs = this.#clock.monotonicMs()
    this.#toldAtMs = this.#toldAtMs.filter((toldMs) => toldMs > nowMs - minuteMs)
    return this.#toldAtMs.length < this.#mostPerMinute
  }

  #tellNow(events: readonly AlertEvent[]): void {
    this.#toldAtMs.push(this.#clock.monotonicMs())
    this.#tell(events)
  }
}
