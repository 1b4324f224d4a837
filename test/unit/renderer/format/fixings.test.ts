import { expect, test } from 'vitest'
import { basisPoints, basisPointsText, untilWords } from '../../../../renderer/format/fixings'

const style = { grouping: 'comma', timeZone: 'system' } as const

test.each([
  [59_999, 'less than a minute'],
  [60_000, '1 min'],
  [3_600_000, '1 h 0 min'],
  [71_040_000, '19 h 44 min'],
  [86_400_000, '1 d'],
  [180_000_000, '2 d 2 h'],
])('%i ms is %s away', (ms, words) => expect(untilWords(ms)).toBe(words))

test.each([
  ['68000.00', '68123.40', '18.1'],
  ['68000.00', '67999.99', '0.0'],
  ['2500', '2499', '-4.0'],
  ['1', '2', '10000.0'],
  ['0.00', '1', undefined],
])('from %s to %s are %s basis points', (from, to, points) => expect(basisPoints(from, to)).toBe(points))

test('a difference has a minus sign (U+2212), and is a dash for a base of zero', () => {
  expect(basisPointsText('2500', '2499', style)).toBe('\u22124.0 bp')
  expect(basisPointsText('1', '2', style)).toBe('+10,000.0 bp')
  expect(basisPointsText('0.00', '1', style)).toBe('–')
})
