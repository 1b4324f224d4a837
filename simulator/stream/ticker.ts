import type { SimulatorClock } from '../clock'
import type { Channel } from './channel'

/** After a longer pause than this, as when the machine slept, only the last second is sent, not the whole backlog. */
const longestCatchUpMs = 10_000

/** The one timer of the stream: wakes as often as the closest listener needs it, and not at all when nobody listens. */
export class Ticker {
  readonly #clock: SimulatorClock
  readonly #nowMs: () => number
  readonly #channels: readonly Channel[]
  #sentUntilMs: number
  #cancel: (() => void) | undefined

  /** `nowMs` is the time of the market, which a test may hold. */
  constructor(clock: SimulatorClock, nowMs: () => number, channels: readonly Channel[]) {
    this.#clock = clock
    this.#nowMs = nowMs
    this.#channels = channels
    this.#sentUntilMs = nowMs()
  }

  /** Sends what is due and sets the timer anew. To be called before and after subscriptions change. */
  run(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#sendDue()
    const stepMs = this.#stepMs()
    if (stepMs === undefined) return
    // A held market keeps its time while the clock goes on: the next step is the clock's.
    const untilNextMs = stepMs - (this.#clock.wallMs() % stepMs)
    this.#cancel = this.#clock.after(untilNextMs, () => {
      this.run()
    })
  }

  dispose(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #sendDue(): void {
    const nowMs = this.#nowMs()
    const behindMs = nowMs - this.#sentUntilMs
    const afterMs = behindMs > longestCatchUpMs ? nowMs - 1_000 : this.#sentUntilMs
    this.#sentUntilMs = nowMs
    // Negative when the clock was set back: nothing is due, and it goes on from there.
    if (behindMs > 0) for (const channel of this.#channels) channel.advance(afterMs, nowMs)
  }

  #stepMs(): number | undefined {
    const steps = this.#channels.map((channel) => channel.stepMs()).filter((stepMs) => stepMs !== undefined)
    return steps.length === 0 ? undefined : Math.min(...steps)
  }
}
