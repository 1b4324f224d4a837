import type { SimulatorClock } from '../clock'
import type { Channel } from './channel'

type Sender = Pick<Channel, 'stepMs' | 'advance'>

/** After a longer pause, as in a machine's sleep, only the last second is sent. A recording sends everything. */
const maxCatchUpMs = 10_000

/**
 * The only timer of the stream. It fires as often as the fastest subscription needs, and never without subscriptions.
 */
export class Ticker {
  readonly #clock: SimulatorClock
  readonly #nowMs: () => number
  readonly #channels: readonly Sender[]
  #sentUntilMs: number
  readonly #isRecording: boolean
  #cancel: (() => void) | undefined

  /** `nowMs` is the time of the market, which a test may hold. */
  constructor(clock: SimulatorClock, nowMs: () => number, channels: readonly Sender[], isRecording = false) {
    this.#isRecording = isRecording
    this.#clock = clock
    this.#nowMs = nowMs
    this.#channels = channels
    this.#sentUntilMs = nowMs()
  }

  /** Sends due messages and restarts the timer. Call it before and after subscriptions change. */
  run(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#sendDue()
    const stepMs = this.#stepMs()
    if (stepMs === undefined) return
    // The clock runs while the market is held, so the next step follows the clock.
    const untilNextMs = stepMs - (this.#clock.wallMs() % stepMs)
    this.#cancel = this.#clock.after(untilNextMs, () => this.run())
  }

  dispose(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #sendDue(): void {
    const nowMs = this.#nowMs()
    const behindMs = nowMs - this.#sentUntilMs
    const afterMs = behindMs > maxCatchUpMs && !this.#isRecording ? nowMs - 1_000 : this.#sentUntilMs
    this.#sentUntilMs = nowMs
    // Negative if the clock was set back. Nothing is due, and the ticker continues from the new time.
    if (behindMs > 0) for (const channel of this.#channels) channel.advance(afterMs, nowMs)
  }

  #stepMs(): number | undefined {
    const steps = this.#channels.map((channel) => channel.stepMs()).filter((stepMs) => stepMs !== undefined)
    return steps.length === 0 ? undefined : Math.min(...steps)
  }
}
