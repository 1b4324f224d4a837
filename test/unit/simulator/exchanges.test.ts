import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assetFacts, type HeldAssetName } from '../../../simulator/asset-facts'
import { apportion, exchangesOf, ExchangeShares } from '../../../simulator/exchanges'

const held = Object.keys(assetFacts) as HeldAssetName[]
const noonMs = Date.UTC(2026, 8, 15, 12)

function hundredths(percents: readonly string[]): number {
  return percents.reduce((sum, percent) => sum + Math.round(Number(percent) * 100), 0)
}

test('apportioned shares have two decimals and add up to 100.00', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.01, max: 1_000, noNaN: true }), { minLength: 1, maxLength: 9 }),
      (sizes) => {
        const shares = apportion(
          sizes.map((_, at) => `exchange ${at}`),
          sizes,
        )
        const total = sizes.reduce((sum, size) => sum + size, 0)
        expect(hundredths(shares.map(({ percent }) => percent))).toBe(10_000)
        for (const [at, { percent }] of shares.entries()) {
          expect(percent).toMatch(/^\d{1,3}\.\d\d$/)
          expect(Math.abs(Number(percent) - (100 * (sizes[at] ?? 0)) / total)).toBeLessThan(0.010001)
        }
      },
    ),
  )
  // Three equal parts, for which plain rounding fails.
  expect(apportion(['a', 'b', 'c'], [1, 1, 1]).map(({ percent }) => percent)).toEqual(['33.34', '33.33', '33.33'])
})

test('every asset is traded on its own exchanges, and their shares add up to 100.00 at any time', () => {
  const shares = new ExchangeShares(1)
  for (const asset of held) {
    for (let hour = 0; hour < 24; hour++) {
      const at = shares.at(asset, noonMs + hour * 3_600_000)
      expect(at.map(({ name }) => name)).toEqual(exchangesOf(asset))
      expect(hundredths(at.map(({ percent }) => percent))).toBe(10_000)
    }
  }
})

test('shares move within minutes, by points within a day, and depend on the seed', () => {
  const percentAt = (seed: number, timeMs: number) => Number(new ExchangeShares(seed).at('BTC', timeMs)[0]?.percent)
  const now = percentAt(1, noonMs)
  expect(percentAt(1, noonMs)).toBe(now)
  expect(percentAt(1, noonMs + 600_000)).not.toBe(now)
  expect(percentAt(2, noonMs)).not.toBe(now)
  for (let hour = 1; hour <= 24; hour++)
    expect(Math.abs(percentAt(1, noonMs + hour * 3_600_000) - now)).toBeLessThan(15)
})
