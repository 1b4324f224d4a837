/** How long the built app takes to start with a large tape and with an empty one: `npm run measure -- start`. Asserts nothing. */
import { stat } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { addressOf } from '../../simulator/address'
import { startSimulator } from '../../simulator/server'
import { AppBench, connectionVariables, type ServiceAddress } from '../support/app-bench'
import { fillTape } from './large-tape'

const rounds = 5
/** A gibibyte and a little more. */
const indexCount = 33
const valuesOfEach = 1_000_000
const watchedMs = 5_000

interface Start {
  /** From the process's start until a live value is in the window, with all that the test's driver adds. */
  liveMs: number
  /** CPU of the main process by then, the tape's thread included. */
  cpuMs: number
  /** The longest that main's loop was late in the seconds after, whatever kept it. */
  lateMs: number
}

async function start(bench: AppBench, service: ServiceAddress): Promise<Start> {
  const beganAt = performance.now()
  const running = await bench.launch([], connectionVariables(service))
  const watch = await running.watch()
  await watch.expectState('Live')
  await expect(watch.page.locator('[data-index="BRTI"] [data-value]')).toBeVisible()
  const liveMs = performance.now() - beganAt
  const { cpuMs, lateMs } = await running.app.evaluate(async (_, ms) => {
    const { user, system } = process.cpuUsage()
    const delay = process.getBuiltinModule('perf_hooks').monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    await new Promise((resolve) => setTimeout(resolve, ms))
    delay.disable()
    return { cpuMs: (user + system) / 1_000, lateMs: delay.max / 1e6 - 5 }
  }, watchedMs)
  await running.quit()
  return { liveMs, cpuMs, lateMs }
}

test('a start with a large tape and with an empty one', async () => {
  test.setTimeout(1_800_000)
  const simulator = await startSimulator({})
  const service = addressOf(simulator)
  const benches = { empty: await AppBench.create(), large: await AppBench.create() }
  try {
    // Each has its tape from a first start, which counts for nothing.
    for (const bench of Object.values(benches)) await start(bench, service)
    const path = join(benches.large.userData, 'tape.db')
    const ids = ['BRTI', 'ETHUSD_RTI', 'SOLUSD_RTI', ...Array.from({ length: indexCount - 3 }, (_, at) => `F${at}`)]
    fillTape(path, ids, { count: valuesOfEach, toMs: Date.now() - 60_000 })
    const taken: Record<keyof typeof benches, Start[]> = { empty: [], large: [] }
    for (let round = 0; round < rounds; round++) {
      taken.empty.push(await start(benches.empty, service))
      taken.large.push(await start(benches.large, service))
    }
    const load = loadavg().map((each) => each.toFixed(1))
    process.stdout.write(`\ntape: ${((await stat(path)).size / 2 ** 30).toFixed(2)} GiB; load ${load.join(' ')}\n`)
    for (const [name, starts] of Object.entries(taken)) {
      const of = (key: keyof Start) => starts.map((each) => each[key]).sort((a, b) => a - b)
      const middle = (key: keyof Start) => of(key)[Math.floor(rounds / 2)]?.toFixed(0) ?? ''
      const late = of('lateMs').map((ms) => ms.toFixed(0))
      process.stdout.write(
        `${name}: live after ${middle('liveMs')} ms, ${middle('cpuMs')} ms of CPU in main; loop late by at most ${late.join(' ')} ms\n`,
      )
    }
  } finally {
    for (const bench of Object.values(benches)) await bench.dispose()
    await simulator.close()
  }
})
