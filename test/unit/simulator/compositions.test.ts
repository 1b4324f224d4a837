import { expect, test } from 'vitest'
import type { HeldAssetName } from '../../../simulator/asset-facts'
import { baskets, type Basket, type BasketName } from '../../../simulator/baskets'
import { Compositions, rebalanceEveryMs, valueOf } from '../../../simulator/compositions'
import { Market } from '../../../simulator/market'

const names = Object.keys(baskets) as BasketName[]
const rebalanceMs = Date.UTC(2026, 8, 15, 18)

/** A market's prices and the compositions calculated from them. */
function bench(seed = 1) {
  const market = new Market(seed)
  const priceOf = (asset: HeldAssetName, timeMs: number) => Number(market.priceText(asset, timeMs))
  return { priceOf, compositions: new Compositions(seed, priceOf) }
}

test('the weights of a basket and of its last place add up to 100', () => {
  for (const { weights, lastPlace } of Object.values<Basket>(baskets)) {
    const sum = Object.values(weights).reduce((total, weight) => total + weight, lastPlace.weight)
    expect(sum).toBeCloseTo(100, 9)
    for (const candidate of lastPlace.candidates) expect(weights).not.toHaveProperty(candidate)
  }
})

test.each(names)('%s: a rebalance changes units, one constituent and the divisor, but not the value', (name) => {
  const { priceOf, compositions } = bench()
  for (let count = 0; count < 8; count++) {
    const timeMs = rebalanceMs + count * rebalanceEveryMs
    const [before, after] = [compositions.at(name, timeMs - 1), compositions.at(name, timeMs)]
    expect(after.sinceMs).toBe(timeMs)
    expect(after.divisor).not.toBe(before.divisor)
    const [left, came] = [
      [...before.units.keys()].filter((asset) => !after.units.has(asset)),
      [...after.units.keys()].filter((asset) => !before.units.has(asset)),
    ]
    expect([left.length, came.length, after.units.size]).toEqual([1, 1, before.units.size])
    const at = (asset: HeldAssetName) => priceOf(asset, timeMs)
    expect(valueOf(after, at) / valueOf(before, at)).toBeCloseTo(1, 11)
    // The check can fail: with the old divisor the value would have jumped.
    expect(Math.abs(valueOf({ ...after, divisor: before.divisor }, at) / valueOf(before, at) - 1)).toBeGreaterThan(1e-5)
  }
})

test('between two rebalances nothing changes', () => {
  const { compositions } = bench()
  for (const name of names) {
    const first = compositions.at(name, rebalanceMs)
    for (const laterMs of [1, 3_600_000, rebalanceEveryMs - 1]) {
      expect(compositions.at(name, rebalanceMs + laterMs)).toBe(first)
    }
    expect(compositions.at(name, rebalanceMs + rebalanceEveryMs)).not.toBe(first)
  }
})

test('a composition depends on the seed, not on earlier calls', () => {
  const asked = bench().compositions
  asked.at('Broad Cap', rebalanceMs + 400 * rebalanceEveryMs)
  expect(asked.at('Broad Cap', rebalanceMs)).toEqual(bench().compositions.at('Broad Cap', rebalanceMs))
  expect(asked.at('Broad Cap', rebalanceMs)).not.toEqual(bench(2).compositions.at('Broad Cap', rebalanceMs))
})

test('before the first rebalance the first composition is in effect', () => {
  const { compositions } = bench()
  const first = compositions.at('DeFi', Date.UTC(2023, 0, 1))
  expect(compositions.at('DeFi', Date.UTC(2019, 5, 1))).toEqual(first)
  expect(compositions.at('DeFi', Date.UTC(2023, 0, 1, 5, 59))).toEqual(first)
})
