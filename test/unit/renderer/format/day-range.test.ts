import { expect, test } from 'vitest'
import type { IndexSummary } from '../../../../core/model'
import { dayRange } from '../../../../renderer/format/change'

const style = { grouping: 'comma', timeZone: 'system' } as const

function summary(...values: string[]): IndexSummary {
  const last24Hours = values.map((value, at) => ({ value, publishedAtMs: at }))
  return { value: values.at(-1) ?? '0', publishedAtMs: values.length - 1, last24Hours }
}

test('low, high and change are exact and keep the published digits', () =>
  expect(dayRange(summary('100.0', '99.50', '101.250', '100.10'), undefined, style)).toEqual({
    change: { direction: 'up', difference: '+0.10', percent: '0.10 %' },
    low: '99.50',
    high: '101.250',
    sinceMs: 0,
  }))

test('a newer value on screen is included, an older one is not', () => {
  const newer = dayRange(summary('100', '101'), { value: '120', publishedAtMs: 9 }, style)
  expect(newer?.high).toBe('120')
  expect(newer?.change.percent).toBe('20.00 %')
  expect(dayRange(summary('100', '101'), { value: '120', publishedAtMs: 0 }, style)?.high).toBe('101')
})

test('fewer than two values have no range', () => {
  expect(dayRange(summary(), undefined, style)).toBeUndefined()
  expect(dayRange(summary('100'), { value: '120', publishedAtMs: 9 }, style)).toBeUndefined()
})

test('numbers in scientific notation are compared by value', () =>
  expect(dayRange(summary('1.35e-5', '0.0000136', '2e-6'), undefined, style)?.low).toBe('0.000002'))
