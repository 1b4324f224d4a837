import { expect, test } from 'vitest'
import { staleAfterMs } from '../../../protocol/freshness'
import { resolutions } from '../../../protocol/model'

const periodsMs = {
  PER_200MS: 200,
  PER_SECOND: 1_000,
  PER_MINUTE: 60_000,
  PER_HOUR: 3_600_000,
  DAILY: 86_400_000,
  BUSINESS_DAYS: 3 * 86_400_000,
}

test.each(resolutions)('a value of a %s index is not stale after one publication missed by a moment', (resolution) => {
  expect(staleAfterMs(resolution)).toBeGreaterThan(periodsMs[resolution])
})

test('a slower index is given at least as much time', () => {
  const limits = resolutions.map(staleAfterMs)
  expect(limits).toEqual(limits.toSorted((a, b) => a - b))
})
