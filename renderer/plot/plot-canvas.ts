import {
  Chart,
  Filler,
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

/** One of the lines of a drawing. */
export interface DrawnLine {
  /** At its end. */
  label?: string
  colour: Token
  /** What is joined; nothing is drawn between two of them. Each is ascending. */
  stretches: Stretches
  /** Down to the foot of the plot, in its own colour fading. */
  isFilled?: boolean
}

/** A dashed line across the plot: at a value, at a time, or both. */
interface Guide {
  value?: number | undefined
  atMs?: number
  colour: Token
  dashes: number[]
}

/** What a drawing shows besides its axes; texts are as on screen. */
export interface PlotContent {
  /** Where the upright axis is. */
  side: 'left' | 'right'
  /** How wide the upright axis is at least; CSS pixels. */
  axisWidth?: number
  /** Tags that lie on the upright axis must find room there. */
  tags?: readonly string[]
  /** What the room at the ends is for: the names of these lines and of those of a drawing beside this one. */
  names?: readonly string[]
  lines: readonly DrawnLine[]
  guides?: readonly Guide[]
  /** Stretches of time that are marked. */
  bands?: readonly TimeSpan[]
  /** Where nothing was published the plot is hatched. */
  gaps?: readonly TimeSpan[]
  /** Points that are marked, ascending for each kind; the origin is where all lines begin. */
  marks?: readonly { at: Place; kind: MarkKind | 'origin' }[]
  /** The last value: its digits lie on the axis. */
  last?: { value: number; text: string; colour: Token; ink: Token } | undefined
  /** Heights at which labels lie on the axis, which hide its own; CSS pixels. */
  covered?: readonly number[] | undefined
}

export interface Drawing extends PlotContent {
  span: TimeSpan
  bounds: Bounds
  timeTicks: { value: number; label: string }[]
  valueTicks: { value: number; label: string }[]
  colours: ChartColours
}

/** Where a drawing is made. */
interface Canvas {
  ctx: CanvasRenderingContext2D
  chartArea: PlotArea
  width: number
}

const fontSize = 11
const font = { family: '"Inter Variable", system-ui, sans-serif', size: fontSize }
const plainFont = `${fontSize}px ${font.family}`
const tagFont = `600 ${plainFont}`
/** Around the text of a tag on the axis; CSS pixels. */
const tagPadding = 6
const tagHeight = 18
const nameHeight = 15
/** Between the plot and the names at the ends of the lines; CSS pixels. */
const nameGap = 7
const hatchDistance = 6
const gapText = 'no values'
/** Nearer to each other marks of one kind are one. */
const markDistance = 5
/** More amended points than this would hide the line: each is then a tick on the time axis. */
const maxRings = 12
const amendedTickHeight = 6
/** Of a value alone, which has no line. */
const loneRadius = 2

const markLooks: Record<MarkKind | 'origin', { radius: number; fill: Token; edge: Token; isSquare?: true }> = {
  amended: { radius: 3.5, fill: 'surface', edge: 'warn' },
  carriedOver: { radius: 3, fill: 'surface', edge: 'warn', isSquare: true },
  fired: { radius: 3.5, fill: 'warn', edge: 'surface' },
  origin: { radius: 5, fill: 'accent', edge: 'surface' },
}

/** How wide the widest text is in the font of tags; CSS pixels. */
function widest(context: CanvasRenderingContext2D, texts: readonly string[]): number {
  context.save()
  context.font = tagFont
  const widths = texts.map((text) => context.measureText(text).width)
  context.restore()
  return Math.ceil(Math.max(0, ...widths))
}

/** The part of a time that lies within the plot; `undefined` where less than a pixel does. */
function within({ fromMs, toMs }: TimeSpan, span: TimeSpan, area: PlotArea) {
  const left = Math.max(area.left, xOf(fromMs, span, area))
  const width = Math.min(area.right, xOf(toMs, span, area)) - left
  return width < 1 ? undefined : { left, width }
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
  // On one grid for the whole plot, so that it stands still while a gap grows.
  for (let x = Math.floor((left - height) / hatchDistance) * hatchDistance; x < right; x += hatchDistance) {
    ctx.moveTo(x, bottom)
    ctx.lineTo(x + height, top)
  }
  ctx.lineWidth = 1
  ctx.strokeStyle = withAlpha(colours['line-strong'], 0.28)
  ctx.stroke()
  ctx.font = plainFont
  const textWidth = ctx.measureText(gapText).width
  if (width >= textWidth + 16) {
    const [middle, y] = [left + width / 2, (top + bottom) / 2]
    ctx.fillStyle = colours.surface
    ctx.fillRect(middle - textWidth / 2 - 4, y - 9, textWidth + 8, 18)
    ctx.fillStyle = colours['ink-3']
    ctx.textAlign = 'center'
    ctx.textBaseline = 'middle'
    ctx.fillText(gapText, middle, y)
  }
  ctx.restore()
}

function drawGuides({ ctx, chartArea }: Canvas, { guides = [], span, bounds, colours }: Drawing): void {
  const { left, right, top, bottom } = chartArea
  ctx.save()
  ctx.lineWidth = 1
  for (const { value, atMs, colour, dashes } of guides) {
    // Between two pixels' middles a line of one pixel is two grey ones.
    const y = value === undefined ? Number.NaN : Math.round(yOf(value, bounds, chartArea)) + 0.5
    const x = atMs === undefined ? Number.NaN : Math.round(xOf(atMs, span, chartArea)) + 0.5
    ctx.beginPath()
    if (y >= top && y <= bottom) {
      ctx.moveTo(left, y)
      ctx.lineTo(right, y)
    }
    if (x > left + 1 && x < right) {
      ctx.moveTo(x, top)
      ctx.lineTo(x, bottom)
    }
    ctx.setLineDash(dashes)
    ctx.strokeStyle = colours[colour]
    ctx.stroke()
  }
  ctx.restore()
}

/** A dot for each value without a neighbour, which the line cannot show. */
function drawLoneValues({ ctx, chartArea }: Canvas, { lines, span, bounds, colours }: Drawing): void {
  for (const { stretches, colour } of lines) {
    ctx.fillStyle = colours[colour]
    for (const [only, ...others] of stretches) {
      if (only === undefined || others.length > 0) continue
      const [x, y] = [xOf(only.atMs, span, chartArea), yOf(only.value, bounds, chartArea)]
      if (x < chartArea.left || x > chartArea.right || y < chartArea.top || y > chartArea.bottom) continue
      ctx.beginPath()
      ctx.arc(x, y, loneRadius, 0, 2 * Math.PI)
      ctx.fill()
    }
  }
}

function drawMarks({ ctx, chartArea }: Canvas, { marks = [], span, bounds, colours }: Drawing): void {
  const last: Partial<Record<MarkKind | 'origin', number>> = {}
  const hasRings = marks.filter(({ kind }) => kind === 'amended').length <= maxRings
  for (const { at, kind } of marks) {
    const [x, y] = [xOf(at.atMs, span, chartArea), yOf(at.value, bounds, chartArea)]
    if (x < chartArea.left || x - (last[kind] ?? -Infinity) < markDistance) continue
    last[kind] = x
    if (kind === 'amended' && !hasRings) {
      ctx.fillStyle = colours.warn
      ctx.fillRect(x - 0.75, chartArea.bottom - amendedTickHeight, 1.5, amendedTickHeight)
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
  ctx.textBaseline = 'middle'
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
  ctx.textBaseline = 'middle'
  ctx.fillText(last.text, left + tagPadding, middle + 0.5)
}

/** A line as the library takes it: what a column of pixels shows, and a point without a value where the line is cut. */
function pointsOf({ stretches }: DrawnLine, span: TimeSpan, columns: number): Point[] {
  const points: Point[] = []
  for (const stretch of stretches) {
    points.push({ x: stretch[0]?.atMs ?? Number.NaN, y: Number.NaN })
    for (const { atMs, value } of decimate(stretch, span, columns)) points.push({ x: atMs, y: value })
  }
  return points
}

/** The colour, fading to nothing at the foot of the plot. */
function fading({ ctx, chartArea }: Canvas, colour: string): CanvasGradient {
  const gradient = ctx.createLinearGradient(0, chartArea.top, 0, chartArea.bottom)
  gradient.addColorStop(0, withAlpha(colour, 0.18))
  gradient.addColorStop(1, withAlpha(colour, 0))
  return gradient
}

/** Lines over time on a canvas. Draws at most once a frame, and only what it was given since. */
export class PlotCanvas {
  readonly #chart: Chart<'line', Point[]>
  readonly #onLayout: (area: PlotArea) => void
  #drawing: Drawing | undefined
  #frame: number | undefined
  /** The axis only ever becomes wider: the plot does not jitter with the digits of its labels. */
  #axisWidth = 0

  constructor(canvas: HTMLCanvasElement, onLayout: (area: PlotArea) => void) {
    Chart.register(Filler, LinearScale, LineController, LineElement, PointElement)
    this.#onLayout = onLayout
    this.#chart = new Chart(canvas, this.#configuration())
  }

  show(drawing: Drawing): void {
    this.#drawing = drawing
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.drawNow()
    })
  }

  /** Draws what it was given last at once, not with the next frame. */
  drawNow(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#frame = undefined
    const drawing = this.#drawing
    const { x, y } = this.#chart.options.scales ?? {}
    if (drawing === undefined || x === undefined || y === undefined) return
    const { span, bounds, colours, lines, side, axisWidth = 0, tags = [] } = drawing
    // Here and not as the axis is fitted, which is several times for each drawing.
    const tagWidth = tags.length === 0 ? 0 : widest(this.#chart.ctx, tags) + 2 * tagPadding + 1
    this.#axisWidth = Math.max(this.#axisWidth, axisWidth, tagWidth)
    Object.assign(x, { min: span.fromMs, max: span.toMs, border: { color: colours.line } })
    Object.assign(y, { ...bounds, position: side })
    const { datasets } = this.#chart.data
    lines.forEach((line, at) => Object.assign((datasets[at] ??= { data: [] }), this.#datasetOf(line, drawing)))
    datasets.length = lines.length
    this.#chart.update('none')
  }

  destroy(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#chart.destroy()
  }

  #datasetOf(line: DrawnLine, { span, colours }: Drawing): ChartDataset<'line', Point[]> {
    const colour = colours[line.colour]
    return {
      data: pointsOf(line, span, Math.max(1, Math.floor(this.#chart.chartArea.width))),
      borderColor: colour,
      fill: line.isFilled === true && 'start',
      backgroundColor: line.isFilled === true ? fading(this.#chart, colour) : 'transparent',
      // Else each point asks for a colour of its own.
      pointBackgroundColor: colour,
    }
  }

  #configuration(): ChartConfiguration<'line', Point[]> {
    return {
      type: 'line',
      data: { datasets: [] },
      options: {
        animation: false,
        events: [],
        maintainAspectRatio: false,
        normalized: true,
        parsing: false,
        datasets: { line: { borderWidth: 1.5, borderJoinStyle: 'round', clip: 0, pointRadius: 0 } },
        scales: this.#scales(),
      },
      plugins: [
        {
          id: 'plot',
          beforeLayout: ({ ctx, options }) => {
            const { names } = this.#drawing ?? {}
            const right = names === undefined ? 0 : widest(ctx, names) + nameGap
            // Half of a label at the upper edge. Padding by itself comes with the second drawing alone, and moves the plot.
            options.layout = { autoPadding: false, padding: { top: 7, right } }
          },
          afterLayout: ({ chartArea: { left, top, right, bottom } }) => this.#onLayout({ left, top, right, bottom }),
          beforeDatasetsDraw: (chart) => {
            const drawing = this.#drawing
            if (drawing === undefined) return
            drawBands(chart, drawing)
            for (const gap of drawing.gaps ?? []) {
              const box = within(gap, drawing.span, chart.chartArea)
              if (box) drawGap(chart, box.left, box.width, drawing.colours)
            }
            drawGuides(chart, drawing)
          },
          afterDatasetsDraw: (chart) => {
            if (this.#drawing === undefined) return
            chart.ctx.save()
            for (const draw of [drawLoneValues, drawMarks, drawNames, drawLast]) draw(chart, this.#drawing)
            chart.ctx.restore()
          },
        },
      ],
    }
  }

  #scales() {
    const colour = (token: Token) => this.#drawing?.colours[token] ?? 'transparent'
    const isCovered = (value: number): boolean => {
      const { bounds, covered = [] } = this.#drawing ?? {}
      const y = bounds && yOf(value, bounds, this.#chart.chartArea)
      return y !== undefined && covered.some((at) => Math.abs(y - at) < (tagHeight + fontSize) / 2 + 1)
    }
    const axis = (ticksOf: (drawing: Drawing) => Drawing['timeTicks']) => ({
      type: 'linear' as const,
      afterBuildTicks: (scale: Scale) => (scale.ticks = this.#drawing === undefined ? [] : ticksOf(this.#drawing)),
    })
    const ticks = {
      autoSkip: false,
      font,
      maxRotation: 0,
      callback: (_value: unknown, at: number, all: { label?: string | string[] }[]) => all[at]?.label,
    }
    return {
      x: {
        ...axis(({ timeTicks }) => timeTicks),
        grid: { display: false },
        ticks: { ...ticks, color: () => colour('ink-3') },
      },
      y: {
        ...axis(({ valueTicks }) => valueTicks),
        grid: { color: () => colour('line-soft'), drawTicks: false },
        border: { display: false },
        ticks: {
          ...ticks,
          padding: 8,
          color: ({ tick }: { tick: { value: number } }) => (isCovered(tick.value) ? 'transparent' : colour('ink-3')),
        },
        afterFit: (scale: Scale) => {
          this.#axisWidth = Math.max(this.#axisWidth, scale.width)
          scale.width = this.#axisWidth
        },
      },
    }
  }
}
