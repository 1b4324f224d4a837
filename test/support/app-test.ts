import { test as base } from '@playwright/test'
import { startSimulator, type Simulator } from '../../simulator/server'
import { AlertService, type AlertRun } from './alert-run'
import { AppBench, type DesktopParts } from './app-bench'
import { serveCatalogue } from './scripted-rest'
import { ScriptedService } from './scripted-service'

/**
 * An app that lives for seconds spends much of its time on compiling what it never runs often enough, and on looking for a
 * graphics card: a quarter of a start.
 */
const shortLived = ['--js-flags=--liftoff-only --no-maglev --no-turbofan', '--disable-gpu', '--num-raster-threads=1']

interface AppFixtures {
  /** For `test.use`. */
  desktop: DesktopParts
  /** For `test.use`: Chromium's, of each app that is started from the sources. */
  switches: readonly string[]
  bench: AppBench
  /** Lists two indices; what else it says is the test's affair. */
  service: ScriptedService
  /** The same service, for tests of alerts. */
  alerts: AlertService
  /** The app on that service, with a first value of BRTI, 100.00, so that levels above it are armed. */
  run: AlertRun
  /** With its own market, from now on. */
  simulator: Simulator
}

/** A test of the app: whatever it asks for is its own, on ports and in folders that no other test has. */
export const test = base.extend<AppFixtures>({
  desktop: [{}, { option: true }],
  switches: [shortLived, { option: true }],
  service: async ({}, use) => {
    const service = await ScriptedService.start()
    serveCatalogue(service)
    await use(service)
    await service.stop()
  },
  alerts: async ({ service }, use) => {
    await use(new AlertService(service))
  },
  run: async ({ alerts, bench }, use) => {
    const run = await alerts.launch(bench)
    alerts.publish('100.00')
    await run.watch.expectValue('BRTI', '100.00', '100.00')
    await use(run)
  },
  simulator: async ({}, use) => {
    const simulator = await startSimulator()
    await use(simulator)
    await simulator.close()
  },
  bench: async ({ desktop, switches }, use) => {
    const bench = await AppBench.create(desktop, switches)
    await use(bench)
    await bench.dispose()
  },
})

export { expect } from '@playwright/test'
