import { describe, expect, test } from 'vitest'
import type { Observation } from '../../../../core/evaluation/observation'
import { evaluate } from '../../../../core/evaluation/evaluate'
import { initialState, newMemory, stateSchema } from '../../../../core/evaluation/state'
import type { AlertTerms } from '../../../../core/alerts'
import type { MarketConditions } from '../../../../core/model'
import * as v from 'valibot'
import {
  benchStartMs,
  compositionSeen,
  observe,
  ruleOf,
  valuesSeen,
  type BenchOptions,
} from '../../../support/rule-bench'

/** Bid and ask around 100, this many basis points apart. `atS` is in seconds after the start. */
const spread = (basisPoints: number, atS: number, more: Partial<MarketConditions> = {}) =>
  seen(atS, { ...around(basisPoints), ...more })
const around = (basisPoints: number) => {
  const half = basisPoints / 200
  return { valueBid: (100 - half).toFixed(6), valueAsk: (100 + half).toFixed(6) }
}
const depth = (utilizedDepth: string, atS: number) => seen(atS, { utilizedDepth })
const seen = (atS: number, parts: Partial<MarketConditions>): Observation => ({
  kind: 'conditions',
  publication: { value: '100', publishedAtMs: benchStartMs + atS * 1_000, ...parts },
  cadence: 'PER_SECOND',
})
const spreads = (...all: number[]) => all.map((basisPoints, at) => spread(basisPoints, at))
const depths = (...all: string[]) => all.map((text, at) => depth(text, at))
const firedAt = (terms: AlertTerms, all: readonly Observation[], options: BenchOptions = {}) =>
  observe(ruleOf(terms), all, options).fired.map(({ at }) => at)

const wide: AlertTerms = { condition: 'spreadAtOrAbove', spreadBps: '10' }
const thin: AlertTerms = { condition: 'depthAtOrBelow', depth: '50' }

describe('the spread (alert engine, 1 to 5)', () => {
  test('1: fires once at its level or above, and again after it was narrower', () => {
    expect(firedAt(wide, spreads(9, 10, 11, 12, 9.9999, 10))).toEqual([1, 5])
    expect(firedAt(wide, spreads(9, 9.9999))).toEqual([])
  })

  test('2: fires again only after it was narrower by more than the re-arm band', () => {
    const banded: AlertTerms = { ...wide, rearmBand: { size: '2', unit: 'points' } }
    const hovering = spreads(7, 10, 9.5, 10.5, 9, 10, 8, 10, 7.9, 10)
    expect(firedAt(wide, hovering)).toEqual([1, 3, 5, 7, 9])
    expect(firedAt(banded, hovering)).toEqual([1, 9])
    const { verdicts } = observe(ruleOf(banded), hovering)
    expect(verdicts[2]?.words).toBe('The bid–ask spread of 9.50 bp is below 10 bp. Waits until it is below 8 bp.')
  })

  test('3: waits if it is already wide, unless the rule is set to fire', () => {
    expect(firedAt(wide, spreads(12, 13, 9, 10))).toEqual([3])
    expect(firedAt(wide, spreads(12, 13), { whenAlreadyMet: 'fire' })).toEqual([0])
  })

  test('4: can hold by publish time; a gap pauses the hold', () => {
    const held = ruleOf(wide, { holdMs: 2_000 })
    expect(observe(held, spreads(9, 10, 11, 12)).fired.map(({ at }) => at)).toEqual([3])
    expect(observe(held, spreads(9, 10, 9, 10)).fired).toEqual([])
    expect(observe(held, [spread(9, 0), spread(10, 1), spread(11, 7_200)]).fired).toEqual([])
  })

  test('5: can fire once, or repeatedly while it is wide', () => {
    const all = [spread(9, 0), spread(12, 1), spread(12, 30), spread(12, 61), spread(9, 62), spread(12, 63)]
    expect(observe(ruleOf(wide, { repeat: { mode: 'once' } }), all).fired.map(({ at }) => at)).toEqual([1])
    const repeating = ruleOf(wide, { repeat: { mode: 'whileTrue', everyMinutes: 1 } })
    expect(observe(repeating, all).fired.map(({ at }) => at)).toEqual([1, 3, 5])
  })

  test('10: fires with the times before and after a gap if first seen wide after it', () => {
    const { fired } = observe(ruleOf(wide), [spread(9, 0), spread(12, 600)])
    expect(fired[0]?.inputs).toMatchObject({ gapSinceMs: benchStartMs, publishedAtMs: benchStartMs + 600_000 })
    expect(observe(ruleOf(wide), spreads(9, 12)).fired[0]?.inputs).not.toHaveProperty('gapSinceMs')
  })

  test('11: ignores conditions carried forward, without a value or no later than the last', () => {
    const late = (more: Partial<MarketConditions>, atS = 1) =>
      firedAt(wide, [spread(9, 0), spread(12, atS, more)]).length
    expect(late({ isRepeatOfPrevious: true })).toBe(0)
    expect(late({ value: '0' })).toBe(0)
    expect(late({ value: '' })).toBe(0)
    expect(late({}, 0)).toBe(0)
    expect(late({})).toBe(1)
  })

  test('15: does not fire again after a restart, and stays armed over one', () => {
    const first = observe(ruleOf(wide), spreads(9, 12))
    const kept = v.parse(stateSchema, JSON.parse(JSON.stringify(first.state)))
    expect(firedAt(wide, [spread(12, 5)], { state: kept })).toEqual([])
    expect(firedAt(wide, [spread(9, 5), spread(12, 6)], { state: kept })).toEqual([1])
    expect(firedAt(wide, [spread(12, 5)], { state: observe(ruleOf(wide), spreads(9)).state })).toEqual([0])
  })

  test('17: is compared exactly and rounded down when written', () => {
    // 20000 × 3 ÷ 20003 is 2.99955…
    const third = { valueBid: '10000', valueAsk: '10003' }
    const of = (spreadBps: string) =>
      observe(ruleOf({ condition: 'spreadAtOrAbove', spreadBps }), [spread(1, 0), seen(1, third)])
    expect(of('3').fired).toEqual([])
    expect(of('3').verdicts[1]).toMatchObject({
      measure: '2.99',
      words: 'The bid–ask spread of 2.99 bp is below 3 bp: armed.',
    })
    expect(of('2.9995').fired[0]?.inputs.value).toBe('2.9995')
    expect(of('2.9996').fired).toEqual([])
  })

  test('is not compared if bid or ask is missing or not positive, or the bid is above the ask', () => {
    for (const parts of [
      { valueAsk: '200' },
      { valueBid: '100' },
      { valueBid: '0', valueAsk: '200' },
      { valueBid: '-1', valueAsk: '200' },
      { valueBid: '200', valueAsk: '100' },
    ]) {
      const { fired, verdicts } = observe(ruleOf(wide), [spread(9, 0), seen(1, parts)])
      expect(fired).toEqual([])
      expect(verdicts[1]?.words).toBe('No bid and ask to compare.')
    }
  })
})

describe('the utilized depth', () => {
  test('fires once at its level or below, and again after there was more', () => {
    expect(firedAt(thin, depths('51', '50', '49.9', '50.00', '50.1', '5e1'))).toEqual([1, 5])
    expect(
      firedAt({ ...thin, rearmBand: { size: '5', unit: 'points' } }, depths('51', '50', '55', '50', '55.1', '50')),
    ).toEqual([1, 5])
  })

  test('of zero is compared like any other, even with a level of zero', () => {
    expect(firedAt(thin, depths('51', '0'))).toEqual([1])
    expect(firedAt({ condition: 'depthAtOrBelow', depth: '0' }, depths('51', '0.1', '0.0'))).toEqual([2])
  })

  test('is reported as published, and is not compared if missing', () => {
    const { fired, verdicts } = observe(ruleOf(thin), [depth('51.0', 0), spread(9, 1), depth('49.50', 2)])
    expect(fired[0]?.inputs).toEqual({ value: '49.50', publishedAtMs: benchStartMs + 2_000 })
    expect(verdicts.map(({ words }) => words)).toEqual([
      'The utilized depth of 51.0 is above 50: armed.',
      'No utilized depth to compare.',
      'The utilized depth of 49.50 is below 50: fired.',
    ])
  })
})

test('rules for spread and depth ignore values and constituents', () => {
  for (const terms of [wide, thin]) {
    const others = [...valuesSeen(['1', '100']), compositionSeen(3, { BTC: '100' })]
    expect(observe(ruleOf(terms), others, { whenAlreadyMet: 'fire' }).fired).toEqual([])
  }
  const level = ruleOf({ condition: 'isAbove', level: '1' })
  expect(evaluate(level, initialState('fire'), newMemory(), spread(12, 0)).firings).toEqual([])
})
