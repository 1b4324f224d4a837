import { test as base } from '@playwright/test'
import { startSimulator, type Simulator } from '../../simulator/server'
import { AlertService, type AlertRun } from './alert-run'
import { AppBench, type DesktopParts } from './app-bench'
import { serveCatalogue } from './scripted-rest'
import { ScriptedService } from './scripted-service'

interface AppFixtures {
  /** For `test.use`. */
  desktop: DesktopParts
  /** For `test.use`: skips work of Chromium that pays off only in a longer run. */
  isBrief: boolean
  bench: AppBench
  /** Lists two indices. The test scripts the rest. */
  service: ScriptedService
  /** The same service, for alert tests. */
  alerts: AlertService
  /** The app on that service. BRTI has the first value 100.00, so that levels above it are armed. */
  run: AlertRun
  /** Has its own market, which starts now. */
  simulator: Simulator
}

/** A test of the app with its own ports and folders. */
export const test = base.extend<AppFixtures>({
  desktop: [{}, { option: true }],
  isBrief: [true, { option: true }],
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
  bench: async ({ desktop, isBrief }, use) => {
    const bench = await AppBench.create(desktop, isBrief)
    await use(bench)
    await bench.dispose()
  },
})

export { expect } from '@playwright/test'
