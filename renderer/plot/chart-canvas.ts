import { Chart, LinearScale, type ChartConfiguration, type Scale } from 'chart.js'
import type { ChartColours } from './chart-colours'
import type { Frame, PlotArea } from './drawing'

type Scales = NonNullable<NonNullable<ChartConfiguration<'line'>['options']>['scales']>
export type LineChart = Chart<'line'>

export const fontSize = 11
export const tagFont = `600 ${fontSize}px "Inter Variable", system-ui, sans-serif`
/** From the plot to a text on the upright axis; CSS pixels. */
const axisPadding = 8

interface Options<Content> {
  /** Where the upright axis is. */
  position: 'left' | 'right'
  /** How wide the upright axis is at least; CSS pixels. */
  axisWidth: (context: CanvasRenderingContext2D, drawing: Frame & Content) => number
  /** Room around the plot; CSS pixels. */
  padding: (
    context: CanvasRenderingContext2D,
    drawing: (Frame & Content) | undefined,
  ) => { top: number; right?: number }
  /** All that stands on the grid. */
  draw: (chart: LineChart, drawing: Frame & Content) => void
  /** The plot lies somewhere else now. */
  onLayout: (area: PlotArea) => void
}

/** A chart over time on its canvas. Draws at most once a frame, and only what it was given since. */
export class ChartCanvas<Content> {
  readonly #options: Options<Content>
  readonly #chart: LineChart
  #drawing: (Frame & Content) | undefined
  #frame: number | undefined
  /** The axis only ever becomes wider: the plot does not jitter with the digits of its labels. */
  #axisWidth = 0

  constructor(canvas: HTMLCanvasElement, options: Options<Content>) {
    // The axes alone are of the library: an object of its own for each point is what a chart of thousands would spend its time on.
    Chart.register(LinearScale)
    this.#options = options
    this.#chart = new Chart(canvas, this.#configuration())
  }

  show(drawing: Frame & Content): void {
    this.#drawing = drawing
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.#update(drawing)
    })
  }

  /** Draws what it was given last at once, not with the next frame. */
  drawNow(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#frame = undefined
    if (this.#drawing !== undefined) this.#update(this.#drawing)
  }

  destroy(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#chart.destroy()
  }

  #update(asked: Frame & Content): void {
    const drawing = this.#drawing ?? asked
    const { x, y } = this.#chart.options.scales ?? {}
    if (x === undefined || y === undefined) return
    const { span, bounds, colours } = drawing
    Object.assign(x, { min: span.fromMs, max: span.toMs, border: { color: colours.line } })
    Object.assign(y, bounds)
    this.#chart.update('none')
  }

  #configuration(): ChartConfiguration<'line'> {
    const { padding, draw, onLayout } = this.#options
    return {
      type: 'line',
      data: { datasets: [] },
      options: {
        animation: false,
        events: [],
        maintainAspectRatio: false,
        scales: this.#scales(),
      },
      plugins: [
        {
          id: 'drawing',
          beforeLayout: (chart) => {
            // Padding by itself comes with the second drawing alone, and moves the plot.
            chart.options.layout = { autoPadding: false, padding: padding(chart.ctx, this.#drawing) }
          },
          afterLayout: ({ chartArea: { left, top, right, bottom } }) => onLayout({ left, top, right, bottom }),
          beforeDatasetsDraw: (chart) => {
            if (this.#drawing !== undefined) draw(chart, this.#drawing)
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
        ticks: { ...ticks, callback: (_value, at) => this.#drawing?.timeTicks[at]?.text ?? '' },
        afterBuildTicks: (scale: Scale) => {
          scale.ticks = (this.#drawing?.timeTicks ?? []).map(({ atMs }) => ({ value: atMs }))
        },
      },
      y: {
        type: 'linear',
        position: this.#options.position,
        grid: { color: colour('line-soft'), drawTicks: false },
        border: { display: false },
        ticks: { ...ticks, padding: axisPadding, callback: (_value, at) => this.#drawing?.valueTicks[at]?.text ?? '' },
        afterBuildTicks: (scale: Scale) => {
          scale.ticks = (this.#drawing?.valueTicks ?? []).map(({ value }) => ({ value }))
        },
        afterFit: (scale: Scale) => {
          const min = this.#drawing === undefined ? 0 : this.#options.axisWidth(scale.ctx, this.#drawing)
          this.#axisWidth = Math.max(this.#axisWidth, scale.width, min)
          scale.width = this.#axisWidth
        },
      },
    }
  }
}

/** How wide a text is in the font of tags; CSS pixels. */
export function tagWidth(context: CanvasRenderingContext2D, text: string): number {
  context.save()
  context.font = tagFont
  const { width } = context.measureText(text)
  context.restore()
  return width
}
