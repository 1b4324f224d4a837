/** What is measured only when it is named: the ticker, a start with a large tape, and the package. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createPackage } from '@electron/asar'
import { chromium } from '@playwright/test'
import { tapePath } from '../../main/tape/thread'
import { AppBench, connectionVariables } from '../../test/support/app-bench'
import { processTree } from '../../test/support/process-memory'
import { addressOf } from '../../test/support/scripted-rest'
import { ScriptedService } from '../../test/support/scripted-service'
import { testBuildFolder } from '../../test/support/test-build'
import { Apps } from './apps'
import { fillTape } from './large-tape'
import { pssBytes, spentBetween } from './processes'
import type { Samples } from './report'
import { inTurns } from './rounds'

const rounds = 5
const rowCount = 10
const settleMs = 15_000
const roundMs = 5_000

/** Percent of a core that the ticker costs, of ten rows that change each second, above an app in the tray without it. */
export async function measureTicker(): Promise<Samples> {
  const sides = { ours: await Apps.create(rowCount, { showsTicker: true }), limit: await Apps.create(rowCount) }
  const both = async <T>(of: (apps: Apps) => Promise<T>) => [await of(sides.ours), await of(sides.limit)] as const
  try {
    const running = [sides.ours.app('--hidden'), sides.limit.app('--hidden')] as const
    await both((apps) => apps.publishAll({ ageMs: 0 }))
    const flows = [sides.ours, sides.limit].map((apps) => apps.flow({ perSecond: 10, rowCount }))
    await pause(settleMs)
    const look = () => Promise.all(running.map((app) => app.spent()))
    const samples: Samples = { ours: [], limit: [] }
    let before = await look()
    for (let round = 0; round < rounds; round++) {
      await pause(roundMs)
      const after = await look()
      const [withTicker = 0, without = 0] = after.map((spent, at) => {
        return spentBetween(before[at] ?? new Map(), spent).cpuUs / roundMs / 10
      })
      samples.ours.push(Math.max(0, withTicker - without))
      samples.limit.push(without)
      before = after
    }
    for (const flow of flows) flow.stop()
    return samples
  } finally {
    await both((apps) => apps.dispose())
  }
}

/** A gibibyte and a little more. */
const largeTape = { indexCount: 33, valuesOfEach: 1_000_000 }
const watchedMs = 8_000

/** CPU in milliseconds of an app's first seconds with a tape of a gibibyte, beside one with an empty tape. */
export async function measureLargeTape(): Promise<Samples> {
  const sides = { ours: await Apps.create(rowCount), limit: await Apps.create(rowCount) }
  const start = async (apps: Apps) => {
    const app = apps.app()
    await apps.publishAll({ ageMs: 0 })
    await pause(watchedMs)
    const ms = (await app.cpuUs()) / 1_000
    await apps.quit(app)
    return ms
  }
  try {
    // Each has its tables from a first start.
    for (const apps of Object.values(sides)) await start(apps)
    const { indexCount, valuesOfEach } = largeTape
    const others = Array.from({ length: indexCount - rowCount }, (_, at) => `OTHER${at}`)
    const path = tapePath(sides.ours.profile, 'real')
    fillTape(path, [...sides.ours.ids, ...others], { count: valuesOfEach, toMs: Date.now() - 60_000 })
    return await inTurns(rounds, { ours: () => start(sides.ours), limit: () => start(sides.limit) })
  } finally {
    for (const apps of Object.values(sides)) await apps.dispose()
  }
}

const openMs = 10_000
const trayMs = 60_000
const longestStartMs = 60_000

/** The package against a package of a blank app, in the same Electron with the same fuses, each on the same display. */
export class Packages {
  readonly #bench: AppBench
  readonly #service: ScriptedService
  readonly #executables: Record<keyof Samples, string>

  private constructor(bench: AppBench, service: ScriptedService, blank: string) {
    this.#bench = bench
    this.#service = service
    this.#executables = { ours: join(testBuildFolder, 'linux-unpacked', 'indexwatch'), limit: blank }
  }

  static async measure(what: 'paint' | 'window' | 'tray'): Promise<Samples> {
    if (!existsSync(testBuildFolder)) throw new Error('there is no package: run npm run package -- --test-build first')
    const bench = await AppBench.create()
    const service = await ScriptedService.start()
    try {
      const packages = new Packages(bench, service, await packBlank(bench.folder))
      const side = (each: keyof Samples) => (what === 'paint' ? packages.#paint(each) : packages.#memory(each, what))
      return await inTurns(rounds, { ours: () => side('ours'), limit: () => side('limit') })
    } finally {
      await bench.dispose()
      await service.stop()
    }
  }

  /** Milliseconds from the start of the process until its page first painted. */
  async #paint(side: keyof Samples): Promise<number> {
    const port = join(this.#profile(side), 'DevToolsActivePort')
    await rm(port, { force: true })
    const startedAtMs = Date.now()
    const app = this.#start(side, ['--remote-debugging-port=0'])
    const address = await soon(async () => (await readFile(port, 'utf8').catch(() => '')).split('\n')[0])
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${address}`)
    const context = browser.contexts()[0]
    const page = context?.pages()[0] ?? (await context?.waitForEvent('page'))
    const paintedAtMs = await soon(() =>
      page?.evaluate(() => {
        const [first] = performance.getEntriesByName('first-paint')
        return first && performance.timeOrigin + first.startTime
      }),
    )
    await this.#end(app)
    return paintedAtMs - startedAtMs
  }

  /** Megabytes (PSS) of all its processes. */
  async #memory(side: keyof Samples, what: 'window' | 'tray'): Promise<number> {
    const app = this.#start(side, what === 'window' ? [] : [side === 'ours' ? '--hidden' : 'tray'])
    await pause(what === 'window' ? openMs : trayMs)
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

/** The package with a blank app in the place of ours; answers its executable. */
async function packBlank(folder: string): Promise<string> {
  const [packed, sources] = [join(folder, 'blank'), join(folder, 'blank-sources')]
  await promisify(execFile)('cp', ['-a', join(testBuildFolder, 'linux-unpacked'), packed])
  await rm(join(packed, 'resources', 'app.asar.unpacked'), { recursive: true })
  await mkdir(sources)
  await copyFile(join(import.meta.dirname, 'limits', 'blank.js'), join(sources, 'blank.js'))
  await writeFile(join(sources, 'package.json'), '{ "name": "blank", "type": "module", "main": "blank.js" }')
  await createPackage(sources, join(packed, 'resources', 'app.asar'))
  return join(packed, 'indexwatch')
}

/** What is there once it is. */
async function soon<T>(find: () => Promise<T | undefined> | undefined): Promise<NonNullable<T>> {
  const untilMs = performance.now() + longestStartMs
  while (performance.now() < untilMs) {
    const found = await find()
    if (found !== undefined && found !== null && found !== '') return found
    await pause(20)
  }
  throw new Error('the app has not come up')
}
