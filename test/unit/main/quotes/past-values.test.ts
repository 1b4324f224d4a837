import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PastValues } from '../../../../main/quotes/past-values'
import type { Publication } from '../../../../core/model'
import type { ChangeBase } from '../../../../core/preferences'
import { openPastValues } from '../../../support/open-past-values'

const startMs = Date.UTC(2023, 10, 1, 12)
const minute = 60_000
const day = 86_400_000

const opened = (base: ChangeBase = 'sessionFirst') => openPastValues(base, startMs)

const at = (offsetMs: number, value: number | string, amendedOffsetMs?: number): Publication => ({
  value: String(value),
  publishedAtMs: startMs + offsetMs,
  ...(amendedOffsetMs !== undefined && { amendedAtMs: startMs + amendedOffsetMs }),
})

describe('an index that publishes in real time', () => {
  test('has a trend of the last hour, one value a minute, the last of each', () => {
    const { pastValues } = opened()
    const seconds = Array.from({ length: 3_600 }, (_, second) => at(second * 1_000 - 3_599_000, second))
    pastValues.restore('BRTI', seconds, 'PER_SECOND')
    const { trend, reference } = pastValues.facts('BRTI')
    expect(trend).toHaveLength(61)
    // The current minute has one second. The previous minute ended with the second before it.
    expect(trend?.slice(-3)).toEqual([3_538, 3_598, 3_599])
    expect(reference).toBeUndefined()
  })

  test('counts changes from the first value received in this run, not from restored ones', () => {
    const { pastValues } = opened()
    pastValues.restore('BRTI', [at(-minute, '90.00')], 'PER_200MS')
    pastValues.add('BRTI', at(0, '100.00'), 'PER_200MS')
    pastValues.add('BRTI', at(1_000, '110.00'), 'PER_200MS')
    expect(pastValues.facts('BRTI').reference).toEqual({
      kind: 'sessionFirst',
      value: '100.00',
      publishedAtMs: startMs,
    })
  })

  test('counts changes from the first value as amended', () => {
    const { pastValues } = opened()
    pastValues.add('BRTI', at(0, '100.00'), 'PER_SECOND')
    pastValues.add('BRTI', at(1_000, '110.00'), 'PER_SECOND')
    pastValues.add('BRTI', at(0, '101.00', 2_000), 'PER_SECOND')
    pastValues.add('BRTI', at(0, '100.00'), 'PER_SECOND')
    expect(pastValues.facts('BRTI').reference?.value).toBe('101.00')
  })

  test('has gaps where nothing was published, also up to now', () => {
    const { pastValues, clock } = opened()
    pastValues.add('BRTI', at(0, 1), 'PER_SECOND')
    pastValues.add('BRTI', at(3 * minute, 4), 'PER_SECOND')
    clock.advance(5 * minute)
    expect(pastValues.facts('BRTI').trend).toEqual([1, null, null, 4, null, null])
    // At most an hour of silence.
    clock.advance(2 * day)
    expect(pastValues.facts('BRTI').trend).toEqual([1, null, null, 4, ...new Array<null>(60).fill(null)])
  })

  test('keeps its newest value in the trend when our clock is behind', () => {
    const { pastValues } = opened()
    pastValues.add('BRTI', at(minute, 1), 'PER_MINUTE')
    pastValues.add('BRTI', at(3 * minute, 3), 'PER_MINUTE')
    expect(pastValues.facts('BRTI').trend?.slice(-3)).toEqual([1, null, 3])
  })

  /** The last day, one value a minute. Each value is its minute, and the latest is 0. */
  const lastDay = (nowMs: number) =>
    Array.from({ length: 1_440 }, (_, index) => at(nowMs - startMs + (index - 1_439) * minute, index - 1_439))

  test.each([0, 1, 5, 17, 18, 40, 61, 200, 601, 1_430, 1_439])(
    '%i minutes after midnight the trend is 24 hours long and marks midnight',
    (minutes) => {
      const { pastValues, clock } = opened('previousClose')
      clock.advance(12 * 60 * minute + minutes * minute)
      pastValues.restore('BRTI', [], 'PER_SECOND')
      pastValues.restoreDay('BRTI', lastDay(clock.wallMs()))
      const { trend = [], reference, referenceAt = 0 } = pastValues.facts('BRTI')
      expect(trend).not.toContain(null)
      expect([80, 81]).toContain(trend.length)
      expect(trend.at(-1)).toBe(0)
      expect(trend[0]).toBeLessThan(-1_400)
      // At 23:59 the value before midnight is older than the 24 hours.
      if (minutes < 1_439) expect(trend[referenceAt]).toBe(Number(reference?.value))
    },
  )

  test('has a trend without gaps from what the previous run kept of the day', () => {
    const first = opened('previousClose')
    const past = Array.from({ length: 1_440 }, (_, index) => at((index - 1_439) * minute, (index * 7_919) % 1_000))
    let kept: readonly Publication[] = []
    const keep = (_what: string, _id: string, publications: readonly Publication[]) => (kept = publications)
    new PastValues({ clock: first.clock, changeBase: () => 'previousClose', keep }).restoreDay('BRTI', past)
    const { pastValues } = opened('previousClose')
    pastValues.recall('BRTI', { day: kept, first: undefined }, 'PER_SECOND')
    expect(pastValues.facts('BRTI').trend).not.toContain(null)
  })

  test('has a trend of 24 hours with any baseline', () => {
    const { pastValues, clock, use } = opened('dayAgo')
    pastValues.restore('BRTI', [], 'PER_SECOND')
    pastValues.restoreDay('BRTI', lastDay(clock.wallMs()))
    expect(pastValues.facts('BRTI')).toMatchObject({ reference: { kind: 'dayAgo', value: '-1439' } })
    expect(pastValues.facts('BRTI').referenceAt).toBeUndefined()
    const { trend } = pastValues.facts('BRTI')
    use('sessionFirst')
    pastValues.add('BRTI', at(0, 0), 'PER_SECOND')
    expect(pastValues.facts('BRTI')).toMatchObject({ trend, referenceAt: (trend?.length ?? 0) - 1 })
  })

  test('has a trend of 24 hours from values of each quarter of an hour', () => {
    const { pastValues, clock } = opened('previousClose')
    clock.advance(22 * 60 * minute)
    const quarters = Array.from({ length: 97 }, (_, index) => at((22 * 60 - (96 - index) * 15) * minute, index))
    pastValues.restore('BRTI', quarters, 'PER_SECOND')
    const { trend = [] } = pastValues.facts('BRTI')
    expect(trend.length).toBeGreaterThanOrEqual(80)
    expect(trend).not.toContain(null)
  })

  test.each([
    [30, 31],
    [90, 81],
    [300, 61],
    [1_000, 56],
  ])('has a trend of all that is known, or of at least 40 values, after %i minutes', (minutes, length) => {
    const { pastValues } = opened('previousClose')
    const known = Array.from({ length: minutes + 1 }, (_, index) => at((index - minutes) * minute, index))
    // A value of a day ago does not take the room of the others.
    pastValues.restore('BRTI', [at(-day + 1, 0), ...known], 'PER_SECOND')
    const { trend = [] } = pastValues.facts('BRTI')
    expect(trend.filter((value) => value !== null).length).toBeGreaterThanOrEqual(Math.min(minutes, 40))
    expect(trend.slice(-length)).not.toContain(null)
  })

  test('has the lowest and the highest value of the last 24 hours, as amended', () => {
    const { pastValues, clock } = opened()
    pastValues.add('BRTI', at(0, '10.00'), 'PER_SECOND')
    pastValues.add('BRTI', at(1_000, '9.5'), 'PER_SECOND')
    pastValues.add('BRTI', at(2_000, '12.00'), 'PER_SECOND')
    pastValues.add('BRTI', at(3_000, '11.00'), 'PER_SECOND')
    expect(pastValues.facts('BRTI').range).toEqual({ low: '9.5', high: '12.00' })
    pastValues.add('BRTI', at(2_000, '11.50', 4_000), 'PER_SECOND')
    expect(pastValues.facts('BRTI').range).toEqual({ low: '9.5', high: '11.50' })
    clock.advance(day + minute)
    pastValues.add('BRTI', at(day + minute, '11.20000000000000001'), 'PER_SECOND')
    pastValues.add('BRTI', at(day + minute + 1_000, '11.2'), 'PER_SECOND')
    expect(pastValues.facts('BRTI').range).toEqual({ low: '11.2', high: '11.20000000000000001' })
  })

  test('shows an amendment of the last value of a minute and none of an earlier one', () => {
    const { pastValues } = opened()
    for (const [offsetMs, value] of [
      [0, 1],
      [1_000, 2],
      [minute, 3],
    ] as const)
      pastValues.add('BRTI', at(offsetMs, value), 'PER_SECOND')
    pastValues.add('BRTI', at(0, 10, 2_000), 'PER_SECOND')
    expect(pastValues.facts('BRTI').trend?.slice(-2)).toEqual([2, 3])
    pastValues.add('BRTI', at(1_000, 20, 2_000), 'PER_SECOND')
    expect(pastValues.facts('BRTI').trend?.slice(-2)).toEqual([20, 3])
  })
})

describe.each(['PER_HOUR', 'DAILY', 'BUSINESS_DAYS'] as const)('an index that publishes %s', (resolution) => {
  test('has a trend of sixty publications and the previous publication as reference', () => {
    const { pastValues } = opened()
    const year = Array.from({ length: 365 }, (_, at365) => at((at365 - 364) * day, at365))
    pastValues.restore('BRR', year, resolution)
    const facts = pastValues.facts('BRR')
    expect(facts.trend).toEqual(Array.from({ length: 60 }, (_, index) => 305 + index))
    expect(facts.reference).toEqual({ kind: 'previousPublished', value: '363', publishedAtMs: startMs - day })
    pastValues.add('BRR', at(day, '400.00'), resolution)
    expect(pastValues.facts('BRR').reference?.value).toBe('364')
    pastValues.add('BRR', at(0, '365.50', day + 1), resolution)
    expect(pastValues.facts('BRR').reference?.value).toBe('365.50')
  })

  test('has neither with only one publication', () => {
    const { pastValues } = opened()
    pastValues.add('BRR', at(0, 1), resolution)
    expect(pastValues.facts('BRR')).toEqual({})
  })
})

test('facts are the same in whatever order values come, and however often', () => {
  const publications = fc.array(
    fc.record({ minutes: fc.integer({ min: -100, max: 0 }), seconds: fc.integer({ min: 0, max: 3 }) }),
    { minLength: 2, maxLength: 80 },
  )
  const orders = publications
    .map((times) => times.map(({ minutes, seconds }) => at(minutes * minute + seconds, `${minutes}${seconds}`)))
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })))
  fc.assert(
    fc.property(orders, fc.constantFrom('PER_SECOND', 'DAILY'), ([one, other], resolution) => {
      const facts = [one, other].map((order) => {
        const { pastValues } = opened()
        pastValues.restore('X', order, resolution)
        return pastValues.facts('X')
      })
      expect(facts[0]).toEqual(facts[1])
    }),
  )
})

test('a resolution that becomes known late starts the pastValues again', () => {
  const { pastValues } = opened()
  pastValues.add('BRR', at(0, 1), 'PER_SECOND')
  pastValues.add('BRR', at(day, 2), 'DAILY')
  expect(pastValues.facts('BRR')).toEqual({})
  pastValues.restore('BRR', [at(0, 1)], 'DAILY')
  expect(pastValues.facts('BRR')).toMatchObject({ reference: { kind: 'previousPublished', value: '1' }, trend: [1, 2] })
})

test('a restored value of a time far ahead pushes nothing out', () => {
  const { pastValues } = opened()
  pastValues.restore('BRTI', [at(-minute, 1), at(0, 2), at(6 * minute, 9)], 'PER_SECOND')
  expect(pastValues.facts('BRTI').trend?.slice(-2)).toEqual([1, 2])
})

test('nothing is left of a forgotten index', () => {
  const { pastValues } = opened()
  pastValues.add('BRTI', at(0, 1), 'PER_SECOND')
  pastValues.forget('BRTI')
  expect(pastValues.facts('BRTI')).toEqual({})
})
