/** B8 to B10: the built app in real Electron on a display of its own, against the least an Electron app can be. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { firstSettings, toDocument } from '../../main/storage/settings'
import { AppBench, connectionVariables } from '../support/app-bench'
import { addressOf, serveCatalogue } from '../support/scripted-rest'
import { ScriptedService, successBody } from '../support/scripted-service'
import type { Samples } from './report'
import { inTurns } from './rounds'
import { projectRoot, StartedApp } from './started-app'

const rounds = 5
const rowCount = 200

const ids = Array.from({ length: rowCount }, (_, at) => `INDEX${String(at + 1).padStart(3, '0')}`)
const blankPath = join(projectRoot, 'test', 'bench', 'limits', 'blank.js')

/** The app with its list of 200 rows on a service that says what it is made to say, and a blank app beside it. */
class Apps {
  readonly #bench: AppBench
  readonly #service: ScriptedService
  readonly #running = new Set<StartedApp>()
  #second = 0

  private constructor(bench: AppBench, service: ScriptedService) {
    this.#bench = bench
    this.#service = service
  }

  static async create(): Promise<Apps> {
    const service = await ScriptedService.start()
    const named = ids.map((id) => ({ id, name: `Index ${id}`, decimals: 2, base: 'BTC', quote: 'USD' }))
    serveCatalogue(
      service,
      named.map((index) => ({ ...index, maxResolution: 'PER_SECOND' })),
    )
    service.answerOthers = (request, response) => {
      response.setHeader('Content-Type', 'application/json')
      response.end(successBody(nothingOf(request.url ?? '')))
    }
    const bench = await AppBench.create()
    const entries = ids.map((id) => ({ id, maxResolution: 'PER_SECOND' as const }))
    const settings = { ...firstSettings(), watchlists: [{ id: 'watchlist', name: 'Bench', entries }] }
    await mkdir(bench.userData, { recursive: true })
    await writeFile(join(bench.userData, 'settings.json'), JSON.stringify(toDocument(settings)))
    return new Apps(bench, service)
  }

  app(...args: string[]): StartedApp {
    const flags = ['.', `--user-data-dir=${this.#bench.userData}`, ...args]
    return this.#follow(new StartedApp(this.#bench, flags, connectionVariables(addressOf(this.#service))))
  }

  blank(...args: string[]): StartedApp {
    return this.#follow(new StartedApp(this.#bench, [blankPath, ...args]))
  }

  /** Done when the app has asked for every row; then each has its first value. */
  async publishAll(): Promise<void> {
    while (this.#service.commands.filter(isValueSubscription).length < rowCount) await pause(100)
    for (const id of ids) this.publish(id)
  }

  publish(id: string): void {
    const second = this.#second++
    this.#service.sendValue(id, (10_000 + (second % 1_000) / 100).toFixed(2), Date.now())
  }

  /** What the next app asks for is counted from here. */
  async quit(app: StartedApp): Promise<void> {
    await app.quit()
    this.#running.delete(app)
    this.#service.commands.length = 0
  }

  async dispose(): Promise<void> {
    for (const app of this.#running) await app.quit()
    await this.#bench.dispose()
    await this.#service.stop()
  }

  #follow(app: StartedApp): StartedApp {
    this.#running.add(app)
    return app
  }
}

/** What a service answers that has published nothing yet. */
function nothingOf(path: string): unknown {
  const field = /(latest_values|summaries)\?/.exec(path)?.[1]
  return field === undefined ? [] : { [field]: {} }
}

function isValueSubscription(command: unknown): boolean {
  const { type, stream } = command as { type?: unknown; stream?: unknown }
  return type === 'subscribe' && stream === 'value'
}

/** A start in milliseconds from that of the process, and of CPU, each side alone on the machine. */
export async function measureStarts(): Promise<Record<'cpu' | 'ready' | 'paint', Samples>> {
  const apps = await Apps.create()
  const cpu: Samples = { ours: [], limit: [] }
  const paint: Samples = { ours: [], limit: [] }
  const start = async (side: keyof Samples) => {
    const app = side === 'ours' ? apps.app() : apps.blank()
    const paintMs = await app.paintMs
    cpu[side].push((await app.cpuUs()) / 1_000)
    paint[side].push(paintMs)
    const readyMs = await app.readyMs
    await apps.quit(app)
    return readyMs
  }
  try {
    const ready = await inTurns(rounds, { ours: () => start('ours'), limit: () => start('limit') })
    // The first of each does not count: the app makes its files in it.
    const withoutFirst = ({ ours, limit }: Samples) => ({ ours: ours.slice(1), limit: limit.slice(1) })
    return { cpu: withoutFirst(cpu), ready, paint: withoutFirst(paint) }
  } finally {
    await apps.dispose()
  }
}

/** Megabytes of all processes, each side alone on the machine, since pages that two apps share count half. */
export async function measureMemory(place: 'window' | 'tray'): Promise<Samples> {
  const apps = await Apps.create()
  const measure = async (app: StartedApp, isOurs: boolean) => {
    if (isOurs) await apps.publishAll()
    // Until what an app does by itself after its start is over.
    await pause(10_000)
    const mb = await app.pssMb()
    await apps.quit(app)
    return mb
  }
  try {
    return await inTurns(rounds, {
      // The link opens an index page with its chart.
      ours: () =>
        measure(place === 'tray' ? apps.app('--hidden') : apps.app(`indexwatch://index/${ids[0] ?? ''}`), true),
      limit: () => measure(place === 'tray' ? apps.blank('tray') : apps.blank(), false),
    })
  } finally {
    await apps.dispose()
  }
}

/** CPU of the open window in percent of a core: silent, at ten values a second, and blank, all three at the same time. */
export async function measureQuiet(): Promise<{ silent: Samples; values: Samples }> {
  const [silent, ticking, blank] = await Promise.all([Apps.create(), Apps.create(), Apps.create()])
  let timer: ReturnType<typeof setInterval> | undefined
  try {
    const running = { silent: silent.app(), ticking: ticking.app(), blank: blank.blank() }
    await Promise.all([silent.publishAll(), ticking.publishAll()])
    const valuesPerSecond = 10
    let number = 0
    timer = setInterval(() => {
      ticking.publish(ids[number++ % valuesPerSecond] ?? '')
    }, 1_000 / valuesPerSecond)
    // Ages of values are counted in tenths and seconds until they are a minute old.
    await pause(75_000)
    const figures: Record<keyof typeof running, number[]> = { silent: [], ticking: [], blank: [] }
    const spent = async () => {
      const [silentUs, tickingUs, blankUs] = await Promise.all([
        running.silent.cpuUs(),
        running.ticking.cpuUs(),
        running.blank.cpuUs(),
      ])
      return { silent: silentUs, ticking: tickingUs, blank: blankUs, atMs: performance.now() }
    }
    for (let round = 0; round < rounds; round++) {
      const before = await spent()
      await pause(15_000)
      const after = await spent()
      for (const name of ['silent', 'ticking', 'blank'] as const) {
        figures[name].push((after[name] - before[name]) / (after.atMs - before.atMs) / 10)
      }
    }
    return {
      silent: { ours: figures.silent, limit: figures.blank },
      values: { ours: figures.ticking, limit: figures.blank },
    }
  } finally {
    clearInterval(timer)
    await Promise.all([silent.dispose(), ticking.dispose(), blank.dispose()])
  }
}
