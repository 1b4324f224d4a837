import { expect, test } from 'vitest'
import { roundedText } from '../../../../core/decimal'
import type { Publication } from '../../../../core/model'
import { mergePoints } from '../../../../renderer/format/chart-model'
import { meanAt, MeanLine } from '../../../../renderer/format/mean-line'

const terms = { seconds: 3, stepMs: 1_000 } as const
const second = (at: number, value: string, more: Partial<Publication> = {}): Publication => ({
  value,
  publishedAtMs: at * 1_000,
  ...more,
})
const lineOf = (stretches: readonly (readonly { atMs: number; value: number }[])[]) =>
  stretches.map((stretch) => stretch.map(({ atMs, value }) => [atMs / 1_000, value]))

test('a line begins with the first complete window, and has a gap where a second is missing', () => {
  const points = mergePoints(
    [],
    [1, 2, 3, 4, 6, 7, 8, 9].map((at) => second(at, String(at * 3))),
  )
  expect(lineOf(new MeanLine(terms).take(points, 0))).toEqual([
    [
      [3, 6],
      [4, 9],
    ],
    [
      [8, 21],
      [9, 24],
    ],
  ])
  expect(lineOf(new MeanLine(terms).take(points, 9_000))).toEqual([[[9, 24]]])
})

test('values between whole seconds do not count', () => {
  const between = { ...second(2, '900.00'), publishedAtMs: 2_200 }
  const points = mergePoints([], [second(1, '1'), second(2, '2'), between, second(3, '3')])
  expect(lineOf(new MeanLine(terms).take(points, 0))).toEqual([[[3, 2]]])
})

test('values that join, leave or are amended change the line as from the start', () => {
  const line = new MeanLine(terms)
  let points = mergePoints([], [second(1, '1'), second(2, '2'), second(3, '3')])
  line.take(points, 0)
  points = mergePoints(points, [second(4, '10')])
  expect(lineOf(line.take(points, 0))).toEqual(lineOf(new MeanLine(terms).take(points, 0)))
  points = mergePoints(points.slice(1), [second(5, '11')])
  expect(lineOf(line.take(points, 3_000)).flat().at(-1)).toEqual([5, 8])
  points = mergePoints(points, [second(4, '4', { amendedAtMs: 9_000 })])
  expect(lineOf(line.take(points, 0))).toEqual(lineOf(new MeanLine(terms).take(points, 0)))
  expect(lineOf(line.take(points, 0)).flat().at(-1)).toEqual([5, 6])
})

test('the mean under the crosshair is exact, and counts missing, carried and amended values', () => {
  const points = mergePoints(
    [],
    [
      second(1, '0.1010484'),
      second(2, '0.1010590', { amendedAtMs: 9_000 }),
      second(3, '0.1010500', { isRepeatOfPrevious: true }),
      second(5, '0.2'),
    ],
  )
  const read = (at: number) => {
    const point = points[at]
    const reading = point && meanAt(points, point, terms)
    return reading && [roundedText(reading.mean, 7), reading.counted, reading.carried, reading.amended]
  }
  // Vector 5 of the settlement lens, after the amendment.
  expect(read(2)).toEqual(['0.1010525', 3, 1, 1])
  expect(read(3)).toEqual(['0.1505250', 2, 1, 0])
  expect(read(0)).toEqual(['0.1010484', 1, 0, 0])
})
