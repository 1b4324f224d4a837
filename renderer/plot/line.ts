/** The line of a drawing over time. */
import { xOf, yOf, type Frame, type PlotArea } from './drawing'

interface Line<Point> {
  /** What is joined; nothing is drawn between two of them. Each is ascending. */
  stretches: readonly (readonly Point[])[]
  valueOf: (point: Point) => number
  colour: string
  /** Between the line and the foot of the plot. */
  fill?: CanvasGradient
}

const lineWidth = 1.5

/**
 * Of the points on one pixel column the first, the highest, the lowest and the last are joined: the line looks the same
 * and no extreme is lost.
 */
function trace<Point extends { readonly atMs: number }>(
  path: Path2D,
  points: readonly Point[],
  valueOf: Line<Point>['valueOf'],
  { span, bounds }: Frame,
  area: PlotArea,
): void {
  let column = Number.NaN
  let middle = 0
  let count = 0
  let top = 0
  let bottom = 0
  let last = 0
  const joinColumn = () => {
    if (top === bottom) return
    path.lineTo(middle, bottom)
    path.lineTo(middle, top)
    path.lineTo(middle, last)
  }
  for (const point of points) {
    const x = xOf(point.atMs, span, area)
    const y = yOf(valueOf(point), bounds, area)
    if (Math.trunc(x) === column) {
      if (y < top) top = y
      else if (y > bottom) bottom = y
      middle = (count * middle + x) / (count + 1)
      count++
    } else {
      joinColumn()
      if (Number.isNaN(column)) path.moveTo(x, y)
      else path.lineTo(x, y)
      column = Math.trunc(x)
      middle = x
      count = 1
      top = bottom = y
    }
    last = y
  }
  joinColumn()
}

/** Draws a line within the plot. */
export function drawLine<Point extends { readonly atMs: number }>(
  context: CanvasRenderingContext2D,
  { stretches, valueOf, colour, fill }: Line<Point>,
  frame: Frame,
  area: PlotArea,
): void {
  const { left, top, right, bottom } = area
  context.save()
  context.beginPath()
  context.rect(left, top, right - left, bottom - top)
  context.clip()
  context.lineWidth = lineWidth
  context.lineJoin = 'round'
  context.strokeStyle = colour
  for (const stretch of stretches) {
    const [first, last] = [stretch[0], stretch.at(-1)]
    if (first === undefined || last === undefined) continue
    const path = new Path2D()
    trace(path, stretch, valueOf, frame, area)
    if (fill !== undefined) {
      const ground = new Path2D(path)
      ground.lineTo(xOf(last.atMs, frame.span, area), bottom)
      ground.lineTo(xOf(first.atMs, frame.span, area), bottom)
      context.fillStyle = fill
      context.fill(ground)
    }
    context.stroke(path)
  }
  context.restore()
}
