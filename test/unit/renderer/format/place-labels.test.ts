import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeLabels, placeLabelsAround } from '../../../../renderer/format/value-scale'

const room = { top: 10, bottom: 170, height: 20 }

test('a label with enough room is at its wanted height', () =>
  expect(placeLabels([100, 40], room)).toEqual([
    { y: 100, column: 0 },
    { y: 40, column: 0 },
  ]))

test('labels at the edges stay within', () => expect(placeLabels([10, 170], room).map(({ y }) => y)).toEqual([20, 160]))

test('labels never overlap', () =>
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
  ))

test('the first column holds as many labels as it can, the next one the rest', () => {
  const columnsOf = (count: number) => {
    const placed = placeLabels(
      Array.from({ length: count }, (_, at) => 10 + at),
      room,
    )
    return placed.reduce<number[]>((counts, { column }) => {
      counts[column] = (counts[column] ?? 0) + 1
      return counts
    }, [])
  }
  expect([7, 8, 9, 20].map(columnsOf)).toEqual([[7], [8], [8, 1], [8, 8, 4]])
})

test('labels stay on their side of the last value’s tag and do not overlap it', () => {
  expect(placeLabelsAround([88, 92], room, 90).map(({ y }) => y)).toEqual([70, 110])
  // There is no room above the tag.
  expect(placeLabelsAround([10, 92], room, 25).map(({ y }) => y)).toEqual([45, 92])
  expect(placeLabelsAround([100], room, undefined)).toEqual([{ y: 100, column: 0 }])
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 10, max: 170 }), { maxLength: 30 }),
      fc.integer({ min: 10, max: 170 }),
      (wanted, tagY) => {
        const placed = placeLabelsAround(wanted, room, tagY)
        expect(placed).toHaveLength(wanted.length)
        for (const [at, a] of placed.entries()) {
          expect(Math.abs(a.y - tagY)).toBeGreaterThanOrEqual(20)
          for (const b of placed.slice(at + 1)) {
            if (a.column === b.column) expect(Math.abs(a.y - b.y)).toBeGreaterThanOrEqual(20)
          }
        }
      },
    ),
  )
})
