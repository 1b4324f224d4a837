import { expect, test } from 'vitest'
import { offsetText, systemZone } from '../../../../renderer/format/time-zone'

const style = { grouping: 'comma', timeZone: 'system' } as const

process.env['TZ'] = 'Europe/Berlin'
// The system's zone is cached once it was read.
const { exactTimeText, fullTimeText, publishedText, startOfDayMs } =
  await import('../../../../renderer/format/published-time')

const nowMs = Date.UTC(2026, 10, 21, 14, 2, 12)

test('today is shown in the zone of the user, with the decimals that are not zero', () => {
  const textAt = (ms: number) => publishedText(Date.UTC(2026, 10, 21, 14, 2, 10, ms), nowMs, true, style)
  expect([0, 400, 410, 412, 4].map(textAt)).toEqual([
    '15:02:10',
    '15:02:10.4',
    '15:02:10.41',
    '15:02:10.412',
    '15:02:10.004',
  ])
})

test('a slow index is shown without milliseconds', () =>
  expect(publishedText(Date.UTC(2026, 10, 21, 0, 0, 0), nowMs, false, style)).toBe('01:00:00'))

test('another day is shown with its date, another year with its year', () => {
  expect(publishedText(Date.UTC(2026, 10, 20, 16, 0), nowMs, false, style)).toBe('20 Nov 17:00')
  expect(publishedText(Date.UTC(2025, 10, 20, 16, 0), nowMs, false, style)).toBe('20 Nov 2025')
})

test('the day ends at midnight in the user’s zone', () => {
  expect(publishedText(Date.UTC(2026, 10, 20, 23, 0), nowMs, true, style)).toBe('00:00:00')
  expect(publishedText(Date.UTC(2026, 10, 20, 22, 59), nowMs, true, style)).toBe('20 Nov 23:59')
  expect(startOfDayMs(nowMs, style)).toBe(Date.UTC(2026, 10, 20, 23, 0))
})

test('the whole time names its zone', () =>
  expect(fullTimeText(Date.UTC(2026, 6, 1, 12, 0, 0, 7), style)).toBe(
    '1 Jul 2026, 14:00:00.007, Europe/Berlin (UTC+2)',
  ))

test('a named zone keeps its clock when the system’s zone changes', () => {
  const atMs = Date.UTC(2026, 6, 1, 12)
  expect(systemZone(Date.now() + 61_000)).toBe('Europe/Berlin')
  expect(offsetText(atMs, 'Europe/Berlin')).toBe('UTC+2')
  try {
    process.env['TZ'] = 'Asia/Tokyo'
    expect(systemZone(Date.now() + 62_000)).toBe('Europe/Berlin')
    expect(systemZone(Date.now() + 130_000)).toBe('Asia/Tokyo')
    expect(offsetText(atMs + 3_600_000, 'Europe/Berlin')).toBe('UTC+2')
  } finally {
    process.env['TZ'] = 'Europe/Berlin'
  }
})

test('an exact time has its date only on another day, and its year only in another year', () => {
  expect(exactTimeText(Date.UTC(2026, 10, 20, 23, 0, 0, 200), nowMs, style)).toBe('00:00:00.200')
  expect(exactTimeText(Date.UTC(2026, 10, 20, 22, 59), nowMs, style)).toBe('20 Nov 23:59:00.000')
  expect(exactTimeText(Date.UTC(2025, 10, 20, 22, 59), nowMs, style)).toBe('20 Nov 2025 23:59:00.000')
})
