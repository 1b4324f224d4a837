import { describe, expect, test } from 'vitest'
import { timeTicks } from '../../../../renderer/plot/time-scale'
import { wallClock, whenShown } from '../../../../renderer/format/time-zone'

const at = (text: string): number => Date.parse(text)
const textsOf = (from: string, to: string, zone = 'UTC', most = 5): string[] =>
  timeTicks({ fromMs: at(from), toMs: at(to) }, zone, most).map(({ text }) => text)

describe('ticks in time', () => {
  test('are round and as short as the range allows', () => {
    const end = '2026-11-21T14:02:11.400Z'
    expect(textsOf('2026-11-21T14:01:11.400Z', end)).toEqual(['14:01:15', '14:01:30', '14:01:45', '14:02:00'])
    expect(textsOf('2026-11-21T13:57:11.400Z', end)).toEqual(['13:58', '13:59', '14:00', '14:01', '14:02'])
    expect(textsOf('2026-11-21T13:02:11.400Z', end)).toEqual(['13:15', '13:30', '13:45', '14:00'])
    expect(textsOf('2026-11-20T14:02:11.400Z', end)).toEqual(['18:00', '21 Nov', '06:00', '12:00'])
    expect(textsOf('2025-11-21T00:00:00Z', end, 'UTC', 6)).toEqual(['2026', 'Mar', 'May', 'Jul', 'Sep', 'Nov'])
  })

  test('are round in the zone', () => {
    const span = ['2026-11-21T13:02:00Z', '2026-11-21T14:02:00Z'] as const
    expect(textsOf(...span, 'Asia/Kolkata')).toEqual(['18:45', '19:00', '19:15', '19:30'])
    expect(textsOf('2026-11-20T14:00:00Z', '2026-11-21T14:00:00Z', 'Asia/Kolkata')).toEqual([
      '21 Nov',
      '06:00',
      '12:00',
      '18:00',
    ])
  })

  test('are ascending and round across a change of the clocks', () => {
    for (const day of ['2026-03-29', '2026-10-25']) {
      const ticks = timeTicks(
        { fromMs: at(`${day}T00:00:00Z`) - 7_200_000, toMs: at(`${day}T22:00:00Z`) },
        'Europe/London',
        24,
      )
      const times = ticks.map(({ atMs }) => atMs)
      expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
      expect(times.every((atMs) => atMs % 3_600_000 === 0)).toBe(true)
    }
  })

  test('are at every round time while the clocks go back, including repeated ones', () => {
    expect(textsOf('2026-10-25T01:05:00Z', '2026-10-25T01:55:00Z', 'Europe/London', 6)).toEqual([
      '01:10',
      '01:20',
      '01:30',
      '01:40',
      '01:50',
    ])
    expect(textsOf('2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', 'Europe/London', 5)).toEqual([
      '01:30',
      '01:45',
      '01:00',
      '01:15',
      '01:30',
    ])
    expect(textsOf('2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z', 'Europe/London', 5)).toEqual([
      '00:30',
      '00:45',
      '02:00',
      '02:15',
      '02:30',
    ])
  })

  test('are within the span', () => {
    const span = { fromMs: at('2026-11-21T14:00:00Z'), toMs: at('2026-11-21T14:01:00Z') }
    const ticks = timeTicks(span, 'UTC', 4)
    expect(ticks[0]?.atMs).toBe(span.fromMs)
    expect(ticks.at(-1)?.atMs).toBe(span.toMs)
  })
})

test('a time can be found by what the clock of its zone shows', () => {
  for (const zone of ['UTC', 'Europe/London', 'America/New_York', 'Asia/Kolkata']) {
    for (const text of ['2026-07-01T12:34:56.789Z', '2026-12-01T23:59:59.001Z']) {
      expect(whenShown(wallClock(at(text), zone).getTime(), zone)).toBe(at(text))
    }
  }
})
