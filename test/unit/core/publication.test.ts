import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lastAmendedMs, readPublication, readResolution } from '../../../core/publication'
import { examples } from '../../support/examples'

const timeMs = 1_698_840_000_000

test('a plain value is read digit for digit', () =>
  expect(readPublication({ value: '79767.340', time: timeMs })).toEqual({ value: '79767.340', publishedAtMs: timeMs }))

test('the latest amendment is found among the values of a day at five a second', () => {
  const day = Array.from({ length: 432_000 }, (_, at) => ({ value: '1', publishedAtMs: timeMs + at * 200 }))
  expect(lastAmendedMs([...day, { value: '2', publishedAtMs: timeMs, amendedAtMs: timeMs + 7 }])).toBe(timeMs + 7)
  expect(lastAmendedMs([])).toBe(0)
})

test('time is read as a string of digits as well', () =>
  expect(readPublication({ value: '1', time: String(timeMs) })).toEqual({ value: '1', publishedAtMs: timeMs }))

test('the time of an amendment and the mark of a value carried forward are read', () =>
  expect(readPublication({ value: '1', time: timeMs, amendTime: timeMs + 5, repeatOfPreviousValue: true })).toEqual({
    value: '1',
    publishedAtMs: timeMs,
    amendedAtMs: timeMs + 5,
    isRepeatOfPrevious: true,
  }))

describe('values', () => {
  test.each(['0', '-0', '-12.5', '1.35e-5', '1E+10', '9007199254740993', `0.${'1'.repeat(30)}`, '1e64'])(
    'reads %j as published',
    (value) => expect(readPublication({ value, time: timeMs })).toEqual({ value, publishedAtMs: timeMs }),
  )

  const refused = [
    ...['NaN', 'Infinity', '-Infinity', '', ' 1 ', '1_000', '0x10', '1,234.5', '١٢', '１２', '+1', '.5', '1e400'],
    ...[1, true, null, [], ['1'], {}, undefined],
  ]
  test.each(refused)('refuses %j', (value) => expect(readPublication({ value, time: timeMs })).toBe('value'))
})

describe('times', () => {
  const refused = [
    ...[1_698_840_000, 1_698_840_000_000_000, -1, 0, 253_402_300_799_000, timeMs + 0.5, Number.NaN, Infinity],
    ...['1698840000', '2023-11-01T12:00:00Z', ' 1698840000000', '1698840000000.0', '1.69e12', '', '-1698840000000'],
    ...[true, null, {}, [timeMs], undefined],
  ]
  test.each(refused)('refuses %j', (time) => expect(readPublication({ value: '1', time })).toBe('time'))
})

test.each([String(timeMs), false, 5, true, 1.5])('refuses %j as the time of an amendment', (amendTime) =>
  expect(readPublication({ value: '1', time: timeMs, amendTime })).toBe('amendTime'),
)

test.each([0, 1, 'true', 'false', {}])('refuses %j as repeatOfPreviousValue', (repeatOfPreviousValue) =>
  expect(readPublication({ value: '1', time: timeMs, repeatOfPreviousValue })).toBe('repeatOfPreviousValue'),
)

test('any fields are read without an error and without a changed value', () => {
  const field = fc.anything()
  fc.assert(
    fc.property(fc.record({ value: field, time: field, amendTime: field }, { requiredKeys: [] }), (raw) => {
      const read = readPublication(raw)
      if (typeof read !== 'string') expect(read.value).toBe(raw.value)
    }),
    { numRuns: examples(5_000) },
  )
})

test('resolutions of the service are known, others are read as its default', () =>
  expect(['PER_200MS', 'BUSINESS_DAYS', 'PER_FORTNIGHT', undefined, 5].map(readResolution)).toEqual([
    'PER_200MS',
    'BUSINESS_DAYS',
    'PER_SECOND',
    'PER_SECOND',
    'PER_SECOND',
  ]))
