import type { TestProject } from 'vitest/node'
import type { SimulatorClock } from '../../../simulator/clock'
import type { Simulator } from '../../../simulator/server'
import type { ServiceUnderTest } from './service'

let simulator: Simulator | undefined

/** Provides the service under test: the given one, or a simulator started for the tests. */
export async function setup(project: TestProject): Promise<void> {
  const given = process.env['INDEXWATCH_SERVICE_UNDER_TEST']
  project.provide('service', given === undefined ? await startOurs() : (JSON.parse(given) as ServiceUnderTest))
}

export async function teardown(): Promise<void> {
  await simulator?.close()
}

async function startOurs(): Promise<ServiceUnderTest> {
  const { addressOf } = await import('../../../simulator/address')
  const { startSimulator } = await import('../../../simulator/server')
  const { mutantNamed } = await import('../mutants/mutants')
  const name = process.env['INDEXWATCH_MUTANT']
  const { eventfulMs } = await import('./eventful-moment')
  simulator = await startSimulator({
    clock: new ShiftedClock(eventfulMs() - Date.now()),
    ...(name !== undefined && { tamper: mutantNamed(name).tamper }),
  })
  return { ...addressOf(simulator), isOurs: true, indices: {} }
}

/** The machine's clock, shifted to another day. */
class ShiftedClock implements SimulatorClock {
  readonly #shiftMs: number

  constructor(shiftMs: number) {
    this.#shiftMs = shiftMs
  }

  wallMs(): number {
    return Date.now() + this.#shiftMs
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  }
}
