/** An Electron app that measures one row in its main process and prints the result. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import { measureAlertStart, measureChange, measureJudging } from './alert-costs'
import { measureAppend } from './append'
import { measureBatch, measureSends } from './batch'
import { measureChart } from './chart'
import { measureClockReads, measureFeedPath, measureTurns, type FloodOptions } from './feed-path'
import type { Side } from './floods'
import { print, type PartRow, type PartTask } from './part-protocol'
import type { Samples } from './report'
import { measureRange } from './range'
import { measureCompare, measureRule } from './rule'

const task = JSON.parse(process.argv.at(-1) ?? '') as PartTask
const out = join(task.root, 'out')
const workerPath = join(out, 'main', 'history-worker.js')

function floodOptions(kind: FloodOptions['kind']): FloodOptions {
  const flood = (side: Side) => print({ flood: side })
  const { urls, folder } = task
  return { kind, urls, folder, workerPath, flood }
}

const measures: Record<PartRow, () => Promise<Samples>> = {
  'B1-value': () => measureFeedPath(floodOptions('value')),
  'B1-constituents': () => measureFeedPath(floodOptions('constituents')),
  'B2-turns': () => measureTurns(floodOptions('burst')),
  'B2-clock': () => measureClockReads(floodOptions('value')),
  'B3-compare': measureCompare,
  'B3-rule': measureRule,
  'B4-batch': () =>
    measureBatch({
      ours: join(out, 'preload', 'index.cjs'),
      limit: join(task.root, 'scripts', 'tools', 'bench', 'limits', 'plain-preload.cjs'),
    }),
  'B4-sends': measureSends,
  'B7-chart-3600': async () => (await measureChart(task.root, task.page, 3_600)).update,
  'B7-chart-18000': async () => (await measureChart(task.root, task.page, 18_000)).update,
  'B7-slow-3600': async () => (await measureChart(task.root, task.page, 3_600)).slow,
  'B7-slow-18000': async () => (await measureChart(task.root, task.page, 18_000)).slow,
  'B12-append': () => measureAppend(task.folder),
  'B12-range': () => measureRange(task.folder, workerPath),
  'alerts-value': () => measureJudging(task.folder),
  'alerts-change': () => measureChange(task.folder),
  'alerts-start': () => measureAlertStart(task.folder),
}

async function run(): Promise<void> {
  mkdirSync(task.folder, { recursive: true })
  print({ samples: await measures[task.row]() })
}

// No await at the top level, because Electron becomes ready only after this module has run.
app
  .whenReady()
  .then(run)
  .then(
    () => app.exit(0),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
      app.exit(1)
    },
  )
