import { describe, expect, test } from 'vitest'
import type { AlertRepeat } from '../../../../core/alert-timing'
import { firedAt, ruleOf, run, type Step } from '../../../support/rule-bench'

const above = (repeat: AlertRepeat, holdMs?: number) =>
  ruleOf({ condition: 'isAbove', level: '100' }, { repeat, ...(holdMs !== undefined && { holdMs }) })
const minutes = { cadence: 'PER_MINUTE', everyMs: 60_000 } as const
const stays = (count: number, value = '101'): string[] => Array.from({ length: count }, () => value)

test('a rule of mode once fires once and then never again', () => {
  const { fired, phase, verdicts } = run(above({ mode: 'once' }), ['99', '101', '99', '101'])
  expect(fired.map(({ at }) => at)).toEqual([1])
  expect(phase).toBe('triggered')
  expect(verdicts[3]?.words).toBe('It has fired once and is finished.')
  expect(verdicts[3]?.state).toBe(verdicts[1]?.state)
})

test.each([{ mode: 'everyCrossing' }, { mode: 'daily', max: 1 }] as const)('$mode fires at each crossing', (repeat) =>
  expect(firedAt(above(repeat), ['99', '101', '102', '99', '101'])).toEqual([1, 4]),
)

describe('while true every five minutes', () => {
  const rule = above({ mode: 'whileTrue', everyMinutes: 5 })

  test('fires at the crossing and then every five minutes of publish time', () =>
    expect(firedAt(rule, ['99', ...stays(12)], minutes)).toEqual([1, 6, 11]))

  test('counts the five minutes again from the next crossing', () => {
    expect(firedAt(rule, ['99', ...stays(3), '99', ...stays(6)], minutes)).toEqual([1, 5, 10])
    expect(firedAt(rule, ['99', '101', ...stays(8, '99')], minutes)).toEqual([1])
  })

  test('continues after a return within the re-arm band, but fires only while true', () => {
    const banded = ruleOf(
      { condition: 'isAbove', level: '100', rearmBand: { size: '5', unit: 'points' } },
      { repeat: { mode: 'whileTrue', everyMinutes: 5 } },
    )
    expect(firedAt(banded, ['94', '101', '99', ...stays(9)], minutes)).toEqual([1, 6, 11])
    expect(firedAt(banded, ['94', '101', ...stays(8, '99'), '101'], minutes)).toEqual([1, 10])
    expect(firedAt(banded, ['94', '101', '94', ...stays(2, '99'), ...stays(6)], minutes)).toEqual([1, 5, 10])
    expect(firedAt(banded, ['99', ...stays(6)], minutes)).toEqual([1, 6])
  })

  test('continues after a value equal to the level, without firing at it', () => {
    expect(firedAt(rule, ['99', '101', '100', ...stays(9)], minutes)).toEqual([1, 6, 11])
    expect(firedAt(rule, ['99', '101', ...stays(9, '100')], minutes)).toEqual([1])
  })

  test('waits if the condition is already true, unless the rule is set to fire', () => {
    expect(firedAt(rule, stays(12), minutes)).toEqual([])
    expect(firedAt(rule, stays(12), { ...minutes, whenAlreadyMet: 'fire' })).toEqual([0, 5, 10])
  })

  test('waits for the hold only before the first firing', () => {
    const held = above({ mode: 'whileTrue', everyMinutes: 5 }, 120_000)
    expect(firedAt(held, ['99', ...stays(12)], minutes)).toEqual([3, 8])
  })

  test('does not fire at values carried forward', () => {
    const repeat: Step = { value: '101', isRepeatOfPrevious: true }
    expect(firedAt(rule, ['99', '101', repeat, repeat, repeat, repeat, repeat, repeat, '101'], minutes)).toEqual([1, 8])
  })
})
