import { describe, expect, test } from 'vitest'
import type { AlertDraft, MoveTerms } from '../../../../core/alerts'
import { benchStartMs, firedAt, ruleOf, run, type Step } from '../../../support/rule-bench'

const minute = 60_000

/** A move within three minutes, one value a minute. */
function move(
  direction: MoveTerms['direction'],
  amount: string,
  unit: MoveTerms['unit'] = 'percent',
  more: Partial<AlertDraft> = {},
) {
  return ruleOf({ condition: 'moves', direction, amount, unit, withinMs: 3 * minute }, more)
}
const minutes = { cadence: 'PER_MINUTE', everyMs: minute } as const
const at = (...args: Parameters<typeof firedAt>) => firedAt(args[0], args[1], { ...minutes, ...args[2] })
const inputs = (...args: Parameters<typeof run>) => run(args[0], args[1], minutes).fired.map((each) => each.inputs)

describe('a window', () => {
  test('does not fire until values cover it, and states how much is missing', () => {
    const { fired, phase, verdicts } = run(move('up', '5'), ['100', '120', '140'], minutes)
    expect(fired).toEqual([])
    expect(phase).toBe('waiting')
    expect(verdicts.at(-1)?.words).toBe('Needs 1 min more of values.')
    expect(verdicts.at(-1)).not.toHaveProperty('measure')
    expect(at(move('up', '5'), ['100', '120', '140', '140'])).toEqual([3])
  })

  test('is filled again after a restart', () => {
    const { state } = run(move('up', '5'), ['100', '100', '100', '100'], minutes)
    expect(at(move('up', '5'), ['100', '110', '110'], { state })).toEqual([])
  })

  test('includes a value exactly as old as the window and excludes older ones', () => {
    expect(at(move('up', '5'), ['100', '110', '110', '110'])).toEqual([3])
    const older: Step[] = ['100', '110', '110', { value: '110', afterMs: 3 * minute + 1 }]
    expect(at(move('up', '5'), older)).toEqual([])
  })

  test('emptied by a long gap does not fire', () =>
    expect(at(move('up', '5'), ['100', '100', { value: '200', afterMs: 120 * minute }])).toEqual([]))
})

describe('the reference', () => {
  test('is the oldest, lowest or highest value, whichever gives the largest move', () => {
    expect(inputs(move('up', '5'), ['100', '90', '110', '108'])).toEqual([
      {
        value: '108',
        publishedAtMs: benchStartMs + 3 * minute,
        previous: { value: '110', publishedAtMs: benchStartMs + 2 * minute },
        direction: 'up',
        reference: { kind: 'min', value: '90', publishedAtMs: benchStartMs + minute },
        change: '20',
      },
    ])
    expect(inputs(move('down', '1'), ['100', '90', '110', '99'])[0]?.reference?.kind).toBe('max')
    expect(inputs(move('up', '1'), ['100', '103', '110', '108'])[0]?.reference?.kind).toBe('oldest')
  })

  test('for either direction is the one of the larger move', () => {
    const [fired] = inputs(move('either', '5'), ['100', '80', '110', '100'])
    expect([fired?.direction, fired?.change, fired?.reference?.kind]).toEqual(['up', '25', 'min'])
    const [down] = inputs(move('either', '5'), ['100', '98', '125', '100'])
    expect([down?.direction, down?.change, down?.reference?.kind]).toEqual(['down', '-20', 'max'])
  })

  test('moves to the value that fired', () => {
    const values = ['100', '100', '100', '105', '106', '109', '110.25', '111']
    const { fired } = run(move('up', '5'), values, minutes)
    expect(fired.map((each) => [each.at, each.inputs.reference?.value])).toEqual([
      [3, '100'],
      [6, '105'],
    ])
    expect(at(move('up', '5'), ['100', '100', '100', '105', '111'])).toEqual([3, 4])
  })
})

describe('known mistakes of other tools', () => {
  test('a percent move fires only in its direction', () => {
    const falls = ['100', '100', '100', '90']
    expect(at(move('up', '5'), falls)).toEqual([])
    expect(at(move('down', '5'), falls)).toEqual([3])
    expect(at(move('either', '5'), falls)).toEqual([3])
    expect(inputs(move('down', '5'), falls)[0]?.change).toBe('-10')
    const rises = ['100', '100', '100', '110']
    expect(at(move('down', '5'), rises)).toEqual([])
    expect(at(move('up', '5'), rises)).toEqual([3])
  })

  test('an amount of 0 fires for any move, but not for an unchanged value', () => {
    expect(at(move('up', '0'), ['100', '100', '100', '100'])).toEqual([])
    expect(at(move('up', '0'), ['100', '100', '100', '100.01'])).toEqual([3])
    expect(at(move('either', '0', 'points'), ['100', '100', '100', '99.99'])).toEqual([3])
  })
})

describe('amounts are compared exactly', () => {
  test('in percent, to the last digit', () => {
    const third = '0.3333333333333333333333333'
    expect(at(move('up', third), ['3', '3', '3', '3.00999999999999999999999999'])).toEqual([])
    expect(at(move('up', third), ['3', '3', '3', '3.01'])).toEqual([3])
  })

  test('in points', () => {
    const rule = move('up', '0.00000000000000000001', 'points')
    expect(at(rule, ['1', '1', '1', '1.000000000000000000009'])).toEqual([])
    expect(at(rule, ['1', '1', '1', '1.00000000000000000001'])).toEqual([3])
  })

  test('and a change just short of the amount is written as less than it', () => {
    const { verdicts } = run(move('up', '5'), ['100', '100', '100', '104.9999'], minutes)
    expect(verdicts.at(-1)?.measure).toBe('4.99')
    expect(verdicts.at(-1)?.words).toBe('104.9999 is 4.99 % from 100, the oldest of 3 min: armed.')
  })
})

describe('negative values', () => {
  test('move in percent of the size of the reference', () => {
    expect(inputs(move('up', '50'), ['-10', '-10', '-10', '-5']).map(({ change }) => change)).toEqual(['50'])
    expect(inputs(move('down', '50'), ['-10', '-10', '-10', '-15']).map(({ change }) => change)).toEqual(['-50'])
    expect(at(move('up', '51'), ['-10', '-10', '-10', '-5'])).toEqual([])
  })

  test('move through zero', () => {
    expect(inputs(move('up', '3', 'points'), ['-2', '-2', '-2', '1']).map(({ change }) => change)).toEqual(['3'])
    expect(inputs(move('up', '100'), ['-2', '-2', '-2', '1']).map(({ change }) => change)).toEqual(['150'])
  })
})

test('a zero and a text that is not a number are skipped', () => {
  expect(at(move('either', '5'), ['100', '100', '100', '0', '', '100'])).toEqual([])
  expect(at(move('either', '5'), ['100', '100', '100', '0', '', '106'])).toEqual([5])
})

test('a value carried forward is left out of the window', () => {
  const repeat: Step = { value: '120', isRepeatOfPrevious: true }
  expect(at(move('either', '5'), ['100', '100', '100', repeat, '101'])).toEqual([])
})

test('a move can require a hold', () => {
  const held = move('up', '5', 'percent', { holdMs: minute })
  expect(at(held, ['100', '100', '100', '106', '100', '100'])).toEqual([])
  expect(at(held, ['100', '100', '100', '106', '106', '106'])).toEqual([4])
})

test('a rule of mode once fires only at the first move', () => {
  const { fired, phase } = run(
    move('up', '5', 'percent', { repeat: { mode: 'once' } }),
    ['1', '1', '1', '2', '4', '8'],
    minutes,
  )
  expect(fired.map((each) => each.at)).toEqual([3])
  expect(phase).toBe('triggered')
})
