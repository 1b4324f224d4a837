import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundsOnScreen, readPlace, minSize, zoomAfter, type Bounds } from '../../../../main/desktop/window-bounds'

const screen: Bounds = { x: 0, y: 30, width: 1920, height: 1050 }
const second: Bounds = { x: 1920, y: 0, width: 1280, height: 1024 }

describe('the place of the window', () => {
  test('is the former one if it is on a screen', () => {
    const saved = { x: 100, y: 80, width: 1280, height: 820 }
    expect(boundsOnScreen(saved, [screen, second])).toEqual(saved)
  })

  test('is on the first screen if its own was unplugged', () => {
    const saved = { x: 2000, y: 50, width: 1000, height: 700 }
    expect(boundsOnScreen(saved, [screen, second])).toEqual(saved)
    expect(boundsOnScreen(saved, [screen])).toEqual({ x: 920, y: 50, width: 1000, height: 700 })
  })

  test('is the former one without any screen', () => {
    const saved = { x: 1, y: 2, width: 1000, height: 700 }
    expect(boundsOnScreen(saved, [])).toEqual(saved)
  })

  test('is inside a screen that is large enough', () => {
    const number = fc.integer({ min: -10_000, max: 10_000 })
    const anywhere = fc.record({ x: number, y: number, width: number, height: number })
    fc.assert(
      fc.property(anywhere, (saved) => {
        const { x, y, width, height } = boundsOnScreen(saved, [screen])
        expect(x).toBeGreaterThanOrEqual(screen.x)
        expect(y).toBeGreaterThanOrEqual(screen.y)
        expect(x + width).toBeLessThanOrEqual(screen.x + screen.width)
        expect(y + height).toBeLessThanOrEqual(screen.y + screen.height)
        expect(width).toBeGreaterThanOrEqual(minSize.width)
        expect(height).toBeGreaterThanOrEqual(minSize.height)
      }),
    )
  })
})

describe('zoom', () => {
  test('goes step by step to its limits and back to 1', () => {
    const press = (key: string, times: number) =>
      Array.from({ length: times }).reduce<number>((zoom) => zoomAfter(key, zoom) ?? zoom, 1)
    expect(press('+', 1)).toBe(1.1)
    expect(press('=', 2)).toBe(1.25)
    expect(press('-', 1)).toBe(0.9)
    expect(press('+', 100)).toBe(2)
    expect(press('-', 100)).toBe(0.5)
    expect(zoomAfter('0', 1.75)).toBe(1)
  })

  test('no other key zooms', () => expect(zoomAfter('k', 1)).toBeUndefined())
})

describe('a saved place', () => {
  const bounds = { x: 1, y: 2, width: 3, height: 4 }

  test('is read back', () => {
    const place = { ...bounds, zoom: 1.5, isClosingExplained: true }
    expect(readPlace(place)).toEqual(place)
  })

  test.each([{}, { zoom: 0 }, { zoom: 30 }, { zoom: 'x' }])('has zoom 1 with %j', (zoom) =>
    expect(readPlace({ ...bounds, ...zoom })).toEqual({ ...bounds, zoom: 1, isClosingExplained: false }),
  )

  test.each([
    null,
    [],
    'x',
    {},
    { x: 1, y: 2, width: 3 },
    { x: 1.5, y: 2, width: 3, height: 4 },
    { x: 1e9, y: 0, width: 1, height: 1 },
  ])('is ignored if it is %j', (value) => expect(readPlace(value)).toBeUndefined())
})
