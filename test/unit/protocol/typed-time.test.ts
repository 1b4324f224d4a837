import { describe, expect, test } from 'vitest'
import { readTypedRange, readTypedTime } from '../../../protocol/typed-time'

/** Saturday in London, Friday still in New York. */
const nowMs = Date.UTC(2026, 10, 21, 2, 30)
const read = (text: string, zone = 'UTC') => readTypedTime(text, { nowMs, zone })
const readIso = (text: string, zone?: string) => {
  const answer = read(text, zone)
  return answer.ok ? new Date(answer.value).toISOString() : answer.problem.code
}

describe('a typed time', () => {
  test.each([
    ['now', '2026-11-21T02:30:00.000Z'],
    ['2026-11-20 16:00', '2026-11-20T16:00:00.000Z'],
    ['  2026-11-20   16:00:00.2 ', '2026-11-20T16:00:00.200Z'],
    ['2026-11-20T16:00:00.25Z', '2026-11-20T16:00:00.250Z'],
    ['2026-11-20T16:00:00+05:30', '2026-11-20T10:30:00.000Z'],
    ['2026-11-20 16:00 UTC-3', '2026-11-20T19:00:00.000Z'],
    ['2026-11-20 16:00 UTC−3:30', '2026-11-20T19:30:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['today', '2026-11-21T00:00:00.000Z'],
    ['Yesterday 15:59:59.8', '2026-11-20T15:59:59.800Z'],
    ['yesterday at 4 pm', '2026-11-20T16:00:00.000Z'],
    ['yesterday 12:00 am', '2026-11-20T00:00:00.000Z'],
    ['20 Nov 16:00', '2026-11-20T16:00:00.000Z'],
    ['20 November 2025, 16:00', '2025-11-20T16:00:00.000Z'],
    // A day or a time that is still to come is the last one of its kind.
    ['22 Nov 16:00', '2025-11-22T16:00:00.000Z'],
    ['2:29', '2026-11-21T02:29:00.000Z'],
    ['02:30', '2026-11-21T02:30:00.000Z'],
    ['02:30:00.001', '2026-11-20T02:30:00.001Z'],
    ['15:59:59.8', '2026-11-20T15:59:59.800Z'],
    ['4pm', '2026-11-20T16:00:00.000Z'],
  ])('“%s” is %s', (text, iso) => {
    expect(readIso(text)).toBe(iso)
  })

  test.each([
    ['yesterday 15:59:59.8 London', '2026-11-20T15:59:59.800Z'],
    // It is still Friday there.
    ['yesterday 16:00 New York', '2026-11-19T21:00:00.000Z'],
    ['today 16:00 new york', '2026-11-20T21:00:00.000Z'],
    ['2026-07-01 16:00 Europe/London', '2026-07-01T15:00:00.000Z'],
    ['2026-07-01 16:00 London time', '2026-07-01T15:00:00.000Z'],
    ['2026-07-01 Tokyo', '2026-06-30T15:00:00.000Z'],
    ['2026-07-01 16:00 Asia/Kolkata', '2026-07-01T10:30:00.000Z'],
    // As the app writes times itself.
    ['20 Nov 2026, 16:00:00.000, Europe/Berlin (UTC+1)', '2026-11-20T15:00:00.000Z'],
    ['25 Oct 2026, 02:30:00.000, Europe/Berlin (UTC+1)', '2026-10-25T01:30:00.000Z'],
  ])('“%s” is read by the clock of its zone: %s', (text, iso) => {
    expect(readIso(text)).toBe(iso)
  })

  test('without a zone is read by the clock of the zone in use', () => {
    expect(readIso('2026-11-20 16:00', 'America/New_York')).toBe('2026-11-20T21:00:00.000Z')
    expect(readIso('today', 'America/New_York')).toBe('2026-11-20T05:00:00.000Z')
    // The clocks go forward at midnight there: the day begins at one.
    expect(readIso('2026-03-27', 'Asia/Beirut')).toBe('2026-03-26T22:00:00.000Z')
    expect(readIso('2026-03-29', 'Asia/Beirut')).toBe('2026-03-28T22:00:00.000Z')
  })

  test.each([
    ['', 'badTime'],
    ['soon', 'badTime'],
    ['16', 'badTime'],
    ['24:00', 'badTime'],
    ['16:60', 'badTime'],
    ['16:00:60', 'badTime'],
    ['13:00 pm', 'badTime'],
    ['15:59:59.8001', 'badTime'],
    ['2026-11-31', 'badTime'],
    ['2026-02-29 16:00', 'badTime'],
    ['2026-13-01', 'badTime'],
    ['31 Foo', 'badTime'],
    ['1969-12-31', 'badTime'],
    ['yesterday 16:00 Atlantis', 'unknownZone'],
    ['16:00 BST', 'unknownZone'],
    ['16:00 EST', 'unknownZone'],
    ['16:00 +15:00', 'unknownZone'],
    ['16:00 17:00', 'unknownZone'],
    ['2026-11-20 16:00 <b>', 'unknownZone'],
  ])('“%s” is refused: %s', (text, code) => {
    expect(readIso(text)).toBe(code)
  })

  test('that a change of the clocks skipped is refused with the one to use instead', () => {
    expect(read('2026-03-29 01:30 London')).toMatchObject({
      problem: {
        code: 'skippedTime',
        message:
          '01:30:00 did not exist on 2026-03-29: clocks in Europe/London went forward over it. Use 2026-03-29 02:30:00 instead.',
      },
    })
    expect(readIso('2026-03-29 00:59:59.999 London')).toBe('2026-03-29T00:59:59.999Z')
    expect(readIso('2026-03-29 02:00 London')).toBe('2026-03-29T01:00:00.000Z')
  })

  test('that came twice is refused with both ways to write it, and these are read', () => {
    const answer = read('2026-10-25 01:30', 'Europe/London')
    expect(answer).toMatchObject({ problem: { code: 'ambiguousTime' } })
    const message = answer.ok ? '' : answer.problem.message
    const written = [...message.matchAll(/“([^”]+)”/g)].map(([, text = '']) => text)
    expect(written).toEqual(['2026-10-25 01:30:00 +01:00', '2026-10-25 01:30:00 +00:00'])
    expect(written.map((text) => readIso(text))).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'])
    expect(readIso('2026-10-25 02:00 London')).toBe('2026-10-25T02:00:00.000Z')
  })
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

  test.each([
    ['2026-11-02', '2026-11-01', 'badRange'],
    ['2026-11-02', '2026-11-02', 'badRange'],
    ['2026-12-01', '2026-12-02', 'badRange'],
    ['soon', '2026-12-02', 'badTime'],
    ['2026-11-02', 'later', 'badTime'],
    ['2026-03-29 01:30 London', 'now', 'skippedTime'],
  ])('from %s to %s is refused: %s', (from, to, code) => {
    expect(range(from, to)).toMatchObject({ problem: { code } })
  })
})
