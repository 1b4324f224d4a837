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
import type { ChartView } from './chart-model'
import type { Drawing, PlotArea } from './drawing'
import { drawGaps, drawMarks } from './marks'

type Scales = NonNullable<NonNullable<ChartConfiguration<'line'>['options']>['scales']>

const fontSize = 11
const seam = Number.NaN

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
