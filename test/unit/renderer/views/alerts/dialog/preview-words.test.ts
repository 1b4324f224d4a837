import { describe, expect, test } from 'vitest'
import type { AlertTerms } from '../../../../../../core/alerts'
import { specOf } from '../../../../../../core/conditions/list'
import {
  backTestWords,
  bandWords,
  distanceWords,
  measureWords,
  alreadyTrueWords,
  pastWords,
} from '../../../../../../renderer/views/alerts/dialog/preview-words'
import { display } from '../../../../../../renderer/state/display.svelte'

const hour = 3_600_000
const noon = Date.UTC(2026, 10, 20, 12)
const at = (level: string) => ({ level })

function firesAt(...minutesAgo: number[]) {
  return minutesAgo.map((ago) => ({ publishedAtMs: noon - ago * 60_000, value: '1' }))
}

describe('whether a value meets the terms', () => {
  const meets = (value: string, terms: AlertTerms) => specOf(terms.condition).isMetBy?.(terms, value)

  test.each<[AlertTerms, string[], string[]]>([
    [{ condition: 'risesTo', ...at('100') }, ['100', '100.0', '101'], ['99.99', '-100']],
    [{ condition: 'fallsTo', ...at('100') }, ['100', '99', '-1'], ['100.01']],
    [{ condition: 'isAbove', ...at('0') }, ['0.1'], ['0', '-1']],
    [{ condition: 'isBelow', ...at('0') }, ['-1e-9'], ['0', '1']],
    [{ condition: 'crosses', ...at('100') }, [], ['99', '100', '101']],
    [{ condition: 'entersBand', low: '-1', high: '1' }, ['-1', '0', '1'], ['-1.1', '2']],
    [{ condition: 'leavesBand', low: '-1', high: '1' }, ['-1.1', '2'], ['-1', '0', '1']],
  ])('%o', (terms, met, unmet) => {
    for (const value of met) expect([value, meets(value, terms)]).toEqual([value, true])
    for (const value of unmet) expect([value, meets(value, terms)]).toEqual([value, false])
  })

  test('is not known without a level or a number', () => {
    expect(meets('100', { condition: 'amended' })).toBeUndefined()
    expect(meets('', { condition: 'risesTo', level: '1' })).toBeUndefined()
  })
})

test('a condition that already holds names the index, the weight or the share', () => {
  const words = (terms: AlertTerms, isNow = true) =>
    alreadyTrueWords({ indexId: 'NCI', terms, repeat: { mode: 'once' }, severity: 'normal' }, isNow)
  expect(words({ condition: 'risesTo', level: '60000' })).toBe('NCI is already at or above 60,000.')
  expect(words({ condition: 'fallsTo', level: '60000' }, false)).toBe('NCI was just at or below 60,000.')
  expect(words({ condition: 'leavesBand', low: '1', high: '2' })).toBe('NCI is already outside the band 1 to 2.')
  expect(words({ condition: 'weightAtOrBelow', constituent: 'BTC', weightPercent: '60' })).toBe(
    'The weight of BTC is already at or below 60 %.',
  )
  expect(words({ condition: 'carriedOver' })).toBe('This is already true.')
})

test('a distance is to the level, or to the nearer edge of a band', () => {
  expect(distanceWords('68123.40', { condition: 'risesTo', level: '68500.00' })).toBe('376.60 away, 0.55 %')
  expect(distanceWords('68123.40', { condition: 'risesTo', level: '68123.4' })).toBe('at the level')
  const band = { condition: 'entersBand', low: '100', high: '200' } as const
  expect(distanceWords('90', band)).toBe('10 away, 11.11 %, below the band')
  expect(distanceWords('250', band)).toBe('50 away, 20.00 %, above the band')
  expect(distanceWords('100', band)).toBe('inside the band')
  expect(distanceWords('100', { condition: 'amended' })).toBe('')
})

test('a measure has its unit', () => {
  const moves = { condition: 'moves', direction: 'either', amount: '3', withinMs: 900_000 } as const
  expect(measureWords('2.73', { ...moves, unit: 'percent' })).toBe('+2.73 % within 15 min')
  expect(measureWords('-20', { ...moves, unit: 'points' })).toBe('\u221220 within 15 min')
  expect(measureWords('58.214', { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '60' })).toBe(
    '58.214 %',
  )
})

describe('the past in words', () => {
  test.each([
    [20_000, 'the last minute'],
    [42 * 60_000, 'the last 42 minutes'],
    [hour, 'the last hour'],
    [24 * hour, 'the last 24 hours'],
    [7 * 24 * hour, 'the last 7 days'],
  ])('%i ms', (ms, words) => expect(pastWords(ms)).toBe(words))

  test('says how often and when it would have fired', () => {
    display.timeZone = 'UTC'
    const tried = { sinceMs: noon - hour, untilMs: noon }
    expect(backTestWords({ ...tried, fires: [] }, noon)).toBe('Would not have fired in the last hour.')
    expect(backTestWords({ ...tried, fires: firesAt(4) }, noon)).toBe(
      'Would have fired once in the last hour, at 11:56:00.',
    )
    expect(backTestWords({ ...tried, fires: firesAt(50, 30, 20, 4) }, noon)).toBe(
      'Would have fired 4 times in the last hour, last at 11:56:00.',
    )
    const many = Array.from({ length: 1_000 }, () => firesAt(1)).flat()
    expect(backTestWords({ ...tried, fires: many }, noon)).toContain('at least 1,000 times')
    // As while offline. Earlier values are not described as the last hour.
    expect(backTestWords({ ...tried, fires: firesAt(4) }, noon + 10 * 60_000)).toBe(
      'Would have fired once from 11:00:00 to 12:00:00, at 11:56:00.',
    )
    expect(backTestWords({ ...tried, fires: [] }, noon + 24 * hour)).toBe(
      'Would not have fired from 20 Nov 2026 11:00 to 20 Nov 2026 12:00.',
    )
    expect(bandWords(1)).toBe('With a 5 bp re-arm band: once.')
    expect(bandWords(0)).toBe('With a 5 bp re-arm band: never.')
    display.timeZone = 'system'
  })
})
