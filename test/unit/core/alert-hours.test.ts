import { describe, expect, test } from 'vitest'
import { hoursDay, nextHoursMs } from '../../../core/alert-hours'
import type { AlertHours } from '../../../core/alert-timing'

const weekdays: AlertHours['days'] = ['mon', 'tue', 'wed', 'thu', 'fri']
const fixing: AlertHours = { days: weekdays, from: '15:30', to: '16:15', timeZone: 'Europe/London' }
const night: AlertHours = { days: ['fri'], from: '22:00', to: '06:00', timeZone: 'America/New_York' }
const isIn = (hours: AlertHours, time: string) => hoursDay(hours, Date.parse(time)) !== undefined

describe('hours hold a time by what the clock of their zone shows', () => {
  test.each<[string, boolean, AlertHours, string]>([
    ['in winter, an hour of UTC', true, fixing, '2026-01-14T15:30:00.000Z'],
    ['not before', false, fixing, '2026-01-14T15:29:59.999Z'],
    ['up to the end', true, fixing, '2026-01-14T16:14:59.999Z'],
    ['which is not part of them', false, fixing, '2026-01-14T16:15:00.000Z'],
    ['in summer an hour earlier in UTC', true, fixing, '2026-07-15T14:30:00.000Z'],
    ['and no longer at that of winter', false, fixing, '2026-07-15T15:30:00.000Z'],
    ['on the last Friday of winter', true, fixing, '2026-03-27T16:00:00.000Z'],
    ['on the first Monday of summer', false, fixing, '2026-03-30T16:00:00.000Z'],
    ['not on a Saturday', false, fixing, '2026-01-17T16:00:00.000Z'],
    ['of the evening before midnight', true, night, '2026-01-17T03:00:00.000Z'],
    ['of the morning after, which is a Saturday', true, night, '2026-01-17T10:59:59.000Z'],
    ['to its end', false, night, '2026-01-17T11:00:00.000Z'],
    ['not of the morning of the day itself', false, night, '2026-01-16T10:00:00.000Z'],
    ['not of another evening', false, night, '2026-01-18T03:00:00.000Z'],
    ['a whole day from the same time to the same', true, { ...night, to: '22:00' }, '2026-01-18T02:59:59.000Z'],
    ['and no longer', false, { ...night, to: '22:00' }, '2026-01-18T03:00:00.000Z'],
    ['midnight itself', true, { ...fixing, from: '00:00', to: '00:01' }, '2026-01-14T00:00:30.000Z'],
    // New York goes from 02:00 to 03:00 on 8 March at 07:00 UTC, and from 02:00 to 01:00 on 1 November at 06:00 UTC.
    ['before the clocks go forward', true, skipped('01:30', '03:15'), '2026-03-08T06:59:00.000Z'],
    ['after they went forward', true, skipped('01:30', '03:15'), '2026-03-08T07:14:00.000Z'],
    ['until the clock shows the end', false, skipped('01:30', '03:15'), '2026-03-08T07:15:00.000Z'],
    ['never where the clocks skip them all', false, skipped('02:15', '02:45'), '2026-03-08T07:15:00.000Z'],
    ['what the clocks show twice, first', true, skipped('01:00', '01:30'), '2026-11-01T05:15:00.000Z'],
    ['and again', true, skipped('01:00', '01:30'), '2026-11-01T06:15:00.000Z'],
    ['not between', false, skipped('01:00', '01:30'), '2026-11-01T05:45:00.000Z'],
    ['a zone of half hours', true, { ...fixing, timeZone: 'Asia/Kolkata' }, '2026-01-14T10:00:00.000Z'],
  ])('%s', (_, expected, hours, time) => expect(isIn(hours, time)).toBe(expected))

  test('and both parts of a night are of the day on which it began', () => {
    const days = ['2026-01-17T03:00:00Z', '2026-01-17T10:00:00Z'].map((time) => hoursDay(night, Date.parse(time)))
    expect(days).toEqual([Date.UTC(2026, 0, 16) / 86_400_000, Date.UTC(2026, 0, 16) / 86_400_000])
  })
})

function skipped(from: string, to: string): AlertHours {
  return { days: ['sun'], from, to, timeZone: 'America/New_York' }
}

describe('outside them it is known when they begin again', () => {
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
      'a week later where the clocks skip them all',
      skipped('02:15', '02:45'),
      '2026-03-08T06:59:00Z',
      '2026-03-15T06:15:00Z',
    ],
    [
      'again where the clock shows them twice',
      skipped('01:00', '01:30'),
      '2026-11-01T05:45:00Z',
      '2026-11-01T06:00:00Z',
    ],
    [
      'on the day of a zone that is a day ahead',
      { ...fixing, days: ['wed'], from: '00:30', timeZone: 'Pacific/Kiritimati' },
      '2026-01-13T09:00:00Z',
      '2026-01-13T10:30:00Z',
    ],
  ])('%s', (_, hours, time, begins) => {
    const at = Date.parse(time)
    expect(hoursDay(hours, at)).toBeUndefined()
    expect(new Date(nextHoursMs(hours, at) ?? 0)).toEqual(new Date(begins))
  })

  test('never where their time of day has no day', () =>
    expect(nextHoursMs({ ...fixing, days: [] }, Date.parse('2026-01-14T09:00:00Z'))).toBeUndefined())
})
