import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundsOnScreen, readBounds, minSize, type Bounds } from '../../../../main/desktop/window-bounds'

const screen: Bounds = { x: 0, y: 30, width: 1920, height: 1050 }
const second: Bounds = { x: 1920, y: 0, width: 1280, height: 1024 }

describe('where the window opens', () => {
  test('where it was, when that is on a screen', () => {
    const saved = { x: 100, y: 80, width: 1280, height: 820 }
    expect(boundsOnScreen(saved, [screen, second])).toEqual(saved)
  })

  test('on the first screen, when its own was unplugged', () => {
    const saved = { x: 2000, y: 50, width: 1000, height: 700 }
    expect(boundsOnScreen(saved, [screen, second])).toEqual(saved)
    expect(boundsOnScreen(saved, [screen])).toEqual({ x: 920, y: 50, width: 1000, height: 700 })
  })

  test('as it was, when there is no screen at all', () => {
    const saved = { x: 1, y: 2, width: 1000, height: 700 }
    expect(boundsOnScreen(saved, [])).toEqual(saved)
  })

  test('always whole on a screen that is large enough', () => {
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

describe('remembered bounds', () => {
  test('are read back', () => {
    expect(readBounds({ x: 1, y: 2, width: 3, height: 4 })).toEqual({ x: 1, y: 2, width: 3, height: 4 })
  })

  test.each([
    null,
    [],
    'x',
    {},
    { x: 1, y: 2, width: 3 },
    { x: 1.5, y: 2, width: 3, height: 4 },
    { x: 1e9, y: 0, width: 1, height: 1 },
  ])('are ignored when they are %j', (value) => {
    expect(readBounds(value)).toBeUndefined()
  })
})
