/** Position of the ticker, remembered for each screen as the distance to the nearest corner. */
import * as v from 'valibot'
import { coordinate, overlap, type Bounds } from './window-bounds'

/** A display at one scale. At another scale it counts as another screen. */
export interface Screen {
  key: string
  /** Without the desktop's panels, in device-independent pixels. */
  workArea: Bounds
}

export interface Size {
  width: number
  height: number
}

const placeSchema = v.object({
  isRight: v.boolean(),
  isBottom: v.boolean(),
  /** Distance from that corner of the work area to the ticker's. */
  x: coordinate,
  y: coordinate,
})
const placesSchema = v.object({
  /** Key of the screen where the user put it last. */
  last: v.optional(v.string()),
  byScreen: v.record(v.string(), placeSchema),
})

export type TickerPlaces = v.InferOutput<typeof placesSchema>

const marginPx = 16
const snapPx = 14
const maxScreens = 20

/** Reads positions from a file. Empty if the file holds anything else. */
export function readTickerPlaces(value: unknown): TickerPlaces {
  const parsed = v.safeParse(placesSchema, value)
  return parsed.success ? parsed.output : { byScreen: {} }
}

/**
 * The bounds of a ticker of this size: on the screen where it was put last, or the first one, at its remembered place
 * or the top right. They stay within the work area, and are shrunk to it.
 */
export function tickerBounds(places: TickerPlaces, size: Size, screens: readonly [Screen, ...Screen[]]): Bounds {
  const screen = screens.find(({ key }) => key === places.last) ?? screens[0]
  const { workArea } = screen
  const place = places.byScreen[screen.key] ?? { isRight: true, isBottom: false, x: marginPx, y: marginPx }
  const width = Math.min(size.width, workArea.width)
  const height = Math.min(size.height, workArea.height)
  const along = (isFar: boolean, offset: number, start: number, room: number) =>
    start + Math.max(0, Math.min(room, isFar ? room - offset : offset))
  return {
    x: along(place.isRight, place.x, workArea.x, workArea.width - width),
    y: along(place.isBottom, place.y, workArea.y, workArea.height - height),
    width,
    height,
  }
}

/** The screen with the largest part of the bounds. The first one if none shows any. */
export function screenOf(bounds: Bounds, screens: readonly [Screen, ...Screen[]]): Screen {
  return screens.reduce((best, each) => (overlap(bounds, each.workArea) > overlap(bounds, best.workArea) ? each : best))
}

/** The same bounds, moved to the edges of the work area that are near. */
export function snapped(bounds: Bounds, { workArea }: Screen): Bounds {
  const along = (at: number, length: number, start: number, room: number) => {
    const end = start + room - length
    if (Math.abs(at - start) <= snapPx) return start
    return Math.abs(at - end) <= snapPx ? end : at
  }
  return {
    ...bounds,
    x: along(bounds.x, bounds.width, workArea.x, workArea.width),
    y: along(bounds.y, bounds.height, workArea.y, workArea.height),
  }
}

/** The positions after the user moved the ticker here. */
export function withPlace({ byScreen }: TickerPlaces, bounds: Bounds, { key, workArea }: Screen): TickerPlaces {
  const left = bounds.x - workArea.x
  const top = bounds.y - workArea.y
  const right = workArea.width - bounds.width - left
  const bottom = workArea.height - bounds.height - top
  const [isRight, isBottom] = [right < left, bottom < top]
  const place = { isRight, isBottom, x: isRight ? right : left, y: isBottom ? bottom : top }
  const others = Object.entries(byScreen).filter(([other]) => other !== key)
  return { last: key, byScreen: Object.fromEntries([...others.slice(1 - maxScreens), [key, place]]) }
}

export const corners = ['Top left', 'Top right', 'Bottom left', 'Bottom right'] as const
export type Corner = (typeof corners)[number]

/** The positions after the user sent the ticker to a corner of a screen. */
export function withCorner({ byScreen }: TickerPlaces, corner: Corner, { key }: Screen): TickerPlaces {
  const place = { isRight: corner.endsWith('right'), isBottom: corner.startsWith('Bottom'), x: 0, y: 0 }
  return { last: key, byScreen: { ...byScreen, [key]: place } }
}
