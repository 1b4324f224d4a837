/** Which indices have windows of their own, and where these are on each screen. */
import * as v from 'valibot'
import type { IndexId } from '../../core/model'
import { boundsSchema, within, type Bounds } from './window-bounds'
import { screenOf, type Screen } from './ticker-place'

const placesSchema = v.object({
  /** Indices with an open window, in the order of opening. */
  open: v.array(v.string()),
  byIndex: v.record(
    v.string(),
    v.object({
      /** Key of the screen where the user put it last. */
      last: v.string(),
      /** Relative to the work area. */
      byScreen: v.record(v.string(), boundsSchema),
    }),
  ),
})

export type IndexPlaces = v.InferOutput<typeof placesSchema>

export const minIndexSize = { width: 400, height: 320 }
const usualSize = { width: 560, height: 720 }
/** Each further window opens this far to the right and below. */
const stepPx = 32
const maxRemembered = 100

/** Reads places from a file. Empty if the file holds anything else. */
export function readIndexPlaces(value: unknown): IndexPlaces {
  const parsed = v.safeParse(placesSchema, value)
  return parsed.success ? parsed.output : { open: [], byIndex: {} }
}

/**
 * The bounds for opening: at the point where it was dropped, or where it was last on a screen that is there, or else
 * below the windows that are open. They are within the work area.
 */
export function indexBounds(
  { open, byIndex }: IndexPlaces,
  id: IndexId,
  screens: readonly [Screen, ...Screen[]],
  at?: { x: number; y: number },
): Bounds {
  const known = byIndex[id]
  const dropped = at && screenOf({ ...at, width: 1, height: 1 }, screens)
  const isKnown = ({ key }: Screen) => known?.byScreen[key] !== undefined
  const screen = dropped ?? screens.find(({ key }) => key === known?.last) ?? screens.find(isKnown) ?? screens[0]
  const { workArea, key } = screen
  const step = stepPx * (1 + open.length)
  const { x, y, width, height } = known?.byScreen[key] ?? { x: step, y: step, ...usualSize }
  const corner = at ?? { x: workArea.x + x, y: workArea.y + y }
  return within({ ...corner, width, height }, workArea, minIndexSize)
}

/** The places after the user moved or resized a window. */
export function withIndexPlace(
  { open, byIndex }: IndexPlaces,
  id: IndexId,
  bounds: Bounds,
  screens: readonly [Screen, ...Screen[]],
): IndexPlaces {
  const { key, workArea } = screenOf(bounds, screens)
  const { x, y, width, height } = bounds
  const place = { x: x - workArea.x, y: y - workArea.y, width, height }
  const others = Object.entries(byIndex).filter(([other]) => other !== id)
  const own = { last: key, byScreen: { ...byIndex[id]?.byScreen, [key]: place } }
  return { open, byIndex: Object.fromEntries([...others.slice(1 - maxRemembered), [id, own]]) }
}
