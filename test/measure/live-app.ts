import { addressOf } from '../../simulator/address'
import { startSimulator, type Simulator } from '../../simulator/server'
import { AppBench, type LiveApp } from '../support/app-bench'

interface Measured extends LiveApp {
  bench: AppBench
  simulator: Simulator
}

/** Runs the built app, live on a simulator of its own; everything has ended when it answers. */
export async function onLiveApp(run: (measured: Measured) => Promise<void>): Promise<void> {
  const simulator = await startSimulator({})
  const bench = await AppBench.create()
  try {
    await run({ bench, simulator, ...(await bench.launchLive(addressOf(simulator))) })
  } finally {
    await bench.dispose()
    await simulator.close()
  }
}
