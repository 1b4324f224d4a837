import { withAlpha } from '../../../plot/chart-colours'
import { ChartCanvas, fontSize, tagFont, tagWidth, type LineChart } from '../../../plot/chart-canvas'
import type { ChartView, Mark, TimeSpan } from '../../../format/chart-model'
import { placeLabelsAround, type PlacedLabel } from '../../../format/value-scale'
import type { Direction } from '../../../ui/direction'
import type { Frame, PlotArea } from '../../../plot/drawing'
import { drawLine } from '../../../plot/line'

const hatchDistance = 6
/** Nearer to each other marks are one. */
const markDistance = 5
const radius = 3.5
const labelText = 'no values'
/** Around the text of the last value; CSS pixels. */
const tagPadding = 6
const tagHeight = 18
/** More amended points than this would hide the line. */
const maxRings = 12
const amendedTickHeight = 6

/** What the chart of one index shows. */
export interface LineContent {
  view: ChartView
  /** The last value, which the axis names; its text is as on screen. */
  last: { value: number; text: string } | undefined
  /** Alert levels, and what their labels beside the plot say. */
  levels: readonly { value: number; text: string }[]
  /** From the first value to the last, as the change beside the chart shows it. */
  direction: Direction
  /** Not live: drawn in grey. */
  isOld: boolean
}

type Drawing = Frame & LineContent

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
  ctx.font = `${fontSize}px "Inter Variable", system-ui, sans-serif`
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

/** Where the range began and where it is now, as one colour: of the direction, or grey for what is not live. */
function lineColour({ direction, colours, isOld }: Drawing): string {
  if (isOld) return colours['ink-3']
  return direction === 'flat' ? colours.accent : colours[direction]
}

function drawLevel({ ctx, chartArea }: LineChart, y: number, colour: string, dashes: number[]): void {
  if (y < chartArea.top || y > chartArea.bottom) return
  ctx.beginPath()
  ctx.setLineDash(dashes)
  ctx.lineWidth = 1
  ctx.strokeStyle = colour
  // Between two pixels' middles a line of one pixel is two grey ones.
  const at = Math.round(y) + 0.5
  ctx.moveTo(chartArea.left, at)
  ctx.lineTo(chartArea.right, at)
  ctx.stroke()
}

/** How tall a label of a level is, with a little room. */
const labelHeight = 20

/** Where the labels of levels stand beside the plot: none lies on the tag of the last value. CSS pixels. */
export function labelPlaces(
  ys: readonly number[],
  { top, bottom }: Pick<PlotArea, 'top' | 'bottom'>,
  lastY: number | undefined,
): PlacedLabel[] {
  const inside = ys.map((y) => Math.min(bottom, Math.max(top, y)))
  return placeLabelsAround(inside, { top, bottom, height: labelHeight }, lastY)
}

/** The first value of the range as a dashed level; the last one as another, with its digits on the axis. */
function drawEnds(chart: LineChart, { view, last, levels, colours, isOld }: Drawing): void {
  const { ctx, chartArea, scales, width } = chart
  const [first] = view.points
  const { y } = scales
  if (y === undefined || first === undefined || last === undefined) return
  const colour = isOld ? colours['ink-3'] : colours.accent
  const middle = y.getPixelForValue(last.value)
  ctx.save()
  drawLevel(chart, y.getPixelForValue(first.value), colours['line-strong'], [2, 4])
  drawLevel(chart, middle, colour, [4, 3])
  const ys = levels.map(({ value }) => y.getPixelForValue(value))
  const covers = [middle, ...labelPlaces(ys, chartArea, middle).map((label) => label.y)]
  // Hides axis labels that a tag would cover in part.
  ctx.fillStyle = colours.surface
  for (const { value } of y.ticks) {
    const at = y.getPixelForValue(value)
    if (covers.some((cover) => Math.abs(at - cover) < (tagHeight + fontSize) / 2 + 1))
      ctx.fillRect(chartArea.right + 1, at - fontSize, width - chartArea.right - 1, 2 * fontSize)
  }
  ctx.beginPath()
  ctx.roundRect(chartArea.right + 1, middle - tagHeight / 2, width - chartArea.right - 1, tagHeight, 4)
  ctx.fillStyle = colour
  ctx.fill()
  ctx.font = tagFont
  ctx.fillStyle = isOld ? colours.surface : colours['accent-ink']
  ctx.textBaseline = 'middle'
  ctx.fillText(last.text, chartArea.right + 1 + tagPadding, middle + 0.5)
  ctx.restore()
}

/**
 * A ring for an amended point (a tick on the time axis where they are many), a square for one carried forward, a dot for one
 * without a neighbour, a disc for an alert.
 */
function drawMarks({ ctx, chartArea, scales }: LineChart, drawing: Drawing): void {
  const { view, colours } = drawing
  const { x, y } = scales
  if (x === undefined || y === undefined) return
  ctx.save()
  ctx.lineWidth = 1.5
  const last = { amended: -Infinity, carriedOver: -Infinity, alone: -Infinity, fired: -Infinity }
  const line = lineColour(drawing)
  const hasRings = view.marks.filter(({ kind }) => kind === 'amended').length <= maxRings
  for (const { at, kind } of view.marks) {
    const left = x.getPixelForValue(at.atMs)
    if (left < chartArea.left || left - last[kind] < markDistance) continue
    last[kind] = left
    if (kind === 'amended' && !hasRings) {
      ctx.fillStyle = colours.warn
      ctx.fillRect(left - 0.75, chartArea.bottom - amendedTickHeight, 1.5, amendedTickHeight)
      continue
    }
    ctx.strokeStyle = kind === 'alone' ? line : kind === 'fired' ? colours.surface : colours.warn
    ctx.fillStyle = kind === 'alone' ? line : kind === 'fired' ? colours.warn : colours.surface
    shape(ctx, kind, left, y.getPixelForValue(at.value))
    ctx.fill()
    ctx.stroke()
  }
  ctx.restore()
}

/** The colour of the line, fading to nothing at the foot of the plot. */
function fill({ ctx, chartArea }: LineChart, line: string): CanvasGradient {
  const gradient = ctx.createLinearGradient(0, chartArea.top, 0, chartArea.bottom)
  gradient.addColorStop(0, withAlpha(line, 0.18))
  gradient.addColorStop(1, withAlpha(line, 0))
  return gradient
}

/** The chart of one index. */
export function lineCanvas(canvas: HTMLCanvasElement, onLayout: (area: PlotArea) => void): ChartCanvas<LineContent> {
  return new ChartCanvas<LineContent>(canvas, {
    position: 'right',
    axisWidth: (context, { last, levels }) =>
      Math.ceil(
        Math.max(...[last?.text ?? '', ...levels.map(({ text }) => text)].map((text) => tagWidth(context, text))) +
          2 * tagPadding +
          1,
      ),
    // Half of a label at the upper edge.
    padding: () => ({ top: 7 }),
    draw: (chart, drawing) => {
      const colour = lineColour(drawing)
      drawGaps(chart, drawing)
      drawLine(
        chart.ctx,
        { stretches: drawing.view.lines, valueOf: ({ value }) => value, colour, fill: fill(chart, colour) },
        drawing,
        chart.chartArea,
      )
      drawEnds(chart, drawing)
      drawMarks(chart, drawing)
    },
    onLayout,
  })
}
