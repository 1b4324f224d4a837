import type { TimeSpan } from '../format/chart-model'
import type { Place, Stretches } from '../format/comparison'
import { placeLabels } from '../format/value-scale'
import type { ChartColours } from './chart-colours'
import { ChartCanvas, tagFont, tagWidth, type LineChart } from './chart-canvas'
import { xOf, yOf, type Frame, type PlotArea } from './drawing'
import { drawLine } from './line'

/** One of the lines that are drawn together. */
export interface DrawnLine {
  /** At its end; empty: none. */
  label: string
  colour: keyof ChartColours
  stretches: Stretches
}

/** What a comparison shows. */
export interface LinesContent {
  lines: readonly DrawnLine[]
  /** Where all lines meet: drawn dashed. */
  origin: Place | undefined
  /** The origin is a value of its own, and has a dot. */
  hasDot: boolean
  /** Stretches of time that are marked. */
  bands: readonly TimeSpan[]
  /** What the room at the ends is for: the names of these lines and of those of a drawing below. */
  names: readonly string[]
  /** Of the upright axis, at least; CSS pixels. */
  axisWidth: number
}

type LinesDrawing = Frame & LinesContent

const labelHeight = 15
const dotRadius = 5
/** Of a value alone, which has no line. */
const loneRadius = 2
/** Between the plot and the names at the ends of the lines; CSS pixels. */
const labelGap = 7

function drawLines({ ctx, chartArea }: LineChart, drawing: LinesDrawing): void {
  const { left, top, right, bottom } = chartArea
  for (const { stretches, colour } of drawing.lines) {
    drawLine(ctx, { stretches, valueOf: ({ y }) => y, colour: drawing.colours[colour] }, drawing, chartArea)
    ctx.fillStyle = drawing.colours[colour]
    for (const [only, ...others] of stretches) {
      if (only === undefined || others.length > 0) continue
      const [x, y] = [xOf(only.atMs, drawing.span, chartArea), yOf(only.y, drawing.bounds, chartArea)]
      if (x < left || x > right || y < top || y > bottom) continue
      ctx.beginPath()
      ctx.arc(x, y, loneRadius, 0, 2 * Math.PI)
      ctx.fill()
    }
  }
}

function drawBands({ ctx, chartArea, scales }: LineChart, { bands, colours }: LinesDrawing): void {
  const { x } = scales
  if (x === undefined) return
  const { left, right, top, bottom } = chartArea
  ctx.fillStyle = colours['accent-soft']
  for (const { fromMs, toMs } of bands) {
    const [start, end] = [Math.max(left, x.getPixelForValue(fromMs)), Math.min(right, x.getPixelForValue(toMs))]
    if (end > start) ctx.fillRect(start, top, end - start, bottom - top)
  }
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

function drawDot({ ctx, scales }: LineChart, { origin, hasDot, colours }: LinesDrawing): void {
  const { x, y } = scales
  if (origin === undefined || !hasDot || x === undefined || y === undefined) return
  ctx.beginPath()
  ctx.arc(x.getPixelForValue(origin.atMs), y.getPixelForValue(origin.y), dotRadius, 0, 2 * Math.PI)
  ctx.fillStyle = colours.accent
  ctx.fill()
  ctx.lineWidth = 2
  ctx.strokeStyle = colours.surface
  ctx.stroke()
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

/** Several lines on one canvas. */
export function linesCanvas(canvas: HTMLCanvasElement, onLayout: (area: PlotArea) => void): ChartCanvas<LinesContent> {
  return new ChartCanvas<LinesContent>(canvas, {
    position: 'left',
    axisWidth: (_, { axisWidth }) => axisWidth,
    padding: (context, drawing) => {
      const widths = (drawing?.names ?? []).map((name) => tagWidth(context, name))
      return { top: 7, right: Math.ceil(Math.max(0, ...widths)) + labelGap }
    },
    draw: (chart, drawing) => {
      drawBands(chart, drawing)
      drawOrigin(chart, drawing)
      drawLines(chart, drawing)
      drawDot(chart, drawing)
      drawLabels(chart, drawing)
    },
    onLayout,
  })
}
