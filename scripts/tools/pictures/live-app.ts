import { expect } from '@playwright/test'
import { addressOf } from '../../../simulator/address'
import { startSimulator, type Simulator } from '../../../simulator/server'
import { AppBench, connectionVariables, type DesktopParts, type LiveApp } from '../../../test/support/app-bench'

export interface Measured extends LiveApp {
  bench: AppBench
  simulator: Simulator
}

/** Runs the built app live on its own simulator. Resolves when everything has ended. */
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

/**
 * Publishes a value of BRTI each second while the market is held, because the market may cross no level for minutes.
 */
export async function publishEachSecond(simulator: Simulator, values: readonly number[]): Promise<void> {
  for (const value of values) {
    const time = Math.ceil(Date.now() / 1_000) * 1_000
    await new Promise((resolve) => setTimeout(resolve, time - Date.now()))
    simulator.publish('BRTI', { time, value: value.toFixed(2) })
  }
}

interface Desktop {
  parts?: DesktopParts
  /** Runs before the app starts. */
  prepare?: (bench: AppBench) => Promise<void>
}

/**
 * Runs the app like a customer of the provider: with two lists and a saved connection “CF Benchmarks”, here to a
 * simulator.
 */
export async function onProvider(
  run: (measured: Measured) => Promise<void>,
  { parts = {}, prepare }: Desktop = {},
): Promise<void> {
  const simulator = await startSimulator({})
  const bench = await AppBench.create(parts)
  try {
    await prepare?.(bench)
    const running = await bench.launch()
    const watch = await running.watch()
    const { ws, rest, mcp, keyId, keySecret } = addressOf(simulator)
    const urls = { webSocketUrl: ws, restUrl: rest, mcpUrl: mcp }
    const profile = { id: 'provider', name: 'CF Benchmarks', auth: 'basic', isEnabled: true, keyId, ...urls } as const
    const saved = await watch.ask('saveProfile', { profile, keySecret })
    if (!saved.ok) throw new Error(saved.problem.message)
    // A narrow window does not show the name.
    const status = async () => (await watch.snapshot()).state.status
    await expect.poll(status, { timeout: 60_000 }).toMatchObject({ name: 'CF Benchmarks', state: 'live' })
    // An app driven by Playwright has no keyring, and a notice says so.
    await watch.notices.getByRole('button', { name: 'Dismiss' }).click()
    const { settings } = (await watch.snapshot()).state
    await watch.ask('renameList', { listId: settings.watchlists[0]?.id ?? '', name: 'Overview' })
    const rates = await watch.ask('createList', { name: 'Reference rates' })
    if (!rates.ok) throw new Error(rates.problem.message)
    for (const indexId of ['BRR', 'ETHUSD_RR', 'SOLUSD_RR', 'XRPUSD_RR']) {
      const added = await watch.ask('addIndex', { listId: rates.value.listId, indexId })
      if (!added.ok) throw new Error(added.problem.message)
    }
    await run({ bench, simulator, running, watch })
  } finally {
    await bench.dispose()
    await simulator.close()
  }
}
