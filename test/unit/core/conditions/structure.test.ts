import { describe, expect, test } from 'vitest'
import type { AlertTerms } from '../../../../core/alerts'
import {
  benchStartMs,
  compositionSeen,
  observe,
  ruleOf,
  valuesSeen,
  type BenchOptions,
  type Composition,
} from '../../../support/rule-bench'

const seenOf = (compositions: readonly Composition[]) =>
  compositions.map((composition, at) => compositionSeen(at, composition))
const firedAt = (terms: AlertTerms, compositions: readonly Composition[], options: BenchOptions = {}) =>
  observe(ruleOf(terms), seenOf(compositions), options).fired.map(({ at }) => at)

describe('a weight', () => {
  const above: AlertTerms = { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '70' }
  const below: AlertTerms = { condition: 'weightAtOrBelow', constituent: 'BTC', weightPercent: '70' }
  const weights = (...all: string[]): Composition[] => all.map((weight) => ({ BTC: weight, ETH: '20' }))

  test('fires once at its level, and again after it has come back', () => {
    expect(firedAt(above, weights('69', '70', '71', '69.99', '70.00'))).toEqual([1, 4])
    expect(firedAt(below, weights('71', '70', '69', '70.01', '7e1'))).toEqual([1, 4])
    expect(firedAt(above, weights('69', '69.999999999999999999'))).toEqual([])
  })

  test('fires with its constituent and value', () => {
    const { fired, verdicts } = observe(ruleOf(above), seenOf(weights('69', '70.5')))
    expect(fired[0]?.inputs).toEqual({ value: '70.5', publishedAtMs: benchStartMs + 1_000, constituent: 'BTC' })
    expect(verdicts.map(({ measure }) => measure)).toEqual(['69', '70.5'])
    expect(verdicts[0]?.words).toBe('The weight of 69 % is below 70 %: armed.')
  })

  test('already at its level waits, unless the rule is set to fire', () => {
    expect(firedAt(above, weights('71', '72'))).toEqual([])
    expect(firedAt(above, weights('71', '72'), { whenAlreadyMet: 'fire' })).toEqual([0])
  })

  test('of a missing constituent is not compared', () => {
    const { fired, verdicts } = observe(ruleOf(below), seenOf([{ BTC: '71' }, { ETH: '100' }, { BTC: '71' }]))
    expect(fired).toEqual([])
    expect(verdicts[1]?.words).toBe('BTC is not a constituent.')
    expect(firedAt(below, [{ BTC: '71' }, { ETH: '100' }, { BTC: '69' }])).toEqual([2])
  })

  test('can require a hold by publish time, which a gap does not complete', () => {
    const held = ruleOf(above, { holdMs: 2_000 })
    expect(observe(held, seenOf(weights('69', '70', '70', '70'))).fired.map(({ at }) => at)).toEqual([3])
    const gap = [...seenOf(weights('69', '70')), compositionSeen(7_200, { BTC: '71' })]
    expect(observe(held, gap).fired).toEqual([])
  })

  test('ignores a calculation carried forward, without a value or no later than the last', () => {
    const high = { BTC: '71' }
    const low = compositionSeen(0, { BTC: '69' })
    const late = (...args: Parameters<typeof compositionSeen>) =>
      observe(ruleOf(above), [low, compositionSeen(...args)]).fired.length
    expect(late(1, high, { isRepeatOfPrevious: true })).toBe(0)
    expect(late(1, high, { value: '0' })).toBe(0)
    expect(late(1, high, { value: '' })).toBe(0)
    expect(late(0, high)).toBe(0)
    expect(late(1, high)).toBe(1)
  })

  test('is not compared with index values', () =>
    expect(observe(ruleOf(above), valuesSeen(['69', '71'])).fired).toEqual([]))
})

describe('the share of an exchange', () => {
  const terms: AlertTerms = {
    condition: 'exchangeShareAtOrBelow',
    constituent: 'BTC',
    exchange: 'Kraken',
    sharePercent: '10',
  }
  const shares = (...all: string[]): Composition[] =>
    all.map((share) => ({ BTC: { weight: '100', exchanges: { Kraken: share, Bitstamp: '50' } } }))

  test('fires at its level, and a share of 0 counts', () => {
    expect(firedAt(terms, shares('12', '10', '9', '11', '0'))).toEqual([1, 4])
    const { fired } = observe(ruleOf(terms), seenOf(shares('12', '9.5')))
    expect(fired[0]?.inputs).toMatchObject({ value: '9.5', constituent: 'BTC' })
  })

  test('of a missing exchange is not compared', () => {
    expect(firedAt({ ...terms, exchange: 'Gemini' }, shares('12', '9'))).toEqual([])
    expect(firedAt(terms, [{ BTC: '100' }, { BTC: '100' }])).toEqual([])
  })
})

describe('the constituents', () => {
  const terms: AlertTerms = { condition: 'constituentsChanged' }

  test('fire with the names added and removed; the first seen are the baseline', () => {
    const { fired, phase } = observe(
      ruleOf(terms),
      seenOf([
        { BTC: '70', ETH: '30' },
        { BTC: '60', ETH: '40' },
        { BTC: '70', SOL: '30' },
      ]),
    )
    expect(fired.map(({ at, inputs: { joined, left } }) => ({ at, joined, left }))).toEqual([
      { at: 2, joined: ['SOL'], left: ['ETH'] },
    ])
    expect(phase).toBe('armed')
  })

  test('fire for each change since the calculation before, in any order', () => {
    expect(firedAt(terms, [{ A: '1', B: '2' }, { B: '2', A: '1' }, { A: '1' }, { A: '1', B: '2' }])).toEqual([2, 3])
    expect(firedAt(terms, [{ A: '1' }, {}, { A: '1' }])).toEqual([])
  })
})

describe('the divisor', () => {
  const rule = ruleOf({ condition: 'divisorChanged' })
  const divisors = (...all: (string | undefined)[]) =>
    all.map((divisor, at) => compositionSeen(at, { BTC: '100' }, divisor === undefined ? {} : { divisor }))

  test('fires when its number changes, with the old and the new one', () => {
    const { fired } = observe(rule, divisors('100.0', '100', '1e2', '100.0001', '100.0001'))
    expect(fired.map(({ at, inputs: { value, before } }) => ({ at, value, before }))).toEqual([
      { at: 3, value: '100.0001', before: '100.0' },
    ])
  })

  test('that is missing is not compared', () => {
    expect(observe(rule, divisors(undefined, '100', undefined, '100')).fired).toEqual([])
    expect(observe(rule, divisors(undefined, '100', undefined, '101')).fired).toHaveLength(1)
  })
})

test('a rule of mode once about constituents fires only at the first change', () => {
  const once = { repeat: { mode: 'once' } } as const
  const rule = ruleOf({ condition: 'constituentsChanged' }, once)
  const { fired, phase } = observe(rule, seenOf([{ A: '1' }, { B: '1' }, { C: '1' }]))
  expect([fired.map(({ at }) => at), phase]).toEqual([[1], 'triggered'])
})
