/**
 * The longest block of the main thread while thousands of alerts are imported, fire at one value and are deleted one by
 * one. The alerts page is open. Time waiting for a processor does not count. Compared with the same app at rest.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { sessionBus, type MessageBus } from 'dbus-next'
import type { AlertDraft } from '../../../core/alerts'
import type { CommandAnswer, CommandArguments, CommandName } from '../../../protocol/commands/contract'
import type { Outcome } from '../../../core/model'
import { AppBench, connectionVariables } from '../../../test/support/app-bench'
import { launchPlainly, type PlainApp } from '../../../test/support/plain-app'
import { addressOf, serveCatalogue } from '../../../test/support/scripted-rest'
import { ScriptedService } from '../../../test/support/scripted-service'
import { readLine } from './part-protocol'
import type { Samples } from './report'

const waitingCount = 7_000
const firingCount = 3_000
const deletedCount = 100
/** Time for the consequences of a change, such as the page update, in ms. */
const settleMs = 2_000
/** Time for the tray icons and the first values, in ms. */
const startMs = 5_000
const hook = './scripts/tools/bench/block-hook.cjs'

const rising = (level: number): AlertDraft => ({
  indexId: 'BRTI',
  terms: { condition: 'risesTo', level: `${level}` },
  repeat: { mode: 'once' },
  severity: 'normal',
})
const drafts = (count: number, from: number) => Array.from({ length: count }, (_, at) => rising(from + at))

/** Owns the name of the notification daemon and answers nothing. */
async function silentDaemon(busAddress: string): Promise<MessageBus> {
  const bus = sessionBus({ busAddress })
  bus.addMethodHandler(() => true)
  await bus.requestName('org.freedesktop.Notifications', 0)
  return bus
}

class BlockedApp {
  readonly #app: PlainApp
  readonly #lines: Interface
  readonly #folder: string

  constructor(app: PlainApp, folder: string) {
    this.#app = app
    this.#folder = folder
    this.#lines = createInterface(app.child.stdout)
  }

  get ruleIds(): Promise<string[]> {
    return this.#app.watch.snapshot().then(({ state }) => state.alerts.map(({ id }) => id))
  }

  async unreadCount(): Promise<number> {
    return (await this.#app.watch.snapshot()).state.unreadCount
  }

  /** The longest block of the main thread during a command and its consequences. */
  async longest(name: string, run: () => Promise<unknown>): Promise<number> {
    await this.#longest()
    await run()
    await pause(settleMs)
    const blockMs = await this.#longest()
    process.stderr.write(`${' '.repeat(17)}${name}: ${blockMs.toFixed(0)} ms\n`)
    return blockMs
  }

  async import(name: string, rules: readonly AlertDraft[]): Promise<void> {
    const path = join(this.#folder, `${name}.json`)
    await writeFile(path, JSON.stringify({ format: 'indexwatch-alerts', version: 1, rules }))
    this.#app.child.stdin.write(`file ${path}\n`)
    const chosen = await this.ask('chooseAlertFile', {})
    if (chosen === null) throw new Error('no file was chosen')
    await this.ask('importAlerts', { importId: chosen.importId })
  }

  async ask<N extends CommandName>(name: N, args: CommandArguments<N>): Promise<CommandAnswer<N>> {
    const answer: Outcome<CommandAnswer<N>> = await this.#app.watch.ask(name, args)
    if (!answer.ok) throw new Error(`${name}: ${answer.problem.message}`)
    return answer.value
  }

  async quit(): Promise<void> {
    await this.#app.quit()
  }

  #longest(): Promise<number> {
    return new Promise((found) => {
      const read = (text: string) => {
        const line = readLine(text)
        if (line === undefined || !('block' in line)) return
        this.#lines.off('line', read)
        found(line.block)
      }
      this.#lines.on('line', read)
      this.#app.child.stdin.write('block\n')
    })
  }
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
    const variables = { ...connectionVariables(addressOf(service)), NODE_OPTIONS: `--require ${hook}` }
    const app = await launchPlainly(bench, variables)
    await app.watch.expectState('Live')
    await app.watch.open('Alerts')
    await pause(startMs)
    return new BlockedApp(app, bench.folder)
  }
  const samples: Samples = { ours: [], limit: [] }
  try {
    let app = await start()
    publish(100)
    await app.longest('imports 7,000', () => app.import('waiting', drafts(waitingCount, 100_000)))
    samples.limit.push(await app.longest('at rest', () => pause(settleMs)))
    const imported = await app.longest('imports 3,000', () => app.import('firing', drafts(firingCount, 1_000)))
    const fired = await app.longest('they fire', async () => {
      const before = await app.unreadCount()
      publish(50_000)
      while ((await app.unreadCount()) < before + firingCount) await pause(settleMs)
    })
    const ids = (await app.ruleIds).slice(0, deletedCount)
    const deleted = await app.longest('deletes 100', async () => {
      for (const ruleId of ids) await app.ask('deleteAlert', { ruleId })
    })
    samples.ours.push(Math.max(imported, fired, deleted))
    await app.quit()
    app = await start()
    await app.longest('started with 10,000, at rest', () => pause(settleMs))
    await app.quit()
    return samples
  } finally {
    daemon?.disconnect()
    await bench.dispose()
    await service.stop()
  }
}
