import { expect, test } from 'vitest'
import { hasData, isOverdue, isStale, staleAfterMs, type IndexData } from '../../../core/freshness'
import { resolutions } from '../../../core/model'

const periodsMs = {
  PER_200MS: 200,
  PER_SECOND: 1_000,
  PER_MINUTE: 60_000,
  PER_HOUR: 3_600_000,
  DAILY: 86_400_000,
  BUSINESS_DAYS: 3 * 86_400_000,
}

test.each(resolutions)('a value of a %s index is not stale just after its next publication is due', (resolution) =>
  expect(staleAfterMs(resolution)).toBeGreaterThan(periodsMs[resolution]),
)

test.each([
  ['PER_200MS', 2_999, 3_000],
  ['PER_SECOND', 2_999, 3_000],
  ['PER_MINUTE', 119_999, 120_000],
  ['PER_HOUR', 7_199_999, 7_200_000],
  // Stale before twice the frequency.
  ['DAILY', 26 * 3_600_000 - 1, 26 * 3_600_000],
  ['BUSINESS_DAYS', 98 * 3_600_000 - 1, 98 * 3_600_000],
] as const)('the age of a value of a %s index is worth showing after %d ms', (resolution, before, from) =>
  expect([isOverdue(before, resolution), isOverdue(from, resolution)]).toEqual([false, true]),
)

test('a slower index is stale no earlier than a faster one', () => {
  const limits = resolutions.map(staleAfterMs)
  expect(limits).toEqual(limits.toSorted((a, b) => a - b))
})

const live: IndexData = { connection: 'live', value: { source: 'stream', ageMs: 500 }, resolution: 'PER_SECOND' }

test('an index has data while its connection is live and its value is neither stale nor cached', () => {
  expect(hasData(live)).toBe(true)
  expect(hasData({ ...live, value: { source: 'rest', ageMs: 9_999 } })).toBe(true)
})

test.each<[string, IndexData]>([
  ['with no connection', { value: { source: 'stream', ageMs: 0 } }],
  ['while it reconnects, even with a new value', { ...live, connection: 'reconnecting' }],
  ['with no value yet', { connection: 'live', resolution: 'PER_SECOND' }],
  ['with a value of an earlier run', { ...live, value: { source: 'cache', ageMs: 0 } }],
  ['with a stale value', { ...live, value: { source: 'stream', ageMs: 10_000 } }],
])('an index has no data %s', (_, data) => expect(hasData(data)).toBe(false))

test('no value is stale while the resolution of its index is unknown', () => {
  expect(isStale(1e12, undefined)).toBe(false)
  expect(isStale(26 * 3_600_000, 'DAILY')).toBe(true)
  expect(isStale(26 * 3_600_000 - 1, 'DAILY')).toBe(false)
})
