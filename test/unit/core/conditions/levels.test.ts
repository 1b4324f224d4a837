import { describe, expect, test } from 'vitest'
import type { AlertDraft, LevelTerms } from '../../../../core/alerts'
import type { RearmBand } from '../../../../core/evaluation/condition'
import { benchStartMs, firedAt, ruleOf, run, type Step } from '../../../support/rule-bench'

const points = (size: string): RearmBand => ({ size, unit: 'points' })
const basisPoints = (size: string): RearmBand => ({ size, unit: 'basisPoints' })

function level(condition: LevelTerms['condition'], at = '100', rearmBand?: RearmBand, more: Partial<AlertDraft> = {}) {
  return ruleOf({ condition, level: at, ...(rearmBand !== undefined && { rearmBand }) }, more)
}

const once = { repeat: { mode: 'once' } } as const

describe('the sequences on which other tools differ, level 100', () => {
  const rows: [name: string, values: string[], up: number[], down: number[]][] = [
    ['through the level', ['99', '100', '101'], [1], []],
    ['a touch and bounce from above counts once, downwards', ['101', '100', '101'], [], [1]],
    ['a touch and bounce from below counts once, upwards', ['99', '100', '99'], [1], []],
    ['resting on the level', ['99', '100', '100', '101'], [1], []],
    ['over the level', ['99', '101'], [1], []],
    ['down through the level and back', ['101', '99', '101'], [2], [1]],
  ]
  for (const band of [undefined, points('0'), points('0.05'), basisPoints('5')]) {
    test.each(rows)(
      `%s, ${band === undefined ? 'without a re-arm band' : `${band.size} ${band.unit}`}`,
      (_, values, up, down) => {
        expect(firedAt(level('risesTo', '100', band), values)).toEqual(up)
        expect(firedAt(level('fallsTo', '100', band), values)).toEqual(down)
        const { fired } = run(level('crosses', '100', band), values)
        const expected = [...up.map((at) => [at, 'up']), ...down.map((at) => [at, 'down'])].sort(([a], [b]) =>
          a === b ? 0 : Number(a) - Number(b),
        )
        expect(fired.map(({ at, inputs }) => [at, inputs.direction])).toEqual(expected)
      },
    )
  }

  test('there and back within the re-arm band is one crossing', () => {
    expect(firedAt(level('crosses', '100', points('1.5')), ['101', '99', '101'])).toEqual([1])
    expect(firedAt(level('crosses', '100', points('1.5')), ['101', '98.4', '101'])).toEqual([1, 2])
  })

  test('tell other definitions of a crossing apart', () => {
    const fires = (rule: (before: number, now: number) => boolean, values: readonly number[]) =>
      values.flatMap((now, at) => (at > 0 && rule(values[at - 1] ?? 0, now) ? [at] : []))
    const strictly = (before: number, now: number) => before < 100 && now > 100
    const leavingTheLevel = (before: number, now: number) => before <= 100 && now > 100
    expect(fires(strictly, [99, 100, 101])).not.toEqual([1])
    expect(fires(leavingTheLevel, [101, 100, 101])).not.toEqual([])
  })
})

describe('to and fro over the level', () => {
  const toAndFro = (count: number) => Array.from({ length: count }, (_, at) => (at % 2 === 0 ? '99.99' : '100.01'))

  test('six times is eleven crossings without a re-arm band and one with it', () => {
    expect(firedAt(level('crosses'), toAndFro(12))).toHaveLength(11)
    expect(firedAt(level('crosses', '100', points('0.05')), toAndFro(12))).toEqual([1])
    expect(firedAt(level('crosses', '100', basisPoints('5')), toAndFro(12))).toEqual([1])
  })

  test('for ten minutes fires once with a re-arm band, unless the band is too narrow', () => {
    expect(firedAt(level('crosses', '100', basisPoints('5')), toAndFro(600))).toEqual([1])
    expect(firedAt(level('risesTo', '100', points('0.05')), toAndFro(600))).toEqual([1])
    expect(firedAt(level('risesTo'), toAndFro(600))).toHaveLength(300)
    expect(firedAt(level('risesTo', '100', points('0.009')), toAndFro(600))).toHaveLength(300)
  })

  test('fires a rule of mode once only once', () => {
    const { fired, phase } = run(level('risesTo', '100', undefined, once), toAndFro(600))
    expect(fired.map(({ at }) => at)).toEqual([1])
    expect(phase).toBe('triggered')
  })

  test('arms a rule only beyond the end of the re-arm band, not at it', () => {
    const rising = level('risesTo', '100', basisPoints('10'))
    expect(firedAt(rising, ['99', '100', '99.90', '100'])).toEqual([1])
    expect(firedAt(rising, ['99', '100', '99.8999', '100'])).toEqual([1, 3])
    const falling = level('fallsTo', '-200', basisPoints('5'))
    expect(firedAt(falling, ['-199', '-200', '-199.9', '-200'])).toEqual([1])
    expect(firedAt(falling, ['-199', '-200', '-199.89', '-200'])).toEqual([1, 3])
  })
})

describe('known mistakes of other tools', () => {
  test('a last step larger than the distance left does not fire', () => {
    expect(firedAt(level('risesTo', '13'), ['10', '12'])).toEqual([])
    expect(firedAt(level('risesTo', '13'), ['10', '12', '13'])).toEqual([2])
  })

  test('a level passed before the first value does not fire', () => {
    const { fired, phase, verdicts } = run(level('risesTo'), ['101', '102'])
    expect(fired).toEqual([])
    expect(phase).toBe('disarmed')
    expect(verdicts.map(({ words }) => words)).toEqual([
      '101 is above 100 already. Waits until it is below 100.',
      '102 is above 100. Waits until it is below 100.',
    ])
    expect(firedAt(level('risesTo'), ['101', '99', '100'])).toEqual([2])
  })

  test('a threshold of 0 works', () => {
    expect(firedAt(level('risesTo', '0'), ['-1', '0'])).toEqual([1])
    expect(firedAt(level('fallsTo', '0'), ['1', '0.00'])).toEqual([1])
    expect(firedAt(level('fallsTo', '0'), ['1', '-0.5'])).toEqual([1])
    expect(firedAt(level('crosses', '0', basisPoints('5')), ['1', '-1', '1'])).toEqual([1, 2])
    expect(firedAt(level('risesTo', '0'), ['-1', '-0.01'])).toEqual([])
  })
})

describe('levels that are states', () => {
  test('are strict: the level itself is neither above nor below', () => {
    expect(firedAt(level('isAbove'), ['99', '100', '100.01', '101'])).toEqual([2])
    expect(firedAt(level('isBelow'), ['101', '100', '99.99', '99'])).toEqual([2])
  })

  test('are armed at the level itself', () => {
    expect(firedAt(level('isAbove'), ['100', '101'])).toEqual([1])
    expect(firedAt(level('isBelow'), ['100', '99'])).toEqual([1])
  })

  test('are armed again beyond the re-arm band', () => {
    expect(firedAt(level('isAbove', '100', points('1')), ['99', '101', '99', '101'])).toEqual([1])
    expect(firedAt(level('isAbove', '100', points('1')), ['99', '101', '98.9', '101'])).toEqual([1, 3])
  })
})

describe('a condition that is already true', () => {
  const fire = { whenAlreadyMet: 'fire' } as const

  test('fires once immediately if the rule is set to', () => {
    expect(firedAt(level('risesTo', '100', undefined, once), ['101', '102', '99', '103'], fire)).toEqual([0])
    expect(firedAt(level('isBelow'), ['99', '98'], fire)).toEqual([0])
    expect(firedAt(level('fallsTo', '100.00'), ['100'], fire)).toEqual([0])
    expect(firedAt(level('isBelow'), ['99', '98'])).toEqual([])
  })

  test('is distinguished from one that is not true, which only arms the rule', () => {
    const { fired, phase, verdicts } = run(level('risesTo'), ['99'], fire)
    expect(fired).toEqual([])
    expect(phase).toBe('armed')
    expect(verdicts[0]?.words).toBe('99 is below 100: armed.')
  })

  test('is never a crossing', () => {
    expect(firedAt(level('crosses'), ['100', '101'], fire)).toEqual([])
    expect(firedAt(level('crosses'), ['99', '101'], fire)).toEqual([1])
  })

  test('at exactly the level waits, and is armed when the value leaves it', () => {
    expect(run(level('fallsTo'), ['1e2']).phase).toBe('disarmed')
    expect(firedAt(level('fallsTo'), ['100', '100.01', '100'])).toEqual([2])
  })
})

test.each([
  ['risesTo', '-5', ['-6', '-4'], [1]],
  ['fallsTo', '-5', ['-4.99', '-5.00'], [1]],
  ['risesTo', '1.35e-5', ['0.0000134', '0.0000135'], [1]],
  ['risesTo', '0.000013500', ['1.34e-5', '1.35e-5'], [1]],
  ['risesTo', '9007199254740993', ['9007199254740992', '9007199254740993'], [1]],
  ['risesTo', '68500.00', ['9.99e3', '68500'], [1]],
] as const)('%s %s fires at the second value of %j', (condition, at, values, expected) =>
  expect(firedAt(level(condition, at), values)).toEqual(expected),
)

describe('a value that does not count', () => {
  test('is a zero if the level is another number', () => {
    expect(run(level('fallsTo'), ['101', '0', '0.000'])).toMatchObject({ fired: [], phase: 'armed' })
    expect(run(level('risesTo'), ['101', '0'])).toMatchObject({ fired: [], phase: 'disarmed' })
    expect(firedAt(level('fallsTo'), ['101', '0.001'])).toEqual([1])
  })

  test('is a text that is not a number', () => {
    const { fired, verdicts } = run(level('fallsTo'), ['101', '', 'NaN', '99'])
    expect(fired.map(({ at }) => at)).toEqual([3])
    expect(verdicts[1]?.words).toBe('The value is not a number.')
  })

  test('is one published no later than the one before', () => {
    const late = (value: string, afterMs: number): Step => ({ value, afterMs })
    expect(firedAt(level('fallsTo'), [late('101', 5_000), late('99', 4_000), late('99', 5_000)])).toEqual([])
    expect(firedAt(level('fallsTo'), [late('101', 5_000), late('99', 5_001)])).toEqual([1])
  })

  test('is one carried forward, which neither fires nor arms', () => {
    const repeat = (value: string): Step => ({ value, isRepeatOfPrevious: true })
    expect(run(level('risesTo'), ['99', repeat('101')])).toMatchObject({ fired: [], phase: 'armed' })
    expect(run(level('risesTo'), [repeat('99')]).phase).toBe('waiting')
    expect(run(level('risesTo'), ['101', repeat('99')]).phase).toBe('disarmed')
    expect(firedAt(level('risesTo'), ['99', repeat('101'), '101'])).toEqual([2])
  })
})

describe('a level passed in a gap', () => {
  const late = (value: string, afterMs: number): Step => ({ value, afterMs })
  const inputs = (...args: Parameters<typeof run>) => run(...args).fired.map((each) => each.inputs)

  test('fires with the times before and after the gap', () =>
    expect(inputs(level('risesTo'), ['99', late('101', 7_200_000)])).toEqual([
      {
        value: '101',
        publishedAtMs: benchStartMs + 7_200_000,
        previous: { value: '99', publishedAtMs: benchStartMs },
        gapSinceMs: benchStartMs,
        direction: 'up',
      },
    ]))

  test('fires without a gap if the index kept its cadence', () => {
    const gapOf = (...args: Parameters<typeof run>) => inputs(...args).map(({ gapSinceMs }) => gapSinceMs)
    expect(gapOf(level('risesTo'), ['99', late('101', 10_000)])).toEqual([undefined])
    const daily = { cadence: 'DAILY' } as const
    expect(gapOf(level('risesTo'), ['99', late('101', 86_400_000)], daily)).toEqual([undefined])
    expect(gapOf(level('risesTo'), ['99', late('101', 2 * 86_400_000)], daily)).toEqual([benchStartMs])
  })

  test('fires without a gap if the cadence is unknown', () => {
    const [fired] = inputs(level('risesTo'), ['99', late('101', 1e9)], { cadence: 'unknown' })
    expect(fired).toMatchObject({ value: '101' })
    expect(fired).not.toHaveProperty('gapSinceMs')
  })
})

test('a firing at an amended value has the time of the amendment', () => {
  const amendedAtMs = benchStartMs + 9_000
  const { fired } = run(level('risesTo'), ['99', { value: '101', amendedAtMs }])
  expect(fired[0]?.inputs.amendedAtMs).toBe(amendedAtMs)
})

test('the state is the same object while nothing changes', () => {
  const { verdicts } = run(level('risesTo', '100', points('1')), ['98', '98.5', '101', '102', '99.5', '98', '97'])
  const states = verdicts.map(({ state }) => state)
  const isSame = states.map((state, at) => at > 0 && state === states[at - 1])
  expect(isSame).toEqual([false, true, false, true, true, false, true])
})
