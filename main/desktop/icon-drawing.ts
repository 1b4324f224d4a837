/**
 * The app's icon as pixels, drawn at any size: a rising line in a disc. State is told by shape as well as colour: a full
 * disc is live, a ring is waiting, a crossed ring is off, a dot at the upper corner says that alerts are unread, and a
 * disc with a stroke through it at the lower one that they are muted.
 * This file imports nothing, so that `scripts/draw-icon.js` can run it as it is.
 */
export interface IconLook {
  connection: 'live' | 'waiting' | 'off'
  hasUnread: boolean
  /** All alerts are muted. */
  isMuted?: boolean
}

/** Red, green, blue, 0 to 255. */
type Colour = readonly [number, number, number]
interface Point {
  readonly x: number
  readonly y: number
}

const discColours: Record<IconLook['connection'], Colour> = {
  live: [26, 127, 90],
  waiting: [214, 150, 30],
  off: [128, 136, 148],
}
const lineOnDisc: Colour = [255, 255, 255]
const dotColour: Colour = [229, 72, 77]

// All lengths are parts of the icon's edge; the origin is its top left corner.
const centre = { x: 0.5, y: 0.5 }
const discRadius = 0.48
const ringWidth = 0.1
const lineWidth = 0.1
const risingLine: readonly Point[] = [
  { x: 0.22, y: 0.66 },
  { x: 0.41, y: 0.5 },
  { x: 0.55, y: 0.6 },
  { x: 0.78, y: 0.34 },
]
const slash: readonly Point[] = [
  { x: 0.18, y: 0.18 },
  { x: 0.82, y: 0.82 },
]
const dot = { x: 0.8, y: 0.2, radius: 0.18, clearing: 0.24 }
const mutedDisc = { x: 0.77, y: 0.77, radius: 0.22, clearing: 0.28 }
const mutedStroke: readonly Point[] = [
  { x: 0.67, y: 0.87 },
  { x: 0.87, y: 0.67 },
]
const mutedColour: Colour = [60, 68, 82]
const samplesPerEdge = 4

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

function distanceToSegment(point: Point, from: Point, to: Point): number {
  const dx = to.x - from.x
  const dy = to.y - from.y
  const along = ((point.x - from.x) * dx + (point.y - from.y) * dy) / (dx * dx + dy * dy)
  const t = Math.max(0, Math.min(1, along))
  return distance(point, { x: from.x + t * dx, y: from.y + t * dy })
}

function isOnLine(point: Point, line: readonly Point[]): boolean {
  return line.some((to, index) => {
    const from = line[index - 1]
    return from !== undefined && distanceToSegment(point, from, to) <= lineWidth / 2
  })
}

/** Colour of one point; `undefined` is transparent. */
function colourAt(point: Point, look: IconLook): Colour | undefined {
  if (look.hasUnread) {
    const fromDot = distance(point, dot)
    if (fromDot <= dot.radius) return dotColour
    if (fromDot <= dot.clearing) return undefined
  }
  if (look.isMuted) {
    const fromDisc = distance(point, mutedDisc)
    if (fromDisc <= mutedDisc.radius) return isOnLine(point, mutedStroke) ? lineOnDisc : mutedColour
    if (fromDisc <= mutedDisc.clearing) return undefined
  }
  const fromCentre = distance(point, centre)
  if (fromCentre > discRadius) return undefined
  const colour = discColours[look.connection]
  if (look.connection === 'live') return isOnLine(point, risingLine) ? lineOnDisc : colour
  const isInk = fromCentre >= discRadius - ringWidth || isOnLine(point, look.connection === 'off' ? slash : risingLine)
  return isInk ? colour : undefined
}

function pixel(column: number, row: number, size: number, look: IconLook): [number, number, number, number] {
  let red = 0
  let green = 0
  let blue = 0
  let covered = 0
  for (let sample = 0; sample < samplesPerEdge * samplesPerEdge; sample++) {
    const x = (column + ((sample % samplesPerEdge) + 0.5) / samplesPerEdge) / size
    const y = (row + (Math.floor(sample / samplesPerEdge) + 0.5) / samplesPerEdge) / size
    const colour = colourAt({ x, y }, look)
    if (colour === undefined) continue
    red += colour[0]
    green += colour[1]
    blue += colour[2]
    covered++
  }
  const samples = samplesPerEdge * samplesPerEdge
  return [red / samples, green / samples, blue / samples, (255 * covered) / samples].map(Math.round) as [
    number,
    number,
    number,
    number,
  ]
}

/**
 * The icon, `size` pixels square: rows from the top, four bytes a pixel in the order red, green, blue, alpha, colours
 * already multiplied by alpha.
 */
export function drawIcon(look: IconLook, size: number): Uint8Array {
  const pixels = new Uint8Array(size * size * 4)
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      pixels.set(pixel(column, row, size, look), (row * size + column) * 4)
    }
  }
  return pixels
}
