import { expect, test } from 'vitest'
import { countText, longMeanText, restText, stateText, strikeText } from '../../../../renderer/format/settlement'
import { boundMean } from '../../../../core/settlement/bound-window'

const style = { grouping: 'comma', timeZone: 'UTC' } as const
const closeMs = Date.parse('2026-07-01T21:00:00Z')
const terms = { seconds: 60, stepMs: 1_000, method: 'mean' } as const

test('a window counts down to its first and to its last value', () => {
  const textAt = (beforeMs: number) => {
    const nowMs = closeMs - beforeMs
    return stateText(boundMean(terms, closeMs, [], nowMs), nowMs)
  }
  expect(textAt(4 * 3_600_000)).toBe('First value in 3 h 59 min')
  expect(textAt(210_500)).toBe('First value in 2 min 31 s')
  expect(textAt(60_001)).toBe('First value in 1 s')
  expect(textAt(60_000)).toBe('Last value in 59 s')
  expect(textAt(1_000)).toBe('Waiting for the last values')
  expect(textAt(-10_000)).toBe('Incomplete: 60 values do not count. A late value still joins.')
})

test('values carried forward and zeros are counted aloud', () => {
  const counts = { counted: 57, expected: 60, carried: 2 }
  expect(countText(counts)).toBe('57 of 60 values, 2 carried forward')
  expect(countText({ ...counts, carried: 0 }, 1)).toBe('57 of 60 values, 1 zero counts as missing')
  expect(countText({ ...counts, carried: 0 }, 2)).toBe('57 of 60 values, 2 zeros count as missing')
})

test('a mean has four more digits, and a mark if there are further ones', () => {
  expect(longMeanText({ units: 10_031n, over: 100n }, 2, style)).toBe('100.31')
  expect(longMeanText({ units: 30_1000n, over: 3_000n }, 2, style)).toBe('100.333333…')
})

test('the rest is a sentence with both numbers, and two bounds for two ends', () => {
  const from = { side: 'from', exact: '103.00', withRounding: '102.98' } as const
  const to = { side: 'to', exact: '105.00', withRounding: '105.02' } as const
  expect(restText([from], 1, style)).toBe(
    'The value not there must average at least 103.00 (at least 102.98 with rounding).',
  )
  expect(restText([from, to], 2, style)).toBe(
    'The 2 values not there must average at least 103.00 (at least 102.98 with rounding) and at most 105.00 (less than 105.02 with rounding).',
  )
  expect(restText([], 0, style)).toBe('')
})

test('a strike is written as typed, with grouped digits', () => {
  expect(strikeText({ kind: 'above', level: '84999.99' }, style)).toBe('above 84,999.99')
  expect(strikeText({ kind: 'between', level: '1.10', high: '1200' }, style)).toBe('between 1.10 and 1,200')
})
