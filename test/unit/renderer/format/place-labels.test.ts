import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeLabels } from '../../../../renderer/format/value-scale'

const room = { top: 10, bottom: 170, height: 20 }

test('a label with room around it stands where it belongs', () => {
  expect(placeLabels([100, 40], room)).toEqual([
    { y: 100, column: 0 },
    { y: 40, column: 0 },
  ])
})

test('labels at the edges stay within', () => {
  expect(placeLabels([10, 170], room).map(({ y }) => y)).toEqual([20, 160])
})

test('no label lies on another, however many there are', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 10, max: 170 }), { maxLength: 30 }), (wanted) => {
      const placed = placeLabels(wanted, room)
      for (const [at, a] of placed.entries()) {
        expect(a.y).toBeGreaterThanOrEqual(20)
        expect(a.y).toBeLessThanOrEqual(160)
        for (const b of placed.slice(at + 1)) {
          if (a.column === b.column) expect(Math.abs(a.y - b.y)).toBeGreaterThanOrEqual(20)
        }
      }
    }),
  )
})
