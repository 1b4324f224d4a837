import { describe, expect, test } from 'vitest'
import { fullTimeText, publishedText, startOfDayMs } from '../../../../renderer/format/published-time'
import { offsetMs, offsetText, searchZones, startOfDayIn, wallClock } from '../../../../renderer/format/time-zone'
import { formatValue } from '../../../../renderer/format/value'

const hourMs = 3_600_000

describe('the clock of a zone', () => {
  test.each([
    '21 Nov 2026, 14:02:11.400, UTC',
    '21 Nov 2026, 19:32:11.400, Asia/Kolkata (UTC+5:30)',
    '21 Nov 2026, 19:47:11.400, Asia/Kathmandu (UTC+5:45)',
    '22 Nov 2026, 00:32:11.400, Australia/Adelaide (UTC+10:30)',
    '21 Nov 2026, 10:32:11.400, America/St_Johns (UTC\u22123:30)',
    '21 Nov 2026, 06:02:11.400, America/Los_Angeles (UTC\u22128)',
    '22 Nov 2026, 04:02:11.400, Pacific/Kiritimati (UTC+14)',
    '21 Nov 2026, 04:32:11.400, Pacific/Marquesas (UTC\u22129:30)',
  ])('%s', (text) => {
    const [, zone = ''] = /\d, (\S+)(?: \(|$)/.exec(text) ?? []
    const style = { grouping: 'comma', timeZone: zone } as const
    expect(fullTimeText(Date.UTC(2026, 10, 21, 14, 2, 11, 400), style)).toBe(text)
  })

  test('changes with summer time, to the second', () => {
    const change = Date.UTC(2026, 2, 29, 1)
    expect(offsetText(change - 1, 'Europe/London')).toBe('UTC+0')
    expect(offsetText(change, 'Europe/London')).toBe('UTC+1')
    expect(wallClock(change - 1, 'Europe/London').toISOString()).toBe('2026-03-29T00:59:59.999Z')
    expect(wallClock(change, 'Europe/London').toISOString()).toBe('2026-03-29T02:00:00.000Z')
    // Its summer time is half an hour.
    expect(offsetText(Date.UTC(2026, 6, 1), 'Australia/Lord_Howe')).toBe('UTC+10:30')
    expect(offsetText(Date.UTC(2026, 0, 1), 'Australia/Lord_Howe')).toBe('UTC+11')
  })

  test('agrees with the browser in every zone there is', () => {
    const times = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1, 12, 34, 56, 789), Date.UTC(2024, 1, 29, 23, 59, 59, 999)]
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
      for (const atMs of times) {
        const wall = new Date(atMs + offsetMs(atMs, zone)).toISOString().slice(0, 19).replace('T', ' ')
        expect(`${zone} ${wall}`).toBe(`${zone} ${format.format(atMs)}`)
      }
    }
  })
})

describe('the day of a zone', () => {
  test.each([
    ['UTC', Date.UTC(2026, 10, 21)],
    ['Asia/Kolkata', Date.UTC(2026, 10, 20, 18, 30)],
    ['America/Los_Angeles', Date.UTC(2026, 10, 21, 8)],
    ['Pacific/Kiritimati', Date.UTC(2026, 10, 21, 10)],
  ])('%s begins at its own midnight', (zone, startMs) => {
    const nowMs = Date.UTC(2026, 10, 21, 14)
    expect(startOfDayIn(nowMs, zone)).toBe(startMs)
    const style = { grouping: 'comma', timeZone: zone } as const
    expect(startOfDayMs(nowMs, style)).toBe(startMs)
    expect(publishedText(startMs, nowMs, true, style)).toBe('00:00:00')
    expect(publishedText(startMs - 60_000, nowMs, true, style)).toMatch(/^2[01] Nov 23:59$/)
  })

  test('begins correctly if it has 25 or 23 hours', () => {
    expect(startOfDayIn(Date.UTC(2026, 9, 25, 20), 'Europe/Berlin')).toBe(Date.UTC(2026, 9, 24, 22))
    expect(startOfDayIn(Date.UTC(2026, 2, 29, 20), 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 28, 23))
  })

  test('begins an hour later if midnight is skipped', () => {
    // Clocks in Beirut go from 00:00 to 01:00 on the last Sunday of March.
    const startMs = startOfDayIn(Date.UTC(2026, 2, 29, 12), 'Asia/Beirut')
    expect(startMs).toBe(Date.UTC(2026, 2, 28, 22))
    expect(wallClock(startMs, 'Asia/Beirut').toISOString()).toBe('2026-03-29T01:00:00.000Z')
    expect(wallClock(startMs - 1, 'Asia/Beirut').toISOString()).toBe('2026-03-28T23:59:59.999Z')
    expect(startOfDayIn(Date.UTC(2026, 2, 28, 12), 'Asia/Beirut')).toBe(startMs - 24 * hourMs)
  })
})

test('zones are found by any part of their names', () => {
  const zones = ['America/New_York', 'Europe/London', 'America/Argentina/Buenos_Aires']
  expect(searchZones('new york', zones)).toEqual(['America/New_York'])
  expect(searchZones('  ', zones)).toEqual(zones)
  expect(searchZones('america aires', zones)).toEqual(['America/Argentina/Buenos_Aires'])
  expect(searchZones('atlantis', zones)).toEqual([])
  const adelaide = ['America/Guadeloupe', 'Australia/Adelaide']
  expect(searchZones('adel', adelaide)).toEqual(adelaide.toReversed())
})

test('digits are grouped by the user’s setting, and none is lost', () => {
  const grouped = { comma: '1,234,567.8900', space: '1\u202f234\u202f567.8900', none: '1234567.8900' }
  for (const [grouping, text] of Object.entries(grouped)) {
    const style = { grouping: grouping as keyof typeof grouped, timeZone: 'UTC' }
    expect(formatValue('1234567.8900', style)).toBe(text)
    expect(formatValue('1234567.8900', style, { signed: true })).toBe(`+${text}`)
  }
})
