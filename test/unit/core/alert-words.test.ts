import { describe, expect, test } from 'vitest'
import { amountText, draftKey, hoursWords, ruleWords, termsWords } from '../../../core/alert-words'
import { spanText } from '../../../core/spans'
import type { AlertDraft, AlertTerms } from '../../../core/alerts'
import type { AlertHours } from '../../../core/alert-timing'
import { formatDecimal } from '../../../core/decimal'
import { levelDraft } from '../../support/sample-alerts'

const minute = 60_000

test.each([
  [0, '0 ms'],
  [1, '1 ms'],
  [90_000, '1 min 30 s'],
  [5 * minute, '5 min'],
  [2 * 60 * minute, '2 h'],
  [36 * 60 * minute, '1 d 12 h'],
  [7 * 24 * 60 * minute, '7 d'],
  [61_500, '1 min 1 s 500 ms'],
])('a span of %i ms is %s', (ms, words) => expect(spanText(ms)).toBe(words))

test.each<[AlertHours['days'], string, string]>([
  [['mon', 'tue', 'wed', 'thu', 'fri'], 'Europe/London', 'Mon–Fri 15:30–16:15 London'],
  [['sun', 'sat'], 'America/New_York', 'Sat, Sun 15:30–16:15 New York'],
  [['mon', 'wed', 'thu', 'fri', 'sun'], 'UTC', 'Mon, Wed–Fri, Sun 15:30–16:15 UTC'],
  [['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'], 'UTC', 'daily 15:30–16:15 UTC'],
])('hours on %j in %s are %s', (days, timeZone, words) =>
  expect(hoursWords({ days, timeZone, from: '15:30', to: '16:15' })).toBe(words),
)

test('rules that differ only in their hours, written last, are not duplicates', () => {
  const hours: AlertHours = { days: ['mon'], from: '09:00', to: '17:00', timeZone: 'Europe/London' }
  const draft = { ...levelDraft('68500.00'), holdMs: minute }
  expect(ruleWords({ ...draft, hours }, formatDecimal)).toBe(
    'BRTI rises to 68,500.00 for 1 min, Mon 09:00–17:00 London',
  )
  const keys = [undefined, hours, { ...hours, to: '18:00' }, { ...hours, timeZone: 'Canada/London' }].map((each) =>
    draftKey({ ...draft, ...(each && { hours: each }) }),
  )
  expect(new Set(keys).size).toBe(4)
  expect(draftKey({ ...draft, hours: { ...hours } })).toBe(keys[1])
})

describe('a rule in one line', () => {
  test.each<[AlertTerms, string]>([
    [{ condition: 'risesTo', level: '68500.00' }, 'NCI rises to 68,500.00'],
    [{ condition: 'fallsTo', level: '0' }, 'NCI falls to 0'],
    [{ condition: 'crosses', level: '-0.5' }, 'NCI crosses −0.5'],
    [{ condition: 'isAbove', level: '1' }, 'NCI is above 1'],
    [{ condition: 'isBelow', level: '0.0000135' }, 'NCI is below 0.0000135'],
    [{ condition: 'entersBand', low: '990', high: '1010' }, 'NCI enters the band 990 to 1,010'],
    [{ condition: 'leavesBand', low: '990', high: '1010' }, 'NCI leaves the band 990 to 1,010'],
    [
      { condition: 'moves', direction: 'either', amount: '2', unit: 'percent', withinMs: 15 * minute },
      'NCI moves within 15 min by 2 %',
    ],
    [
      { condition: 'moves', direction: 'down', amount: '50', unit: 'points', withinMs: 60 * minute },
      'NCI moves down within 1 h by 50 points',
    ],
    [{ condition: 'fixed', graceMs: 900_000 }, 'NCI publishes its fixing, or is late by 15 min'],
    [{ condition: 'noUpdate' }, 'NCI has no update for longer than usual'],
    [{ condition: 'noUpdate', afterMs: 30_000 }, 'NCI has no update for 30 s'],
    [{ condition: 'carriedOver' }, 'NCI is carried forward'],
    [{ condition: 'amended' }, 'NCI is amended'],
    [{ condition: 'corporateAction' }, 'NCI has a corporate action'],
    [{ condition: 'constituentsChanged' }, 'NCI constituents are added or removed'],
    [{ condition: 'divisorChanged' }, 'NCI divisor changes'],
    [{ condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '50' }, 'NCI weight of BTC at or above 50 %'],
    [{ condition: 'weightAtOrBelow', constituent: 'BTC', weightPercent: '50' }, 'NCI weight of BTC at or below 50 %'],
    [{ condition: 'weightDrift', points: '2', base: 'made' }, 'NCI weight of any constituent drifts by 2 pp'],
    [
      { condition: 'weightDrift', constituent: 'ETH', points: '2', base: 'rebalance' },
      'NCI weight of ETH drifts by 2 pp',
    ],
    [
      { condition: 'exchangeShareAtOrBelow', constituent: 'BTC', exchange: 'kraken', sharePercent: '5' },
      'NCI share of kraken in BTC at or below 5 %',
    ],
    [{ condition: 'continuity', tolerancePercent: '0.5' }, 'NCI differs from its constituents by more than 0.5 %'],
    [{ condition: 'spreadAtOrAbove', spreadBps: '7.50' }, 'NCI bid–ask spread at or above 7.50 bp'],
    [{ condition: 'depthAtOrBelow', depth: '1500' }, 'NCI utilized depth at or below 1,500'],
  ])('%j', (terms, words) => {
    expect(ruleWords({ indexId: 'NCI', terms }, formatDecimal)).toBe(words)
    // The same texts as in the columns for condition and amount.
    expect(['NCI', termsWords(terms), amountText(terms, formatDecimal)].join(' ').trim()).toBe(words)
  })

  test('states how long its condition must hold', () => {
    const draft = { ...levelDraft('68500', { condition: 'isAbove' }), holdMs: 5 * minute }
    expect(ruleWords(draft, formatDecimal)).toBe('BRTI is above 68,500 for 5 min')
  })

  test('writes its numbers in the given format', () =>
    expect(ruleWords(levelDraft('68500.00'), (value) => `<${value}>`)).toBe('BRTI rises to <68500.00>'))
})

describe('two drafts are duplicates', () => {
  const same = (a: AlertDraft, b: AlertDraft) => draftKey(a) === draftKey(b)
  const level = levelDraft('100')

  test.each(['100.00', '0100', '1e2', '100'])('if their numbers are equal, as 100 and %s', (text) =>
    expect(same(level, levelDraft(text))).toBe(true),
  )

  test('even if their repeat, severity, note, cooldown and re-arm band differ', () => {
    const rearmBand = { size: '5', unit: 'points' } as const
    const other: AlertDraft = {
      ...level,
      terms: { rearmBand, level: '100.0', condition: 'risesTo' },
      repeat: { mode: 'everyCrossing' },
      severity: 'urgent',
      note: 'n',
      cooldownMs: minute,
    }
    expect(same(level, other)).toBe(true)
  })

  test('but not if their index, condition, number, hold or constituent differs', () => {
    expect(same(level, levelDraft('100.01'))).toBe(false)
    expect(same(level, levelDraft('-100'))).toBe(false)
    expect(same(level, levelDraft('100', { indexId: 'BRR' }))).toBe(false)
    expect(same(level, levelDraft('100', { condition: 'fallsTo' }))).toBe(false)
    expect(same(level, { ...level, holdMs: minute })).toBe(false)
    const weight = (constituent: string): AlertDraft => ({
      ...level,
      terms: { condition: 'weightAtOrAbove', constituent, weightPercent: '50' },
    })
    // A name is not a number, even if it looks like one.
    expect(same(weight('1'), weight('1.0'))).toBe(false)
    expect(same(weight('1'), weight('1'))).toBe(true)
  })
})
