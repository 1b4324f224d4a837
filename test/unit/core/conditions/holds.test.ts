import { describe, expect, test } from 'vitest'
import { heldMsOf, phaseOf, stateSchema } from '../../../../core/evaluation/state'
import type { AlertDraft } from '../../../../core/alerts'
import * as v from 'valibot'
import { benchStartMs, firedAt, ruleOf, run, type Step } from '../../../support/rule-bench'

const seconds = (count: number, value: string): string[] => Array.from({ length: count }, () => value)
const held = (more: Partial<AlertDraft> = {}) =>
  ruleOf({ condition: 'risesTo', level: '100' }, { holdMs: 5_000, ...more })
const at = (value: string, afterMs: number, more: Partial<Step & object> = {}): Step => ({ value, afterMs, ...more })

describe('a hold', () => {
  test('fires after the condition has held that long by publish time, with its start', () => {
    const { fired } = run(held(), ['99', ...seconds(8, '101')])
    expect(fired.map((each) => each.at)).toEqual([6])
    expect(fired[0]?.inputs.heldSinceMs).toBe(benchStartMs + 1_000)
  })

  test('begins again after the condition ends', () => {
    expect(firedAt(held(), ['99', ...seconds(5, '101'), '99', ...seconds(6, '101')])).toEqual([12])
    expect(firedAt(held(), ['99', ...seconds(5, '101'), '99', ...seconds(5, '101')])).toEqual([])
  })

  test('ends when the condition ends, even within the re-arm band', () => {
    const rule = ruleOf(
      { condition: 'risesTo', level: '100', rearmBand: { size: '5', unit: 'points' } },
      { holdMs: 2_000 },
    )
    expect(firedAt(rule, ['99', '101', '101', '99.9', '101', '101', '101'])).toEqual([6])
  })

  test('is reported while it lasts', () => {
    const rule = held()
    const { state, phase, verdicts } = run(rule, ['99', '101', '101', '101'])
    expect(phase).toBe('holding')
    expect(heldMsOf(state)).toBe(2_000)
    expect(verdicts.at(-1)?.words).toBe('101 is above 100: held 2 s of 5 s.')
    expect(heldMsOf(run(rule, ['99']).state)).toBeUndefined()
  })

  test('continues after a restart', () => {
    const rule = held()
    const { state } = run(rule, ['99', '101', '101', '101'])
    const kept = v.parse(stateSchema, JSON.parse(JSON.stringify(state)))
    expect(kept).toEqual(state)
    const later = [at('101', 4_000), at('101', 5_000), at('101', 6_000)]
    expect(firedAt(rule, later, { state: kept })).toEqual([2])
    expect(firedAt(rule, later)).toEqual([])
  })

  test('of a condition already true waits, or begins immediately if set to fire', () => {
    expect(firedAt(held(), seconds(10, '101'))).toEqual([])
    expect(firedAt(held(), seconds(10, '101'), { whenAlreadyMet: 'fire' })).toEqual([5])
  })
})

describe('a gap within a hold', () => {
  test('pauses the hold: the time before it counts, the gap does not', () => {
    const steps = [
      at('99', 0),
      at('101', 1_000),
      at('101', 4_000),
      at('101', 100_000),
      at('101', 101_000),
      at('101', 102_000),
    ]
    const { fired, verdicts } = run(held(), steps)
    expect(fired.map((each) => each.at)).toEqual([5])
    expect(verdicts[3]?.words).toBe('101 is above 100: held 3 s of 5 s, time without values does not count.')
  })

  test('never completes the hold: a value above after two hours of sleep does not fire', () => {
    expect(firedAt(held(), ['99', '101', at('101', 7_200_000)])).toEqual([])
    expect(firedAt(held({ holdMs: 60_000 }), ['99', '101', at('101', 7_200_000)], { cadence: 'unknown' })).toEqual([])
    expect(firedAt(held(), ['99', '101', at('101', 6_000)])).toEqual([2])
  })

  test('is judged by the cadence of the index', () => {
    const day = 86_400_000
    const rule = held({ holdMs: 2 * day })
    const daily = { cadence: 'DAILY', everyMs: day } as const
    expect(firedAt(rule, ['99', '101', '101', '101'], daily)).toEqual([3])
    expect(firedAt(rule, ['99', '101', at('101', 3 * day), at('101', 4 * day)], daily)).toEqual([])
  })
})

describe('values carried forward within a hold', () => {
  const repeat = (value: string): Step => ({ value, isRepeatOfPrevious: true })
  const day = 86_400_000
  const daily = { cadence: 'DAILY', everyMs: day } as const
  const rule = (more: Partial<AlertDraft> = {}) => held({ holdMs: 2 * day, ...more })

  test('neither confirm nor break it', () => {
    const steps = ['99', '101', repeat('101'), '101', '101']
    expect(firedAt(rule(), steps, daily)).toEqual([])
    expect(heldMsOf(run(rule(), steps, daily).state)).toBe(day)
    expect(run(rule(), ['99', '101', repeat('99')], daily).phase).toBe('holding')
  })

  test('confirm or break it if the rule counts them', () => {
    const counting = rule({ countsRepeats: true })
    expect(firedAt(counting, ['99', '101', repeat('101'), '101'], daily)).toEqual([3])
    const broken = run(counting, ['99', '101', repeat('99')], daily)
    expect(phaseOf(broken.state)).toBe('armed')
  })

  test('do not fire even if they count: the next new value does', () => {
    const counting = rule({ countsRepeats: true })
    expect(firedAt(counting, ['99', '101', repeat('101'), repeat('101'), repeat('101')], daily)).toEqual([])
    expect(firedAt(counting, ['99', '101', repeat('101'), repeat('101'), '101'], daily)).toEqual([4])
    expect(firedAt(counting, ['99', repeat('101')], daily)).toEqual([])
  })
})

test('a crossing in the other direction begins a new hold', () => {
  const rule = ruleOf({ condition: 'crosses', level: '100' }, { holdMs: 2_000 })
  const { fired } = run(rule, ['99', '101', '101', '99', '99', '99', '99', '101', '101', '101'])
  expect(fired.map((each) => [each.at, each.inputs.direction])).toEqual([
    [5, 'down'],
    [9, 'up'],
  ])
})
