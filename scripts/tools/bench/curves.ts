/**
 * Costs by size. For each kind of load, at three sizes: the longest block of the main thread and the CPU time of all
 * processes. Time in which the main thread waited for a processor does not count as a block.
 */
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'libsql'
import { prepareSchema, useJournal } from '../../../main/history-store/schema'
import { historyPath } from '../../../main/history-store/thread'
import { AppBench } from '../../../test/support/app-bench'
import { processTree } from '../../../test/support/process-memory'
import { levelDraft } from '../../../test/support/sample-alerts'
import { serveCatalogue } from '../../../test/support/scripted-rest'
import { ScriptedService, successBody, type Route } from '../../../test/support/scripted-service'
import { listedIds, listedIndex, maxResolution } from './apps'
import { floodTexts } from './floods'
import { HookedApp } from './hooked-app'
import { fillHistory } from './large-history'
import { cpuOfUs } from './processes'
import type { Samples } from './report'

const hourMs = 3_600_000
/** Time for the work of a start, in ms. */
const startedMs = 8_000
const measuredMs = 10_000
/** Time for the consequences of a change, such as the page update, in ms. */
const settleMs = 2_000

interface Cost {
  blockMs: number
  cpuMs: number
}

interface Load {
  sizes: readonly [number, number, number]
  unit: string
  run: (size: number) => Promise<Cost>
}

/** The built app, with a list of indices from a scripted service. */
class SizedApp {
  readonly #bench: AppBench
  readonly service: ScriptedService
  readonly #ids: readonly string[]
  #app: HookedApp | undefined

  private constructor(bench: AppBench, service: ScriptedService, ids: readonly string[]) {
    this.#bench = bench
    this.service = service
    this.#ids = ids
  }

  /** The service lists `listedCount` indices. The list has the first `rowCount` of them. */
  static async create(
    rowCount: number,
    { listedCount = rowCount, answer }: { listedCount?: number; answer?: Route } = {},
  ): Promise<SizedApp> {
    const service = await ScriptedService.start()
    const ids = listedIds(listedCount)
    serveCatalogue(service, ids.map(listedIndex))
    if (answer !== undefined) service.answerOthers = answer
    const bench = await AppBench.create()
    const entries = ids.slice(0, rowCount).map((id) => ({ id, maxResolution }))
    await bench.writeSettings({
      watchlists: [{ id: 'bench', name: 'My list', entries, sort: { column: 'percent', isDescending: true } }],
    })
    return new SizedApp(bench, service, ids.slice(0, rowCount))
  }

  /** Fills the history before the app starts. */
  prepare(fill: (database: Database.Database, path: string) => void): void {
    const path = historyPath(this.#bench.userData, 'real')
    const database = new Database(path)
    useJournal(database)
    prepareSchema(database, () => undefined)
    fill(database, path)
    database.close()
  }

  /** Starts the app. Returns the cost of the start within `forMs`. */
  async start(forMs = startedMs): Promise<Cost> {
    this.#app = await HookedApp.start(this.#bench, this.service)
    await pause(forMs)
    return { blockMs: await this.hooked.longestBlockMs(), cpuMs: await this.#cpuMs() }
  }

  get hooked(): HookedApp {
    if (this.#app === undefined) throw new Error('the app is not started')
    return this.#app
  }

  /** The cost of `run` and of its consequences. */
  async cost(run: () => Promise<unknown>): Promise<Cost> {
    await this.hooked.longestBlockMs()
    const beforeMs = await this.#cpuMs()
    await run()
    await pause(settleMs)
    return { blockMs: await this.hooked.longestBlockMs(), cpuMs: (await this.#cpuMs()) - beforeMs }
  }

  /** Publishes values of all rows in turn for ten seconds. */
  async flow(perSecond: number): Promise<void> {
    const beganAtMs = performance.now()
    let sent = 0
    while (performance.now() - beganAtMs < measuredMs) {
      await pause(10)
      const due = Math.floor(((performance.now() - beganAtMs) * perSecond) / 1_000)
      const texts: string[] = []
      for (; sent < due; sent++) {
        const id = this.#ids[sent % this.#ids.length] ?? ''
        const value = (10_000 + ((sent * 7_919) % 1_000) / 10).toFixed(2)
        texts.push(JSON.stringify({ type: 'value', time: Date.now() - due + sent, id, value }))
      }
      this.service.sendAll(texts)
    }
  }

  async dispose(): Promise<void> {
    await this.#app?.quit()
    await this.#bench.dispose()
    await this.service.stop()
  }

  async #cpuMs(): Promise<number> {
    const pids = await processTree(this.hooked.pid)
    return pids.reduce((sum, pid) => sum + cpuOfUs(pid), 0) / 1_000
  }
}

async function withApp(created: Promise<SizedApp>, run: (app: SizedApp) => Promise<Cost>): Promise<Cost> {
  const app = await created
  try {
    return await run(app)
  } finally {
    await app.dispose()
  }
}

/** The cost of a start and of opening a view after it. */
async function startAndOpen(app: SizedApp, open: () => Promise<unknown>): Promise<Cost> {
  const started = await app.start()
  const opened = await app.cost(open)
  return { blockMs: Math.max(started.blockMs, opened.blockMs), cpuMs: started.cpuMs + opened.cpuMs }
}

/** Answers the last hour and whole days of past values, one a second. */
function pastValues(): Route {
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const at = Date.parse(searchParams.get('timestamp') ?? '')
    const isDay = searchParams.get('timespan') === 'DAY'
    const fromMs = Number.isNaN(at) ? Math.floor((Date.now() - hourMs) / 1_000) * 1_000 : at
    const count = isDay ? 86_400 : 3_600
    response.setHeader('Content-Type', 'application/json')
    if (!/values$/.test(pathname) || pathname.endsWith('latest_values')) return response.end(successBody([]))
    const rows = Array.from({ length: count }, (_, n) => ({
      value: (10_000 + ((n * 7_919) % 1_000) / 10).toFixed(2),
      time: fromMs + n * 1_000,
    }))
    return response.end(successBody(rows.filter(({ time }) => time <= Date.now())))
  }
}

const loads = {
  /** Start with a large history. */
  'curves-history': {
    sizes: [100_000, 1_000_000, 15_000_000],
    unit: 'values in the history, start',
    run: (size) =>
      withApp(SizedApp.create(50), (app) => {
        app.prepare((_, path) => fillHistory(path, listedIds(50), { count: size / 50, toMs: Date.now() - 60_000 }))
        return app.start()
      }),
  },
  /** Everything missed over a weekend. */
  'curves-weekend': {
    sizes: [1, 10, 50],
    unit: 'indices closed for 60 hours, two minutes after the start',
    run: (size) =>
      withApp(SizedApp.create(size, { answer: pastValues() }), (app) => {
        app.prepare((_, path) => fillHistory(path, listedIds(size), { count: 600, toMs: Date.now() - 60 * hourMs }))
        return app.start(120_000)
      }),
  },
  'curves-events': {
    sizes: [1_000, 10_000, 100_000],
    unit: 'events in the inbox, start and alerts page',
    run: (size) =>
      withApp(SizedApp.create(20), (app) => {
        app.prepare((database) => fillEvents(database, size))
        return startAndOpen(app, () => app.hooked.watch.open('Alerts'))
      }),
  },
  'curves-constituents': {
    sizes: [20, 100, 500],
    unit: 'constituents each second for ten seconds, page open',
    run: (size) =>
      withApp(SizedApp.create(1), async (app) => {
        await app.start()
        await app.hooked.watch.page.evaluate("location.hash = 'index/INDEX0001'")
        return app.cost(async () => {
          for (let second = 0; second < 10; second++) {
            const [text = ''] = floodTexts('constituents', Date.now(), { count: 1, memberCount: size })
            app.service.send(text.replace('"INDEX1"', '"INDEX0001"'))
            await pause(1_000)
          }
        })
      }),
  },
  'curves-catalogue': {
    sizes: [300, 1_500, 5_000],
    unit: 'indices of the provider, start and indices page',
    run: (size) =>
      withApp(SizedApp.create(20, { listedCount: size }), (app) => {
        return startAndOpen(app, () => app.hooked.watch.page.evaluate("location.hash = 'indices'"))
      }),
  },
  'curves-rows': {
    sizes: [100, 300, 1_000],
    unit: 'rows sorted by change, ten seconds at 1,000 values a second',
    run: (size) =>
      withApp(SizedApp.create(size), async (app) => {
        await app.start()
        return app.cost(() => app.flow(1_000))
      }),
  },
  'curves-alerts': {
    sizes: [100, 1_000, 10_000],
    unit: 'alerts on one index, ten seconds at 10 values a second',
    run: (size) =>
      withApp(SizedApp.create(1), async (app) => {
        await app.start()
        await app.hooked.importAlerts(
          Array.from({ length: size }, (_, at) => levelDraft(`${100_000 + at}`, { indexId: 'INDEX0001' })),
        )
        await pause(startedMs)
        return app.cost(() => app.flow(10))
      }),
  },
  'curves-list-alert': {
    sizes: [50, 200, 500],
    unit: 'indices of an alert on a list, alerts open, ten seconds at 1,000 values a second',
    run: (size) =>
      withApp(SizedApp.create(size), async (app) => {
        await app.start()
        const draft = levelDraft('100000', { indexId: 'INDEX0001' })
        await app.hooked.ask('createAlert', { draft, whenAlreadyMet: 'wait', target: { listId: 'bench' } })
        await app.hooked.watch.open('Alerts')
        await pause(settleMs)
        return app.cost(() => app.flow(1_000))
      }),
  },
} as const satisfies Record<string, Load>

export type CurveRow = keyof typeof loads

function fillEvents(database: Database.Database, count: number): void {
  const write = database.prepare(
    'INSERT INTO event (id, number, kind, rule, index_id, published, is_read, words, document) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  database.exec('BEGIN')
  for (let number = 1; number <= count; number++) {
    const publishedAtMs = Date.now() - (count - number) * 60_000
    const event = {
      id: `event-${number}`,
      number,
      kind: 'fired',
      ruleId: `rule-${number % 100}`,
      ruleVersion: 1,
      indexId: 'INDEX0001',
      terms: { condition: 'risesTo', level: '10000' },
      severity: 'normal',
      inputs: { publishedAtMs, value: '10000.01' },
      recordedAtMs: publishedAtMs,
      delivery: 'shown',
      isRead: true,
    }
    const { id, kind, ruleId, indexId } = event
    write.run([id, number, kind, ruleId, indexId, publishedAtMs, 1, 'index0001 rises to 10000', JSON.stringify(event)])
  }
  database.exec('COMMIT')
}

/** The longest block at the largest size, beside that at the smallest. Prints block and CPU time of each size. */
export async function measureCurve(row: CurveRow): Promise<Samples> {
  const { sizes, unit, run } = loads[row]
  const blocksMs: number[] = []
  for (const size of sizes) {
    const { blockMs, cpuMs } = await run(size)
    blocksMs.push(blockMs)
    const cost = `block ${blockMs.toFixed(0)} ms, CPU ${(cpuMs / 1_000).toFixed(2)} s`
    process.stderr.write(`${' '.repeat(17)}${size.toLocaleString('en')} ${unit}: ${cost}\n`)
  }
  return { ours: [Math.max(...blocksMs.slice(1))], limit: blocksMs.slice(0, 1) }
}
