/** What the chart draws besides its line: hatched gaps, and rings and squares on points that are not plain. */
import type { Chart } from 'chart.js'
import { withAlpha } from './chart-colours'
import type { Mark, TimeSpan } from './chart-model'
import type { Drawing } from './drawing'

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
export function drawGaps(chart: LineChart, drawing: Drawing): void {
  chart.ctx.save()
  for (const gap of drawing.view.gaps) drawGap(chart, gap, drawing)
  chart.ctx.restore()
}

function shape(context: CanvasRenderingContext2D, kind: Mark['kind'], x: number, y: number): void {
  context.beginPath()
  if (kind === 'carriedOver') context.rect(x - 3, y - 3, 6, 6)
  else context.arc(x, y, kind === 'alone' ? 1.5 : radius, 0, 2 * Math.PI)
}

/** A ring for an amended point, a square for one carried over, a dot for one that has no neighbour. */
export function drawMarks({ ctx, chartArea, scales }: LineChart, { view, colours, isOld }: Drawing): void {
  const { x, y } = scales
  if (x === undefined || y === undefined) return
  ctx.save()
  ctx.lineWidth = 1.5
  const last = { amended: -Infinity, carriedOver: -Infinity, alone: -Infinity }
  for (const { at, kind } of view.marks) {
    const left = x.getPixelForValue(at.atMs)
    if (left < chartArea.left || left - last[kind] < markDistance) continue
    last[kind] = left
    const line = isOld ? colours['ink-3'] : colours.accent
    ctx.strokeStyle = kind === 'alone' ? line : colours.warn
    ctx.fillStyle = kind === 'alone' ? line : colours.surface
    shape(ctx, kind, left, y.getPixelForValue(at.value))
    ctx.fill()
    ctx.stroke()
  }
  ctx.restore()
}
