import { describe, expect, test } from 'vitest'
import { gapAfterMs } from '../../../../main/chart/gaps'
import type { ChartRange } from '../../../../protocol/answers'
import type { Resolution } from '../../../../protocol/model'

const hourMs = 3_600_000

describe('a gap', () => {
  test.each<[Resolution, ChartRange, boolean, number]>([
    ['PER_SECOND', '1m', false, 1_000],
    ['PER_SECOND', '1h', false, 1_000],
    ['PER_SECOND', '24h', false, 60_000],
    ['PER_200MS', '5m', true, 200],
    ['PER_200MS', '1h', false, 1_000],
    ['PER_200MS', '24h', false, 60_000],
    ['PER_MINUTE', '1h', false, 60_000],
    ['PER_HOUR', '24h', false, hourMs],
  ])('of %s over %s (every tick: %s) is more than two missed publications and at most ten', (...row) => {
    const [resolution, range, isEveryTick, spacingMs] = row
    const gapMs = gapAfterMs(resolution, range, isEveryTick)
    expect(gapMs).toBeGreaterThan(3 * spacingMs)
    expect(gapMs).toBeLessThanOrEqual(10 * spacingMs)
  })

  test('of a daily index is no day with 25 hours nor one missed day, but two missed days', () => {
    const gapMs = gapAfterMs('DAILY', '1y', false)
    expect(25 * hourMs).toBeLessThan(gapMs)
    expect(49 * hourMs).toBeLessThan(gapMs)
    expect(71 * hourMs).toBeGreaterThan(gapMs)
  })

  test('of an index on business days is no weekend and no Easter, but a missed week', () => {
    const gapMs = gapAfterMs('BUSINESS_DAYS', '1y', false)
    expect(73 * hourMs).toBeLessThan(gapMs)
    expect((5 * 24 + 1) * hourMs).toBeLessThan(gapMs)
    expect(7 * 24 * hourMs).toBeGreaterThan(gapMs)
  })
})
