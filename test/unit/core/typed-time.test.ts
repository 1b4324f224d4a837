import { describe, expect, test } from 'vitest'
import { readTypedClock, readTypedRange, readTypedTime } from '../../../core/typed-time'
import vectors from './typed-time-vectors.json'

/** Saturday in London, Friday still in New York. */
const nowMs = Date.UTC(2026, 10, 21, 2, 30)
const read = (text: string, zone = 'UTC') => readTypedTime(text, { nowMs, zone })
const readIso = (text: string, zone?: string) => {
  const answer = read(text, zone)
  return answer.ok ? new Date(answer.value).toISOString() : answer.problem.code
}

describe('a typed time', () => {
  test.each(vectors.read)('“%s” is %s', (text, iso) => expect(readIso(text)).toBe(iso))

  test.each(vectors.readAsPast)('“%s” is read as the last such time, not the next: %s', (text, iso) =>
    expect(readIso(text)).toBe(iso),
  )

  test.each(vectors.readInTheirZone)('“%s” is read by the clock of its zone: %s', (text, iso) =>
    expect(readIso(text)).toBe(iso),
  )

  test('without a zone is read by the clock of the zone in use', () => {
    expect(readIso('2026-11-20 16:00', 'America/New_York')).toBe('2026-11-20T21:00:00.000Z')
    expect(readIso('today', 'America/New_York')).toBe('2026-11-20T05:00:00.000Z')
    // Clocks go forward at midnight there, so the day starts at one.
    expect(readIso('2026-03-27', 'Asia/Beirut')).toBe('2026-03-26T22:00:00.000Z')
    expect(readIso('2026-03-29', 'Asia/Beirut')).toBe('2026-03-28T22:00:00.000Z')
  })

  test.each(vectors.badTime)('“%s” is refused', (text) => expect(readIso(text)).toBe('badTime'))

  test.each(vectors.unknownZone)('“%s” is refused for its zone', (text) => expect(readIso(text)).toBe('unknownZone'))

  test.each(vectors.askedAbout)('“%s” is ambiguous: %s', (text, message) =>
    expect(read(text)).toEqual({ ok: false, problem: { code: 'ambiguousTime', message } }),
  )

  test('skipped by a clock change is refused with a time to use instead', () => {
    expect(read('2026-03-29 01:30 London')).toMatchObject({
      problem: {
        code: 'skippedTime',
        message:
          '01:30:00 did not exist on 2026-03-29: clocks in Europe/London skipped it. Use 2026-03-29 02:30:00 instead.',
      },
    })
    expect(readIso('2026-03-29 00:59:59.999 London')).toBe('2026-03-29T00:59:59.999Z')
    expect(readIso('2026-03-29 02:00 London')).toBe('2026-03-29T01:00:00.000Z')
  })

  test('that came twice is refused with two unambiguous ways to write it', () => {
    const answer = read('2026-10-25 01:30', 'Europe/London')
    expect(answer).toMatchObject({ problem: { code: 'ambiguousTime' } })
    const message = answer.ok ? '' : answer.problem.message
    const written = [...message.matchAll(/“([^”]+)”/g)].map(([, text = '']) => text)
    expect(written).toEqual(['2026-10-25 01:30:00 +01:00', '2026-10-25 01:30:00 +00:00'])
    expect(written.map((text) => readIso(text))).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'])
    expect(readIso('2026-10-25 02:00 London')).toBe('2026-10-25T02:00:00.000Z')
  })
})

describe('a typed future time', () => {
  test.each(vectors.readAhead)('“%s” is read as the next such time: %s', (text, iso) => {
    const answer = readTypedTime(text, { nowMs, zone: 'UTC', isAhead: true })
    expect(answer.ok ? new Date(answer.value).toISOString() : answer.problem.code).toBe(iso)
  })

  test('that cannot be read is refused with examples of future times', () => {
    const answer = readTypedTime('soon', { nowMs, zone: 'UTC', isAhead: true })
    expect(answer.ok ? '' : answer.problem.message).toContain('such as 16:00, tomorrow 9:30 or')
  })
})

test('a typed time of day has whole minutes', () => {
  expect(['9:30', '09:30', '4 pm', '12:05 am'].map(readTypedClock)).toEqual(['09:30', '09:30', '16:00', '00:05'])
  for (const text of ['', '16', '24:00', '9:30:01', '9:30 London', 'noon']) expect(readTypedClock(text)).toBeUndefined()
})

describe('a typed range', () => {
  const range = (from: string, to: string) => readTypedRange({ from, to }, { nowMs, zone: 'UTC' })

  test('is from its start to its end', () => {
    expect(range('2026-11-01', '2026-11-02')).toEqual({
      ok: true,
      value: { fromMs: Date.UTC(2026, 10, 1), toMs: Date.UTC(2026, 10, 2) },
    })
    expect(range('today', '2027-01-01').ok).toBe(true)
  })

  test.each(vectors.refusedRanges)('from %s to %s is refused: %s', (from, to, code) =>
    expect(range(from, to)).toMatchObject({ problem: { code } }),
  )
})
