import Big from 'big.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compareDecimals,
  divideDecimals,
  formatDecimal,
  isDecimalText,
  multiplyAndDivide,
  parseDecimal,
  percentChange,
  subtractDecimals,
  sumDecimals,
  toChartNumber,
  writeOut,
} from '../../../core/decimal'
import type { Decimal } from '../../../core/decimal'
import vectors from './decimal-vectors.json'
import { examples } from '../../support/examples'

// Long enough that no quotient in these tests is rounded twice.
Big.DP = 300
// Writes numbers without an exponent, so that a difference of one digit shows.
Big.PE = 1_000
Big.NE = -1_000

const digits = (minLength: number, maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength, maxLength }).map((each) => each.join(''))

/** Decimals of every accepted form: leading and trailing zeros, signed zeros, exponents. */
const decimalText = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits(1, 20),
    fc.option(digits(1, 20)),
    fc.option(fc.tuple(fc.constantFrom('e', 'E'), fc.integer({ min: -30, max: 30 }), fc.boolean())),
  )
  .map(([sign, whole, fraction, exponent]) => {
    const scientific =
      exponent === null ? '' : `${exponent[0]}${exponent[2] && exponent[1] >= 0 ? '+' : ''}${exponent[1]}`
    return `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${scientific}`
  })

/** Pairs that are often near or equal by value, but not by text. */
const decimalPair = fc.oneof(
  fc.tuple(decimalText, decimalText),
  decimalText.map((text): [string, string] => [text, new Big(text).toExponential()]),
  decimalText.map((text): [string, string] => [text, `0${writeOut(text).replace('-', '')}`]),
)

function parsed(text: string): Decimal {
  const decimal = parseDecimal(text)
  if (decimal === undefined) throw new Error(`not read: ${text}`)
  return decimal
}

describe('a decimal text', () => {
  test.each(vectors.refused)('%j is refused', (text) => {
    expect(isDecimalText(text)).toBe(false)
    expect(parseDecimal(text)).toBeUndefined()
    expect(() => subtractDecimals(text, '1')).toThrow(RangeError)
    expect(() => percentChange('1', text)).toThrow(RangeError)
    expect(() => formatDecimal(text)).toThrow(RangeError)
  })

  test.each([...vectors.read, '9'.repeat(128)])('%j is read', (text) => {
    expect(isDecimalText(text)).toBe(true)
    expect(parseDecimal(text)).toBeDefined()
  })
})

describe('comparison', () => {
  test('agrees with big.js for every notation', () =>
    fc.assert(
      fc.property(decimalPair, ([a, b]) => {
        expect(compareDecimals(parsed(a), parsed(b))).toBe(new Big(a).cmp(new Big(b)))
      }),
      { numRuns: examples(5_000) },
    ))

  test('agrees with big.js on 30,000 pairs of prices, and ten times as many in test:deep', () => {
    const pairs = process.env['INDEXWATCH_PROPERTY_RUNS'] === undefined ? 30_000 : 300_000
    let seed = 1
    const draw = (below: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return (seed >>> 4) % below
    }
    const price = (digits: number, places: number) => {
      const text = String(digits).padStart(places + 1, '0')
      return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
    }
    const orders = [0, 0, 0]
    for (let pair = 0; pair < pairs; pair++) {
      const digits = draw(2 ** 28)
      const places = draw(10)
      const others = [digits, digits + 1, digits * 1_000, draw(2 ** 28)] as const
      const [a, b] = [price(digits, places), price(others[draw(4)] ?? digits, places + 3 * draw(2))]
      const order = compareDecimals(parsed(a), parsed(b))
      if (order !== new Big(a).cmp(new Big(b))) throw new Error(`${a} beside ${b}: ${order}`)
      orders[order + 1] = (orders[order + 1] ?? 0) + 1
    }
    expect(Math.min(...orders)).toBeGreaterThan(pairs / 10)
  })

  test.each(vectors.compared)('%s %s %s', (a, order, b) =>
    expect('<=>'[compareDecimals(parsed(a), parsed(b)) + 1]).toBe(order),
  )

  test('distinguishes numbers that are equal as floating-point numbers', () => {
    expect(Number('9007199254740993') === Number('9007199254740992')).toBe(true)
    expect(compareDecimals(parsed('9007199254740993'), parsed('9007199254740992'))).toBe(1)
  })
})

describe('arithmetic', () => {
  test('a difference is exact', () =>
    fc.assert(
      fc.property(decimalPair, ([a, b]) => {
        const difference = subtractDecimals(a, b)
        expect(difference).not.toMatch(/e/i)
        expect(new Big(difference).eq(new Big(a).minus(new Big(b)))).toBe(true)
      }),
      { numRuns: examples(3_000) },
    ))

  test('a difference keeps the larger number of places, and zero has no sign', () => {
    expect(subtractDecimals('100.10', '100')).toBe('0.10')
    expect(subtractDecimals('100', '100.000')).toBe('0.000')
    expect(subtractDecimals('-0.00', '0')).toBe('0.00')
    expect(subtractDecimals('1.35e-5', '0.0000136')).toBe('-0.0000001')
  })

  test('a sum is exact and keeps the largest number of places', () => {
    fc.assert(
      fc.property(fc.array(decimalText, { maxLength: 12 }), (values) => {
        const expected = values.reduce((sum, value) => sum.plus(value), new Big(0))
        expect(new Big(sumDecimals(values)).eq(expected)).toBe(true)
      }),
    )
    expect(sumDecimals(['58.214', '24.880', '16.90'])).toBe('99.994')
    expect(sumDecimals(['0.1', '0.2'])).toBe('0.3')
    expect(sumDecimals(['50.00', '50.00'])).toBe('100.00')
    expect(sumDecimals([])).toBe('0')
    expect(() => sumDecimals(['1', 'x'])).toThrow(RangeError)
  })

  test('a change in percent agrees with big.js rounded half away from zero', () =>
    fc.assert(
      fc.property(decimalPair, fc.integer({ min: 0, max: 6 }), ([from, to], places) => {
        const change = percentChange(from, to, places)
        const start = new Big(from)
        if (start.eq(0)) {
          expect(change).toBeUndefined()
          return
        }
        const expected = new Big(to).minus(start).times(100).div(start.abs()).round(places, Big.roundHalfUp)
        const isNegativeZero = expected.eq(0)
        expect(change).toBe(isNegativeZero ? new Big(0).toFixed(places) : expected.toFixed(places))
      }),
      { numRuns: examples(3_000) },
    ))

  test.each(vectors.percentChanges)('from %s to %s is %s percent', (from, to, percent) =>
    expect(percentChange(from, to)).toBe(percent),
  )

  test('a quotient agrees with big.js rounded half away from zero', () => {
    fc.assert(
      fc.property(decimalPair, fc.integer({ min: 0, max: 9 }), ([a, b], places) => {
        const under = new Big(b)
        if (under.eq(0)) {
          expect(divideDecimals(a, b, places)).toBeUndefined()
          return
        }
        const expected = new Big(a).div(under).round(places, Big.roundHalfUp)
        expect(divideDecimals(a, b, places)).toBe((expected.eq(0) ? new Big(0) : expected).toFixed(places))
      }),
      { numRuns: examples(1_000) },
    )
    expect(divideDecimals('1', '-8', 2)).toBe('-0.13')
    expect(() => divideDecimals('1', 'x', 2)).toThrow(RangeError)
  })

  test('a result longer than any received value is computed and written in full', () => {
    const difference = subtractDecimals('1e64', '1e-64')
    expect(difference).toHaveLength(129)
    expect(formatDecimal(difference, { signed: true })).toMatch(/^\+9,999,.*9\.9{64}$/)
    expect(percentChange('1e-64', '1e64')).toBe(`${'9'.repeat(128)}00.00`)
    expect(multiplyAndDivide(['1e64', '1e64', '1e64'], '2e-64', 0)).toBe(`5${'0'.repeat(255)}`)
    // Results may be longer than received values, which stay limited.
    expect([isDecimalText(difference), parseDecimal(difference)]).toEqual([false, undefined])
  })

  test('there is no change in percent from zero', () => expect(percentChange('0.00', '5')).toBeUndefined())
})

describe('scientific notation', () => {
  test('converts back to the same value', () =>
    fc.assert(
      fc.property(decimalText, (text) => {
        const scientific = new Big(text).toExponential()
        expect(new Big(writeOut(scientific)).eq(new Big(text))).toBe(true)
        expect(compareDecimals(parsed(scientific), parsed(text))).toBe(0)
      }),
      { numRuns: examples(3_000) },
    ))

  test.each(vectors.writtenOut)('%s written out keeps every published digit: %s', (text, written) =>
    expect(writeOut(text)).toBe(written),
  )
})

describe('format', () => {
  // As published. An exponent is written out up to 24 digits.
  test.each(vectors.shown)('%s is shown as %s', (text, shown) => expect(formatDecimal(text)).toBe(shown))

  test.each(vectors.shownAsChanges)('as a change %s is shown as %s', (text, shown) =>
    expect(formatDecimal(text, { signed: true })).toBe(shown),
  )

  test('shows every published digit, in order', () =>
    fc.assert(
      fc.property(decimalText, (text) => {
        const shown = formatDecimal(text)
        const bare = shown.replaceAll(',', '').replace('−', '-')
        expect(new Big(bare).eq(new Big(text))).toBe(true)
        if (!/e/i.test(text)) expect(bare.replace('-', '')).toBe(text.replace('-', ''))
      }),
      { numRuns: examples(2_000) },
    ))
})

test('a chart gets the nearest floating-point number', () => {
  expect(toChartNumber('79767.34')).toBe(79767.34)
  expect(toChartNumber('1.35e-5')).toBe(0.0000135)
})
