/**
 * The package against a package of a blank app, in the same Electron with the same fuses: `npm run measure -- package`, after
 * `npm run package -- --test-build`. Asserts nothing.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createPackage } from '@electron/asar'
import { chromium, expect, test } from '@playwright/test'
import { pssBytes } from '../bench/processes'
import type { Samples } from '../bench/report'
import { inTurns } from '../bench/rounds'
import { AppBench, connectionVariables } from '../support/app-bench'
import { processTree } from '../support/process-memory'
import { addressOf } from '../support/scripted-rest'
import { ScriptedService } from '../support/scripted-service'
import { testBuildFolder } from '../support/test-build'

const paintRounds = 5
const memoryRounds = 3
const openMs = 10_000
const trayMs = 60_000

/** The package with a blank app in the place of ours. */
async function packBlank(folder: string): Promise<string> {
  const [packed, sources] = [join(folder, 'blank'), join(folder, 'blank-sources')]
  await promisify(execFile)('cp', ['-a', join(testBuildFolder, 'linux-unpacked'), packed])
  await rm(join(packed, 'resources', 'app.asar.unpacked'), { recursive: true })
  await mkdir(sources)
  await copyFile(join(import.meta.dirname, '..', 'bench', 'limits', 'blank.js'), join(sources, 'blank.js'))
  await writeFile(join(sources, 'package.json'), '{ "name": "blank", "type": "module", "main": "blank.js" }')
  await createPackage(sources, join(packed, 'resources', 'app.asar'))
  return join(packed, 'indexwatch')
}

class Packages {
  readonly #bench: AppBench
  readonly #service: ScriptedService
  readonly #executables: Record<keyof Samples, string>

  constructor(bench: AppBench, service: ScriptedService, blank: string) {
    this.#bench = bench
    this.#service = service
    this.#executables = { ours: join(testBuildFolder, 'linux-unpacked', 'indexwatch'), limit: blank }
  }

  /** Milliseconds from the start of the process until its page first painted. */
  async paint(side: keyof Samples): Promise<number> {
    const port = join(this.#profile(side), 'DevToolsActivePort')
    await rm(port, { force: true })
    const startedAtMs = Date.now()
    const app = this.#start(side, ['--remote-debugging-port=0'])
    const read = async () => (await readFile(port, 'utf8').catch(() => '')).split('\n')
    await expect.poll(async () => (await read()).length, { timeout: 60_000 }).toBeGreaterThan(1)
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${(await read())[0] ?? ''}`)
    const context = browser.contexts()[0]
    const page = context?.pages()[0] ?? (await context?.waitForEvent('page'))
    const paintedAtMs = async () =>
      (await page?.evaluate(() => {
        const [first] = performance.getEntriesByName('first-paint')
        return first === undefined ? 0 : performance.timeOrigin + first.startTime
      })) ?? 0
    await expect.poll(paintedAtMs, { timeout: 60_000 }).toBeGreaterThan(0)
    const takenMs = (await paintedAtMs()) - startedAtMs
    await this.#end(app)
    return takenMs
  }

  /** Megabytes (PSS) of all its processes. */
  async memory(side: keyof Samples, isTray: boolean): Promise<number> {
    const app = this.#start(side, isTray ? [side === 'ours' ? '--hidden' : 'tray'] : [])
    await pause(isTray ? trayMs : openMs)
    const mb = (await processTree(app.pid ?? 0)).reduce((sum, pid) => sum + pssBytes(pid) / 1e6, 0)
    await this.#end(app)
    return mb
  }

  #profile(side: keyof Samples): string {
    return join(this.#bench.folder, `profile-${side}`)
  }

  #start(side: keyof Samples, args: string[]): ChildProcess {
    const all = [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--user-data-dir=${this.#profile(side)}`,
      ...args,
    ]
    const env = {
      ...this.#bench.environment(),
      ...(side === 'ours' ? connectionVariables(addressOf(this.#service)) : {}),
      INDEXWATCH_DEV: '1',
    }
    return spawn(this.#executables[side], all, { env, stdio: 'ignore' })
  }

  async #end(app: ChildProcess): Promise<void> {
    const ended = once(app, 'exit')
    app.kill()
    await ended
  }
}

function print(name: string, unit: string, { ours, limit }: Samples): void {
  const of = (figures: readonly number[]) => {
    const sorted = figures.toSorted((a, b) => a - b)
    return { middle: sorted[Math.floor(sorted.length / 2)] ?? 0, low: sorted[0] ?? 0, high: sorted.at(-1) ?? 0 }
  }
  const [mine, blank] = [of(ours), of(limit)]
  const written = ({ middle, low, high }: typeof mine) =>
    `${middle.toFixed(0)} ${unit} (${low.toFixed(0)} to ${high.toFixed(0)})`
  const load = loadavg().map((each) => each.toFixed(1))
  process.stdout.write(
    `\n${name}: ${written(mine)}, blank ${written(blank)}, ratio ${(mine.middle / blank.middle).toFixed(2)}; load ${load.join(' ')}\n`,
  )
}

test('the package against a blank one', async () => {
  test.setTimeout(1_800_000)
  const bench = await AppBench.create()
  const service = await ScriptedService.start()
  try {
    const packages = new Packages(bench, service, await packBlank(bench.folder))
    const inBoth = (rounds: number, measure: (side: keyof Samples) => Promise<number>) =>
      inTurns(rounds, { ours: () => measure('ours'), limit: () => measure('limit') })
    print('first paint', 'ms', await inBoth(paintRounds, (side) => packages.paint(side)))
    print('open, after 10 s', 'MB', await inBoth(memoryRounds, (side) => packages.memory(side, false)))
    print('in the tray, after 60 s', 'MB', await inBoth(memoryRounds, (side) => packages.memory(side, true)))
  } finally {
    await bench.dispose()
    await service.stop()
  }
})
