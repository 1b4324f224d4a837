import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDecimal } from '../../../../protocol/decimal'
import { readLevel, readNumber } from '../../../../renderer/format/level'

describe('a typed level', () => {
  test.each([
    ['68500.00', '68500.00'],
    ['68,500.00', '68500.00'],
    [' 1,234,567.8 ', '1234567.8'],
    ["68'500", '68500'],
    ['68 500', '68500'],
    ['68\u202f500.5', '68500.5'],
    ['\u22121,200', '-1200'],
    ['1.35e-5', '1.35e-5'],
    ['0', '0'],
  ])('%j is %s', (typed, level) => {
    expect(readLevel(typed)).toEqual({ ok: true, level })
  })

  test.each(['68,5', '68.500,00', '6,85,00', '1,2345', '1,234 567'])(
    '%j is refused, for its comma may be a point',
    (typed) => {
      expect(readLevel(typed)).toMatchObject({ ok: false, message: expect.stringContaining('comma') as string })
    },
  )

  test.each(['', 'abc', '1.2.3', '٣', 'NaN', '0x10'])('%j is no number', (typed) => {
    expect(readLevel(typed).ok).toBe(false)
  })

  test('whatever is shown can be typed back, digit for digit', () => {
    const decimal = fc
      .tuple(fc.boolean(), fc.bigInt(1n, 10n ** 15n), fc.stringMatching(/^\d{0,8}$/))
      .map(([isNegative, whole, places]) => `${isNegative ? '-' : ''}${whole}${places === '' ? '' : `.${places}`}`)
    fc.assert(
      fc.property(decimal, (level) => {
        expect(readLevel(formatDecimal(level))).toEqual({ ok: true, level })
      }),
    )
  })
})

test('a refusal says what is asked for', () => {
  expect(readNumber('', 'weight', '60')).toEqual({ ok: false, message: 'Enter a weight, such as 60.' })
  expect(readNumber('much', 'weight', '60')).toEqual({ ok: false, message: 'A weight is a number such as 60.' })
  expect(readNumber('58.214', 'weight', '60')).toEqual({ ok: true, level: '58.214' })
})
