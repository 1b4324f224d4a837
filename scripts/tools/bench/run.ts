/** `npm run bench [-- NAME…] [--json] [--strict]`: measures the rows asked for and prints them. scripts/bench.js starts it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build } from 'vite'
import { AppBench } from '../../../test/support/app-bench'
import { ScriptedService } from '../../../test/support/scripted-service'
import { measureAlertBlocks } from './alert-blocks'
import { measureGrowth, measureMemory, measureStarts } from './app-rows'
import { measureSeat, type DeskRow } from './desk-rows'
import { floodBytes, floodListing, floods, floodTexts, roundStartMs, type Side } from './floods'
import { measureCurve } from './curves'
import { measureFastPages, measurePages, type PageRow } from './page-rows'
import { measureLoad, type LoadRow } from './load-rows'
import { measureWrites, type WriteRow } from './write-rows'
import { measurePackage, type PackageRow } from './package'
import { readLine, type PartRow, type PartTask } from './part-protocol'
import { exitCode, judge, selectRows, table, type Result, type Samples } from './report'
import { rows, type RowName } from './rows'
import { electronPath, projectRoot, switches } from './started-app'

/** A row that takes longer has hung. */
const rowTimeoutMs = 600_000

const built = join(projectRoot, 'node_modules', '.cache', 'indexwatch', 'bench')

/** Builds the page of the naive twin. Returns its path. */
async function buildTwinPage(): Promise<string> {
  const outDir = join(built, 'naive')
  await build({
    root: join(projectRoot, 'scripts', 'tools', 'bench', 'naive'),
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
      outDir: built,
      target: 'node20.18',
      minify: true,
      rolldownOptions: {
        input: join(projectRoot, 'scripts', 'tools', 'bench', 'in-electron.ts'),
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
      },
    },
  })
  return join(built, 'in-electron.mjs')
}

const chartPage = join(projectRoot, 'node_modules', '.cache', 'indexwatch', 'bench-page')

/** Builds the chart page like the app's page. */
async function bundleChartPage(): Promise<void> {
  await build({
    root: join(projectRoot, 'scripts', 'tools', 'bench', 'page'),
    base: './',
    configFile: false,
    logLevel: 'warn',
    plugins: [svelte({ configFile: join(projectRoot, 'config', 'svelte.config.js') })],
    build: { outDir: chartPage, emptyOutDir: true, target: 'chrome130', minify: true },
  })
}

/** The floods of the rows that have one. */
const floodOf: Partial<Record<PartRow, keyof typeof floods>> = {
  'B1-value': 'value',
  'B1-constituents': 'constituents',
  'B2-turns': 'burst',
}

/** Runs a row's measurement in Electron's main process. A service in this process floods each side on request. */
async function measurePart(row: PartRow, program: string): Promise<Samples> {
  const bench = await AppBench.create()
  const services: Record<Side, ScriptedService> = {
    ours: await ScriptedService.start({ compresses: true }),
    limit: await ScriptedService.start({ compresses: true }),
  }
  const sent: Record<Side, number> = { ours: 0, limit: 0 }
  const floodedFromMs = Date.now()
  const urls = { ours: services.ours.webSocketUrl, limit: services.limit.webSocketUrl }
  const task: PartTask = { row, root: projectRoot, folder: join(bench.folder, 'part'), page: chartPage, urls }
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

/** Rows from one measurement share its promise. */
function measures(): Record<RowName, () => Promise<Samples>> {
  const starts = shared(measureStarts)
  const twinPage = shared(buildTwinPage)
  const loads = shared(async () => measureLoad(await twinPage()))
  const bundled = shared(bundlePart)
  const pages = shared(async () => measurePages(await twinPage()))
  const fastPages = shared(async () => measureFastPages(await twinPage()))
  const page = (row: PageRow) => async () =>
    row === 'B5-20000' || row === 'B5-lost' ? (await fastPages())[row] : (await pages())[row]
  const load = (row: LoadRow) => async () => (await loads())[row]
  const part = (row: PartRow) => async () => measurePart(row, await bundled())
  const chartPageBuilt = shared(bundleChartPage)
  const packed = shared(measurePackage)
  const writes = shared(measureWrites)
  const seats = shared(measureSeat)
  const seat = (row: DeskRow) => async () => (await seats())[row]
  const written = (row: WriteRow) => async () => (await writes())[row]
  const size = (row: PackageRow) => async () => (await packed())[row]
  const chart = (row: PartRow) => async () => {
    await chartPageBuilt()
    return part(row)()
  }
  return {
    'B1-value': part('B1-value'),
    'B1-constituents': part('B1-constituents'),
    'B2-turns': part('B2-turns'),
    'B2-clock': part('B2-clock'),
    'B5-5000': page('B5-5000'),
    'B5-20000': page('B5-20000'),
    'B5-lost': page('B5-lost'),
    'B6-frames': page('B6-frames'),
    'B6-late': page('B6-late'),
    'B6-rows': page('B6-rows'),
    'B3-compare': part('B3-compare'),
    'B3-rule': part('B3-rule'),
    'B4-batch': part('B4-batch'),
    'B4-sends': part('B4-sends'),
    'B11-loop': written('B11-loop'),
    'B11-files': written('B11-files'),
    'B11-quit': written('B11-quit'),
    'B12-append': part('B12-append'),
    'B12-range': part('B12-range'),
    'B7-chart-3600': chart('B7-chart-3600'),
    'B7-chart-18000': chart('B7-chart-18000'),
    'B7-slow-3600': chart('B7-slow-3600'),
    'B7-slow-18000': chart('B7-slow-18000'),
    'B8-cpu': async () => (await starts()).cpu,
    'B8-ready': async () => (await starts()).ready,
    'B8-paint': async () => (await starts()).paint,
    'B9-window': () => measureMemory('window'),
    'B9-tray': () => measureMemory('tray'),
    'B9-growth': async () => measureGrowth(await twinPage()),
    'B10-silent': load('B10-silent'),
    'B10-wakes': load('B10-wakes'),
    'B10-values': load('B10-values'),
    'B10-values-skilled': load('B10-values-skilled'),
    'B10-list': load('B10-list'),
    'B10-list-skilled': load('B10-list-skilled'),
    'B10-1000': load('B10-1000'),
    'B10-1000-skilled': load('B10-1000-skilled'),
    'B10-tray': load('B10-tray'),
    'B10-tray-bare': load('B10-tray-bare'),
    'B10-tray-values': load('B10-tray-values'),
    'B10-tray-values-bare': load('B10-tray-values-bare'),
    'B10-tray-1000': load('B10-tray-1000'),
    'B10-tray-1000-bare': load('B10-tray-1000-bare'),
    'B13-package': size('B13-package'),
    'B13-page': size('B13-page'),
    'B13-main': size('B13-main'),
    'alerts-value': part('alerts-value'),
    'alerts-change': part('alerts-change'),
    'alerts-start': part('alerts-start'),
    'blocks-alerts': () => measureAlertBlocks(false),
    'blocks-silent': () => measureAlertBlocks(true),
    'desk-silent': seat('desk-silent'),
    'desk-values': seat('desk-values'),
    'desk-memory': seat('desk-memory'),
    'curves-history': () => measureCurve('curves-history'),
    'curves-weekend': () => measureCurve('curves-weekend'),
    'curves-events': () => measureCurve('curves-events'),
    'curves-constituents': () => measureCurve('curves-constituents'),
    'curves-catalogue': () => measureCurve('curves-catalogue'),
    'curves-rows': () => measureCurve('curves-rows'),
    'curves-alerts': () => measureCurve('curves-alerts'),
  }
}

function shared<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= run())
}

const machineLoad = () => loadavg().map((average) => Number(average.toFixed(2)))

/** Reads the command line. On a mistake, exits with a message. */
function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false }, strict: { type: 'boolean', default: false } },
    })
    return { ...values, chosen: selectRows(rows, positionals) }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(2)
  }
}

const { json, strict, chosen } = readArguments()
const measure = measures()
const results: Result[] = []
const loadBefore = machineLoad()
for (const row of chosen) {
  process.stderr.write(`${'bench'.padEnd(16)} ${row.name}: ${row.what} (load ${machineLoad().join(' ')})\n`)
  const hung = setTimeout(() => {
    process.stderr.write(`${row.name} was not measured within ten minutes\n`)
    process.exit(1)
  }, rowTimeoutMs)
  results.push(judge(row, await measure[row.name]()))
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
