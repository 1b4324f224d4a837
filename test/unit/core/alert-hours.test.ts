import { describe, expect, test } from 'vitest'
import { hoursDay, nextHoursMs } from '../../../core/alert-hours'
import type { AlertHours } from '../../../core/alert-timing'

const weekdays: AlertHours['days'] = ['mon', 'tue', 'wed', 'thu', 'fri']
const fixing: AlertHours = { days: weekdays, from: '15:30', to: '16:15', timeZone: 'Europe/London' }
const night: AlertHours = { days: ['fri'], from: '22:00', to: '06:00', timeZone: 'America/New_York' }
const isIn = (hours: AlertHours, time: string) => hoursDay(hours, Date.parse(time)) !== undefined

describe('hours, by the clock of their zone,', () => {
  test.each<[string, boolean, AlertHours, string]>([
    ['include their start in winter', true, fixing, '2026-01-14T15:30:00.000Z'],
    ['exclude the moment before their start', false, fixing, '2026-01-14T15:29:59.999Z'],
    ['include the moment before their end', true, fixing, '2026-01-14T16:14:59.999Z'],
    ['exclude their end', false, fixing, '2026-01-14T16:15:00.000Z'],
    ['include their start in summer, an hour earlier in UTC', true, fixing, '2026-07-15T14:30:00.000Z'],
    ['exclude in summer the winter start in UTC', false, fixing, '2026-07-15T15:30:00.000Z'],
    ['include 16:00 UTC on the last Friday of winter', true, fixing, '2026-03-27T16:00:00.000Z'],
    ['exclude 16:00 UTC on the first Monday of summer', false, fixing, '2026-03-30T16:00:00.000Z'],
    ['exclude a Saturday', false, fixing, '2026-01-17T16:00:00.000Z'],
    ['include the evening on which a night begins', true, night, '2026-01-17T03:00:00.000Z'],
    ['include the morning after, which is a Saturday', true, night, '2026-01-17T10:59:59.000Z'],
    ['exclude the end of the night', false, night, '2026-01-17T11:00:00.000Z'],
    ['exclude the morning before the night', false, night, '2026-01-16T10:00:00.000Z'],
    ['exclude another evening', false, night, '2026-01-18T03:00:00.000Z'],
    ['include a whole day if start and end are the same', true, { ...night, to: '22:00' }, '2026-01-18T02:59:59.000Z'],
    ['exclude the end of a whole day', false, { ...night, to: '22:00' }, '2026-01-18T03:00:00.000Z'],
    ['include midnight', true, { ...fixing, from: '00:00', to: '00:01' }, '2026-01-14T00:00:30.000Z'],
    // New York goes from 02:00 to 03:00 on 8 March at 07:00 UTC, and from 02:00 to 01:00 on 1 November at 06:00 UTC.
    ['include a time before the clocks go forward', true, skipped('01:30', '03:15'), '2026-03-08T06:59:00.000Z'],
    ['include a time after the clocks went forward', true, skipped('01:30', '03:15'), '2026-03-08T07:14:00.000Z'],
    ['exclude their end after the clocks went forward', false, skipped('01:30', '03:15'), '2026-03-08T07:15:00.000Z'],
    ['exclude every time if the clocks skip them all', false, skipped('02:15', '02:45'), '2026-03-08T07:15:00.000Z'],
    ['include the first pass of a time shown twice', true, skipped('01:00', '01:30'), '2026-11-01T05:15:00.000Z'],
    ['include the second pass of a time shown twice', true, skipped('01:00', '01:30'), '2026-11-01T06:15:00.000Z'],
    ['exclude the time between two passes', false, skipped('01:00', '01:30'), '2026-11-01T05:45:00.000Z'],
    [
      'include a time in a zone of half hours',
      true,
      { ...fixing, timeZone: 'Asia/Kolkata' },
      '2026-01-14T10:00:00.000Z',
    ],
  ])('%s', (_, expected, hours, time) => expect(isIn(hours, time)).toBe(expected))

  test('count both parts of a night as the day on which it began', () => {
    const days = ['2026-01-17T03:00:00Z', '2026-01-17T10:00:00Z'].map((time) => hoursDay(night, Date.parse(time)))
    expect(days).toEqual([Date.UTC(2026, 0, 16) / 86_400_000, Date.UTC(2026, 0, 16) / 86_400_000])
  })
})

function skipped(from: string, to: string): AlertHours {
  return { days: ['sun'], from, to, timeZone: 'America/New_York' }
}

describe('outside them, hours begin', () => {
  test.each<[string, AlertHours, string, string]>([
    ['later that day', fixing, '2026-01-14T09:00:00Z', '2026-01-14T15:30:00Z'],
    ['the next day once they are over', fixing, '2026-01-14T16:15:00Z', '2026-01-15T15:30:00Z'],
    ['after a weekend', fixing, '2026-01-16T16:15:00Z', '2026-01-19T15:30:00Z'],
    ['after a weekend on which the clocks go forward', fixing, '2026-03-27T16:30:00Z', '2026-03-30T14:30:00Z'],
    ['a week later', night, '2026-01-17T11:00:00Z', '2026-01-24T03:00:00Z'],
    ['a week later to the minute', { ...night, to: '22:00' }, '2026-01-18T03:00:00Z', '2026-01-24T03:00:00Z'],
    [
      'as soon as the clocks have skipped their beginning',
      skipped('02:30', '04:00'),
      '2026-03-08T06:59:00Z',
      '2026-03-08T07:00:00Z',
    ],
    [
      'a week later if the clocks skip them all',
      skipped('02:15', '02:45'),
      '2026-03-08T06:59:00Z',
      '2026-03-15T06:15:00Z',
    ],
    [
      'on the second pass of a time shown twice',
      skipped('01:00', '01:30'),
      '2026-11-01T05:45:00Z',
      '2026-11-01T06:00:00Z',
    ],
    [
      'on the local date of a zone that is a day ahead',
      { ...fixing, days: ['wed'], from: '00:30', timeZone: 'Pacific/Kiritimati' },
      '2026-01-13T09:00:00Z',
      '2026-01-13T10:30:00Z',
    ],
  ])('%s', (_, hours, time, begins) => {
    const at = Date.parse(time)
    expect(hoursDay(hours, at)).toBeUndefined()
    expect(new Date(nextHoursMs(hours, at) ?? 0)).toEqual(new Date(begins))
  })

  test('never if they have no days', () =>
    expect(nextHoursMs({ ...fixing, days: [] }, Date.parse('2026-01-14T09:00:00Z'))).toBeUndefined())
})
