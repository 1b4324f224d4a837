/** `npm run curves [-- NAME…]`: measures the curves asked for, prints them and writes docs/performance. scripts/curves.js starts it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { ScriptedService } from '../../support/scripted-service'
import { floodBytes, roundStartMs, type Side } from '../floods'
import type { Samples } from '../report'
import { electronPath, projectRoot } from '../started-app'
import type { FramesTask } from './constituents'
import { curves, selectCurves, type AllMeasured, type CurveName, type Measured, type Point } from './curves'
import { measureHours } from './hours'
import { measureIndicesPage, measureList, measureMessages } from './in-app'
import { measureInbox, measureRules, readCatalogueMs } from './in-parts'
import { curveFile, curveSvg, withCurves } from './page'

/** Frames of a round by the constituents of each: so many that a round takes long enough to be counted. */
const frameCounts = [
  [10, 4_000],
  [100, 2_000],
  [1_000, 200],
  [5_000, 40],
] as const
/** Long enough before now that no round of a flood comes from the future. */
const floodedFromMs = Date.now() - 3_600_000

/** Measures frames of one size in a process of its own, with a service beside it that floods each side when asked. */
async function measureFrames(memberCount: number, count: number): Promise<Point> {
  const services: Record<Side, ScriptedService> = {
    ours: await ScriptedService.start(),
    limit: await ScriptedService.start(),
  }
  const sent: Record<Side, number> = { ours: 0, limit: 0 }
  const folder = mkdtempSync(join(tmpdir(), 'indexwatch-curves-'))
  const resolution = join(projectRoot, 'test', 'support', 'typescript-resolution.js')
  const child = fork(join(import.meta.dirname, 'constituents.ts'), { execArgv: ['--import', resolution] })
  try {
    const ended = once(child, 'exit')
    let samples: Samples | undefined
    child.on('message', (line: { flood: Side } | { samples: Samples }) => {
      if ('samples' in line) samples = line.samples
      else {
        const startMs = roundStartMs(floodedFromMs, sent[line.flood]++)
        services[line.flood].sendBytes(floodBytes('constituents', startMs, { count, memberCount }))
      }
    })
    const urls = { ours: services.ours.webSocketUrl, limit: services.limit.webSocketUrl }
    const workerPath = join(projectRoot, 'out', 'main', 'tape-worker.js')
    child.send({ urls, folder, workerPath, count } satisfies FramesTask)
    const [code] = (await ended) as [number | null]
    if (samples === undefined) throw new Error(`frames could not be measured: their process ended with ${String(code)}`)
    return { constituents: memberCount, ours: median(samples.ours), limit: median(samples.limit) }
  } finally {
    child.kill('SIGKILL')
    await Promise.all([services.ours.stop(), services.limit.stop()])
    rmSync(folder, { recursive: true })
  }
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN
}

type Note = (point: Point) => void

function atEach<T>(sizes: readonly T[], measure: (size: T) => Promise<Point>) {
  return async (note: Note) => {
    for (const size of sizes) note(await measure(size))
  }
}

const measures: Record<CurveName, (note: Note) => Promise<void>> = {
  indices: atEach([10, 100, 1_000, 5_000], measureList),
  messages: (note) => measureMessages([10, 100, 1_000, 5_000, 20_000, 50_000], note),
  constituents: atEach(frameCounts, ([memberCount, count]) => measureFrames(memberCount, count)),
  rules: async (note) => {
    // V8 has compiled nothing yet: the first measurement does not count.
    await measureRules(100)
    await atEach([10, 100, 1_000, 2_000, 10_000], measureRules)(note)
  },
  inbox: atEach([100, 1_000, 10_000, 100_000], measureInbox),
  catalogue: atEach([100, 1_000, 5_000], async (entries) => ({
    read: await readCatalogueMs(entries),
    ...(await measureIndicesPage(entries)),
  })),
  hours: measureHours,
}

const docs = join(projectRoot, 'docs')
const file = join(docs, 'performance', 'curves.json')

/** Everything that docs/ shows of the figures. */
async function write(measured: AllMeasured): Promise<void> {
  writeFileSync(file, await curveFile(measured))
  for (const curve of curves) {
    const found = measured[curve.name]
    if (found !== undefined)
      writeFileSync(join(docs, 'performance', `${curve.name}.svg`), curveSvg(curve, found.points))
  }
  const page = join(docs, 'performance.md')
  const text = withCurves(readFileSync(page, 'utf8'), measured)
  writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }))
}

/** What the command line asks for; a mistake in it ends the command with a sentence. */
function readArguments(): CurveName[] {
  try {
    return selectCurves(parseArgs({ allowPositionals: true }).positionals)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(2)
  }
}

const machineLoad = () => Number((loadavg()[0] ?? 0).toFixed(1))
const rounded = (figure: number) => Number(figure.toPrecision(4))
const electron = readFileSync(join(dirname(electronPath), 'version'), 'utf8')
  .trim()
  .replace(/^v/, '')
const machine = `Electron ${electron}, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? ''}`

for (const name of readArguments()) {
  const loadBefore = machineLoad()
  process.stdout.write(`${name} (load ${loadBefore})\n`)
  const points: Point[] = []
  await measures[name]((point) => {
    points.push(Object.fromEntries(Object.entries(point).map(([key, figure]) => [key, rounded(figure)])))
    process.stdout.write(`  ${JSON.stringify(points.at(-1))}\n`)
  })
  const at = new Date().toISOString().slice(0, 10)
  const found: Measured = { at, machine, load: [loadBefore, machineLoad()], points }
  // Figures of the curves that were not asked for stay.
  await write({ ...(JSON.parse(readFileSync(file, 'utf8')) as AllMeasured), [name]: found })
}
