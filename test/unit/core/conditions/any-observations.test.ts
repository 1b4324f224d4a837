import * as v from 'valibot'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Observation } from '../../../../core/evaluation/observation'
import { stateSchema } from '../../../../core/evaluation/state'
import type { AlertTerms } from '../../../../core/alerts'
import type { AlertRepeat } from '../../../../core/alert-timing'
import { sampleTerms } from '../../../support/sample-alerts'
import { benchStartMs, firedAt, observe, ruleOf, type Step } from '../../../support/rule-bench'
import { examples } from '../../../support/examples'

const decimal = fc.oneof(fc.integer({ min: -3, max: 3 }).map(String), fc.constantFrom('', 'NaN', '1e9', '-0.0', '1e64'))
const at = fc.integer({ min: 0, max: 20 }).map((seconds) => benchStartMs + seconds * 1_000)
const optional = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined })
const name = fc.constantFrom('BTC', 'ETH', 'constructor', '__proto__')

const publication = fc
  .record({ value: decimal, publishedAtMs: at, amendedAtMs: optional(at), isRepeat: fc.boolean() })
  .map(({ value, publishedAtMs, amendedAtMs, isRepeat }) => ({
    value,
    publishedAtMs,
    ...(amendedAtMs !== undefined && { amendedAtMs }),
    ...(isRepeat && { isRepeatOfPrevious: true as const }),
  }))
const constituents = fc.array(fc.record({ constituent: name, value: decimal, weightPercent: decimal }), {
  maxLength: 4,
})
const observation: fc.Arbitrary<Observation> = fc.oneof(
  publication.map((each): Observation => ({ kind: 'value', publication: each, cadence: 'PER_SECOND' })),
  publication.map((each): Observation => ({ kind: 'resumed', publication: each })),
  fc.constantFrom<Observation>(
    { kind: 'silent', atMs: benchStartMs },
    { kind: 'silent', atMs: benchStartMs, sinceMs: benchStartMs },
  ),
  fc.tuple(publication, constituents, optional(decimal)).map(([each, parts, divisor]): Observation => ({
    kind: 'constituents',
    publication: { ...each, constituents: parts, ...(divisor !== undefined && { divisor }) },
  })),
  fc
    .tuple(publication, optional(decimal), optional(decimal), optional(decimal))
    .map(([each, valueBid, valueAsk, utilizedDepth]): Observation => ({
      kind: 'conditions',
      publication: {
        ...each,
        ...(valueBid !== undefined && { valueBid }),
        ...(valueAsk !== undefined && { valueAsk }),
        ...(utilizedDepth !== undefined && { utilizedDepth }),
      },
    })),
  fc.constantFrom<Observation>(
    { kind: 'corporateAction', action: null },
    { kind: 'corporateAction', action: { publishedAtMs: 1, facts: [{ name: 'a', text: 'b' }] } },
  ),
)

const terms: fc.Arbitrary<AlertTerms> = fc.oneof(
  fc.constantFrom(...sampleTerms),
  fc
    .tuple(fc.constantFrom('crosses', 'isAbove', 'fallsTo'), decimal, optional(decimal))
    .map(([condition, level, size]): AlertTerms => ({
      condition,
      level,
      ...(size !== undefined && { rearmBand: { size, unit: 'basisPoints' } }),
    })),
  fc
    .tuple(fc.constantFrom('entersBand', 'leavesBand'), decimal, decimal)
    .map(([condition, low, high]): AlertTerms => ({ condition, low, high })),
  fc
    .tuple(fc.constantFrom('percent', 'points'), decimal)
    .map(([unit, amount]): AlertTerms => ({ condition: 'moves', direction: 'either', amount, unit, withinMs: 3_000 })),
  fc
    .tuple(name, decimal)
    .map(([constituent, weightPercent]): AlertTerms => ({ condition: 'weightAtOrBelow', constituent, weightPercent })),
  fc
    .tuple(optional(name), decimal, fc.constantFrom('made', 'rebalance'))
    .map(([constituent, points, base]): AlertTerms => ({
      condition: 'weightDrift',
      points,
      base,
      ...(constituent !== undefined && { constituent }),
    })),
  decimal.map((tolerancePercent): AlertTerms => ({ condition: 'continuity', tolerancePercent })),
)
const repeat = fc.constantFrom<AlertRepeat>(
  { mode: 'once' },
  { mode: 'everyCrossing' },
  { mode: 'whileTrue', everyMinutes: 1 },
)

test('any observations are evaluated without an error, alike each time, to a storable state', () =>
  fc.assert(
    fc.property(
      fc.record({ terms, repeat, holdMs: fc.constantFrom(0, 2_000), countsRepeats: fc.boolean() }),
      fc.constantFrom('wait', 'fire'),
      fc.array(observation, { maxLength: 25 }),
      ({ terms: waitsFor, repeat: mode, holdMs, countsRepeats }, whenAlreadyMet, seen) => {
        const rule = ruleOf(waitsFor, {
          repeat: mode,
          ...(holdMs > 0 && { holdMs }),
          ...(countsRepeats && { countsRepeats: true as const }),
        })
        const once = observe(rule, seen, { whenAlreadyMet })
        expect(observe(rule, seen, { whenAlreadyMet })).toEqual(once)
        if (mode.mode === 'once') expect(new Set(once.fired.map((each) => each.at)).size).toBeLessThanOrEqual(1)
        for (const { state, words } of once.verdicts) {
          expect(v.parse(stateSchema, JSON.parse(JSON.stringify(state)))).toEqual(state)
          expect(words).toMatch(/\.$/)
        }
      },
    ),
    { numRuns: examples(3_000) },
  ))

/** The definition of a hold in plain code, on whole seconds, for a rule that starts below its level. */
function heldPlainly(holdMs: number, ticks: readonly { isAbove: boolean; waitMs: number }[]): number[] {
  let isArmed = true
  let heldMs: number | undefined
  return ticks.flatMap(({ isAbove, waitMs }, place) => {
    if (!isAbove) {
      isArmed = true
      heldMs = undefined
      return []
    }
    if (!isArmed) return []
    const isGap = waitMs > 10_000
    heldMs = heldMs === undefined ? 0 : heldMs + (isGap ? 0 : waitMs)
    if (heldMs < holdMs || (isGap && heldMs > 0)) return []
    isArmed = false
    heldMs = undefined
    return [place]
  })
}

test('a hold counts the time between values and leaves out gaps', () => {
  const tick = fc.record({ isAbove: fc.boolean(), waitMs: fc.constantFrom(1_000, 3_000, 10_000, 10_001, 60_000) })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 25 }), fc.array(tick, { maxLength: 40 }), (seconds, ticks) => {
      const rule = ruleOf({ condition: 'isAbove', level: '100' }, { holdMs: seconds * 1_000 })
      let afterMs = 0
      const steps = ticks.map(({ isAbove, waitMs }): Step => {
        afterMs += waitMs
        return { value: isAbove ? '101' : '99', afterMs }
      })
      const expected = heldPlainly(seconds * 1_000, ticks).map((place) => place + 1)
      expect(firedAt(rule, [{ value: '99', afterMs: 0 }, ...steps])).toEqual(expected)
    }),
    { numRuns: examples(1_000) },
  )
})
