import { Chart, LinearScale, LineController, LineElement, PointElement, type Point, type Scale } from 'chart.js'
import type { Place, Stretches } from '../../../format/comparison'
import type { TimeSpan } from '../../../format/chart-model'
import { placeLabels, type Bounds } from '../../../format/value-scale'
import type { ChartColours } from '../chart/chart-colours'
import { chartScales, tagFont } from '../chart/chart-scales'
import type { Axes, PlotArea } from '../chart/drawing'

/** One of the lines that are drawn together. */
export interface DrawnLine {
  /** At its end; empty: none. */
  label: string
  colour: keyof ChartColours
  stretches: Stretches
}

/** What is to be drawn, in full. */
export interface LinesDrawing extends Axes {
  span: TimeSpan
  bounds: Bounds
  lines: readonly DrawnLine[]
  /** Where all lines meet: drawn dashed. */
  origin: Place | undefined
  /** What the room at the ends is for: the names of these lines and of those of a drawing below. */
  names: readonly string[]
  /** Of the upright axis, at least; CSS pixels. */
  axisWidth: number
}

const seam = Number.NaN
const labelHeight = 15
/** Between the plot and the names at the ends of the lines; CSS pixels. */
const labelGap = 7

type LineChart = Chart<'line'>

/** Points of all stretches, with a hole after each. */
function dataOf(stretches: Stretches): Point[] {
  return stretches.flatMap((stretch) => {
    const points = stretch.map(({ atMs, y }) => ({ x: atMs, y }))
    return [...points, { x: points.at(-1)?.x ?? 0, y: seam }]
  })
}

function drawOrigin({ ctx, chartArea, scales }: LineChart, { origin, colours }: LinesDrawing): void {
  const { x, y } = scales
  if (origin === undefined || x === undefined || y === undefined) return
  ctx.save()
  ctx.beginPath()
  ctx.setLineDash([2, 4])
  ctx.lineWidth = 1
  ctx.strokeStyle = colours['line-strong']
  const [left, top] = [x.getPixelForValue(origin.atMs), y.getPixelForValue(origin.y)].map((at) => Math.round(at) + 0.5)
  if (top !== undefined && top > chartArea.top && top < chartArea.bottom) {
    ctx.moveTo(chartArea.left, top)
    ctx.lineTo(chartArea.right, top)
  }
  if (left !== undefined && left > chartArea.left + 1 && left < chartArea.right) {
    ctx.moveTo(left, chartArea.top)
    ctx.lineTo(left, chartArea.bottom)
  }
  ctx.stroke()
  ctx.restore()
}

/** The name of each line beside its end, none on another. */
function drawLabels({ ctx, chartArea, scales }: LineChart, { lines, colours }: LinesDrawing): void {
  const { y } = scales
  if (y === undefined) return
  const ended = lines.flatMap((line) => {
    const last = line.stretches.at(-1)?.at(-1)
    return last === undefined ? [] : [{ ...line, wanted: y.getPixelForValue(last.y) }]
  })
  const { top, bottom } = chartArea
  const places = placeLabels(
    ended.map(({ wanted }) => wanted),
    { top, bottom, height: labelHeight },
  )
  ctx.save()
  ctx.font = tagFont
  ctx.textBaseline = 'middle'
  ended.forEach(({ label, colour }, at) => {
    ctx.fillStyle = colours[colour]
    ctx.fillText(label, chartArea.right + labelGap, places[at]?.y ?? 0)
  })
  ctx.restore()
}

/** Several lines on one canvas. Draws at most once a frame, and only what it was given since. */
export class LinesCanvas {
  readonly #chart: LineChart
  #drawing: LinesDrawing | undefined
  #frame: number | undefined
  /** The axis only ever becomes wider: the plot does not jitter with the digits of its labels. */
  #axisWidth = 0

  constructor(canvas: HTMLCanvasElement, onLayout: (area: PlotArea) => void) {
    Chart.register(LineController, LineElement, PointElement, LinearScale)
    const axisWidth = ({ width }: Scale) => {
      this.#axisWidth = Math.max(this.#axisWidth, width, this.#drawing?.axisWidth ?? 0)
      return this.#axisWidth
    }
    this.#chart = new Chart(canvas, {
      type: 'line',
      data: { datasets: [] },
      options: {
        animation: false,
        events: [],
        maintainAspectRatio: false,
        normalized: true,
        parsing: false,
        scales: chartScales(() => this.#drawing, 'left', axisWidth),
      },
      plugins: [
        {
          id: 'ends',
          beforeLayout: (chart) => {
            const { ctx } = chart
            ctx.save()
            ctx.font = tagFont
            const widths = (this.#drawing?.names ?? []).map((name) => ctx.measureText(name).width)
            ctx.restore()
            chart.options.layout = { padding: { top: 4, right: Math.ceil(Math.max(0, ...widths)) + labelGap } }
          },
          afterLayout: ({ chartArea: { left, top, right, bottom } }) => {
            onLayout({ left, top, right, bottom })
          },
          beforeDatasetsDraw: (chart) => {
            if (this.#drawing !== undefined) drawOrigin(chart, this.#drawing)
          },
          afterDatasetsDraw: (chart) => {
            if (this.#drawing !== undefined) drawLabels(chart, this.#drawing)
          },
        },
      ],
    })
  }

  show(drawing: LinesDrawing): void {
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
    const { x, y } = this.#chart.options.scales ?? {}
    if (drawing === undefined || x === undefined || y === undefined) return
    const { span, bounds, colours, lines } = drawing
    this.#chart.data.datasets = lines.map(({ stretches, colour }) => ({
      data: dataOf(stretches),
      borderColor: colours[colour],
      borderWidth: 1.5,
      borderJoinStyle: 'round',
      pointRadius: 0,
    }))
    Object.assign(x, { min: span.fromMs, max: span.toMs, border: { color: colours.line } })
    Object.assign(y, bounds)
    this.#chart.update('none')
  }
}
