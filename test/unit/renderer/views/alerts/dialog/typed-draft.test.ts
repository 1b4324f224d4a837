import { describe, expect, test } from 'vitest'
import type { AlertDraft, AlertTerms } from '../../../../../../protocol/alerts'
import {
  blankDraft,
  readDraft,
  typedOf,
  type TypedDraft,
} from '../../../../../../renderer/views/alerts/dialog/typed-draft'
import { sampleTerms } from '../../../../../support/sample-alerts'

const minute = 60_000

function draftOf(terms: AlertTerms, more: Partial<AlertDraft> = {}): AlertDraft {
  return { indexId: 'NCI', terms, repeat: { mode: 'once' }, severity: 'normal', ...more }
}

/** Fields of the dialog, and those of the terms among them by their names. */
type Changes = Partial<Omit<TypedDraft, 'texts' | 'spans'>> & Partial<TypedDraft['texts']>

function typedWith(changes: Changes, spans: Partial<TypedDraft['spans']> = {}): TypedDraft {
  const blank = blankDraft('BRTI', 'UTC')
  const texts = Object.fromEntries(Object.entries(changes).filter(([name]) => name in blank.texts))
  return { ...blank, ...changes, texts: { ...blank.texts, ...texts }, spans: { ...blank.spans, ...spans } }
}

function problemsOf(changes: Changes, spans: Partial<TypedDraft['spans']> = {}) {
  const read = readDraft(typedWith({ level: '68500', ...changes }, spans))
  return read.ok ? [] : read.problems
}

describe('a draft shown in the fields and read again', () => {
  // As an older file may have them: they are refused on import, and not changed here.
  const unusual: AlertTerms[] = [
    { condition: 'isAbove', level: '1.3504e-5' },
    { condition: 'fallsTo', level: '0', rearmBand: { size: '5', unit: 'basisPoints' } },
  ]

  test.each([...sampleTerms, ...unusual].map((terms) => [terms.condition, terms] as const))(
    'is the same: %s',
    (_name, terms) => {
      expect(readDraft(typedOf(draftOf(terms), 'UTC'))).toEqual({ ok: true, draft: draftOf(terms) })
    },
  )

  test.each<Partial<AlertDraft>>([
    { repeat: { mode: 'everyCrossing' } },
    { repeat: { mode: 'whileTrue', everyMinutes: 7 } },
    { repeat: { mode: 'daily', max: 2 } },
    { holdMs: 60_000 },
    { holdMs: 150_000, countsRepeats: true },
    { holdMs: 1_500 },
    { hours: { days: ['mon', 'sun'], from: '22:00', to: '06:00', timeZone: 'Asia/Tokyo' } },
    { hours: { days: ['tue'], from: '00:00', to: '00:00', timeZone: 'UTC', alsoIfTrue: true } },
    { cooldownMs: 10 * minute, severity: 'urgent' },
    { expiresAt: { atMs: Date.UTC(2026, 11, 24, 16), timeZone: 'Europe/London' } },
    { expiresAt: { atMs: Date.UTC(2026, 11, 24, 16, 0, 30, 500), timeZone: 'Asia/Kathmandu' } },
    { note: 'Call the desk', group: 'Settlement', webhookUrl: 'https://hooks.example.com/a?b=c' },
  ])('is the same with %o', (more) => {
    const draft = draftOf({ condition: 'risesTo', level: '68500.00' }, more)
    expect(readDraft(typedOf(draft, 'America/New_York'))).toEqual({ ok: true, draft })
  })
})

describe('what is typed', () => {
  test('loses the separators of its digits and nothing else', () => {
    const read = readDraft(typedWith({ level: '68,500.00' }))
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
    const typed = typedWith({ level: 'no number', band: '5', hold: '60000' })
    expect(readDraft({ ...typed, condition: 'amended' })).toMatchObject({
      ok: true,
      draft: { terms: { condition: 'amended' } },
    })
    const read = readDraft({ ...typed, condition: 'amended' })
    expect(read.ok && 'holdMs' in read.draft).toBe(false)
  })

  test('as a band in basis points of the level is none of a spread, whose band is in its own unit', () => {
    const spread = (changes: Changes) => readDraft(typedWith({ condition: 'spreadAtOrAbove', ...changes }))
    const terms = { condition: 'spreadAtOrAbove', spreadBps: '10' }
    expect(spread({ band: '5' })).toMatchObject({ draft: { terms } })
    expect(spread({ band: '5' })).not.toHaveProperty('draft.terms.rearmBand')
    const own = spread({ band: 'own', bandSize: '1.5', bandUnit: 'basisPoints' })
    expect(own).toMatchObject({ draft: { terms: { ...terms, rearmBand: { size: '1.5', unit: 'points' } } } })
  })

  const span = (count: string) => ({ count, unit: 'min', isOwn: true }) as const

  test.each<[string, Changes, string, Partial<TypedDraft['spans']>?]>([
    ['a level', { level: '68,5' }, 'level'],
    ['the low end of a band', { condition: 'entersBand', low: '', high: '2' }, 'low'],
    ['the high end of a band', { condition: 'entersBand', low: '1', high: 'x' }, 'high'],
    ['a change', { condition: 'moves', amount: '' }, 'amount'],
    ['the time of a move', { condition: 'moves' }, 'withinMs', { withinMs: span('0') }],
    ['a silence', { condition: 'noUpdate' }, 'afterMs', { afterMs: span('-1') }],
    ['a constituent', { condition: 'weightAtOrAbove', weightPercent: '60', constituent: ' ' }, 'constituent'],
    ['an exchange', { condition: 'exchangeShareAtOrBelow', sharePercent: '10', constituent: 'BTC' }, 'exchange'],
    ['a tolerance', { condition: 'continuity', tolerancePercent: 'much' }, 'tolerancePercent'],
    ['a band', { band: 'own', bandSize: '' }, 'rearmBand'],
    ['the minutes between notifications', { repeat: 'whileTrue', everyMinutes: '1.5' }, 'repeat'],
    ['how many a day', { repeat: 'daily', maxPerDay: '0' }, 'repeat'],
    ['a hold', { hold: 'own', holdCount: 'long' }, 'holdMs'],
    ['a cooldown', { cooldownCount: '1e3' }, 'cooldownMs'],
    ['an end', { expiry: 'tomorrow' }, 'expiresAt'],
    ['no index', { indexId: '' }, 'indexId'],
  ])('that cannot be read as %s is refused at its field', (_name, changes, field, spans) => {
    expect(problemsOf({})).toEqual([])
    expect(problemsOf(changes, spans).map((problem) => problem.field)).toEqual([field])
  })
})
