import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDecimal } from '../../../../core/decimal'
import { readTypedNumber, typedText } from '../../../../renderer/format/typed-number'

const level = { what: 'level', example: '68,500.00' }
/** Reads a level of an index whose current value is `near`. */
const read = (typed: string, near?: string, unit?: string) =>
  readTypedNumber(typed, { ...level, unit, near: () => near })

describe('a typed number', () => {
  test.each([
    ['68500.00', '68500.00'],
    ['68,500.00', '68500.00'],
    [' 1,234,567.8 ', '1234567.8'],
    ["68'500", '68500'],
    ['68’500', '68500'],
    ['68 500', '68500'],
    ['68\u00a0500', '68500'],
    ['68\u202f500.5', '68500.5'],
    ['68_500', '68500'],
    ['\u22121,200.0', '-1200.0'],
    ['1.35e-5', '1.35e-5'],
    ['0', '0'],
    ['0.064', '0.064'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['-0.064', '-0.064'],
    ['00.5', '0.5'],
    ['68.500', '68.500'],
    ['1,086,500', '1086500'],
    ['$68,500.00', '68500.00'],
    ['68,500.00 USD', '68500.00'],
    ['USD 68,500.00', '68500.00'],
    ['US$68,500.00', '68500.00'],
    ['-$1,200.0', '-1200.0'],
    ['€ 68500', '68500'],
    ['68500usd', '68500'],
  ])('%j is %s', (typed, value) => expect(read(typed)).toEqual({ ok: true, value }))

  test.each([
    ['0,064', '0.064'],
    ['00,100', '0.100'],
    ['0 065', '0.065'],
    ['-0,064', '-0.064'],
    ['0,500', '0.500'],
    ['68,5', '68.5'],
    ['1,2345', '1.2345'],
    ['68.500,00', '68500.00'],
    ['68 500,00', '68500.00'],
    ['1234,567', '1234.567'],
    ['$0,064', '0.064'],
  ])('%j is refused, and %s is offered', (typed, meant) => {
    const message = `Use a point for decimals: ${meant}?`
    expect(read(typed, '68500')).toEqual({ ok: false, message, choices: [meant] })
  })

  test.each([
    ['1,086', '1090.25', '1086'],
    ['1,086', '1.0842', '1.086'],
    ['-1,086', '-1.0842', '-1.086'],
    ['68,500', '66000', '68500'],
    ['1,086', '32580', '1086'],
  ])('%j near %s is %s', (typed, near, value) => expect(read(typed, near)).toEqual({ ok: true, value }))

  test.each([
    ['1,086', undefined],
    ['1,086', '32581'],
    ['1,086', '33'],
    ['1,086', '0'],
    ['1,086', '0.00001'],
  ])('%j near %s is a question', (typed, near) => {
    const message = 'Do you mean 1086 or 1.086?'
    expect(read(typed, near)).toEqual({ ok: false, message, choices: ['1086', '1.086'] })
  })

  test.each(['6,85,00', '1,234 567', '1,00,000', '12,34,567.8'])(
    '%j is refused, for its groups are not of three',
    (typed) =>
      expect(read(typed)).toEqual({
        ok: false,
        message: 'Group digits by three, and use a point for decimals: 68,500.00.',
      }),
  )

  test.each(['abc', '1.2.3', '٣', 'NaN', '0x10', '68k', '50 bps', '50 %', '+5', '1.086.500', '--5', '$', 'USD'])(
    '%j is no number',
    (typed) => expect(read(typed)).toEqual({ ok: false, message: 'A level is a number such as 68,500.00.' }),
  )

  test('may end with the unit of its field', () => {
    expect(read('0.500 %', undefined, '%')).toEqual({ ok: true, value: '0.500' })
    expect(read('0,500 %', undefined, '%')).toMatchObject({ ok: false, choices: ['0.500'] })
    expect(read('5 bp', undefined, 'bp')).toEqual({ ok: true, value: '5' })
  })

  test('can be any shown number, and keeps every digit', () => {
    const decimal = fc
      .tuple(fc.boolean(), fc.bigInt(1n, 10n ** 15n), fc.stringMatching(/^\d{0,8}$/))
      .map(([isNegative, whole, places]) => `${isNegative ? '-' : ''}${whole}${places === '' ? '' : `.${places}`}`)
    fc.assert(
      fc.property(decimal, (value) => {
        expect(read(formatDecimal(value), value)).toEqual({ ok: true, value })
      }),
    )
  })

  const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+/, '')

  test('has exactly the typed digits', () => {
    const typed = fc.stringMatching(/^-?[\d,. ']{1,12}$/)
    fc.assert(
      fc.property(typed, fc.constantFrom(undefined, '0.5', '30', '1000', '68500'), (text, near) => {
        const answer = read(text, near)
        if (answer.ok) expect(digitsOf(answer.value)).toBe(digitsOf(text))
      }),
    )
  })
})

test('an empty text is refused with an example', () =>
  expect(readTypedNumber(' ', { what: 'weight', example: '60' })).toEqual({
    ok: false,
    message: 'Enter a weight, such as 60.',
  }))

describe('the text of a level in its field', () => {
  test.each([
    ['68500.00', undefined, '68,500.00'],
    ['68500', '68123.40', '68,500'],
    ['68500', undefined, '68500'],
    ['1.086', undefined, '1.086'],
    ['1.35e-5', undefined, '1.35e-5'],
  ])('of %s near %s is %s', (value, near, text) =>
    expect(typedText(value, { grouping: 'comma', timeZone: 'UTC' }, () => near)).toBe(text),
  )

  test('is read as the same level', () => {
    const digits = fc.tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.stringMatching(/^(\.\d{1,9})?$/))
    fc.assert(
      fc.property(digits, fc.constantFrom('comma', 'space', 'none'), ([whole, fraction], grouping) => {
        const value = `${whole}${fraction}`
        const text = typedText(value, { grouping, timeZone: 'UTC' }, () => value)
        expect(read(text, value)).toEqual({ ok: true, value })
      }),
    )
  })
})
