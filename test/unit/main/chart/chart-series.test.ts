import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  insertPoint,
  joinPoints,
  onSeconds,
  onSteps,
  pointsBetween,
  gapAfterMs,
} from '../../../../main/chart/chart-series'
import type { ChartPoint } from '../../../../protocol/responses'
import type { Publication, Resolution } from '../../../../core/model'

const startMs = Date.UTC(2023, 10, 1, 12)
const at = (offsetMs: number, value: string, more: Partial<Publication> = {}): Publication => ({
  value,
  publishedAtMs: startMs + offsetMs,
  ...more,
})

/** A few seconds of an index. Some are amended, once or more, some are carried forward. */
const versions = fc.uniqueArray(
  fc.record(
    {
      value: fc.integer({ min: 0, max: 99_999 }).map((cents) => `${Math.floor(cents / 100)}.${cents % 100}0`),
      publishedAtMs: fc.integer({ min: 0, max: 30 }).map((second) => startMs + second * 1_000),
      amendedAtMs: fc.integer({ min: 31, max: 40 }).map((second) => startMs + second * 1_000),
      isRepeatOfPrevious: fc.constant(true as const),
    },
    { requiredKeys: ['value', 'publishedAtMs'] },
  ),
  { selector: (each) => `${each.publishedAtMs} ${each.amendedAtMs ?? ''}`, maxLength: 60 },
)

describe('joined points', () => {
  test('are ascending and exact, one a publish time, whatever came twice', () => {
    const rest = [at(0, '1.00'), at(1_000, '1.10'), at(2_000, '1.3500e-5')]
    const stream = [at(3_000, '-0.50'), at(2_000, '1.3500e-5')]
    expect(joinPoints(rest, stream)).toEqual([...rest, at(3_000, '-0.50')])
  })

  test('are the latest amendments, from whichever side they come', () => {
    const first = at(0, '1.01', { amendedAtMs: startMs + 5_000 })
    const second = at(0, '1.02', { amendedAtMs: startMs + 6_000, isRepeatOfPrevious: true })
    expect(joinPoints([at(0, '1.00')], [second, first])).toEqual([second])
    expect(joinPoints([second], [first])).toEqual([second])
    expect(joinPoints([first], [at(0, '1.00')])).toEqual([first])
  })

  test('carry nothing but the publication', () => {
    const quote = { ...at(0, '1.00'), id: 'BRTI', source: 'stream' }
    expect(joinPoints([quote])).toEqual([at(0, '1.00')])
  })

  test('are the same however they are split between REST and stream, in any order', () => {
    const hands = fc.array(fc.record({ side: fc.constantFrom('rest', 'stream', 'both'), key: fc.nat() }), {
      minLength: 60,
      maxLength: 60,
    })
    fc.assert(
      fc.property(versions, hands, (all, given) => {
        const dealt = all.map((publication, index) => ({
          publication,
          ...(given[index] ?? { side: 'both', key: 0 }),
        }))
        dealt.sort((a, b) => a.key - b.key)
        const rest = dealt.filter(({ side }) => side !== 'stream').map(({ publication }) => publication)
        const received: ChartPoint[] = []
        for (const { publication, side } of dealt) if (side !== 'rest') insertPoint(received, publication)
        const joined = joinPoints(rest, received)
        expect(joined).toEqual(joinPoints(all))
        const times = joined.map(({ publishedAtMs }) => publishedAtMs)
        expect(times).toEqual([...new Set(all.map(({ publishedAtMs }) => publishedAtMs))].sort((a, b) => a - b))
      }),
    )
  })
})

test('a point that comes late is put in its place, and an older version of one changes nothing', () => {
  const points: ChartPoint[] = []
  for (const each of [at(0, '1'), at(2_000, '3'), at(1_000, '2'), at(2_000, '3.5', { amendedAtMs: startMs + 9 })]) {
    insertPoint(points, each)
  }
  insertPoint(points, at(2_000, '4'))
  expect(points.map(({ value }) => value)).toEqual(['1', '2', '3.5'])
})

test('a range begins after its start and includes its end', () => {
  const points = [at(0, '1'), at(1, '2'), at(2, '3'), at(3, '4')]
  expect(pointsBetween(points, startMs, startMs + 2).map(({ value }) => value)).toEqual(['2', '3'])
})

test('on seconds, ticks in between are left out', () => {
  const ticks = [at(0, '1'), at(200, '2'), at(800, '3'), at(1_000, '4')]
  expect(onSeconds(ticks).map(({ value }) => value)).toEqual(['1', '4'])
})

test('on minutes, each minute has its first point, and the last of all is there', () => {
  const points = [0, 20_000, 60_000, 61_000, 185_000, 186_000, 187_000].map((offsetMs) => at(offsetMs, `${offsetMs}`))
  expect(onSteps(points, 60_000).map(({ value }) => value)).toEqual(['0', '60000', '185000', '187000'])
  expect(onSteps([], 60_000)).toEqual([])
})

const hourMs = 3_600_000

describe('a gap', () => {
  test.each<[Resolution, boolean, number | undefined, number]>([
    ['PER_SECOND', false, undefined, 1_000],
    ['PER_SECOND', false, 60_000, 60_000],
    ['PER_200MS', true, undefined, 200],
    ['PER_200MS', false, undefined, 1_000],
    ['PER_SECOND', false, 6 * hourMs, 6 * hourMs],
    ['PER_MINUTE', false, undefined, 60_000],
    ['PER_HOUR', false, undefined, hourMs],
  ])('of %s (every tick: %s, spacing: %s) is more than two missed publications and at most ten', (...row) => {
    const [resolution, isEveryTick, spacing, distanceMs] = row
    const gapMs = gapAfterMs(resolution, isEveryTick, spacing)
    expect(gapMs).toBeGreaterThan(3 * distanceMs)
    expect(gapMs).toBeLessThanOrEqual(10 * distanceMs)
  })

  test('of a daily index is two missed days, not one, and not a day of 25 hours', () => {
    const gapMs = gapAfterMs('DAILY', false)
    expect(25 * hourMs).toBeLessThan(gapMs)
    expect(49 * hourMs).toBeLessThan(gapMs)
    expect(71 * hourMs).toBeGreaterThan(gapMs)
  })

  test('of an index on business days is a missed week, not a weekend or Easter', () => {
    const gapMs = gapAfterMs('BUSINESS_DAYS', false)
    expect(73 * hourMs).toBeLessThan(gapMs)
    expect((5 * 24 + 1) * hourMs).toBeLessThan(gapMs)
    expect(7 * 24 * hourMs).toBeGreaterThan(gapMs)
  })
})
