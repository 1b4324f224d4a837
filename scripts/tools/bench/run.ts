/** `npm run bench [-- NAME…] [--json] [--strict]`: measures the rows asked for and prints them. scripts/bench.js starts it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build } from 'vite'
import { AppBench } from '../../../test/support/app-bench'
import { ScriptedService } from '../../../test/support/scripted-service'
import { readOrExit } from '../command'
import { measureAlertBlocks } from './alert-blocks'
import { measureGrowth, measureMemory, measureStarts } from './app-rows'
import { measureSeat } from './desk-rows'
import { floodBytes, floodListing, floods, floodTexts, roundStartMs, type Side } from './floods'
import { measureCurve } from './curves'
import { measureFastPages, measurePages } from './page-rows'
import { measureLoad } from './load-rows'
import { measureWrites } from './write-rows'
import { measurePackage } from './package'
import { readLine, type PartRow, type PartTask } from './part-protocol'
import { exitCode, judge, selectRows, table, type Result, type Samples } from './report'
import { rows, type RowName } from './rows'
import { electronPath, projectRoot, switches } from './started-app'

/** A row that takes longer has hung. */
const rowTimeoutMs = 600_000

const built = join(projectRoot, 'node_modules', '.cache', 'indexwatch', 'bench')

/** Builds the page of the naive twin or of the charts. Returns its path. */
async function buildPage(name: 'naive' | 'page'): Promise<string> {
  const outDir = join(built, name)
  await build({
    root: join(import.meta.dirname, name),
    base: './',
    configFile: false,
    logLevel: 'warn',
    plugins: [svelte({ configFile: join(projectRoot, 'config', 'svelte.config.js') })],
    build: { outDir, emptyOutDir: true, target: 'chrome130' },
  })
  return join(outDir, 'index.html')
}

/** Bundles the program for Electron's main process like the app. Returns its path. */
async function bundlePart(): Promise<string> {
  await build({
    root: projectRoot,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['electron', 'libsql'] },
    build: {
      ssr: true,
      outDir: join(built, 'main'),
      target: 'node20.18',
      minify: true,
      rolldownOptions: {
        input: join(import.meta.dirname, 'in-electron.ts'),
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
      },
    },
  })
  return join(built, 'main', 'in-electron.mjs')
}

/** The floods of the rows that have one. */
const floodOf: Partial<Record<PartRow, keyof typeof floods>> = {
  'B1-value': 'value',
  'B1-constituents': 'constituents',
  'B2-turns': 'burst',
}

/**
 * Runs a row's measurement in Electron's main process. A service in this process floods each side on request. `page` is
 * the built chart page, for the rows that draw it.
 */
async function measurePart(row: PartRow, program: string, page = ''): Promise<Samples> {
  const bench = await AppBench.create()
  const services: Record<Side, ScriptedService> = {
    ours: await ScriptedService.start({ compresses: true }),
    limit: await ScriptedService.start({ compresses: true }),
  }
  const sent: Record<Side, number> = { ours: 0, limit: 0 }
  const floodedFromMs = Date.now()
  const urls = { ours: services.ours.webSocketUrl, limit: services.limit.webSocketUrl }
  const task: PartTask = { row, root: projectRoot, folder: join(bench.folder, 'part'), page, urls }
  const child = spawn(electronPath, [...switches, program, JSON.stringify(task)], {
    cwd: projectRoot,
    env: bench.environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let samples: Samples | undefined
  try {
    for await (const text of createInterface(child.stdout)) {
      const line = readLine(text)
      if (line === undefined) continue
      if ('flood' in line) {
        if (line.flood === 'ours' && sent.ours === 0) services.ours.send(floodListing(floodOf[row] ?? 'value'))
        const kind = floodOf[row] ?? 'value'
        const startMs = roundStartMs(floodedFromMs, sent[line.flood]++)
        // The service compresses texts, but not bytes.
        if (kind === 'burst') services[line.flood].sendAll(floodTexts(kind, startMs))
        else services[line.flood].sendBytes(floodBytes(kind, startMs))
      }
      if ('samples' in line) samples = line.samples
    }
    const [code] = (await ended) as [number | null]
    if (samples === undefined) throw new Error(`${row} could not be measured: Electron ended with ${String(code)}`)
    return samples
  } finally {
    child.kill('SIGKILL')
    await Promise.all([services.ours.stop(), services.limit.stop()])
    await bench.dispose()
  }
}

type GroupOf<Row> = Row extends `${infer Group}-${string}` ? Group : never
/** The part of a row's name before the dash. */
type Group = GroupOf<RowName>

const starts = shared(measureStarts)
const twinPage = shared(() => buildPage('naive'))
const loads = shared(async () => measureLoad(await twinPage()))
const bundled = shared(bundlePart)
const pages = shared(async () => measurePages(await twinPage()))
const fastPages = shared(async () => measureFastPages(await twinPage()))
const chartPage = shared(() => buildPage('page'))
const packed = shared(measurePackage)
const writes = shared(measureWrites)
const seats = shared(measureSeat)
const part = async (row: PartRow) => measurePart(row, await bundled())

/** How the rows of each group are measured. Rows from one measurement share its promise. */
const measures: { [G in Group]: (row: Extract<RowName, `${G}-${string}`>) => Promise<Samples> } = {
  B1: part,
  B2: part,
  B3: part,
  B4: part,
  B5: async (row) => (row === 'B5-5000' ? (await pages())[row] : (await fastPages())[row]),
  B6: async (row) => (await pages())[row],
  B7: async (row) => measurePart(row, await bundled(), await chartPage()),
  B8: async (row) => (await starts())[row],
  B9: async (row) => {
    return row === 'B9-growth' ? measureGrowth(await twinPage()) : measureMemory(row === 'B9-tray' ? 'tray' : 'window')
  },
  B10: async (row) => (await loads())[row],
  B11: async (row) => (await writes())[row],
  B12: part,
  B13: async (row) => (await packed())[row],
  alerts: part,
  blocks: (row) => measureAlertBlocks(row === 'blocks-silent'),
  desk: async (row) => (await seats())[row],
  curves: measureCurve,
}

function measure(row: RowName): Promise<Samples> {
  const [group] = row.split('-') as [Group]
  return (measures[group] as (named: RowName) => Promise<Samples>)(row)
}

function shared<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= run())
}

const machineLoad = () => loadavg().map((average) => Number(average.toFixed(2)))

const { json, strict, chosen } = readOrExit(
  {
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, strict: { type: 'boolean', default: false } },
  },
  'Usage: npm run bench -- [NAME ...] [--json] [--strict]',
  ({ values, positionals }) => ({ ...values, chosen: selectRows(rows, positionals) }),
)
const results: Result[] = []
const loadBefore = machineLoad()
for (const row of chosen) {
  process.stderr.write(`${'bench'.padEnd(16)} ${row.name}: ${row.what} (load ${machineLoad().join(' ')})\n`)
  const hung = setTimeout(() => {
    process.stderr.write(`${row.name} was not measured within ten minutes\n`)
    process.exit(1)
  }, rowTimeoutMs)
  results.push(judge(row, await measure(row.name)))
  clearTimeout(hung)
}
const machine = {
  processors: cpus().length,
  model: cpus()[0]?.model ?? '',
  electron: readFileSync(join(dirname(electronPath), 'version'), 'utf8')
    .trim()
    .replace(/^v/, ''),
  load: { before: loadBefore, after: machineLoad() },
}
if (json) {
  const at = new Date().toISOString()
  process.stdout.write(`${JSON.stringify({ at, machine, rows: results }, null, 2)}\n`)
} else {
  const { before, after } = machine.load
  process.stdout.write(`${table(results)}\n`)
  process.stdout.write(
    `medians (lowest to highest); ${machine.processors} × ${machine.model}, Electron ${machine.electron}; load ${before.join(' ')}, at the end ${after.join(' ')}\n`,
  )
}
process.exitCode = exitCode(results, { isStrict: strict })
