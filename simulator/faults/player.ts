import type { SimulatorClock } from '../clock'
import type { FaultControls } from './controls'
import { scenarios, type Scenario, type ScenarioName } from './scenarios'

/** Plays one scenario at a time, alternating fault and calm by the simulator's clock. */
export class ScenarioPlayer {
  readonly #clock: SimulatorClock
  readonly #controls: FaultControls
  readonly #log: (line: string) => void
  #cancel: (() => void) | undefined
  #restore: (() => void) | undefined

  constructor(clock: SimulatorClock, controls: FaultControls, log: (line: string) => void) {
    this.#clock = clock
    this.#controls = controls
    this.#log = log
  }

  /** Ends the running scenario and starts this one after `afterMs`, by default at once. */
  play(name: ScenarioName, afterMs = 0): void {
    this.end()
    if (afterMs === 0) this.#begin(name)
    else this.#next(afterMs, () => this.#begin(name))
  }

  /** Ends the scenario and its fault. */
  end(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#restore?.()
    this.#restore = undefined
  }

  #begin(name: ScenarioName): void {
    const scenario: Scenario = scenarios[name]
    this.#log(`scenario ${name}: ${scenario.summary}`)
    this.#restore = scenario.begin(this.#controls)
    const { faultMs, calmMs } = scenario
    if (faultMs === undefined) return
    this.#next(faultMs, () => {
      this.end()
      this.#log(`scenario ${name}: calm`)
      this.#next(calmMs, () => this.#begin(name))
    })
  }

  #next(delayMs: number, run: () => void): void {
    this.#cancel = this.#clock.after(delayMs, run)
  }
}
