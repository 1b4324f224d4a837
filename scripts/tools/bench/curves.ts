/**
 * Costs by size. For each kind of load, at three sizes: the longest block of the main thread and the CPU time of all
 * processes. Time in which the main thread waited for a processor does not count as a block.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createInterface, type Interface } from 'node:readline'
import Database from 'libsql'
import type { AlertDraft } from '../../../core/alerts'
import type { Settings } from '../../../core/model'
import { prepareSchema, useJournal } from '../../../main/history-store/schema'
import { historyPath } from '../../../main/history-store/thread'
import { firstSettings, toDocument } from '../../../main/storage/settings'
import { AppBench, connectionVariables } from '../../../test/support/app-bench'
import { launchPlainly, type PlainApp } from '../../../test/support/plain-app'
import { processTree } from '../../../test/support/process-memory'
import { addressOf, serveCatalogue } from '../../../test/support/scripted-rest'
import { ScriptedService, successBody, type Route } from '../../../test/support/scripted-service'
import { floodTexts } from './floods'
import { fillHistory } from './large-history'
import { readLine } from './part-protocol'
import { cpuOfUs } from './processes'
import type { Samples } from './report'

const hook = './scripts/tools/bench/block-hook.cjs'
const hourMs = 3_600_000
/** Time for the work of a start, in ms. */
const startedMs = 8_000
const measuredMs = 10_000

interface Cost {
  blockMs: number
  cpuMs: number
}

interface Load {
  sizes: readonly [number, number, number]
  unit: string
  run: (size: number) => Promise<Cost>
}

const idsOf = (count: number) => Array.from({ length: count }, (_, at) => `INDEX${String(at + 1).padStart(4, '0')}`)

/** The built app, with a list of indices from a scripted service. */
class SizedApp {
  readonly #bench: AppBench
  readonly service: ScriptedService
  readonly #ids: readonly string[]
  #app: PlainApp | undefined
  #lines: Interface | undefined

  private constructor(bench: AppBench, service: ScriptedService, ids: readonly string[]) {
    this.#bench = bench
    this.service = service
    this.#ids = ids
  }

  /** The service lists `listedCount` indices. The list has the first `rowCount` of them. */
  static async create(
    rowCount: number,
    {
      listedCount = rowCount,
      settings = {},
      answer,
    }: { listedCount?: number; settings?: Partial<Settings>; answer?: Route } = {},
  ): Promise<SizedApp> {
    const service = await ScriptedService.start()
    const ids = idsOf(listedCount)
    serveCatalogue(
      service,
      ids.map((id) => ({ id, name: `Index ${id}`, decimals: 2, base: 'BTC', quote: 'USD', maxResolution })),
    )
    if (answer !== undefined) service.answerOthers = answer
    const bench = await AppBench.create()
    const entries = ids.slice(0, rowCount).map((id) => ({ id, maxResolution }))
    const document = toDocument({
      ...firstSettings(),
      watchlists: [{ id: 'bench', name: 'My list', entries, sort: { column: 'percent', isDescending: true } }],
      ...settings,
    })
    await mkdir(bench.userData, { recursive: true })
    await writeFile(join(bench.userData, 'settings.json'), JSON.stringify(document))
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

  /** Starts the app. Returns the cost of the start. */
  async start(settleMs = startedMs): Promise<Cost> {
    const variables = { ...connectionVariables(addressOf(this.service)), NODE_OPTIONS: `--require ${hook}` }
    this.#app = await launchPlainly(this.#bench, variables)
    this.#lines = createInterface(this.#app.child.stdout)
    await this.#app.watch.expectState('Live')
    await pause(settleMs)
    return { blockMs: await this.#longestMs(), cpuMs: await this.#cpuMs() }
  }

  async open(section: 'Alerts'): Promise<void> {
    await this.#started.watch.open(section)
  }

  get #started(): PlainApp {
    if (this.#app === undefined) throw new Error('the app is not started')
    return this.#app
  }

  get page() {
    return this.#started.watch.page
  }

  /** The cost of `run` and of its consequences within `settleMs`. */
  async cost(run: () => Promise<unknown>, settleMs = 2_000): Promise<Cost> {
    await this.#longestMs()
    const beforeMs = await this.#cpuMs()
    await run()
    await pause(settleMs)
    return { blockMs: await this.#longestMs(), cpuMs: (await this.#cpuMs()) - beforeMs }
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

  async importAlerts(rules: readonly AlertDraft[]): Promise<void> {
    const path = join(this.#bench.folder, 'alerts.json')
    await writeFile(path, JSON.stringify({ format: 'indexwatch-alerts', version: 1, rules }))
    this.#started.child.stdin.write(`file ${path}\n`)
    const chosen = await this.#started.watch.ask('chooseAlertFile', {})
    if (!chosen.ok || chosen.value === null) throw new Error('no file was chosen')
    const imported = await this.#started.watch.ask('importAlerts', { importId: chosen.value.importId })
    if (!imported.ok) throw new Error(imported.problem.message)
  }

  async dispose(): Promise<void> {
    await this.#app?.quit()
    await this.#bench.dispose()
    await this.service.stop()
  }

  #longestMs(): Promise<number> {
    return new Promise((found) => {
      const read = (text: string) => {
        const line = readLine(text)
        if (line === undefined || !('block' in line)) return
        this.#lines?.off('line', read)
        found(line.block)
      }
      this.#lines?.on('line', read)
      this.#started.child.stdin.write('block\n')
    })
  }

  async #cpuMs(): Promise<number> {
    const pids = await processTree(this.#started.pid)
    return pids.reduce((sum, pid) => sum + cpuOfUs(pid), 0) / 1_000
  }
}

const maxResolution = 'PER_SECOND' as const

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

const farLevel = (indexId: string, at: number): AlertDraft => ({
  indexId,
  terms: { condition: 'risesTo', level: `${100_000 + at}` },
  repeat: { mode: 'once' },
  severity: 'normal',
})

const loads = {
  /** Start with a large history. */
  'curves-history': {
    sizes: [100_000, 1_000_000, 15_000_000],
    unit: 'values in the history, start',
    run: (size) =>
      withApp(SizedApp.create(50), (app) => {
        app.prepare((_, path) => fillHistory(path, idsOf(50), { count: size / 50, toMs: Date.now() - 60_000 }))
        return app.start()
      }),
  },
  /** Everything missed over a weekend. */
  'curves-weekend': {
    sizes: [1, 10, 50],
    unit: 'indices closed for 60 hours, two minutes after the start',
    run: (size) =>
      withApp(SizedApp.create(size, { answer: pastValues() }), (app) => {
        app.prepare((_, path) => fillHistory(path, idsOf(size), { count: 600, toMs: Date.now() - 60 * hourMs }))
        return app.start(120_000)
      }),
  },
  'curves-events': {
    sizes: [1_000, 10_000, 100_000],
    unit: 'events in the inbox, start and alerts page',
    run: (size) =>
      withApp(SizedApp.create(20), (app) => {
        app.prepare((database) => fillEvents(database, size))
        return startAndOpen(app, () => app.open('Alerts'))
      }),
  },
  'curves-constituents': {
    sizes: [20, 100, 500],
    unit: 'constituents each second for ten seconds, page open',
    run: (size) =>
      withApp(SizedApp.create(1), async (app) => {
        await app.start()
        await app.page.evaluate("location.hash = 'index/INDEX0001'")
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
        return startAndOpen(app, () => app.page.evaluate("location.hash = 'indices'"))
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
        await app.importAlerts(Array.from({ length: size }, (_, at) => farLevel('INDEX0001', at)))
        await pause(startedMs)
        return app.cost(() => app.flow(10))
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
