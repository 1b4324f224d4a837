import { describe, expect, test } from 'vitest'
import { checkTerms } from '../../../../core/alert-terms-checks'
import type { AlertDraft, AlertTerms } from '../../../../core/alerts'
import { initialState, newMemory } from '../../../../core/evaluation/state'
import { recall } from '../../../../core/evaluation/evaluate'
import { benchStartMs, firedAt, ruleOf, run, type Step } from '../../../support/rule-bench'

/** A mean of the last three seconds, which are the values of three steps. */
function rises(
  level: string,
  more: Partial<AlertDraft> = {},
  condition: 'meanRisesTo' | 'meanFallsTo' = 'meanRisesTo',
) {
  return ruleOf({ condition, level, withinMs: 3_000 }, more)
}
const falls = (level: string) => rises(level, {}, 'meanFallsTo')

test('a mean fires when it reaches the level, whatever the value itself does', () => {
  // Means from the third value on: 10, 12, 13, 11.
  const values = ['10', '10', '10', '16', '13', '4']
  expect(firedAt(rises('12'), values)).toEqual([3])
  expect(firedAt(falls('11'), values)).toEqual([5])
  expect(firedAt(rises('12.5'), values)).toEqual([4])
})

test('a mean does not fire until values cover its window', () => {
  const { fired, verdicts } = run(rises('12'), ['90', '90'])
  expect(fired).toEqual([])
  expect(verdicts.at(-1)?.words).toBe('Needs 1 s more of values.')
})

test('a mean without end is compared exactly, also just beside the level', () => {
  // 10 ÷ 3 is above 3.333333 and below 3.333334.
  const values = ['9', '9', '9', '3', '3', '4']
  expect(firedAt(falls('3.333334'), values)).toEqual([5])
  expect(firedAt(falls('3.333333'), values)).toEqual([])
  expect(firedAt(falls('3.3333333333333333333333333333333333333333'), values)).toEqual([])
})

test('a firing has the rounded mean and the time of the newest value', () => {
  const [fired] = run(rises('3.33'), ['1.00', '1.00', '1.00', '4.00', '5.00']).fired
  expect(fired?.inputs).toEqual({ value: '3.33', publishedAtMs: benchStartMs + 4_000, direction: 'up' })
  const { verdicts } = run(rises('5'), ['1.00', '1.00', '2.00'])
  expect(verdicts.at(-1)?.measure).toBe('1.33')
  expect(verdicts.at(-1)?.words).toContain('The mean 1.33 of 3 of 3 values is below 5')
})

describe('within a window', () => {
  test('a missing value is not filled in', () => {
    const gap: Step[] = ['10', '10', '10', { value: '16', afterMs: 4_000 }, { value: '16', afterMs: 5_000 }]
    // Means: 10, then (10 + 16) ÷ 2 = 13, then 16 of two values.
    expect(firedAt(rises('13'), gap)).toEqual([3])
    expect(run(rises('90'), gap).verdicts.at(-1)?.words).toContain('The mean 16 of 2 of 3 values')
  })

  test('a value carried forward counts, but does not fire by itself', () => {
    const carried: Step[] = ['10', '10', '10', '16', { value: '16', isRepeatOfPrevious: true }, '16']
    expect(firedAt(rises('14'), carried)).toEqual([5])
  })

  test('values between two seconds and zeros do not count', () => {
    const values: Step[] = ['10', '10', '10', { value: '900', afterMs: 2_200 }, { value: '0', afterMs: 3_000 }]
    const { fired, verdicts } = run(rises('11'), values)
    expect(fired).toEqual([])
    expect(verdicts.at(-1)?.words).toContain('The mean 10 of 2 of 3 values')
  })
})

test('a re-arm band holds for the mean', () => {
  const banded = ruleOf({
    condition: 'meanRisesTo',
    level: '10',
    withinMs: 2_000,
    rearmBand: { size: '2', unit: 'points' },
  })
  // Means: 8, 10, 9, 10, 7, 10.
  expect(firedAt(banded, ['7', '7', '9', '11', '7', '13', '1', '19'])).toEqual([3, 7])
})

test('the window is filled again after a restart', () => {
  const rule = rises('12')
  const { state } = run(rule, ['10', '10', '10'])
  const memory = newMemory()
  for (const at of [0, 1, 2]) recall(rule, state, memory, { value: '10', publishedAtMs: benchStartMs + at * 1_000 })
  const next: Step[] = [
    { value: '15', afterMs: 3_000 },
    { value: '12', afterMs: 4_000 },
  ]
  expect(firedAt(rule, next, { state, memory })).toEqual([1])
  expect(initialState('wait')).not.toHaveProperty('window')
})

test.each([
  [{ withinMs: 3_600_001 }, 'The mean is that of 2 seconds to an hour, in whole seconds.'],
  [{ withinMs: 2_500 }, 'The mean is that of 2 seconds to an hour, in whole seconds.'],
])('a window of %j is refused with advice', (window, message) => {
  const terms: AlertTerms = { condition: 'meanRisesTo', level: '1', ...window }
  expect(checkTerms(terms, undefined)).toEqual([{ field: 'withinMs', message }])
})

test('an index that publishes less often than every second has no mean', () => {
  const terms: AlertTerms = { condition: 'meanFallsTo', level: '1', withinMs: 180_000 }
  const index = { id: 'NCI', name: 'Nasdaq Crypto Index', maxResolution: 'PER_MINUTE' } as const
  const [problem] = checkTerms(terms, index)
  expect(problem?.message).toBe(
    'Means need a value each second, and NCI is published less often. Choose a real-time index.',
  )
})

describe('a mean before a time', () => {
  const closing = (level: string, condition: 'finalMeanAtOrAbove' | 'finalMeanAtOrBelow' = 'finalMeanAtOrAbove') =>
    ruleOf({ condition, level, withinMs: 3_000, close: 'quarter' })
  const quarterMs = 15 * 60_000
  /** Three values before the quarter hour, the one at it, and the next one. */
  const before = (...values: string[]): Step[] =>
    values.map((value, at) => ({ value, afterMs: quarterMs + (at - 3) * 1_000 }))

  test('fires once, at the last value before the time, and only if the mean meets the level', () => {
    const values = before('1.00', '1.00', '1.01', '9.00', '9.00')
    expect(firedAt(closing('1.00'), values)).toEqual([2])
    expect(firedAt(closing('1.01'), values)).toEqual([])
    expect(firedAt(closing('1.00', 'finalMeanAtOrBelow'), values)).toEqual([2])
    expect(run(closing('1.00'), values).fired[0]?.inputs.value).toBe('1.00')
  })

  test('is compared after rounding half up, as a settlement is', () => {
    // 3.02 ÷ 3 is 1.00666…, which rounds to 1.01.
    expect(firedAt(closing('1.01'), before('1.00', '1.01', '1.01', '1'))).toEqual([2])
  })

  test('measures the running mean until its window ends', () => {
    expect(run(closing('9'), before('1.00', '2.00')).verdicts.map(({ measure }) => measure)).toEqual(['1.00', '1.50'])
  })

  test('does not fire while a value is missing', () => {
    const [first, , third] = before('5', '5', '5')
    const steps = [first, third].filter((each) => each !== undefined)
    const { fired, verdicts } = run(closing('1'), steps)
    expect(fired).toEqual([])
    expect(verdicts.at(-1)?.words).toBe('Incomplete: 2 of 3 values.')
  })
})
