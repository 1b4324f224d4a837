import Big from 'big.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  indexPoints,
  keyedConstituents,
  memberChanges,
  pointPlaces,
  pointsOf,
  recomputed,
  reweighted,
} from '../../../core/constituents'
import type { ConstituentsPublication } from '../../../core/model'

function published(
  value: string,
  publishedAtMs: number,
  ...members: [constituent: string, value: string, weightPercent: string][]
): ConstituentsPublication {
  const constituents = members.map(([constituent, each, weightPercent]) => ({
    constituent,
    value: each,
    weightPercent,
  }))
  return { value, publishedAtMs, constituents }
}

const opening = published('1000.00', 0, ['BTC', '100', '60'], ['ETH', '10', '30'], ['XRP', '1.0', '10'])
const now = published('985.50', 1, ['BTC', '101', '60'], ['ETH', '9', '25'], ['SOL', '150.10', '15'])

function allPoints(later: ConstituentsPublication, then: ConstituentsPublication) {
  const present = keyedConstituents(later.constituents)
  return [...keyedConstituents(then.constituents)].map(([key, before]) => {
    const after = present.get(key)
    return after && pointsOf(after, before, then, pointPlaces(later))
  })
}

/** Prices and weights with as many digits as are published. */
const member = fc.record({
  from: fc.integer({ min: 1, max: 10 ** 9 }).map((units) => (units / 10_000).toFixed(4)),
  to: fc.integer({ min: 0, max: 10 ** 9 }).map((units) => (units / 10_000).toFixed(4)),
  weight: fc.integer({ min: 0, max: 100_000 }).map((units) => (units / 1_000).toFixed(3)),
})
const level = fc.integer({ min: 1, max: 10 ** 7 }).map((units) => (units / 100).toFixed(2))

function pairOf(members: readonly { from: string; to: string; weight: string }[], from: string, to: string) {
  const of = (which: 'from' | 'to') =>
    members.map((each, at): [string, string, string] => [`M${at}`, each[which], each.weight])
  return {
    then: { ...published(from, 0, ...of('from')), divisor: '203484212.3109' },
    later: { ...published(to, 1, ...of('to')), divisor: '203484212.3109' },
  }
}

describe('points', () => {
  test('come from weight and change, and the rest completes the change of the index', () =>
    expect(indexPoints(allPoints(now, opening), now, opening)).toEqual({
      change: '-14.50',
      constituents: '-24.00',
      rest: '9.50',
    }))

  test('are rounded once, half away from zero, to the digits of the index', () => {
    const then = published('100.0000', 0, ['A', '3', '50'], ['B', '0', '50'])
    const later = published('116.6667', 1, ['A', '4', '50'], ['B', '1', '50'])
    expect(allPoints(later, then)).toEqual(['16.6667', undefined])
    expect(indexPoints(allPoints(later, then), later, then).rest).toBe('0.0000')
  })

  test('agree with big.js, and with the rest add up exactly to the change', () => {
    const exact = Big()
    exact.DP = 60
    fc.assert(
      fc.property(fc.array(member, { minLength: 1, maxLength: 12 }), level, level, (members, from, to) => {
        const { then, later } = pairOf(members, from, to)
        const points = allPoints(later, then)
        for (const [at, each] of members.entries()) {
          const moved = exact(each.to).minus(each.from)
          const expected = exact(from).times(each.weight).times(moved).times('0.01').div(each.from).round(2, 1)
          expect(exact(points[at] ?? 'none').eq(expected)).toBe(true)
        }
        const sums = indexPoints(points, later, then)
        expect(exact(sums.constituents).eq(points.reduce((sum, each) => sum.plus(each ?? 0), exact(0)))).toBe(true)
        expect(exact(sums.constituents).plus(sums.rest).eq(exact(to).minus(from))).toBe(true)
      }),
    )
  })
})

describe('members', () => {
  test('are added or removed compared with the earlier calculation', () => {
    expect(memberChanges(now, opening)).toEqual({
      joined: [{ key: 'SOL', weightPercent: '15' }],
      left: [{ key: 'XRP', weightPercent: '10' }],
    })
    expect(memberChanges(opening, opening)).toEqual({ joined: [], left: [] })
  })

  test('are reweighted if prices do not explain their weight, greatest difference first', () => {
    const then = published('1000', 0, ['A', '100', '50.00'], ['B', '10', '30.00'], ['C', '1', '20.00'])
    // A doubled: A is 100 of 150, B 30 and C 20.
    const grown = published('1500', 1, ['A', '200', '66.67'], ['B', '10', '20.00'], ['C', '1', '13.33'])
    expect(reweighted(grown, then)).toEqual([])
    const changed = published('1500', 1, ['A', '200', '60.00'], ['B', '10', '25.00'], ['C', '1', '13.30'])
    expect(reweighted(changed, then)).toEqual([
      { key: 'A', before: '50.00', after: '60.00' },
      { key: 'B', before: '30.00', after: '25.00' },
    ])
  })

  test('with fewer published digits are reweighted only beyond the rounding', () => {
    const then = published('1', 0, ['A', '1', '50.0'], ['B', '1', '50.0'])
    expect(reweighted(published('1', 1, ['A', '1', '50.5'], ['B', '1', '49.5']), then)).toEqual([])
    expect(reweighted(published('1', 1, ['A', '1', '50.6'], ['B', '1', '49.4']), then)).toHaveLength(2)
  })

  test('that only follow their prices are never reweighted', () => {
    const price = fc.integer({ min: 7_000, max: 14_000 }).map((units) => units / 100)
    const held = fc.record({ units: fc.integer({ min: 1, max: 1_000 }), from: price, to: price })
    fc.assert(
      fc.property(fc.array(held, { minLength: 1, maxLength: 12 }), (members) => {
        const at = (which: 'from' | 'to') => {
          const total = members.reduce((sum, each) => sum + each.units * each[which], 0)
          return published(
            '1',
            which === 'from' ? 0 : 1,
            ...members.map((each, place): [string, string, string] => [
              `M${place}`,
              each[which].toFixed(2),
              ((100 * each.units * each[which]) / total).toFixed(2),
            ]),
          )
        }
        expect(reweighted(at('to'), at('from'))).toEqual([])
      }),
    )
  })
})

describe('a value recomputed from constituents and divisor', () => {
  const pair = pairOf(
    [
      { from: '100.00', to: '110.00', weight: '60.00' },
      { from: '10.00', to: '9.00', weight: '40.00' },
    ],
    '1000.00',
    '1020.01',
  )

  test('has the difference from the published value, in its digits', () => {
    // 60 % of ten percent minus 40 % of ten percent.
    expect(recomputed(pair.later, [pair.then])).toEqual({
      value: '1020.00',
      difference: '0.01',
      heldAtMs: 0,
      places: 2,
      weightPlaces: 2,
    })
  })

  test('starts from the first calculation with the same divisor and members', () => {
    const more = { ...pair.then, publishedAtMs: -2, constituents: [...pair.then.constituents, ...now.constituents] }
    expect(recomputed(pair.later, [more, pair.then])?.heldAtMs).toBe(0)
    const other = { ...pair.then, publishedAtMs: -1, divisor: '1' }
    expect(recomputed(pair.later, [undefined, other, pair.then])?.heldAtMs).toBe(0)
    expect(recomputed(pair.later, [other])).toBeUndefined()
    const { value, publishedAtMs, constituents } = pair.later
    expect(recomputed({ value, publishedAtMs, constituents }, [pair.then])).toBeUndefined()
    const joined = { ...pair.later, constituents: [...pair.later.constituents, ...now.constituents] }
    expect(recomputed(joined, [pair.then])).toBeUndefined()
    expect(recomputed(pair.later, [pair.later])).toBeUndefined()
    const worthless = pairOf([{ from: '0.0000', to: '1.0000', weight: '100' }], '1', '1')
    expect(recomputed(worthless.later, [worthless.then])).toBeUndefined()
  })

  test('agrees with big.js for holdings × prices ÷ divisor', () => {
    const exact = Big()
    exact.DP = 80
    fc.assert(
      fc.property(fc.array(member, { minLength: 1, maxLength: 8 }), level, level, (members, from, to) => {
        const { then, later } = pairOf(members, from, to)
        const weights = members.reduce((sum, { weight }) => sum.plus(weight), exact(0))
        fc.pre(!weights.eq(0))
        const divisor = exact(then.divisor)
        const worth = members.reduce((sum, each) => {
          const held = exact(each.weight).div(weights).times(from).times(divisor).div(each.from)
          return sum.plus(held.times(each.to))
        }, exact(0))
        const expected = worth.div(divisor)
        const found = recomputed(later, [then])
        // Half a unit of the last digit, plus the digits that are cut.
        expect(
          expected
            .minus(found?.value ?? 'none')
            .abs()
            .lte('0.00500000000000000001'),
        ).toBe(true)
        expect(
          exact(found?.value ?? 0)
            .plus(found?.difference ?? 0)
            .eq(to),
        ).toBe(true)
      }),
    )
  })
})
