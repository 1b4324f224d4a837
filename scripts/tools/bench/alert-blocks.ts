/**
 * The longest block of the main thread while thousands of alerts are imported, fire at one value and are deleted one by
 * one. The alerts page is open. Time waiting for a processor does not count. Compared with the same app at rest.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { sessionBus, type MessageBus } from 'dbus-next'
import { AppBench } from '../../../test/support/app-bench'
import { levelDraft } from '../../../test/support/sample-alerts'
import { serveCatalogue } from '../../../test/support/scripted-rest'
import { ScriptedService } from '../../../test/support/scripted-service'
import { HookedApp } from './hooked-app'
import type { Samples } from './report'

const waitingCount = 7_000
const firingCount = 3_000
const deletedCount = 100
/** Time for the consequences of a change, such as the page update, in ms. */
const settleMs = 2_000
/** Time for the tray icons and the first values, in ms. */
const startMs = 5_000

const drafts = (count: number, from: number) => Array.from({ length: count }, (_, at) => levelDraft(`${from + at}`))

/** Owns the name of the notification daemon and answers nothing. */
async function silentDaemon(busAddress: string): Promise<MessageBus> {
  const bus = sessionBus({ busAddress })
  bus.addMethodHandler(() => true)
  await bus.requestName('org.freedesktop.Notifications', 0)
  return bus
}

/** The longest block of the main thread during a command and its consequences. */
async function longest(app: HookedApp, name: string, run: () => Promise<unknown>): Promise<number> {
  await app.longestBlockMs()
  await run()
  await pause(settleMs)
  const blockMs = await app.longestBlockMs()
  process.stderr.write(`${' '.repeat(17)}${name}: ${blockMs.toFixed(0)} ms\n`)
  return blockMs
}

async function unreadCount(app: HookedApp): Promise<number> {
  return (await app.watch.snapshot()).state.unreadCount
}

/** With `isSilent` the notification daemon never answers. */
export async function measureAlertBlocks(isSilent: boolean): Promise<Samples> {
  const service = await ScriptedService.start()
  serveCatalogue(service)
  const bench = await AppBench.create({ hasNotifications: !isSilent })
  const daemon = isSilent ? await silentDaemon(bench.environment()['DBUS_SESSION_BUS_ADDRESS'] ?? '') : undefined
  let lastMs = 0
  const publish = (value: number) => {
    lastMs = Math.max(lastMs + 1, Date.now())
    service.sendValue('BRTI', `${value}`, lastMs)
  }
  const start = async () => {
    const app = await HookedApp.start(bench, service)
    await app.watch.open('Alerts')
    await pause(startMs)
    return app
  }
  const samples: Samples = { ours: [], limit: [] }
  try {
    let app = await start()
    publish(100)
    await longest(app, 'imports 7,000', () => app.importAlerts(drafts(waitingCount, 100_000)))
    samples.limit.push(await longest(app, 'at rest', () => pause(settleMs)))
    const imported = await longest(app, 'imports 3,000', () => app.importAlerts(drafts(firingCount, 1_000)))
    const fired = await longest(app, 'they fire', async () => {
      const before = await unreadCount(app)
      publish(50_000)
      while ((await unreadCount(app)) < before + firingCount) await pause(settleMs)
    })
    const ids = (await app.watch.snapshot()).state.alerts.slice(0, deletedCount).map(({ id }) => id)
    const deleted = await longest(app, 'deletes 100', async () => {
      for (const ruleId of ids) await app.ask('deleteAlert', { ruleId })
    })
    samples.ours.push(Math.max(imported, fired, deleted))
    await app.quit()
    app = await start()
    await longest(app, 'started with 10,000, at rest', () => pause(settleMs))
    await app.quit()
    return samples
  } finally {
    daemon?.disconnect()
    await bench.dispose()
    await service.stop()
  }
}
