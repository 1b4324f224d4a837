import { expect, test } from 'vitest'
import { findZone, zoneNames } from '../../../core/time-zones'

test.each([
  ['Kolkata', 'Asia/Kolkata'],
  ['asia/kolkata', 'Asia/Kolkata'],
  ['Calcutta', 'Asia/Calcutta'],
  ['Kyiv', 'Europe/Kyiv'],
  ['new york', 'America/New_York'],
  [' utc ', 'UTC'],
  ['ET', 'America/New_York'],
  ['US/Eastern', 'US/Eastern'],
])('%j is %s', (typed, zone) => expect(findZone(typed)).toBe(zone))

test.each(['', 'Atlantis', 'system', 'a/b', 'EST5'])('%j is not a zone', (typed) =>
  expect(findZone(typed)).toBeUndefined(),
)

test('UTC and the current zone names can be chosen', () => {
  expect(zoneNames()).toEqual(expect.arrayContaining(['UTC', 'Asia/Kolkata', 'Europe/Kyiv', 'Europe/London']))
  expect(zoneNames()).toEqual([...new Set(zoneNames())].sort())
})
