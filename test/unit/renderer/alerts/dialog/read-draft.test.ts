import { describe, expect, test } from 'vitest'
import type { AlertDraft, AlertTerms } from '../../../../../protocol/alerts'
import { conditionGroups } from '../../../../../renderer/alerts/dialog/condition-kinds'
import { readDraft } from '../../../../../renderer/alerts/dialog/read-draft'
import { blankDraft, typedOf, type TypedDraft } from '../../../../../renderer/alerts/dialog/typed-draft'

const minute = 60_000

const allTerms: AlertTerms[] = [
  { condition: 'risesTo', level: '68500.00' },
  { condition: 'fallsTo', level: '0', rearmBand: { size: '5', unit: 'basisPoints' } },
  { condition: 'crosses', level: '-1.50', rearmBand: { size: '7.5', unit: 'basisPoints' } },
  { condition: 'isAbove', level: '1.3504e-5', rearmBand: { size: '12.50', unit: 'points' } },
  { condition: 'isBelow', level: '68500.0000' },
  { condition: 'entersBand', low: '67000', high: '68000.0' },
  { condition: 'leavesBand', low: '-1', high: '1', rearmBand: { size: '10', unit: 'basisPoints' } },
  { condition: 'moves', direction: 'down', amount: '2.5', unit: 'percent', withinMs: 15 * minute },
  { condition: 'moves', direction: 'either', amount: '100', unit: 'points', withinMs: 90_000 },
  { condition: 'noUpdate' },
  { condition: 'noUpdate', afterMs: 25 * 60 * minute },
  { condition: 'carriedOver' },
  { condition: 'amended' },
  { condition: 'corporateAction' },
  { condition: 'constituentsChanged' },
  { condition: 'divisorChanged' },
  { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '60' },
  { condition: 'weightAtOrBelow', constituent: 'BTC', weightPercent: '5.50' },
  { condition: 'weightDrift', points: '2', base: 'made' },
  { condition: 'weightDrift', constituent: 'ETH', points: '0.5', base: 'rebalance' },
  { condition: 'exchangeShareAtOrBelow', constituent: 'BTC', exchange: 'LMAX Digital', sharePercent: '10' },
  { condition: 'continuity', tolerancePercent: '0.25' },
]

function draftOf(terms: AlertTerms, more: Partial<AlertDraft> = {}): AlertDraft {
  return { indexId: 'NCI', terms, repeat: { mode: 'once' }, severity: 'normal', ...more }
}

function problemsOf(changes: Partial<TypedDraft>) {
  const read = readDraft({ ...blankDraft('BRTI', 'UTC'), level: '68500', ...changes })
  return read.ok ? [] : read.problems
}

describe('a draft shown in the fields and read again', () => {
  test.each(allTerms.map((terms) => [terms.condition, terms] as const))('is the same: %s', (_name, terms) => {
    expect(readDraft(typedOf(draftOf(terms), 'UTC'))).toEqual({ ok: true, draft: draftOf(terms) })
  })

  test.each<Partial<AlertDraft>>([
    { repeat: { mode: 'everyCrossing' } },
    { repeat: { mode: 'whileTrue', everyMinutes: 7 } },
    { repeat: { mode: 'daily', most: 2 } },
    { holdMs: 60_000 },
    { holdMs: 150_000, countsRepeats: true },
    { holdMs: 1_500 },
    { cooldownMs: 10 * minute, severity: 'urgent' },
    { expiresAt: { atMs: Date.UTC(2026, 11, 24, 16), timeZone: 'Europe/London' } },
    { expiresAt: { atMs: Date.UTC(2026, 11, 24, 16, 0, 30, 500), timeZone: 'Asia/Kathmandu' } },
    { note: 'Call the desk', group: 'Settlement', webhookUrl: 'https://hooks.example.com/a?b=c' },
  ])('is the same with %o', (more) => {
    const draft = draftOf({ condition: 'risesTo', level: '68500.00' }, more)
    expect(readDraft(typedOf(draft, 'America/New_York'))).toEqual({ ok: true, draft })
  })

  test('every condition is offered', () => {
    const offered = conditionGroups.flatMap(({ conditions }) => [...conditions]).sort()
    expect(offered).toEqual([...new Set(allTerms.map(({ condition }) => condition))].sort())
  })
})

describe('what is typed', () => {
  test('loses the separators of its digits and nothing else', () => {
    const read = readDraft({ ...blankDraft('BRTI', 'UTC'), level: '68,500.00' })
    expect(read).toEqual({
      ok: true,
      draft: {
        indexId: 'BRTI',
        terms: { condition: 'risesTo', level: '68500.00' },
        repeat: { mode: 'once' },
        severity: 'normal',
      },
    })
  })

  test('for another condition is left out', () => {
    const typed = { ...blankDraft('BRTI', 'UTC'), level: 'no number', band: '5', hold: '60000' } as const
    expect(readDraft({ ...typed, condition: 'amended' })).toMatchObject({
      ok: true,
      draft: { terms: { condition: 'amended' } },
    })
    const read = readDraft({ ...typed, condition: 'amended' })
    expect(read.ok && 'holdMs' in read.draft).toBe(false)
  })

  test.each<[string, Partial<TypedDraft>, string]>([
    ['a level', { level: '68,5' }, 'level'],
    ['the low end of a band', { condition: 'entersBand', low: '', high: '2' }, 'level'],
    ['the high end of a band', { condition: 'entersBand', low: '1', high: 'x' }, 'high'],
    ['a change', { condition: 'moves', amount: '' }, 'amount'],
    ['the time of a move', { condition: 'moves', windowCount: '0' }, 'window'],
    ['a silence', { condition: 'noUpdate', silence: 'own', silenceCount: '-1' }, 'after'],
    ['a constituent', { condition: 'weightAtOrAbove', weight: '60', constituent: ' ' }, 'constituent'],
    ['an exchange', { condition: 'exchangeShareAtOrBelow', share: '10', constituent: 'BTC' }, 'exchange'],
    ['a tolerance', { condition: 'continuity', tolerance: 'much' }, 'amount'],
    ['a band', { band: 'own', bandSize: '' }, 'band'],
    ['the minutes between notices', { repeat: 'whileTrue', everyMinutes: '1.5' }, 'repeat'],
    ['how many a day', { repeat: 'daily', mostADay: '0' }, 'repeat'],
    ['a hold', { hold: 'own', holdCount: 'long' }, 'hold'],
    ['a cooldown', { cooldownCount: '1e3' }, 'cooldown'],
    ['an end', { expiry: 'tomorrow' }, 'expiry'],
    ['no index', { indexId: '' }, 'index'],
  ])('that is no %s is told at its field', (_name, changes, field) => {
    expect(problemsOf({})).toEqual([])
    expect(problemsOf(changes).map((problem) => problem.field)).toEqual([field])
  })
})
