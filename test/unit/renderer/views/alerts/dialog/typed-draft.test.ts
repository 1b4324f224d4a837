import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AlertDraft, AlertTerms } from '../../../../../../core/alerts'
import type { FieldName, TypedField } from '../../../../../../renderer/views/alerts/dialog/fields'
import {
  blankDraft,
  readDraft,
  typedOf,
  type TypedDraft,
} from '../../../../../../renderer/views/alerts/dialog/typed-draft'
import { sampleTerms } from '../../../../../support/sample-alerts'

const minute = 60_000
const nowMs = Date.UTC(2026, 10, 21, 14, 2)

function draftOf(terms: AlertTerms, more: Partial<AlertDraft> = {}): AlertDraft {
  return { indexId: 'NCI', terms, repeat: { mode: 'once' }, severity: 'normal', ...more }
}

/** Texts or whole fields by name, and the other parts of the typed draft. */
type Changes = Partial<Record<FieldName, string | Partial<TypedField>> & Omit<TypedDraft, 'fields'>>

function typedWith(changes: Changes): TypedDraft {
  const blank = blankDraft('BRTI', 'UTC')
  const typed = Object.entries(blank.fields).map(([name, field]) => {
    const change = changes[name as FieldName] ?? {}
    return [name, { ...field, ...(typeof change === 'string' ? { text: change } : change) }]
  })
  return { ...blank, ...changes, fields: Object.fromEntries(typed) as TypedDraft['fields'] }
}

function problemsOf(changes: Changes) {
  const read = readDraft(typedWith({ level: '68500', ...changes }), nowMs)
  return read.ok ? [] : read.problems
}

describe('a draft shown in the fields and read again', () => {
  // As in older files. Import refuses them, and the form keeps them.
  const unusual: AlertTerms[] = [
    { condition: 'isAbove', level: '1.3504e-5' },
    { condition: 'fallsTo', level: '0', rearmBand: { size: '5', unit: 'basisPoints' } },
  ]

  test.each([...sampleTerms, ...unusual].map((terms) => [terms.condition, terms] as const))(
    'is the same: %s',
    (_name, terms) =>
      expect(readDraft(typedOf(draftOf(terms), 'UTC'), nowMs)).toEqual({ ok: true, draft: draftOf(terms) }),
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
    // One of the two times that clocks show as 01:30.
    { expiresAt: { atMs: Date.UTC(2026, 9, 25, 1, 30), timeZone: 'Europe/London' } },
    { note: 'Call the desk', group: 'Settlement', webhookUrl: 'https://hooks.example.com/a?b=c' },
  ])('is the same with %o', (more) => {
    const draft = draftOf({ condition: 'risesTo', level: '68500.00' }, more)
    expect(readDraft(typedOf(draft, 'America/New_York'), nowMs)).toEqual({ ok: true, draft })
  })
})

test('every expiry text is read as the same time, also in a repeated hour', () => {
  const zones = fc.constantFrom('UTC', 'Europe/London', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Chatham')
  const times = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) })
  fc.assert(
    fc.property(zones, times, (timeZone, atMs) => {
      const draft = draftOf({ condition: 'risesTo', level: '68500.00' }, { expiresAt: { atMs, timeZone } })
      expect(readDraft(typedOf(draft, 'UTC'), nowMs)).toEqual({ ok: true, draft })
    }),
  )
})

describe('what is typed', () => {
  test('is an end to come, in the zone of the alert, whichever way it is written', () => {
    const endOf = (expiry: string) => {
      const read = readDraft(typedWith({ level: '68500', expiresAt: { text: expiry, unit: 'Europe/London' } }), nowMs)
      return read.ok ? read.draft.expiresAt : read.problems
    }
    const at = (atMs: number) => ({ atMs, timeZone: 'Europe/London' })
    expect(endOf(' ')).toBeUndefined()
    expect(endOf('16:00')).toEqual(at(Date.UTC(2026, 10, 21, 16)))
    expect(endOf('9:30')).toEqual(at(Date.UTC(2026, 10, 22, 9, 30)))
    expect(endOf('24 Dec 16:00')).toEqual(at(Date.UTC(2026, 11, 24, 16)))
    expect(endOf('1 Jul 4 pm')).toEqual(at(Date.UTC(2027, 6, 1, 15)))
    expect(endOf('2026-12-24T16:00')).toEqual(at(Date.UTC(2026, 11, 24, 16)))
    expect(endOf('25 Dec 25:00')).toMatchObject([{ field: 'expiresAt' }])
  })

  test('is hours as people write them, kept as the clock shows them', () => {
    const hoursOf = (from: string, to: string) => {
      const hours = { ...blankDraft('BRTI', 'UTC').hours, from, to }
      const read = readDraft(typedWith({ level: '68500', hours }), nowMs)
      return read.ok ? [read.draft.hours?.from, read.draft.hours?.to] : []
    }
    expect(hoursOf('9:30', '4:15 pm')).toEqual(['09:30', '16:15'])
    // Kept, so that `checkDraft` can refuse it.
    expect(hoursOf('16', '16:15:30')).toEqual(['16', '16:15:30'])
    expect(hoursOf('', '16:15')).toEqual(['', '16:15'])
  })

  test('loses the separators of its digits and nothing else', () => {
    const read = readDraft(typedWith({ level: '68,500.00' }), nowMs)
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
    const typed = typedWith({ level: 'no number', rearmBand: { choice: '5' }, holdMs: { choice: '60000' } })
    expect(readDraft({ ...typed, condition: 'amended' }, nowMs)).toMatchObject({
      ok: true,
      draft: { terms: { condition: 'amended' } },
    })
    const read = readDraft({ ...typed, condition: 'amended' }, nowMs)
    expect(read.ok && 'holdMs' in read.draft).toBe(false)
  })

  test('a re-arm band in basis points does not apply to a spread, whose unit differs', () => {
    const spread = (changes: Changes) => readDraft(typedWith({ condition: 'spreadAtOrAbove', ...changes }), nowMs)
    const terms = { condition: 'spreadAtOrAbove', spreadBps: '10' }
    expect(spread({ rearmBand: { choice: '5' } })).toMatchObject({ draft: { terms } })
    expect(spread({ rearmBand: { choice: '5' } })).not.toHaveProperty('draft.terms.rearmBand')
    const own = spread({ rearmBand: { choice: 'own', text: '1.5', unit: 'basisPoints' } })
    expect(own).toMatchObject({ draft: { terms: { ...terms, rearmBand: { size: '1.5', unit: 'points' } } } })
  })

  const own = (text: string) => ({ choice: 'own', text })

  test.each<[string, Changes, string]>([
    ['a level', { level: '68,5' }, 'level'],
    ['the low end of a band', { condition: 'entersBand', low: '', high: '2' }, 'low'],
    ['the high end of a band', { condition: 'entersBand', low: '1', high: 'x' }, 'high'],
    ['a change', { condition: 'moves', amount: '' }, 'amount'],
    ['the time of a move', { condition: 'moves', withinMs: '0' }, 'withinMs'],
    ['a silence', { condition: 'noUpdate', afterMs: own('-1') }, 'afterMs'],
    ['a constituent', { condition: 'weightAtOrAbove', weightPercent: '60', constituent: ' ' }, 'constituent'],
    ['an exchange', { condition: 'exchangeShareAtOrBelow', sharePercent: '10', constituent: 'BTC' }, 'exchange'],
    ['a tolerance', { condition: 'continuity', tolerancePercent: 'much' }, 'tolerancePercent'],
    ['a band', { rearmBand: own('') }, 'rearmBand'],
    ['the minutes between notifications', { repeat: { choice: 'whileTrue' }, everyMinutes: '1.5' }, 'repeat'],
    ['how many a day', { repeat: { choice: 'daily' }, max: '0' }, 'repeat'],
    ['a hold', { holdMs: own('long') }, 'holdMs'],
    ['a cooldown', { cooldownMs: '1e3' }, 'cooldownMs'],
    ['an end', { expiresAt: 'soon' }, 'expiresAt'],
    ['no index', { indexId: '' }, 'indexId'],
  ])('that cannot be read as %s is refused at its field', (_name, changes, field) => {
    expect(problemsOf({})).toEqual([])
    expect(problemsOf(changes).map((problem) => problem.field)).toEqual([field])
  })
})
