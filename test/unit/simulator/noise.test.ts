import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chanceOf, keyOf, NoisePath } from '../../../simulator/noise'

const dayMs = 86_400_000
const yearMs = 365 * dayMs
const shape = { volatility: 0.5, maxPeriodMs: 120 * dayMs }
const startMs = Date.UTC(2026, 8, 1)

/** Annualised volatility, measured in steps of `lagMs`. */
function measured(at: (timeMs: number) => number, lagMs: number, count: number): number {
  let sum = 0
  for (let step = 0; step < count; step++) {
    const from = startMs + step * lagMs
    sum += (at(from + lagMs) - at(from)) ** 2
  }
  return Math.sqrt(((sum / count) * yearMs) / lagMs)
}

/** The largest movement within a millisecond, over times that include the next knot of every octave. */
function maxJump(at: (timeMs: number) => number): number {
  let largest = 0
  for (let timeMs = startMs; timeMs < startMs + 300_000; timeMs++) {
    largest = Math.max(largest, Math.abs(at(timeMs + 1) - at(timeMs)))
  }
  return largest
}

describe('NoisePath', () => {
  test('gives the same value for a time whatever was read before', () => {
    const forward = new NoisePath(7, shape)
    const times = fc.array(fc.integer({ min: 0, max: 2 ** 43 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(times, (read) => {
        const heights = read.map((timeMs) => forward.at(timeMs))
        const backward = new NoisePath(7, shape)
        expect(read.toReversed().map((timeMs) => backward.at(timeMs))).toEqual(heights.toReversed())
      }),
    )
  })

  test('differs from key to key', () =>
    expect(new NoisePath(1, shape).at(startMs)).not.toBe(new NoisePath(2, shape).at(startMs)))

  test.each([
    [200, 40_000],
    [1_000, 40_000],
    [60_000, 40_000],
    [3_600_000, 20_000],
    [dayMs, 4_000],
  ])('has the given volatility in steps of %d ms', (lagMs, count) => {
    const path = new NoisePath(11, shape)
    const seen = measured((timeMs) => path.at(timeMs), lagMs, count)
    expect(seen).toBeGreaterThan(0.85 * shape.volatility)
    expect(seen).toBeLessThan(1.15 * shape.volatility)
  })

  test('the measure detects noise that is right at one step only, such as white noise', () => {
    const whiteNoise = (timeMs: number) => 0.0001 * chanceOf(timeMs)
    expect(measured(whiteNoise, 200, 10_000)).toBeGreaterThan(0.85 * shape.volatility)
    expect(measured(whiteNoise, 60_000, 10_000)).toBeLessThan(0.1 * shape.volatility)
  })

  test('has no seam and hardly moves within a millisecond', () => {
    const path = new NoisePath(3, shape)
    expect(maxJump((timeMs) => path.at(timeMs))).toBeLessThan(1e-6)
    // The check can fail: it sees a step of half a basis point each minute.
    expect(maxJump((timeMs) => path.at(timeMs) + 0.00005 * (Math.floor(timeMs / 60_000) % 2))).toBeGreaterThan(1e-5)
  })
})

describe('keyOf', () => {
  test('distinguishes parts by their boundaries', () => {
    const keys = [
      keyOf('AB', 'C'),
      keyOf('A', 'BC'),
      keyOf('ABC'),
      keyOf('C', 'AB'),
      keyOf(1, 2),
      keyOf(12),
      keyOf(2, 1),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('distinguishes numbers beyond 32 bits', () => {
    expect(keyOf(1)).not.toBe(keyOf(1 + 2 ** 32))
    expect(keyOf(5)).toBe(keyOf(5))
  })

  test('spreads chances evenly', () => {
    const tenths = new Array<number>(10).fill(0)
    for (let at = 0; at < 10_000; at++) {
      const tenth = Math.floor(10 * chanceOf('spread', at))
      tenths[tenth] = (tenths[tenth] ?? 0) + 1
    }
    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150)
  })
})
