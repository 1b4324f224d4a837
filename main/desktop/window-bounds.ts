import * as v from 'valibot'

/** A rectangle on the desktop in device-independent pixels. */
export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

/** What is saved about the window. */
export interface WindowPlace extends Bounds {
  /** Zoom factor, 1 for original size. */
  zoom: number
  /** True once the user has seen where the app is after closing its window. */
  isClosingExplained: boolean
}

/** The steps of browsers. */
const zooms = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2]

export const defaultSize = { width: 1280, height: 820 }
export const minSize = { width: 900, height: 600 }

export const coordinate = v.pipe(v.number(), v.integer(), v.minValue(-100_000), v.maxValue(100_000))
export const boundsSchema = v.object({ x: coordinate, y: coordinate, width: coordinate, height: coordinate })
const placeSchema = v.object({
  ...boundsSchema.entries,
  zoom: v.fallback(v.picklist(zooms), 1),
  isClosingExplained: v.fallback(v.boolean(), false),
})

/** Reads the place from a file. Undefined if the file holds anything else. */
export function readPlace(value: unknown): WindowPlace | undefined {
  const parsed = v.safeParse(placeSchema, value)
  return parsed.success ? parsed.output : undefined
}

/** The zoom after a key was pressed with Ctrl or Cmd. Undefined if the key does not zoom. */
export function zoomAfter(key: string, zoom: number): number | undefined {
  if (key === '0') return 1
  if (key === '+' || key === '=') return zooms.find((each) => each > zoom) ?? zoom
  return key === '-' || key === '_' ? (zooms.findLast((each) => each < zoom) ?? zoom) : undefined
}

/** The area of the overlap of two rectangles. */
export function overlap(a: Bounds, b: Bounds): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return width > 0 && height > 0 ? width * height : 0
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(value, max))
}

/**
 * The bounds for opening: the saved ones, moved and shrunk into the screen that shows most of them, or the first one if
 * none does. `workAreas` are the screens without panels.
 */
export function boundsOnScreen(saved: Bounds, workAreas: readonly Bounds[]): Bounds {
  const [first] = workAreas
  if (first === undefined) return saved
  const area = workAreas.reduce((best, each) => (overlap(saved, each) > overlap(saved, best) ? each : best), first)
  return within(saved, area, minSize)
}

/** The same bounds, moved and shrunk into an area, but no smaller than `min`. */
export function within(saved: Bounds, area: Bounds, min: { width: number; height: number }): Bounds {
  const width = clamp(saved.width, min.width, Math.max(area.width, min.width))
  const height = clamp(saved.height, min.height, Math.max(area.height, min.height))
  return {
    x: clamp(saved.x, area.x, Math.max(area.x, area.x + area.width - width)),
    y: clamp(saved.y, area.y, Math.max(area.y, area.y + area.height - height)),
    width,
    height,
  }
}
