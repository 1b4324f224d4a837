import { expect, test } from 'vitest'
import { sparkline } from '../../../../renderer/format/sparkline'

test('time goes from left to right and values from low to high', () =>
  expect(sparkline([1, 2, 3], 10, 10)).toEqual({
    path: 'M0.0 8.5L5.0 5.0L10.0 1.5',
    end: { x: 10, y: 1.5 },
    direction: 'up',
  }))

test('the part before the baseline is a path of its own, and both meet there', () => {
  expect(sparkline([1, 2, 3, 2, 1], 8, 10, 2)).toMatchObject({
    earlier: 'M0.0 8.5L2.0 5.0L4.0 1.5',
    path: 'M4.0 1.5L6.0 5.0L8.0 8.5',
  })
  expect(sparkline([1, 2], 8, 10, 1)?.path).toBe('M8.0 1.5h0.1')
  expect(sparkline([1, null, 3], 8, 10, 1)).toMatchObject({ earlier: 'M0.0 8.5h0.1', path: 'M8.0 1.5h0.1' })
  expect(sparkline([1, 2], 8, 10)?.earlier).toBeUndefined()
})

test('a gap stays a gap', () => {
  const line = sparkline([3, 2, null, 2, 1], 8, 10)
  expect(line?.path.match(/M/g)).toHaveLength(2)
  expect(line?.direction).toBe('down')
  expect(sparkline([3, 2, 2, 2, 1], 8, 10)?.path.match(/M/g)).toHaveLength(1)
})

test('a lone value between gaps is a dot', () =>
  expect(sparkline([1, null, 2, null, 1], 8, 10)?.path).toContain('M4.0 1.5h0.1'))

test('equal values are a line in the middle', () =>
  expect(sparkline([5, 5], 10, 10)).toEqual({ path: 'M0.0 5.0L10.0 5.0', end: { x: 10, y: 5 }, direction: 'flat' }))

test('fewer than two values draw nothing', () => {
  expect(sparkline([null, 1, null], 10, 10)).toBeUndefined()
  expect(sparkline([], 10, 10)).toBeUndefined()
})

test('the line ends at the latest value, and has no end during a gap', () => {
  expect(sparkline([1, 2, 3], 10, 10)?.end).toEqual({ x: 10, y: 1.5 })
  expect(sparkline([1, 2, null], 10, 10)?.end).toBeUndefined()
})
