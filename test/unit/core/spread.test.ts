import Big from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareSpread, spreadText } from '../../../core/spread'
import { examples } from '../../support/examples'

const price = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 18n }), fc.integer({ min: 0, max: 12 }), fc.integer({ min: -8, max: 8 }))
  .map(([units, places, exponent]) => {
    const text = units.toString().padStart(places + 1, '0')
    const plain = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
    return exponent === 0 ? plain : `${plain}e${exponent}`
  })
/** Near each other like bid and ask, or arbitrary. */
const pair = fc.oneof(
  fc.tuple(price, price),
  fc.tuple(price, fc.integer({ min: 0, max: 100_000 })).map(([bid, millionths]): [string, string] => [
    bid,
    new Big(bid)
      .times(new Big(1_000_000 + millionths))
      .div(1_000_000)
      .toFixed(),
  ]),
)

test('the spread agrees with big.js in every digit and in comparisons', () => {
  // Enough digits for every compared number.
  Big.DP = 120
  let compared = 0
  const count = examples(3_000)
  fc.assert(
    fc.property(pair, fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 10 ** 7 }), (sides, places, limit) => {
      const [valueBid, valueAsk] = sides.toSorted((a, b) => new Big(a).cmp(new Big(b))) as [string, string]
      const [bid, ask] = [new Big(valueBid), new Big(valueAsk)]
      const exact = ask.minus(bid).times(20_000).div(ask.plus(bid))
      // 0 truncates, so that a text never reaches a limit that the value does not.
      expect(spreadText({ valueBid, valueAsk }, places)).toBe(exact.toFixed(places, 0))
      const limitText = (limit / 1_000).toFixed(3)
      const order = ask.minus(bid).times(20_000).cmp(ask.plus(bid).times(limitText))
      expect(compareSpread({ valueBid, valueAsk }, limitText)).toBe(order)
      expect(compareSpread({ valueBid, valueAsk }, exact.toFixed(places, 0))).toBeGreaterThanOrEqual(0)
      compared++
    }),
    { numRuns: count },
  )
  expect(compared).toBe(count)
})

test.each([
  ['as documented by the service', '67298.13', '67427.730', '19.23'],
  ['for an equal bid and ask', '100', '100.00', '0.00'],
  ['for values in scientific notation', '1.3499e-5', '1.3501e-5', '1.48'],
])('the spread is computed %s', (_, valueBid, valueAsk, text) => expect(spreadText({ valueBid, valueAsk })).toBe(text))

test('there is no spread without both sides, at or below zero, or with the bid above the ask', () => {
  for (const sides of [{}, { valueBid: '1' }, { valueAsk: '1' }, { valueBid: '0', valueAsk: '1' }]) {
    expect([spreadText(sides), compareSpread(sides, '1')]).toEqual([undefined, undefined])
  }
  for (const [valueBid, valueAsk] of [
    ['-1', '1'],
    ['2', '1'],
    ['x', '1'],
  ] as const) {
    expect([spreadText({ valueBid, valueAsk }), compareSpread({ valueBid, valueAsk }, '1')]).toEqual([
      undefined,
      undefined,
    ])
  }
})
