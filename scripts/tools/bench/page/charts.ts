/** B7: the app's chart and uPlot in one page. Each update adds one value and drops one. ../chart.ts sends the tasks. */
import { flushSync, mount } from 'svelte'
import 'uplot/dist/uPlot.min.css'
import { commandNames, type DesktopApi } from '../../../../protocol/commands/contract'
import type { WindowUpdate } from '../../../../protocol/desktop'
import { toJson, type Json } from '../../../../protocol/json'
import { createPage } from '../../../../renderer/state/page'
import '../../../../renderer/styles/index.css'
import { FakeDesktop, makeWork, ok } from '../../../../test/support/fake-desktop'
import { sampleOpened } from '../../../../test/support/sample-opened'
import { sampleSnapshot } from '../../../../test/support/sample-window'
import type { ChartTask } from '../chart'
import { PlainChart } from '../limits/plain-chart'
import AppChart from './app-chart.svelte'

/** From ../chart-preload.cjs. */
declare const bench: { nowMs: () => number; onTask: (run: (task: ChartTask) => Promise<number[]>) => void }

type Side = 'ours' | 'limit'

const hourMs = 3_600_000
const startMs = Date.UTC(2023, 10, 1, 12)
const chartWidth = 900

/** Requested frames are collected until `draw` runs them. Their cost then belongs to the update that requested them. */
const nextFrame = window.requestAnimationFrame.bind(window)
let wanted: FrameRequestCallback[] = []
window.requestAnimationFrame = (callback) => wanted.push(callback)
window.cancelAnimationFrame = (number) => {
  wanted[number - 1] = () => undefined
}

function draw(): void {
  const frames = wanted
  wanted = []
  for (const frame of frames) frame(performance.now())
}

/** A series with an amplitude of some hundred, in which consecutive values differ. */
function textAt(at: number): string {
  return (68_170 + Math.sin(at / 540) * 210 + Math.sin(at / 97) * 90 + Math.sin(at * 1.7) * 6).toFixed(2)
}

interface Target {
  /** Adds one value and drops one. Resolves when everything is drawn. */
  update: () => Promise<void>
}

function publicationAt(at: number, spacingMs: number): { value: string; publishedAtMs: number } {
  return { value: textAt(at), publishedAtMs: startMs + at * spacingMs }
}

/** Both charts over an hour with this many values. */
async function openCharts(count: number): Promise<Record<Side, Target>> {
  const spacingMs = hourMs / count
  localStorage.setItem('chart-range-often', '1h')
  const points = Array.from({ length: count }, (_, at) => publicationAt(at, spacingMs))
  const listeners = new Set<(update: Json<WindowUpdate>) => void>()
  const fake = new FakeDesktop(sampleSnapshot(), (update) => {
    for (const listener of listeners) listener(update)
  })
  makeWork(fake)
  fake.handlers.getChart = ({ indexId, range }) => ok(toJson({ indexId, range, points, gapAfterMs: 10 * spacingMs }))
  const commands = commandNames.map((name) => [name, (args: never) => fake.invoke(name, args)])
  const page = createPage({
    ...(Object.fromEntries(commands) as DesktopApi),
    onUpdate: (listener: (update: Json<WindowUpdate>) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  })
  page.mirror.start()
  mount(AppChart, {
    target: document.body,
    props: { page, opened: sampleOpened('BRTI'), width: chartWidth },
  })
  while (document.querySelector('canvas') === null) await shown()
  for (let frame = 0; frame < 5; frame++) await shown()
  const { width, height } = document.querySelector('canvas')?.getBoundingClientRect() ?? { width: 0, height: 0 }
  const plain = new PlainChart({
    width,
    height,
    points: points.map(({ publishedAtMs, value }) => [publishedAtMs / 1_000, Number(value)] as const),
  })
  let ours = count
  let limit = count
  return {
    ours: {
      update: async () => {
        await fake.push({ points: [{ indexId: 'BRTI', point: publicationAt(ours++, spacingMs) }] })
        // The first draw moves the values into the page's state, the second one draws them.
        draw()
        flushSync()
        draw()
      },
    },
    limit: {
      update: () => {
        const { publishedAtMs, value } = publicationAt(limit++, spacingMs)
        return plain.push(publishedAtMs / 1_000, Number(value))
      },
    },
  }
}

/** Resolves after the next frame, when the drawing is on the screen. */
function shown(): Promise<void> {
  draw()
  flushSync()
  return new Promise((resolve) => {
    nextFrame(() => {
      draw()
      setTimeout(resolve, 0)
    })
  })
}

/** The durations of this many updates in ms, a frame apart. */
async function measure({ update }: Target, updates: number): Promise<number[]> {
  const times: number[] = []
  for (let number = 0; number < updates; number++) {
    const beganAtMs = bench.nowMs()
    await update()
    times.push(bench.nowMs() - beganAtMs)
    await shown()
  }
  return times
}

let charts: Record<Side, Target> | undefined

bench.onTask(async (task) => {
  if ('open' in task) charts = await openCharts(task.open)
  else if (charts !== undefined) return measure(charts[task.side], task.updates)
  return []
})
