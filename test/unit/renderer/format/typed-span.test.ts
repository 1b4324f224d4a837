import { expect, test } from 'vitest'
import { readSpan, typedSpan } from '../../../../renderer/format/typed-span'

test.each([
  [{ count: '15', unit: 'min' }, 900_000],
  [{ count: ' 25 ', unit: 'h' }, 90_000_000],
  [{ count: '1.5', unit: 's' }, 1_500],
  [{ count: '1', unit: 'd' }, 86_400_000],
] as const)('%o is %i ms', (typed, ms) => expect(readSpan(typed)).toEqual({ ok: true, ms }))

test.each(['', '0', '0.0000', '-1', '1e3', 'ten', '1.2345', '١٥', '9999999999'])('%j is refused as a span', (count) =>
  expect(readSpan({ count, unit: 'min' }).ok).toBe(false),
)

test.each([
  [1, { count: '0.001', unit: 's' }],
  [1_500, { count: '1.5', unit: 's' }],
  [90_000, { count: '90', unit: 's' }],
  [900_000, { count: '15', unit: 'min' }],
  [90_000_000, { count: '25', unit: 'h' }],
  [172_800_000, { count: '2', unit: 'd' }],
] as const)('%i ms is shown as %o, which is read as the same', (ms, typed) => {
  expect(typedSpan(ms)).toEqual(typed)
  expect(readSpan(typed)).toEqual({ ok: true, ms })
})
