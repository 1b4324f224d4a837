import { expect, test } from 'vitest'
import { assets } from '../../../simulator/assets'
import { baskets, type BasketName } from '../../../simulator/baskets'
import { Market, type Underlying } from '../../../simulator/market'

const dayMs = 86_400_000
const startMs = Date.UTC(2026, 0, 1)
const seeds = [1, 2, 3, 4, 5]

/** Correlation of the changes of two levels, in steps of `lagMs`. */
function correlation(market: Market, one: Underlying, other: Underlying, lagMs: number, count = 3_000): number {
  let [both, first, second] = [0, 0, 0]
  const change = (underlying: Underlying, timeMs: number) =>
    Math.log(market.level(underlying, timeMs + lagMs) / market.level(underlying, timeMs))
  for (let step = 0; step < count; step++) {
    const timeMs = startMs + step * lagMs
    const [a, b] = [change(one, timeMs), change(other, timeMs)]
    both += a * b
    first += a * a
    second += b * b
  }
  return both / Math.sqrt(first * second)
}

test('equal seeds give equal markets, other seeds other ones', () => {
  const level = (seed: number) => new Market(seed).level({ basket: 'Nasdaq Crypto' }, startMs)
  expect(level(5)).toBe(level(5))
  expect(level(5)).not.toBe(level(6))
})

/** Checks the levels every `stepDays` for ten years. */
function expectNearBase(seed: number, stepDays: number, levels: readonly (readonly [Underlying, number])[]): void {
  const market = new Market(seed)
  const far: unknown[] = []
  for (const [underlying, base] of levels) {
    for (let day = 0; day < 3_650; day += stepDays) {
      const factor = market.level(underlying, startMs + day * dayMs) / base
      if (!(factor > 0.2 && factor < 5)) far.push({ seed, underlying, day, factor })
    }
  }
  expect(far).toEqual([])
}

test('over ten years every asset stays near its base level', () => {
  const names = Object.keys(assets) as (keyof typeof assets)[]
  const levels = names.map((asset) => [{ asset }, assets[asset].level] as const)
  for (const seed of seeds) expectNearBase(seed, 28, levels)
})

test('assets move together, the closer they are related the more', () => {
  const market = new Market(1)
  const bitcoin = { asset: 'BTC' } as const
  expect(correlation(market, bitcoin, { asset: 'BTC', venue: 'Nasdaq' }, 60_000)).toBeGreaterThan(0.99)
  expect(correlation(market, bitcoin, { basket: 'Broad Cap' }, 60_000)).toBeGreaterThan(0.9)
  const ether = correlation(market, bitcoin, { asset: 'ETH' }, 60_000)
  expect(ether).toBeGreaterThan(0.6)
  expect(ether).toBeLessThan(0.95)
  expect(correlation(market, bitcoin, { asset: 'BTC volatility' }, 60_000)).toBeLessThan(-0.1)
  expect(Math.abs(correlation(market, bitcoin, { asset: 'ETH reward' }, 60_000))).toBeLessThan(0.1)
})

test('another venue differs by a few basis points at most, and does differ', () => {
  const market = new Market(1)
  let largest = 0
  for (let second = 0; second < 3_600; second++) {
    const timeMs = startMs + second * 1_000
    const ratio = market.level({ asset: 'BTC', venue: 'Nasdaq' }, timeMs) / market.level({ asset: 'BTC' }, timeMs)
    largest = Math.max(largest, Math.abs(ratio - 1))
  }
  expect(largest).toBeGreaterThan(0)
  expect(largest).toBeLessThan(0.0003)
})

test('a reward rate hardly moves in a day', () => {
  const market = new Market(1)
  for (let day = 0; day < 365; day++) {
    const [before, after] = [day, day + 1].map((at) => market.level({ asset: 'ETH reward' }, startMs + at * dayMs))
    expect(Math.abs((after ?? 0) - (before ?? 0))).toBeLessThan(0.001)
  }
})

test('reinvested rewards grow against the asset, day by day', () => {
  const market = new Market(1)
  const units = (timeMs: number) =>
    market.level({ asset: 'ETH', units: 1.1, growth: 0.03 }, timeMs) / market.level({ asset: 'ETH' }, timeMs)
  expect(units(startMs)).toBeCloseTo(1.1, 12)
  expect(units(startMs + 365 * dayMs)).toBeCloseTo(1.1 * Math.exp(0.03), 9)
})

test('over ten years and thousands of rebalances every basket stays near its base level', () => {
  const names = Object.keys(baskets) as BasketName[]
  const levels = names.map((basket) => [{ basket }, baskets[basket].level] as const)
  expectNearBase(1, 90, levels)
})

test('an amendment moves a price and the baskets that hold it by its factor', () => {
  const market = new Market(1)
  const of = (factor: number, underlying: Underlying) => market.level(underlying, startMs, factor)
  expect(of(1.0003, { asset: 'BTC' }) / of(1, { asset: 'BTC' })).toBeCloseTo(1.0003, 12)
  expect(of(1.0003, { basket: 'Broad Cap' }) / of(1, { basket: 'Broad Cap' })).toBeCloseTo(1.0003, 5)
})
