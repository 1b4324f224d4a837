import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../../../main/alerts/rules'
import type { Circumstances, RuleState, WhenAlreadyMet } from '../../../../main/alerts/rules'
import { compareDecimals, parseDecimal } from '../../../../protocol/decimal'
import type { Decimal } from '../../../../protocol/decimal'
import type { AlertCondition, AlertRule } from '../../../../protocol/alerts'
import type { Publication } from '../../../../protocol/model'

const startMs = Date.UTC(2023, 10, 1, 12)

function decimal(text: string): Decimal {
  const parsed = parseDecimal(text)
  if (parsed === undefined) throw new Error(text)
  return parsed
}

/** One value a second; where a step is an object, its fields too. */
type Step = string | (Partial<Publication> & { value: string })

function run(
  condition: AlertCondition,
  level: string,
  steps: readonly Step[],
  more: { whenAlreadyMet?: WhenAlreadyMet; state?: RuleState; cadence?: Circumstances['cadence'] } = {},
) {
  const rule: AlertRule = { id: 'r', indexId: 'BRTI', condition, level, repeat: 'once', createdAtMs: startMs }
  let state = more.state ?? { phase: 'waiting', whenAlreadyMet: more.whenAlreadyMet ?? 'wait' }
  let previousAtMs: number | undefined
  const fired: { at: number; value: string; gapSinceMs?: number }[] = []
  for (const [at, step] of steps.entries()) {
    const publication = {
      publishedAtMs: startMs + at * 1_000,
      ...(typeof step === 'string' ? { value: step } : step),
    }
    const verdict = evaluate(rule, state, publication, {
      level: decimal(level),
      value: decimal(publication.value),
      ...(previousAtMs !== undefined && { previousAtMs }),
      cadence: more.cadence ?? 'PER_SECOND',
    })
    if (verdict.firing !== undefined) fired.push({ at, value: publication.value, ...verdict.firing })
    state = verdict.state
    previousAtMs = publication.publishedAtMs
  }
  return { fired, phase: state.phase }
}

const firedAt = (...args: Parameters<typeof run>) => run(...args).fired.map(({ at }) => at)

describe('the sequences on which other tools differ, level 100', () => {
  // Each row: values, where "at or above" fires, where "at or below" fires.
  test.each([
    ['through the level', ['99', '100', '101'], [1], []],
    ['a touch from above and back', ['101', '100', '101'], [], [1]],
    ['a touch from below and back', ['99', '100', '99'], [1], []],
    ['resting on the level', ['99', '100', '100', '101'], [1], []],
    ['over the level', ['99', '101'], [1], []],
    ['down through the level', ['101', '99', '101'], [2], [1]],
    ['to and fro', ['99.99', '100.01', '99.99', '100.01', '99.99'], [1], [2]],
  ])('%s', (_, values, above, below) => {
    expect(firedAt('atOrAbove', '100', values)).toEqual(above)
    expect(firedAt('atOrBelow', '100', values)).toEqual(below)
  })

  test('are told apart by this table: other rules fire elsewhere', () => {
    const fires = (rule: (before: number, now: number) => boolean, values: readonly number[]) =>
      values.flatMap((now, at) => (at > 0 && rule(values[at - 1] ?? 0, now) ? [at] : []))
    const strictly = (before: number, now: number) => before < 100 && now > 100
    const leavingTheLevel = (before: number, now: number) => before <= 100 && now > 100
    const bigStep = (before: number, now: number) => Math.abs(now - before) > Math.abs(100 - now)
    expect(fires(strictly, [99, 100, 101])).not.toEqual([1])
    expect(fires(leavingTheLevel, [101, 100, 101])).not.toEqual([])
    expect(fires(bigStep, [97, 99])).not.toEqual([])
  })

  test('ten minutes to and fro fire once', () => {
    const values = Array.from({ length: 600 }, (_, at) => (at % 2 === 0 ? '99.99' : '100.01'))
    expect(firedAt('atOrAbove', '100', values)).toEqual([1])
  })

  test('a large step that falls short of the level fires nothing', () => {
    expect(firedAt('atOrAbove', '13', ['10', '12'])).toEqual([])
    expect(firedAt('atOrAbove', '13', ['10', '12', '13'])).toEqual([2])
  })
})

describe('a condition that holds already', () => {
  test('waits for the value to come back', () => {
    expect(run('atOrAbove', '100', ['101', '102'])).toEqual({ fired: [], phase: 'disarmed' })
    expect(run('atOrAbove', '100', ['101', '99'])).toEqual({ fired: [], phase: 'armed' })
    expect(firedAt('atOrAbove', '100', ['101', '99', '100'])).toEqual([2])
    expect(firedAt('atOrBelow', '100', ['100', '100.01', '100'])).toEqual([2])
  })

  test('fires at once where that was asked for, and once', () => {
    expect(firedAt('atOrAbove', '100', ['101', '102', '99', '103'], { whenAlreadyMet: 'fire' })).toEqual([0])
  })

  test('by the exact level counts as reached', () => {
    expect(firedAt('atOrAbove', '100.00', ['100'], { whenAlreadyMet: 'fire' })).toEqual([0])
    expect(run('atOrBelow', '100', ['1e2']).phase).toBe('disarmed')
  })

  test('or does not: the first value only arms', () => {
    expect(run('atOrAbove', '100', ['99'], { whenAlreadyMet: 'fire' })).toEqual({ fired: [], phase: 'armed' })
  })
})

describe('levels of every kind', () => {
  test.each([
    ['atOrAbove', '0', ['-1', '0'], [1]],
    ['atOrBelow', '0', ['1', '0.00'], [1]],
    ['atOrBelow', '0', ['1', '-0.5'], [1]],
    ['atOrAbove', '-5', ['-6', '-4'], [1]],
    ['atOrBelow', '-5', ['-4.99', '-5.00'], [1]],
    ['atOrAbove', '1.35e-5', ['0.0000134', '0.0000135'], [1]],
    ['atOrAbove', '0.000013500', ['1.34e-5', '1.35e-5'], [1]],
    ['atOrAbove', '9007199254740993', ['9007199254740992', '9007199254740993'], [1]],
    ['atOrAbove', '68500.00', ['9.99e3', '68500'], [1]],
  ] as const)('%s %s over %j', (condition, level, values, expected) => {
    expect(firedAt(condition, level, values)).toEqual(expected)
  })

  test('a zero is no value where the level is none', () => {
    expect(run('atOrBelow', '100', ['101', '0', '0.000'])).toEqual({ fired: [], phase: 'armed' })
    expect(run('atOrAbove', '100', ['101', '0'])).toEqual({ fired: [], phase: 'disarmed' })
    expect(firedAt('atOrBelow', '100', ['101', '0.001'])).toEqual([1])
  })
})

describe('a value carried over from the day before', () => {
  test('neither fires nor arms', () => {
    const repeat = (value: string): Step => ({ value, isRepeatOfPrevious: true })
    expect(run('atOrAbove', '100', ['99', repeat('101')])).toEqual({ fired: [], phase: 'armed' })
    expect(run('atOrAbove', '100', [repeat('99')]).phase).toBe('waiting')
    expect(run('atOrAbove', '100', ['101', repeat('99')]).phase).toBe('disarmed')
    expect(firedAt('atOrAbove', '100', ['99', repeat('101'), '101'])).toEqual([2])
  })
})

describe('a level passed in a gap', () => {
  const late = (value: string, afterMs: number): Step => ({ value, publishedAtMs: startMs + afterMs })

  test('fires with the time before the gap', () => {
    const { fired } = run('atOrAbove', '100', ['99', late('101', 7_200_000)])
    expect(fired).toEqual([{ at: 1, value: '101', gapSinceMs: startMs }])
  })

  test('is no gap while the index keeps its cadence', () => {
    expect(run('atOrAbove', '100', ['99', late('101', 10_000)]).fired).toEqual([{ at: 1, value: '101' }])
    const daily = run('atOrAbove', '100', ['99', late('101', 86_400_000)], { cadence: 'DAILY' })
    expect(daily.fired).toEqual([{ at: 1, value: '101' }])
    const missed = run('atOrAbove', '100', ['99', late('101', 2 * 86_400_000)], { cadence: 'DAILY' })
    expect(missed.fired).toEqual([{ at: 1, value: '101', gapSinceMs: startMs }])
  })

  test('is not claimed where nothing is known of the value before or of the cadence', () => {
    const armed = { phase: 'armed' } as const
    expect(run('atOrAbove', '100', ['101'], { state: armed }).fired).toEqual([{ at: 0, value: '101' }])
    const rule = { id: 'r', indexId: 'X', condition: 'atOrAbove', level: '1', repeat: 'once', createdAtMs: 0 } as const
    const circumstances = { level: decimal('1'), value: decimal('2'), previousAtMs: 0 }
    expect(evaluate(rule, armed, { value: '2', publishedAtMs: 1e12 }, circumstances).firing).toEqual({})
  })
})

test('an amendment of the latest value that reaches the level fires, one that leaves it does not undo', () => {
  const amended = (value: string): Step => ({ value, publishedAtMs: startMs, amendedAtMs: startMs + 1 })
  expect(firedAt('atOrAbove', '100', ['99', amended('100')])).toEqual([1])
  expect(run('atOrAbove', '100', ['99', '100', amended('99')])).toMatchObject({
    fired: [{ at: 1 }],
    phase: 'triggered',
  })
})

test('any rule fires at most once, and only where the value is on the far side and one before it was not', () => {
  const value = fc.integer({ min: -3, max: 3 }).map((tenths) => (tenths / 10 + 1).toFixed(1))
  fc.assert(
    fc.property(fc.constantFrom('atOrAbove', 'atOrBelow'), fc.array(value), (condition, values) => {
      const { fired } = run(condition, '1', values)
      const holds = values.map((each) => {
        const order = compareDecimals(decimal(each), decimal('1'))
        return condition === 'atOrAbove' ? order >= 0 : order <= 0
      })
      const firstMiss = holds.indexOf(false)
      const expected = firstMiss === -1 ? -1 : holds.indexOf(true, firstMiss)
      expect(fired.map(({ at }) => at)).toEqual(expected === -1 ? [] : [expected])
    }),
    { numRuns: 2_000 },
  )
})
