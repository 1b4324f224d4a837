import { describe, expect, test } from 'vitest'
import { roundedText } from '../../../../core/decimal'
import type { Publication } from '../../../../core/model'
import {
  boundMean,
  lateAfterMs,
  minuteMeans,
  trimmedOff,
  usualDecimals,
  type BoundTerms,
} from '../../../../core/settlement/bound-window'
import { MeanWindow } from '../../../../core/settlement/mean-window'
import { strikeResult, type Strike } from '../../../../core/settlement/strikes'
import { readTypedTime } from '../../../../core/typed-time'

const noon = Date.parse('2026-07-01T12:00:00Z')

/** Values from noon on, one each step. A dash is a missing value. */
function published(text: string, stepMs = 1_000): Publication[] {
  return text.split(' ').flatMap((value, at) => (value === '-' ? [] : [{ value, publishedAtMs: noon + at * stepMs }]))
}

function terms(seconds: number, more: Partial<BoundTerms> = {}): BoundTerms {
  return { seconds, stepMs: 1_000, method: 'mean', ...more }
}

/** The mean as it is shown, and "n of N". */
function shown(bound: BoundTerms, values: readonly Publication[], decimals: number, nowMs = noon + 3_600_000) {
  const result = boundMean(bound, noon + bound.seconds * 1_000, values, nowMs)
  return {
    ...result,
    text: result.mean && roundedText(result.mean, decimals),
    count: `${result.counted} of ${result.expected}`,
  }
}

function strike(of: Strike, values: readonly Publication[], bound: BoundTerms, decimals: number) {
  return strikeResult(of, shown(bound, values, decimals), { decimals, isPlainMean: true })
}

describe('vectors of the definition', () => {
  test('1: the value at the close counts only if asked for, and the rolling mean agrees', () => {
    const values = published('100.10 100.20 100.30 100.40 100.55 101.00')
    const before = shown(terms(5), values.slice(0, 5), 2, noon + 4_050)
    expect([before.text, before.state]).toEqual(['100.31', 'complete'])
    expect(shown(terms(5), values, 2).text).toBe('100.31')
    expect(shown(terms(5, { includesClose: true }), values, 2).text).toBe('100.49')
    const rolling = new MeanWindow(terms(5))
    const means = values.map((value) => {
      rolling.slide(value)
      return rolling.mean && roundedText(rolling.mean, 2)
    })
    expect(means.slice(4)).toEqual(['100.31', '100.49'])
  })

  test('2: values between the seconds count only if asked for', () => {
    const ofSecond = (whole: number) => ['00', '10', '20', '30', '40'].map((part) => `${whole}.${part}`)
    const values = published([...ofSecond(84_000), ...ofSecond(84_001)].join(' '), 200)
    const bySecond = shown(terms(2), values, 2)
    expect([bySecond.text, bySecond.count]).toEqual(['84000.50', '2 of 2'])
    const every = shown(terms(2, { stepMs: 200 }), values, 2)
    expect([every.text, every.count]).toEqual(['84000.70', '10 of 10'])
  })

  test('3: a tie is rounded away from zero, which a double would not do', () => {
    const values = published('1.00 1.01')
    expect(((1 + 1.01) / 2).toFixed(2)).toBe('1.00')
    expect(shown(terms(2), values, 2).text).toBe('1.01')
    expect(strike({ kind: 'atLeast', level: '1.01' }, values, terms(2), 2)?.isMet).toBe(true)
    expect(shown(terms(2), published('-1.00 -1.01'), 2).text).toBe('-1.01')
    expect(shown(terms(4), published('83950.62 83950.62 83950.63 83950.63'), 2).text).toBe('83950.63')
  })

  test('4: a missing value is not filled, and joins when it comes late', () => {
    const values = published('250.0 250.2 - 250.4 251.0')
    const gap = shown(terms(5), values, 1)
    expect([gap.text, gap.count, gap.state]).toEqual(['250.4', '4 of 5', 'incomplete'])
    expect(gap.mean).toEqual({ units: 10_016n, over: 40n })
    const late = shown(terms(5), [...values, { value: '250.3', publishedAtMs: noon + 2_000 }], 1)
    expect([late.text, late.count, late.state]).toEqual(['250.4', '5 of 5', 'complete'])
    expect(late.mean && roundedText(late.mean, 2)).toBe('250.38')
  })

  test('5: an amendment changes a final mean, and the first one is kept', () => {
    const values = published('0.1010484 0.1010490 0.1010500')
    expect(shown(terms(3), values, 7).text).toBe('0.1010491')
    const amendedAtMs = noon + 190_000
    const amended = [...values, { value: '0.1010590', publishedAtMs: noon + 1_000, amendedAtMs }]
    const result = shown(terms(3), amended, 7)
    expect([result.text, result.state]).toEqual(['0.1010525', 'amended'])
    const earlier = result.earlier.map(({ mean, untilMs }) => [roundedText(mean, 7), untilMs])
    expect(earlier).toEqual([['0.1010491', amendedAtMs]])
  })

  test('6: the rest must average what the strike and the rounding leave', () => {
    const values = published('100.00 101.00 102.00')
    const running = shown(terms(4), values, 2, noon + 2_100)
    expect([running.text, running.count, running.state]).toEqual(['101.00', '3 of 4', 'running'])
    const atLeast = strike({ kind: 'atLeast', level: '101.50' }, values, terms(4), 2)
    expect([atLeast?.points, atLeast?.basisPoints]).toEqual(['-0.50', '-49.26'])
    expect(atLeast?.rest).toEqual([{ side: 'from', exact: '103.00', withRounding: '102.98' }])
    const above = strike({ kind: 'above', level: '101.50' }, values, terms(4), 2)
    expect(above?.rest).toEqual([{ side: 'above', exact: '103.00', withRounding: '103.02' }])
  })

  test('7: values with an exponent are added exactly', () => {
    const result = shown(terms(3), published('1.35e-5 0.0000136 1.37E-5'), 7)
    expect([result.text, result.sum]).toEqual(['0.0000136', { units: 408n, scale: 7 }])
  })

  test('8: a value carried forward counts and is counted, or is left out', () => {
    const values = published('10.00 10.00 10.30').map((value, at) => ({
      ...value,
      ...(at === 1 && { isRepeatOfPrevious: true as const }),
    }))
    const all = shown(terms(3), values, 2)
    expect([all.text, all.count, all.carried]).toEqual(['10.10', '3 of 3', 1])
    const without = shown(terms(3, { leavesOutCarried: true }), values, 2)
    expect([without.text, without.count, without.carried]).toEqual(['10.15', '2 of 3', 0])
  })

  test('9: trimming leaves a fifth off each end', () => {
    const trimmed = { method: 'trimmed' } as const
    expect(shown(terms(5, trimmed), published('100 200 101 103 102'), 0).text).toBe('102')
    const minute = published(Array.from({ length: 60 }, (_, at) => String(100 + ((at * 7) % 60))).join(' '))
    const { observations, mean } = shown(terms(60, trimmed), minute, 0)
    expect(trimmedOff(observations).size).toBe(24)
    expect(mean).toEqual({ units: 4_662n, over: 36n })
  })

  test('10: a time in a named zone follows its summer and winter', () => {
    const utc = (text: string, zone: string) => {
      const read = readTypedTime(text, { nowMs: noon, zone, isAhead: true })
      return read.ok ? new Date(read.value).toISOString().slice(11, 16) : read.problem.code
    }
    expect(utc('2026-07-01 17:00', 'America/New_York')).toBe('21:00')
    expect(utc('2026-12-01 17:00', 'America/New_York')).toBe('22:00')
    expect(utc('2026-07-01 16:00', 'Europe/London')).toBe('15:00')
    expect(utc('2026-12-01 16:00', 'Europe/London')).toBe('16:00')
    expect(utc('2026-07-01 16:00', 'Asia/Hong_Kong')).toBe('08:00')
    expect(utc('2026-12-01 16:00', 'Asia/Hong_Kong')).toBe('08:00')
    expect(utc('2026-03-08 02:30', 'America/New_York')).toBe('skippedTime')
    expect(utc('2026-11-01 01:30', 'America/New_York')).toBe('ambiguousTime')
  })
})

describe('a bound window', () => {
  const whole = published('1 2 3')

  test('goes from before to running, waiting and incomplete by published time', () => {
    const at = (offsetMs: number, values: Publication[]) => shown(terms(3), values, 0, noon + offsetMs).state
    expect(at(-1, [])).toBe('before')
    expect(at(0, [])).toBe('running')
    expect(at(1_999, whole.slice(0, 2))).toBe('running')
    expect(at(2_000, whole.slice(0, 2))).toBe('waiting')
    expect(at(2_000, whole)).toBe('complete')
    expect(at(2_000 + lateAfterMs - 1, whole.slice(1))).toBe('waiting')
    expect(at(2_000 + lateAfterMs, whole.slice(1))).toBe('incomplete')
    expect(at(2_000 + lateAfterMs, [])).toBe('incomplete')
  })

  test('is complete, not amended, after an amendment that came before its end', () => {
    const early = { value: '5', publishedAtMs: noon, amendedAtMs: noon + 1_500 }
    const result = shown(terms(3), [...whole, early], 2)
    expect([result.state, result.text]).toEqual(['complete', '3.33'])
  })

  test('keeps the mean before each of several amendments', () => {
    const amendment = (value: string, seconds: number) => {
      return { value, publishedAtMs: noon, amendedAtMs: noon + seconds * 1_000 }
    }
    const { earlier } = shown(terms(3), [amendment('7', 90), ...whole, amendment('4', 60)], 0)
    expect(earlier.map(({ mean, untilMs }) => [roundedText(mean, 0), untilMs - noon])).toEqual([
      ['2', 60_000],
      ['3', 90_000],
    ])
  })

  test('counts a zero as missing', () => {
    const result = shown(terms(3), published('1 0.00 3'), 0)
    expect([result.count, result.zeros, result.text]).toEqual(['2 of 3', 1, '2'])
  })

  test('counts a value received twice once', () => {
    expect(shown(terms(3), [...whole, ...whole], 0).count).toBe('3 of 3')
  })

  test('of thirty minutes is the mean of their means', () => {
    const values = published(Array.from({ length: 1_800 }, (_, at) => String(Math.floor(at / 60) + 1)).join(' '))
    const kraken = terms(1_800, { method: 'minutes' })
    const all = shown(kraken, values, 2)
    expect([all.text, all.count, minuteMeans(all.observations).length]).toEqual(['15.50', '1800 of 1800', 30])
    // Half of the first minute weighs as much as a whole one.
    const part = shown(kraken, values.slice(30), 2)
    expect([part.text, part.count, part.state]).toEqual(['15.50', '1770 of 1800', 'incomplete'])
  })
})

describe('a strike', () => {
  const values = published('100.00 101.00 102.00')
  const result = (of: Strike) => strike(of, values, terms(3), 2)

  test.each([
    ['atLeast', '101.00', true],
    ['above', '101.00', false],
    ['above', '100.99', true],
    ['atMost', '101.00', true],
    ['below', '101.00', false],
  ] as const)('%s %s is met by a mean of 101.00: %s', (kind, level, isMet) => {
    expect(result({ kind, level })?.isMet).toBe(isMet)
  })

  test('with two ends includes both, and measures from the nearer one', () => {
    expect(result({ kind: 'between', level: '101.00', high: '103' })).toMatchObject({ isMet: true, points: '0.00' })
    expect(result({ kind: 'between', level: '90', high: '100.99' })).toMatchObject({ isMet: false, points: '0.01' })
  })

  test('with more decimals than the mean is compared as typed', () => {
    expect(result({ kind: 'atLeast', level: '101.001' })?.isMet).toBe(false)
    const rest = strike({ kind: 'atLeast', level: '101.001' }, values.slice(0, 2), terms(3), 2)?.rest
    // A mean of 101.005 is rounded to 101.01, the first one at or above the strike.
    expect(rest).toEqual([{ side: 'from', exact: '102.01', withRounding: '102.02' }])
  })

  test('below or at most bounds the rest from above', () => {
    const rest = (kind: 'atMost' | 'below') => strike({ kind, level: '101.00' }, values.slice(0, 2), terms(3), 2)?.rest
    expect(rest('atMost')).toEqual([{ side: 'to', exact: '102.00', withRounding: '102.01' }])
    expect(rest('below')).toEqual([{ side: 'below', exact: '102.00', withRounding: '101.98' }])
  })

  test('bounds no rest if all values are there', () =>
    expect(result({ kind: 'atLeast', level: '1' })?.rest).toEqual([]))
})

test('the usual number of decimals is the most frequent one', () => {
  expect(usualDecimals(published('1.10 1.2 1.30 1.35e-1'))).toBe(2)
  expect(usualDecimals([])).toBeUndefined()
})
