import { addressOf } from '../../simulator/address'
import { startSimulator, type Simulator } from '../../simulator/server'
import { AppBench, connectionVariables, type LiveApp } from '../support/app-bench'

interface Measured extends LiveApp {
  bench: AppBench
  simulator: Simulator
}

/** Runs the built app, live on a simulator of its own; everything has ended when it answers. */
export async function onLiveApp(run: (measured: Measured) => Promise<void>): Promise<void> {
  const simulator = await startSimulator({})
  const bench = await AppBench.create()
  try {
    const { mcp, ...address } = addressOf(simulator)
    const running = await bench.launch([], { ...connectionVariables(address), INDEXWATCH_MCP_URL: mcp })
    const watch = await running.watch()
    await watch.expectState('Live')
    await run({ bench, simulator, running, watch })
  } finally {
    await bench.dispose()
    await simulator.close()
  }
}
