import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { AlertDraft } from '../../../core/alerts'
import type { CommandAnswer, CommandArguments, CommandName } from '../../../protocol/commands/contract'
import type { Outcome } from '../../../core/model'
import { connectionVariables, type AppBench } from '../../../test/support/app-bench'
import { launchPlainly, type PlainApp } from '../../../test/support/plain-app'
import { addressOf } from '../../../test/support/scripted-rest'
import type { ScriptedService } from '../../../test/support/scripted-service'
import type { WatchPage } from '../../../test/support/watch-page'
import { readLine } from './part-protocol'

const hook = './scripts/tools/bench/block-hook.cjs'

/** The built app, live on a scripted service. A hook measures blocks of its main thread and answers its file dialogs. */
export class HookedApp {
  readonly #app: PlainApp
  readonly #folder: string
  readonly #lines: Interface

  private constructor(app: PlainApp, folder: string) {
    this.#app = app
    this.#folder = folder
    this.#lines = createInterface(app.child.stdout)
  }

  static async start(bench: AppBench, service: ScriptedService): Promise<HookedApp> {
    const variables = { ...connectionVariables(addressOf(service)), NODE_OPTIONS: `--require ${hook}` }
    const app = await launchPlainly(bench, variables)
    await app.watch.expectState('Live')
    return new HookedApp(app, bench.folder)
  }

  get watch(): WatchPage {
    return this.#app.watch
  }

  get pid(): number {
    return this.#app.pid
  }

  /** The longest block of the main thread since the previous call. Time waiting for a processor does not count. */
  longestBlockMs(): Promise<number> {
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

  async importAlerts(rules: readonly AlertDraft[]): Promise<void> {
    const path = join(this.#folder, 'alerts.json')
    await writeFile(path, JSON.stringify({ format: 'indexwatch-alerts', version: 1, rules }))
    this.#app.child.stdin.write(`file ${path}\n`)
    const chosen = await this.ask('chooseAlertFile', {})
    if (chosen === null) throw new Error('no file was chosen')
    await this.ask('importAlerts', { importId: chosen.importId })
  }

  async ask<N extends CommandName>(name: N, args: CommandArguments<N>): Promise<CommandAnswer<N>> {
    const answer: Outcome<CommandAnswer<N>> = await this.watch.ask(name, args)
    if (!answer.ok) throw new Error(`${name}: ${answer.problem.message}`)
    return answer.value
  }

  async quit(): Promise<void> {
    await this.#app.quit()
  }
}
