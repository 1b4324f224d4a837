import {
  Chart,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  type ChartConfiguration,
  type Point,
  type Scale,
} from 'chart.js'
import { withAlpha, type ChartColours } from './chart-colours'
import type { ChartView, Mark, TimeSpan } from '../../../format/chart-model'
import type { Drawing, PlotArea } from './drawing'

type Scales = NonNullable<NonNullable<ChartConfiguration<'line'>['options']>['scales']>

const fontSize = 11
const seam = Number.NaN

const hatchDistance = 6
/** Nearer to each other marks are one. */
const markDistance = 5
const radius = 3.5
const labelText = 'no values'

type LineChart = Chart<'line'>

function hatch(context: CanvasRenderingContext2D, box: { left: number; top: number; right: number; bottom: number }) {
  const { left, top, right, bottom } = box
  context.save()
  context.beginPath()
  context.rect(left, top, right - left, bottom - top)
  context.clip()
  context.beginPath()
  // On one grid for the whole plot, so that it stands still while a gap grows.
  const height = bottom - top
  for (let x = Math.floor((left - height) / hatchDistance) * hatchDistance; x < right; x += hatchDistance) {
    context.moveTo(x, bottom)
    context.lineTo(x + height, top)
  }
  context.stroke()
  context.restore()
}

function drawGap(chart: LineChart, gap: TimeSpan, drawing: Drawing): void {
  const { ctx, chartArea, scales } = chart
  const x = scales['x']
  if (x === undefined) return
  const left = Math.max(chartArea.left, x.getPixelForValue(gap.fromMs))
  const right = Math.min(chartArea.right, x.getPixelForValue(gap.toMs))
  if (right - left < 1) return
  ctx.lineWidth = 1
  ctx.strokeStyle = withAlpha(drawing.colours['line-strong'], 0.28)
  hatch(ctx, { ...chartArea, left, right })
  ctx.font = '11px "Inter Variable", system-ui, sans-serif'
  const width = ctx.measureText(labelText).width
  if (right - left < width + 16) return
  const middle = (left + right) / 2
  const y = (chartArea.top + chartArea.bottom) / 2
  ctx.fillStyle = drawing.colours.surface
  ctx.fillRect(middle - width / 2 - 4, y - 9, width + 8, 18)
  ctx.fillStyle = drawing.colours['ink-3']
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  ctx.fillText(labelText, middle, y)
}

/** Where nothing was published the plot is hatched; the line is never drawn over it. */
function drawGaps(chart: LineChart, drawing: Drawing): void {
  chart.ctx.save()
  for (const gap of drawing.view.gaps) drawGap(chart, gap, drawing)
  chart.ctx.restore()
}

function shape(context: CanvasRenderingContext2D, kind: Mark['kind'], x: number, y: number): void {
  context.beginPath()
  if (kind === 'carriedOver') context.rect(x - 3, y - 3, 6, 6)
  else context.arc(x, y, kind === 'alone' ? 1.5 : radius, 0, 2 * Math.PI)
}

/** A ring for an amended point, a square for one carried over, a dot for one without a neighbour, a disc for an alert. */
function drawMarks({ ctx, chartArea, scales }: LineChart, { view, colours, isOld }: Drawing): void {
  const { x, y } = scales
  if (x === undefined || y === undefined) return
  ctx.save()
  ctx.lineWidth = 1.5
  const last = { amended: -Infinity, carriedOver: -Infinity, alone: -Infinity, fired: -Infinity }
  for (const { at, kind } of view.marks) {
    const left = x.getPixelForValue(at.atMs)
    if (left < chartArea.left || left - last[kind] < markDistance) continue
    last[kind] = left
    const line = isOld ? colours['ink-3'] : colours.accent
    ctx.strokeStyle = kind === 'alone' ? line : kind === 'fired' ? colours.surface : colours.warn
    ctx.fillStyle = kind === 'alone' ? line : kind === 'fired' ? colours.warn : colours.surface
    shape(ctx, kind, left, y.getPixelForValue(at.value))
    ctx.fill()
    ctx.stroke()
  }
  ctx.restore()
}

/** Points of all lines, with a hole after each. */
function dataOf({ lines }: ChartView): Point[] {
  return lines.flatMap((line) => {
    const points = line.map(({ atMs, value }) => ({ x: atMs, y: value }))
    return [...points, { x: points.at(-1)?.x ?? 0, y: seam }]
  })
}

/** The chart on its canvas. Draws at most once a frame, and only what it was given since. */
export class LineCanvas {
  readonly #chart: Chart<'line'>
  readonly #onLayout: (area: PlotArea) => void
  #drawing: Drawing | undefined
  #frame: number | undefined
  /** The axis only ever becomes wider: the plot does not jitter with the digits of its labels. */
  #axisWidth = 0

  constructor(canvas: HTMLCanvasElement, onLayout: (area: PlotArea) => void) {
    Chart.register(LineController, LineElement, PointElement, LinearScale, Filler)
    this.#onLayout = onLayout
    this.#chart = new Chart(canvas, this.#configuration())
  }

  show(drawing: Drawing): void {
    this.#drawing = drawing
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.#update()
    })
  }

  destroy(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#chart.destroy()
  }

  #update(): void {
    const drawing = this.#drawing
    const [set] = this.#chart.data.datasets
    if (drawing === undefined || set === undefined) return
    const { view, bounds, colours, isOld } = drawing
    const line = isOld ? colours['ink-3'] : colours.accent
    set.data = dataOf(view)
    set.borderColor = line
    set.backgroundColor = withAlpha(line, 0.09)
    const { x, y } = this.#chart.options.scales ?? {}
    if (x === undefined || y === undefined) return
    Object.assign(x, { min: view.span.fromMs, max: view.span.toMs, border: { color: colours.line } })
    Object.assign(y, bounds)
    this.#chart.update('none')
  }

  #configuration(): ChartConfiguration<'line'> {
    return {
      type: 'line',
      data: {
        datasets: [{ data: [], borderWidth: 1.5, borderJoinStyle: 'round', pointRadius: 0, fill: 'start' }],
      },
      options: {
        animation: false,
        events: [],
        maintainAspectRatio: false,
        normalized: true,
        parsing: false,
        layout: { padding: { top: 2 } },
        scales: this.#scales(),
      },
      plugins: [
        {
          id: 'marks',
          afterLayout: ({ chartArea: { left, top, right, bottom } }) => {
            this.#onLayout({ left, top, right, bottom })
          },
          beforeDatasetsDraw: (chart) => {
            if (this.#drawing !== undefined) drawGaps(chart, this.#drawing)
          },
          afterDatasetsDraw: (chart) => {
            if (this.#drawing !== undefined) drawMarks(chart, this.#drawing)
          },
        },
      ],
    }
  }

  #scales(): Scales {
    const font = { family: 'Inter Variable, system-ui, sans-serif', size: fontSize }
    const colour = (token: keyof ChartColours) => () => this.#drawing?.colours[token] ?? 'transparent'
    const ticks = { autoSkip: false, color: colour('ink-3'), font, maxRotation: 0 }
    return {
      x: {
        type: 'linear',
        grid: { display: false },
        border: { display: true },
        ticks: { ...ticks, callback: this.#textOf((drawing) => drawing.timeTicks.map((tick) => tick.text)) },
        afterBuildTicks: (scale: Scale) => {
          scale.ticks = (this.#drawing?.timeTicks ?? []).map(({ atMs }) => ({ value: atMs }))
        },
      },
      y: {
        type: 'linear',
        position: 'right',
        grid: { color: colour('line-soft'), drawTicks: false },
        border: { display: false },
        ticks: {
          ...ticks,
          padding: 8,
          callback: this.#textOf((drawing) => drawing.valueTicks.map((tick) => tick.text)),
        },
        afterBuildTicks: (scale: Scale) => {
          scale.ticks = (this.#drawing?.valueTicks ?? []).map(({ value }) => ({ value }))
        },
        afterFit: (scale: Scale) => {
          this.#axisWidth = Math.max(this.#axisWidth, scale.width)
          scale.width = this.#axisWidth
        },
      },
    }
  }

  #textOf(texts: (drawing: Drawing) => string[]): (value: string | number, at: number) => string {
    return (_value, at) => (this.#drawing === undefined ? '' : (texts(this.#drawing)[at] ?? ''))
  }
}
