import type { SimulatorClock } from '../clock'
import { scenarios, type Scenario, type ScenarioName, type Stage } from './scenarios'

/** Lets one scenario at a time happen, in turns with calm, by the simulator's clock alone. */
export class ScenarioPlayer {
  readonly #clock: SimulatorClock
  readonly #stage: Stage
  readonly #log: (line: string) => void
  #cancel: (() => void) | undefined
  #putRight: (() => void) | undefined

  constructor(clock: SimulatorClock, stage: Stage, log: (line: string) => void) {
    this.#clock = clock
    this.#stage = stage
    this.#log = log
  }

  /** Begins after `afterMs`, at once by default; what was playing ends. */
  play(name: ScenarioName, afterMs = 0): void {
    this.end()
    if (afterMs === 0) this.#begin(name)
    else
      this.#next(afterMs, () => {
        this.#begin(name)
      })
  }

  /** All is well from now on. */
  end(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#putRight?.()
    this.#putRight = undefined
  }

  #begin(name: ScenarioName): void {
    const scenario: Scenario = scenarios[name]
    this.#log(`scenario ${name}: ${scenario.summary}`)
    this.#putRight = scenario.begin(this.#stage)
    const { faultMs, calmMs } = scenario
    if (faultMs === undefined) return
    this.#next(faultMs, () => {
      this.end()
      this.#log(`scenario ${name}: calm`)
      this.#next(calmMs, () => {
        this.#begin(name)
      })
    })
  }

  #next(delayMs: number, run: () => void): void {
    this.#cancel = this.#clock.after(delayMs, run)
  }
}
