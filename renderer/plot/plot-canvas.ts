import {
  Chart,
  defaults,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  type ChartConfiguration,
  type ChartDataset,
  type Point,
  type Scale,
} from 'chart.js'
import { decimate, type MarkKind, type Place, type Stretches, type TimeSpan } from '../format/chart-model'
import { placeLabels, type Bounds } from '../format/value-scale'
import { withAlpha, type ChartColours } from './chart-colours'
import { xOf, yOf, type PlotArea } from './plot-area'

type Token = keyof ChartColours

/** One line of a drawing. */
export interface DrawnLine {
  /** Drawn at the end of the line. */
  label?: string
  colour: Token
  /** Joined values, ascending. Nothing joins two stretches. */
  stretches: Stretches
  /** The line has the colour `below` where it is below this value. The area between them is filled. */
  baseline?: { value: number; below: Token }
}

/** A dashed line across the plot: at a value, at a time, or both. */
interface Guide {
  value?: number | undefined
  atMs?: number
  colour: Token
  dashes: number[]
}

/** What a drawing shows besides its axes. Texts are as on screen. */
export interface PlotContent {
  /** The side of the value axis. */
  side: 'left' | 'right'
  /** Smallest width of the value axis; CSS pixels. */
  axisWidth?: number
  /** Texts of tags on the value axis. The axis is wide enough for them, with any digits. */
  tags?: readonly string[]
  /** Names at the ends of the lines, here and in a drawing beside this one. Both leave the same room. */
  names?: readonly string[]
  lines: readonly DrawnLine[]
  guides?: readonly Guide[]
  /** Highlighted times. */
  bands?: readonly TimeSpan[]
  /** Times without values. They are hatched. */
  gaps?: readonly TimeSpan[]
  /** Marked points, ascending for each kind. All lines begin at the origin. */
  marks?: readonly { at: Place; kind: MarkKind | 'origin' }[]
  /** The last value, drawn as a tag on the value axis. */
  last?: { value: number; text: string; colour: Token; ink: Token } | undefined
}

export interface Drawing extends PlotContent {
  span: TimeSpan
  bounds: Bounds
  timeTicks: { value: number; label: string }[]
  valueTicks: { value: number; label: string }[]
  /** Ticks without a label, because a tag covers it. Numbers with a blank between them. */
  hidden: string
  colours: ChartColours
}

declare module 'chart.js' {
  interface LineOptions {
    /** Share of the plot's height above the baseline, to which the line is filled. */
    baseline: number
  }
}

/** The parts of a Chart.js chart that the functions below use. */
interface Canvas {
  ctx: CanvasRenderingContext2D
  chartArea: PlotArea
  width: number
}

const fontSize = 11
const plainFont = `${fontSize}px "Inter Variable", system-ui, sans-serif`
const tagFont = `600 ${plainFont}`
/** On each side of the text of a tag on the axis; CSS pixels. */
const tagPadding = 6
export const tagHeight = 18
/** A tag covers the label of a value if their middles are nearer to each other; CSS pixels. */
export const tagReach = (tagHeight + fontSize) / 2 + 1
/** The widest digit of the font, in which 1 is two thirds as wide. */
const widestDigit = '4'
const nameHeight = 15
/** Between the plot and the names at the ends of the lines; CSS pixels. */
const nameGap = 7
/** Height of the time axis with its labels, and the middle of these from its upper edge; CSS pixels. */
const timeAxis = { height: 27, middle: 17.6 }
/** Between the plot and the labels of the value axis; CSS pixels. */
const valueGap = 8
const hatchDistance = 6
const lineWidth = 1.25
const gapText = 'no values'
/** Marks of one kind that are nearer to each other than this are drawn as one; CSS pixels. */
const markDistance = 5
/** More marks of one kind than this would hide the line. Each is then a tick on the time axis. */
const maxOnLine = 12
const tickHeights: Partial<Record<MarkKind | 'origin', number>> = { amended: 6, carriedOver: 3 }
/** Radius of a value without a neighbour, which the line cannot show; CSS pixels. */
const loneRadius = 2

const markLooks: Record<MarkKind | 'origin', { radius: number; fill: Token; edge: Token; isSquare?: true }> = {
  amended: { radius: 3.5, fill: 'surface', edge: 'warn' },
  carriedOver: { radius: 3, fill: 'surface', edge: 'warn', isSquare: true },
  fired: { radius: 3.5, fill: 'warn', edge: 'surface' },
  origin: { radius: 5, fill: 'accent', edge: 'surface' },
}

/** The width of the widest text in a font, with any digits; CSS pixels. */
function widest(context: CanvasRenderingContext2D, font: string, texts: readonly string[]): number {
  context.font = font
  return Math.ceil(Math.max(0, ...texts.map((text) => context.measureText(text.replaceAll(/\d/g, widestDigit)).width)))
}

function isHidden(value: number, hidden: string): boolean {
  return hidden.split(' ').includes(String(value))
}

/** The middle of the pixel at a place. A line of one pixel between two middles would be two grey ones. */
function pixel(at: number): number {
  return Math.round(at) + 0.5
}

/** The part of a time that lies within the plot. Undefined if it is less than a pixel wide. */
function within({ fromMs, toMs }: TimeSpan, span: TimeSpan, area: PlotArea) {
  const left = Math.max(area.left, xOf(fromMs, span, area))
  const width = Math.min(area.right, xOf(toMs, span, area)) - left
  return width < 1 ? undefined : { left, width }
}

function strokeLine(ctx: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  ctx.beginPath()
  ctx.moveTo(x1, y1)
  ctx.lineTo(x2, y2)
  ctx.stroke()
}

function drawTimeAxis({ ctx, chartArea, width }: Canvas, { timeTicks, hidden, span, colours }: Drawing): void {
  const { left, right, bottom } = chartArea
  ctx.strokeStyle = colours.line
  strokeLine(ctx, left, pixel(bottom), right, pixel(bottom))
  ctx.textAlign = 'center'
  ctx.fillStyle = colours['ink-3']
  for (const { value, label } of timeTicks) {
    if (isHidden(value, hidden)) continue
    const half = ctx.measureText(label).width / 2
    const x = Math.max(half, Math.min(width - half, xOf(value, span, chartArea)))
    ctx.fillText(label, x, bottom + timeAxis.middle)
  }
}

function drawValueAxis({ ctx, chartArea }: Canvas, { valueTicks, hidden, bounds, side, colours }: Drawing): void {
  const { left, right } = chartArea
  ctx.textAlign = side === 'left' ? 'right' : 'left'
  ctx.fillStyle = colours['ink-3']
  ctx.strokeStyle = colours['line-soft']
  for (const { value, label } of valueTicks) {
    const y = yOf(value, bounds, chartArea)
    strokeLine(ctx, left, pixel(y), right, pixel(y))
    if (isHidden(value, hidden)) continue
    ctx.fillText(label, side === 'left' ? left - valueGap : right + valueGap, y)
  }
}

function drawBands({ ctx, chartArea }: Canvas, { bands = [], span, colours }: Drawing): void {
  ctx.fillStyle = colours['accent-soft']
  for (const band of bands) {
    const box = within(band, span, chartArea)
    if (box) ctx.fillRect(box.left, chartArea.top, box.width, chartArea.bottom - chartArea.top)
  }
}

function drawGap({ ctx, chartArea: { top, bottom } }: Canvas, left: number, width: number, colours: ChartColours) {
  const [right, height] = [left + width, bottom - top]
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, top, width, height)
  ctx.clip()
  ctx.beginPath()
  // One grid for the whole plot keeps the hatching still while a gap grows.
  for (let x = Math.floor((left - height) / hatchDistance) * hatchDistance; x < right; x += hatchDistance) {
    ctx.moveTo(x, bottom)
    ctx.lineTo(x + height, top)
  }
  ctx.strokeStyle = withAlpha(colours['line-strong'], 0.28)
  ctx.stroke()
  const textWidth = ctx.measureText(gapText).width
  if (width >= textWidth + 16) {
    const [middle, y] = [left + width / 2, (top + bottom) / 2]
    ctx.fillStyle = colours.surface
    ctx.fillRect(middle - textWidth / 2 - 4, y - 9, textWidth + 8, 18)
    ctx.fillStyle = colours['ink-3']
    ctx.textAlign = 'center'
    ctx.fillText(gapText, middle, y)
  }
  ctx.restore()
}

function drawGaps(chart: Canvas, { gaps = [], span, colours }: Drawing): void {
  for (const gap of gaps) {
    const box = within(gap, span, chart.chartArea)
    if (box) drawGap(chart, box.left, box.width, colours)
  }
}

function drawGuides({ ctx, chartArea }: Canvas, { guides = [], span, bounds, colours }: Drawing): void {
  const { left, right, top, bottom } = chartArea
  for (const { value, atMs, colour, dashes } of guides) {
    const y = value === undefined ? Number.NaN : pixel(yOf(value, bounds, chartArea))
    const x = atMs === undefined ? Number.NaN : pixel(xOf(atMs, span, chartArea))
    ctx.setLineDash(dashes)
    ctx.strokeStyle = colours[colour]
    if (y >= top && y <= bottom) strokeLine(ctx, left, y, right, y)
    if (x > left + 1 && x < right) strokeLine(ctx, x, top, x, bottom)
  }
}

function drawMarks({ ctx, chartArea }: Canvas, { marks = [], span, bounds, colours }: Drawing): void {
  const last: Partial<Record<MarkKind | 'origin', number>> = {}
  const counts: typeof last = {}
  for (const { kind } of marks) counts[kind] = (counts[kind] ?? 0) + 1
  for (const { at, kind } of marks) {
    const [x, y] = [xOf(at.atMs, span, chartArea), yOf(at.value, bounds, chartArea)]
    if (x < chartArea.left || x - (last[kind] ?? -Infinity) < markDistance) continue
    last[kind] = x
    const tickHeight = (counts[kind] ?? 0) > maxOnLine ? tickHeights[kind] : undefined
    if (tickHeight !== undefined) {
      ctx.fillStyle = colours.warn
      ctx.fillRect(x - 0.75, chartArea.bottom - tickHeight, 1.5, tickHeight)
      continue
    }
    const { radius, fill, edge, isSquare } = markLooks[kind]
    ctx.beginPath()
    if (isSquare) ctx.rect(x - radius, y - radius, 2 * radius, 2 * radius)
    else ctx.arc(x, y, radius, 0, 2 * Math.PI)
    ctx.lineWidth = kind === 'origin' ? 2 : 1.5
    ctx.fillStyle = colours[fill]
    ctx.strokeStyle = colours[edge]
    ctx.fill()
    ctx.stroke()
  }
}

/** The name of each line beside its end, none on another. */
function drawNames({ ctx, chartArea }: Canvas, { lines, bounds, colours }: Drawing): void {
  const ended = lines.flatMap(({ label = '', colour, stretches }) => {
    const end = stretches.at(-1)?.at(-1)
    return end === undefined || label === '' ? [] : [{ label, colour, y: yOf(end.value, bounds, chartArea) }]
  })
  const places = placeLabels(
    ended.map(({ y }) => y),
    { top: chartArea.top, bottom: chartArea.bottom, height: nameHeight },
  )
  ctx.font = tagFont
  ended.forEach(({ label, colour }, at) => {
    ctx.fillStyle = colours[colour]
    ctx.fillText(label, chartArea.right + nameGap, places[at]?.y ?? 0)
  })
}

function drawLast({ ctx, chartArea, width }: Canvas, { last, bounds, colours }: Drawing): void {
  if (last === undefined) return
  const [left, middle] = [chartArea.right + 1, yOf(last.value, bounds, chartArea)]
  ctx.beginPath()
  ctx.roundRect(left, middle - tagHeight / 2, width - left, tagHeight, 4)
  ctx.fillStyle = colours[last.colour]
  ctx.fill()
  ctx.font = tagFont
  ctx.fillStyle = colours[last.ink]
  ctx.fillText(last.text, left + tagPadding, middle + 0.5)
}

/** The points of a line for Chart.js: those that a drawing `columns` pixels wide shows. A NaN cuts the line. */
function pointsOf({ stretches }: DrawnLine, span: TimeSpan, columns: number): Point[] {
  const points: Point[] = []
  for (const stretch of stretches) {
    points.push({ x: stretch[0]?.atMs ?? Number.NaN, y: Number.NaN })
    for (const { atMs, value } of decimate(stretch, span, columns)) points.push({ x: atMs, y: value })
  }
  return points
}

/** Two colours over the height of the plot, which change at `y`: opaque, or as a tint that fades towards `y`. */
function splitAt(
  { ctx, chartArea: { top, bottom } }: Canvas,
  y: number,
  [above, below]: [string, string],
  isTint: boolean,
): CanvasGradient {
  const gradient = ctx.createLinearGradient(0, top, 0, bottom)
  const share = Math.max(0, Math.min(1, (y - top) / (bottom - top)))
  const [edge, middle] = isTint ? [0.18, 0] : [1, 1]
  gradient.addColorStop(0, withAlpha(above, edge))
  gradient.addColorStop(share, withAlpha(above, middle))
  gradient.addColorStop(share, withAlpha(below, middle))
  gradient.addColorStop(1, withAlpha(below, edge))
  return gradient
}

/** A line of Chart.js that fills and strokes one path. The library's own Filler makes a second one, which takes as long. */
class FilledLine extends LineElement {
  static override id = 'filledLine'
  static override defaults = { baseline: 1 }

  override draw(ctx: CanvasRenderingContext2D, plot?: PlotArea): void {
    const { backgroundColor, borderColor, borderWidth, baseline } = this.options
    const foot = plot === undefined ? 0 : plot.top + baseline * (plot.bottom - plot.top)
    ctx.save()
    Object.assign(ctx, { lineJoin: 'round', lineWidth: borderWidth, strokeStyle: borderColor, fillStyle: borderColor })
    for (const { start, end } of this.segments) {
      // A segment has no point without a value.
      const points = this.points.slice(start, end + 1) as { x: number; y: number }[]
      const [first] = points
      const last = points.at(-1)
      if (first === undefined || last === undefined) continue
      const line = new Path2D()
      if (first === last) {
        line.arc(first.x, first.y, loneRadius, 0, 2 * Math.PI)
        ctx.fill(line)
        continue
      }
      for (const { x, y } of points) line.lineTo(x, y)
      if (backgroundColor) {
        const area = new Path2D(line)
        area.lineTo(last.x, foot)
        area.lineTo(first.x, foot)
        ctx.fillStyle = backgroundColor
        ctx.fill(area)
        ctx.fillStyle = borderColor
      }
      ctx.stroke(line)
    }
    ctx.restore()
  }
}

/** Lines over time on a canvas. Draws at most once a frame, and only the latest drawing. */
export class PlotCanvas {
  readonly #chart: Chart<'line', Point[]>
  readonly #onLayout: (area: PlotArea) => void
  #drawing: Drawing | undefined
  #frame: number | undefined
  /** The time of the frame in which it was last drawn. Undefined until the first drawing. */
  #drawnAt: CSSNumberish | null | undefined
  /** The value axis only becomes wider. Otherwise the plot would jitter with the digits of the labels. */
  #axisWidth = 0
  #nameRoom = 0

  constructor(canvas: HTMLCanvasElement, onLayout: (area: PlotArea) => void) {
    Chart.register(LinearScale, LineController, FilledLine, PointElement)
    defaults.set('datasets.line', { datasetElementType: FilledLine.id })
    this.#onLayout = onLayout
    this.#chart = new Chart(canvas, this.#configuration())
  }

  /** Draws in the present frame if it has not drawn in it yet: another frame for each value would cost as much again. */
  show(drawing: Drawing): void {
    this.#drawing = drawing
    // The first drawing waits until the canvas is laid out.
    const canDraw = this.#drawnAt !== undefined && this.#drawnAt !== document.timeline.currentTime
    if (canDraw && this.#frame === undefined) {
      this.drawNow()
      return
    }
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.drawNow()
    })
  }

  /** Draws the latest drawing without waiting for the next frame. */
  drawNow(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#frame = undefined
    this.#drawnAt = document.timeline.currentTime
    const drawing = this.#drawing
    const { x, y } = this.#chart.options.scales ?? {}
    if (drawing === undefined || x === undefined || y === undefined) return
    const { span, bounds, lines, side, axisWidth = 0, tags = [], valueTicks, names } = drawing
    const { ctx, data } = this.#chart
    // Measured here because Chart.js fits an axis several times for each drawing.
    const labels = valueTicks.map(({ label }) => label)
    const tagWidth = tags.length === 0 ? 0 : widest(ctx, tagFont, tags) + 2 * tagPadding + 1
    this.#axisWidth = Math.max(this.#axisWidth, axisWidth, tagWidth, widest(ctx, plainFont, labels) + 2 * valueGap)
    this.#nameRoom = names === undefined ? 0 : widest(ctx, tagFont, names) + nameGap
    Object.assign(x, { min: span.fromMs, max: span.toMs })
    Object.assign(y, { ...bounds, position: side })
    lines.forEach((line, at) => Object.assign((data.datasets[at] ??= { data: [] }), this.#datasetOf(line, drawing)))
    data.datasets.length = lines.length
    this.#chart.update('none')
  }

  destroy(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#chart.destroy()
  }

  #datasetOf(line: DrawnLine, { span, bounds, colours }: Drawing): ChartDataset<'line', Point[]> {
    const colour = colours[line.colour]
    const points = {
      data: pointsOf(line, span, Math.max(1, Math.floor(this.#chart.chartArea.width))),
      // Without it Chart.js works out a colour for each point.
      pointBackgroundColor: colour,
    }
    if (line.baseline === undefined) return { ...points, borderColor: colour, backgroundColor: '' }
    const y = yOf(line.baseline.value, bounds, this.#chart.chartArea)
    const both: [string, string] = [colour, colours[line.baseline.below]]
    return {
      ...points,
      baseline: (bounds.max - line.baseline.value) / (bounds.max - bounds.min),
      // A line that lies on the baseline is above it.
      borderColor: splitAt(this.#chart, y + lineWidth / 2, both, false),
      backgroundColor: splitAt(this.#chart, y, both, true),
    }
  }

  #configuration(): ChartConfiguration<'line', Point[]> {
    // Chart.js scales and lays out. Its own labels and grid take longer than the rest of an update, so the plugin draws them.
    const axis = (fit: (scale: Scale) => void) => ({
      type: 'linear' as const,
      ticks: { display: false },
      grid: { display: false, drawTicks: false },
      border: { display: false },
      afterBuildTicks: (scale: Scale) => (scale.ticks = []),
      afterFit: fit,
    })
    return {
      type: 'line',
      data: { datasets: [] },
      options: {
        animation: false,
        events: [],
        maintainAspectRatio: false,
        normalized: true,
        parsing: false,
        datasets: {
          line: { borderWidth: lineWidth, clip: { left: 0, top: 0, right: loneRadius, bottom: 0 }, pointRadius: 0 },
        },
        scales: {
          x: axis((scale) => (scale.height = timeAxis.height)),
          y: axis((scale) => (scale.width = this.#axisWidth)),
        },
      },
      plugins: [
        {
          id: 'plot',
          beforeLayout: ({ options }) => {
            // Half of a label at the upper edge.
            options.layout = { autoPadding: false, padding: { top: 7, right: this.#nameRoom } }
          },
          afterLayout: ({ chartArea: { left, top, right, bottom } }) => this.#onLayout({ left, top, right, bottom }),
          beforeDatasetsDraw: (chart) =>
            this.#draw(chart, drawBands, drawGaps, drawValueAxis, drawTimeAxis, drawGuides),
          afterDatasetsDraw: (chart) => this.#draw(chart, drawMarks, drawNames, drawLast),
        },
      ],
    }
  }

  #draw(chart: Canvas, ...parts: ((chart: Canvas, drawing: Drawing) => void)[]): void {
    if (this.#drawing === undefined) return
    chart.ctx.save()
    Object.assign(chart.ctx, { font: plainFont, textBaseline: 'middle', lineWidth: 1 })
    for (const draw of parts) draw(chart, this.#drawing)
    chart.ctx.restore()
  }
}
