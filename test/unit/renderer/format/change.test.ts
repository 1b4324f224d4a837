import { expect, test } from 'vitest'
import { changeTexts, distanceText, referenceText } from '../../../../renderer/format/change'
import { shownDirection, signOf } from '../../../../renderer/ui/direction'

const style = { grouping: 'comma', timeZone: 'system' } as const

test.each([
  ['a rise carries a plus and every digit', '67711.23', '68123.40', 'up', '+412.17', '0.61 %'],
  [
    'a fall carries a typographic minus and its percentage none, for the arrow says it',
    ...['3468.74', '3456.70', 'down', '\u221212.04', '0.35 %'],
  ],
  ['no change is neutral and has no sign', '0.064751', '0.0647510', 'flat', '0.0000000', '0.00 %'],
] as const)('%s', (_, from, to, direction, difference, percent) =>
  expect(changeTexts(from, to, style)).toEqual({ direction, difference, percent }),
)

test('a percentage that rounds to zero has no direction', () => {
  expect(shownDirection(changeTexts('86985.41', '86982.30', style))).toBe('flat')
  expect(shownDirection(changeTexts('86985.41', '86900.30', style))).toBe('down')
})

test('a change without a percentage has the direction of its difference', () =>
  expect(shownDirection(changeTexts('0', '1', style))).toBe('up'))

test('scientific notation is subtracted exactly', () =>
  expect(changeTexts('1.3525e-5', '1.3504e-5', style).difference).toBe('\u22120.000000021'))

test('a change has a percentage unless it starts at zero', () => {
  expect(changeTexts('0', '1', style)).not.toHaveProperty('percent')
  expect(changeTexts('0.1', '1', style)).toHaveProperty('percent')
})

test('a distance has no sign, on either side of the value', () => {
  expect(distanceText('68123.40', '68500.00', style)).toBe('376.60 away, 0.55 %')
  expect(distanceText('68123.40', '60000', style)).toBe('8,123.40 away, 11.92 %')
  expect(distanceText('0', '5', style)).toBe('5 away')
  expect(distanceText('1e-64', '1e64', style)).toMatch(/ away, more than 1,000 %$/)
})

test('a screen reader gets a sign for each arrow', () =>
  expect([signOf('up'), signOf('down'), signOf('flat')]).toEqual(['+', '\u2212', '']))

test('a baseline is shown with its kind, value and time', () => {
  const at = { value: '67711.23', publishedAtMs: 0 }
  expect(referenceText({ kind: 'sessionFirst', ...at }, style)).toContain(
    'Since 67,711.23, the first value since app start: 1 Jan 1970, 00:00:00.000, UTC',
  )
  expect(referenceText({ kind: 'dayAgo', ...at }, style)).toContain('the value 24 hours ago')
  expect(referenceText({ kind: 'previousClose', ...at }, style)).toContain('the last value before 00:00 UTC')
  expect(referenceText({ kind: 'previousPublished', ...at }, style)).toContain('vs previous fixing, ')
})

test.each([
  ['dayAgo', 'the value 24 hours ago'],
  ['previousClose', 'the last value before 00:00 UTC'],
] as const)('a change counted from %s says so', (kind, words) =>
  expect(referenceText({ kind, value: '1234.50', publishedAtMs: 0 }, style)).toContain(`Since 1,234.50, ${words}: `),
)
