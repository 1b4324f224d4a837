import * as v from 'valibot'

/** A rectangle on the desktop in device-independent pixels. */
export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

/** What is remembered of the window. */
export interface WindowPlace extends Bounds {
  /** 1 shows the page as it is drawn. */
  zoom: number
  /** The user was shown, once, where the app is when its window is closed. */
  isClosingExplained: boolean
}

/** As browsers step. */
const zooms = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2]

export const defaultSize = { width: 1280, height: 820 }
export const minSize = { width: 900, height: 600 }

const coordinate = v.pipe(v.number(), v.integer(), v.minValue(-100_000), v.maxValue(100_000))
const placeSchema = v.object({
  x: coordinate,
  y: coordinate,
  width: coordinate,
  height: coordinate,
  zoom: v.fallback(v.picklist(zooms), 1),
  isClosingExplained: v.fallback(v.boolean(), false),
})

/** The place from a file; `undefined` when it holds anything else. */
export function readPlace(value: unknown): WindowPlace | undefined {
  const parsed = v.safeParse(placeSchema, value)
  return parsed.success ? parsed.output : undefined
}

/** The zoom after this key was pressed with Ctrl or Cmd; `undefined` for a key that zooms nothing. */
export function zoomAfter(key: string, zoom: number): number | undefined {
  if (key === '0') return 1
  if (key === '+' || key === '=') return zooms.find((each) => each > zoom) ?? zoom
  return key === '-' || key === '_' ? (zooms.findLast((each) => each < zoom) ?? zoom) : undefined
}

/** The area that two rectangles share. */
export function overlap(a: Bounds, b: Bounds): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return width > 0 && height > 0 ? width * height : 0
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(value, max))
}

/**
 * Where to open: as remembered, moved and shrunk into the screen that shows most of it (the first when none does: a
 * display was unplugged). `workAreas` are the screens without their panels.
 */
export function boundsOnScreen(saved: Bounds, workAreas: readonly Bounds[]): Bounds {
  const [first] = workAreas
  if (first === undefined) return saved
  const area = workAreas.reduce((best, each) => (overlap(saved, each) > overlap(saved, best) ? each : best), first)
  const width = clamp(saved.width, minSize.width, Math.max(area.width, minSize.width))
  const height = clamp(saved.height, minSize.height, Math.max(area.height, minSize.height))
  return {
    x: clamp(saved.x, area.x, Math.max(area.x, area.x + area.width - width)),
    y: clamp(saved.y, area.y, Math.max(area.y, area.y + area.height - height)),
    width,
    height,
  }
}
