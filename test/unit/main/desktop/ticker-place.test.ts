import { describe, expect, test } from 'vitest'
import {
  readTickerPlaces,
  screenOf,
  snapped,
  tickerBounds,
  withCorner,
  withPlace,
  type Screen,
} from '../../../../main/desktop/ticker-place'

const laptop: Screen = { key: '1@2', workArea: { x: 0, y: 30, width: 1440, height: 870 } }
const wall: Screen = { key: '2@1', workArea: { x: 1440, y: 0, width: 1920, height: 1080 } }
const both: [Screen, Screen] = [laptop, wall]
const size = { width: 300, height: 100 }
const nowhere = readTickerPlaces(undefined)

describe("the ticker's place", () => {
  test('is at first the top right of the primary screen, with a margin', () =>
    expect(tickerBounds(nowhere, size, both)).toEqual({ x: 1124, y: 46, ...size }))

  test('is remembered for each screen', () => {
    const places = withPlace(nowhere, { x: 1500, y: 200, ...size }, wall)
    expect(tickerBounds(places, size, both)).toEqual({ x: 1500, y: 200, ...size })
  })

  test('keeps the nearest corner when it grows', () => {
    const places = withPlace(nowhere, { x: 1130, y: 790, ...size }, laptop)
    expect(tickerBounds(places, { width: 400, height: 300 }, both)).toEqual({
      x: 1030,
      y: 590,
      width: 400,
      height: 300,
    })
  })

  test('moves to another screen when its own is unplugged, and back', () => {
    const places = withPlace(withPlace(nowhere, { x: 8, y: 38, ...size }, laptop), { x: 3000, y: 900, ...size }, wall)
    expect(tickerBounds(places, size, [laptop])).toEqual({ x: 8, y: 38, ...size })
    expect(tickerBounds(places, size, both)).toEqual({ x: 3000, y: 900, ...size })
  })

  test('differs for each scale of a screen', () => {
    const places = withPlace(nowhere, { x: 8, y: 38, ...size }, laptop)
    expect(tickerBounds(places, size, [{ ...laptop, key: '1@1' }])).toEqual({ x: 1124, y: 46, ...size })
  })

  test('is inside the screen, even if that became smaller', () => {
    const places = withPlace(nowhere, { x: 700, y: 400, ...size }, laptop)
    const small: Screen = { ...laptop, workArea: { x: 0, y: 0, width: 640, height: 360 } }
    const { x, y, width, height } = tickerBounds(places, size, [small])
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(640)
    expect(y + height).toBeLessThanOrEqual(360)
    expect(tickerBounds(places, { width: 2_000, height: 2_000 }, [small])).toEqual({
      x: 0,
      y: 0,
      width: 640,
      height: 360,
    })
  })

  test('is the corner it is sent to', () => {
    const places = withCorner(nowhere, 'Bottom right', wall)
    expect(tickerBounds(places, size, both)).toEqual({ x: 3060, y: 980, ...size })
  })
})

test.each([
  [
    { x: 10, y: 36 },
    { x: 0, y: 30 },
  ],
  [
    { x: 1133, y: 790 },
    { x: 1140, y: 800 },
  ],
  [
    { x: -9, y: 400 },
    { x: 0, y: 400 },
  ],
  [
    { x: 15, y: 45 },
    { x: 15, y: 45 },
  ],
])('released at %o it snaps to %o', (at, to) => expect(snapped({ ...at, ...size }, laptop)).toEqual({ ...to, ...size }))

test('a window belongs to the screen that shows most of it, or to the first', () => {
  expect(screenOf({ x: 1300, y: 100, ...size }, both)).toBe(wall)
  expect(screenOf({ x: 1200, y: 100, ...size }, both)).toBe(laptop)
  expect(screenOf({ x: -5_000, y: 100, ...size }, both)).toBe(laptop)
})

test('places are stored, invalid ones are dropped, and old screens are removed', () => {
  let places = nowhere
  for (let at = 0; at < 40; at++) places = withPlace(places, { x: at, y: 40, ...size }, { ...laptop, key: `${at}@1` })
  expect(Object.keys(places.byScreen)).toHaveLength(20)
  expect(places.byScreen).toHaveProperty('39@1')
  expect(readTickerPlaces(JSON.parse(JSON.stringify(places)))).toEqual(places)
  expect(readTickerPlaces({ last: 1, byScreen: [] })).toEqual({ byScreen: {} })
  expect(readTickerPlaces({ byScreen: { a: { isRight: true, isBottom: true, x: 0.5, y: 0 } } })).toEqual({
    byScreen: {},
  })
})
