import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readWallTime, wallTimeText } from '../../../../renderer/format/wall-time'

test.each([
  ['2026-12-24T16:00', 'UTC', Date.UTC(2026, 11, 24, 16)],
  ['2026-12-24T16:00', 'Europe/Berlin', Date.UTC(2026, 11, 24, 15)],
  ['2026-07-01T00:30:15', 'Asia/Kathmandu', Date.UTC(2026, 5, 30, 18, 45, 15)],
  ['2026-07-01T00:30:15.5', 'UTC', Date.UTC(2026, 6, 1, 0, 30, 15, 500)],
])('%s in %s', (text, zone, atMs) => {
  expect(readWallTime(text, zone)).toBe(atMs)
})

test('a time the clocks skip is taken as if they had not been changed, one they show twice as the first', () => {
  expect(readWallTime('2026-03-29T02:30', 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 29, 1, 30))
  expect(readWallTime('2026-10-25T02:30', 'Europe/Berlin')).toBe(Date.UTC(2026, 9, 25, 0, 30))
})

test.each(['', 'tomorrow', '2026-12-24', '2026-12-24 16:00', '24.12.2026T16:00'])('%j is no time', (text) => {
  expect(readWallTime(text, 'UTC')).toBeUndefined()
})

test('whatever is shown is read as the same time, but for an hour shown twice', () => {
  const zones = fc.constantFrom('UTC', 'Europe/London', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Chatham')
  const times = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) })
  fc.assert(
    fc.property(zones, times, (zone, atMs) => {
      const read = readWallTime(wallTimeText(atMs, zone), zone) ?? NaN
      expect([0, 1_800_000, 3_600_000]).toContain(atMs - read)
      expect(wallTimeText(read, zone)).toBe(wallTimeText(atMs, zone))
    }),
  )
})
