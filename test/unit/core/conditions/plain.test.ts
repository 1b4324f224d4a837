import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import type { Observation } from '../../../../core/evaluation/observation'
import { stateSchema } from '../../../../core/evaluation/state'
import type { AlertDraft } from '../../../../core/alerts'
import type { Fact } from '../../../../core/model'
import {
  benchStartMs,
  firedAt,
  observe,
  ruleOf,
  run,
  valuesSeen,
  type BenchOptions,
  type Step,
} from '../../../support/rule-bench'

const once = { repeat: { mode: 'once' } } as const
const repeat: Step = { value: '100', isRepeatOfPrevious: true }

describe('carried forward', () => {
  const rule = ruleOf({ condition: 'carriedOver' })

  test('fires at the first value carried forward, and again after a new value', () => {
    expect(firedAt(rule, ['100', repeat, repeat, '100', repeat])).toEqual([1, 4])
    expect(firedAt(rule, ['100', '100', '100'])).toEqual([])
  })

  test('waits if a value is already carried forward, unless the rule is set to fire', () => {
    expect(run(rule, [repeat, repeat]).phase).toBe('disarmed')
    expect(firedAt(rule, [repeat, repeat, '100', repeat])).toEqual([3])
    expect(firedAt(rule, [repeat, repeat], { whenAlreadyMet: 'fire' })).toEqual([0])
  })

  test('can require a hold, and can repeat', () => {
    const day = 86_400_000
    const daily = { cadence: 'DAILY', everyMs: day } as const
    const held = ruleOf({ condition: 'carriedOver' }, { holdMs: day })
    expect(firedAt(held, ['100', repeat, '100', repeat, repeat], daily)).toEqual([4])
    const repeating = ruleOf({ condition: 'carriedOver' }, { repeat: { mode: 'whileTrue', everyMinutes: 2_880 } })
    expect(firedAt(repeating, ['100', repeat, repeat, repeat, repeat], daily)).toEqual([1, 3])
  })
})

describe('amended', () => {
  const rule = ruleOf({ condition: 'amended' })
  const amended = (value: string, afterMs: number, amendedAfterMs: number): Step => {
    return { value, afterMs, amendedAtMs: benchStartMs + amendedAfterMs }
  }

  test('fires once for each amendment, also of an earlier value', () => {
    const steps = ['100', '101', amended('100.5', 0, 5_000), amended('100.5', 0, 5_000), amended('100.6', 0, 6_000)]
    const { fired, phase } = run(rule, steps)
    expect(fired.map(({ at }) => at)).toEqual([2, 4])
    expect(fired[0]?.inputs).toMatchObject({
      value: '100.5',
      publishedAtMs: benchStartMs,
      amendedAtMs: benchStartMs + 5_000,
    })
    expect(phase).toBe('armed')
  })

  test('distinguishes amendments of two values made at the same time', () => {
    const steps = [amended('100', 1_000, 5_000), amended('99', 0, 5_000), amended('100', 1_000, 5_000)]
    expect(firedAt(rule, steps)).toEqual([0, 1])
  })

  test('does not fire for an amendment older than the rule, unless set to fire', () => {
    const old = amended('100', -5_000, -1_000)
    expect(firedAt(rule, [old, old])).toEqual([])
    expect(firedAt(rule, [old, old], { whenAlreadyMet: 'fire' })).toEqual([0])
    expect(firedAt(rule, [old, '100', amended('101', 1_000, 9_000)])).toEqual([2])
  })
})

describe('a corporate action', () => {
  const rule = ruleOf({ condition: 'corporateAction' })
  const action = (text: string, at = 0): Observation => ({
    kind: 'corporateAction',
    action: {
      publishedAtMs: benchStartMs + at,
      facts: [
        { name: 'kind', text },
        { name: 'ratio', text: '4' },
      ],
    },
  })
  const none: Observation = { kind: 'corporateAction', action: null }
  const actionsAt = (seen: Observation[], options: BenchOptions = {}) =>
    observe(rule, seen, options).fired.map(({ at }) => at)

  test('fires when its facts change, not when it is published again or ends', () => {
    expect(actionsAt([none, action('split'), action('split', 1_000), none, none])).toEqual([1])
    expect(actionsAt([none, action('split'), action('dividend'), none, action('dividend')])).toEqual([1, 2, 4])
  })

  test('that is already known is the baseline, unless the rule is set to fire', () => {
    expect(actionsAt([action('split'), action('split')])).toEqual([])
    expect(actionsAt([action('split'), action('dividend')])).toEqual([1])
    expect(actionsAt([action('split'), action('split')], { whenAlreadyMet: 'fire' })).toEqual([0])
  })

  test('is the same in any order of its fields', () => {
    const facts = (...names: string[]): Fact[] => names.map((name) => ({ name, text: 'x' }))
    const seen = (...names: string[]): Observation => {
      return { kind: 'corporateAction', action: { publishedAtMs: 1, facts: facts(...names) } }
    }
    expect(actionsAt([seen('a', 'b'), seen('b', 'a')])).toEqual([])
    expect(actionsAt([seen('a', 'b'), seen('b', 'c')])).toEqual([1])
  })

  test('is remembered after a restart', () => {
    const { state } = observe(rule, [none, action('split')])
    const kept = v.parse(stateSchema, JSON.parse(JSON.stringify(state)))
    expect(actionsAt([action('split')], { state: kept })).toEqual([])
    expect(actionsAt([action('dividend')], { state: kept })).toEqual([0])
  })
})

describe('a silence', () => {
  const silenceOf = (more: Partial<AlertDraft> = {}) => ruleOf({ condition: 'noUpdate', afterMs: 60_000 }, more)
  const silent: Observation = { kind: 'silent', atMs: benchStartMs, sinceMs: benchStartMs }
  const resumed = (at = 90_000): Observation => {
    return { kind: 'resumed', publication: { value: '101', publishedAtMs: benchStartMs + at } }
  }
  const recoveredAt = (...args: Parameters<typeof observe>) =>
    observe(...args).verdicts.flatMap(({ recovered }, at) => (recovered === undefined ? [] : [at]))

  test('fires once with the time of the last value, and ends once', () => {
    const { fired, phase } = observe(silenceOf(), [...valuesSeen(['100']), silent, silent, silent])
    expect(fired).toEqual([{ at: 1, inputs: { silentSinceMs: benchStartMs } }])
    expect(phase).toBe('disarmed')
    const seen = [silent, resumed(), ...valuesSeen([{ value: '101', afterMs: 90_000 }])]
    const { verdicts, phase: after } = observe(silenceOf(), seen)
    expect(verdicts[1]?.recovered).toEqual({
      value: '101',
      publishedAtMs: benchStartMs + 90_000,
      silentSinceMs: benchStartMs,
    })
    expect(recoveredAt(silenceOf(), seen)).toEqual([1])
    expect(after).toBe('armed')
  })

  test('of an index that never published fires without a time', () => {
    const { fired } = observe(silenceOf(), [{ kind: 'silent', atMs: benchStartMs }])
    expect(fired).toEqual([{ at: 0, inputs: {} }])
  })

  test('fires again after an end', () =>
    expect(observe(silenceOf(), [silent, resumed(), silent]).fired.map(({ at }) => at)).toEqual([0, 2]))

  test('of a rule of mode once fires once and ends once', () => {
    const { fired, phase, verdicts } = observe(silenceOf(once), [silent, resumed(), silent, resumed()])
    expect(fired.map(({ at }) => at)).toEqual([0])
    expect(verdicts.map(({ recovered }) => recovered !== undefined)).toEqual([false, true, false, false])
    expect(phase).toBe('triggered')
  })

  test('of a repeating rule fires each time the watch reports it', () => {
    const repeating = silenceOf({ repeat: { mode: 'whileTrue', everyMinutes: 5 } })
    expect(observe(repeating, [silent, silent]).fired).toHaveLength(2)
  })

  test('that fired before a restart does not fire again, and ends at a later value', () => {
    const { state } = observe(silenceOf(), [silent])
    const kept = v.parse(stateSchema, JSON.parse(JSON.stringify(state)))
    expect(kept).toEqual(state)
    const values = valuesSeen(['100', '101'])
    expect(observe(silenceOf(), [silent, ...values], { state: kept }).fired).toEqual([])
    expect(recoveredAt(silenceOf(), [silent, ...values], { state: kept })).toEqual([2])
  })

  test('is ignored by rules with another condition', () => {
    const level = ruleOf({ condition: 'isAbove', level: '100' })
    const { fired, phase } = observe(level, [silent, resumed()])
    expect([fired, phase]).toEqual([[], 'waiting'])
  })
})
