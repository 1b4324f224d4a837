import { describe, expect, test } from 'vitest'
import type { Publication, Resolution } from '../../../../core/model'
import type { ChangeBase } from '../../../../core/preferences'
import { openPastValues } from '../../../support/open-past-values'

const noon = Date.UTC(2023, 10, 1, 12)
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const opened = (base: ChangeBase) => openPastValues(base, noon)

const at = (offsetMs: number, value: string): Publication => ({ value, publishedAtMs: noon + offsetMs })

/** The last 24 hours as the service returns them, one value a minute. Each value is its minute. */
function lastDay(nowOffsetMs = 0): Publication[] {
  return Array.from({ length: 1_440 }, (_, index) => {
    const offsetMs = nowOffsetMs + (index - 1_439) * minute
    return at(offsetMs, String(offsetMs / minute))
  })
}

describe('an index that ticks, counted from a day ago', () => {
  test('has the last value published then, and it follows as time passes', () => {
    const { pastValues, clock } = opened('dayAgo')
    pastValues.add('BRTI', at(0, '0'), 'PER_SECOND')
    pastValues.restoreDay('BRTI', lastDay())
    // The oldest known minute is 23 h 59 min old, and no older one exists.
    expect(pastValues.facts('BRTI').reference).toEqual({
      kind: 'dayAgo',
      value: '-1439',
      publishedAtMs: noon - 1_439 * minute,
    })
    clock.advance(hour)
    pastValues.add('BRTI', at(hour, '60'), 'PER_SECOND')
    expect(pastValues.facts('BRTI').reference?.value).toBe('-1380')
    clock.advance(day - hour)
    pastValues.add('BRTI', at(day, '1440'), 'PER_SECOND')
    expect(pastValues.facts('BRTI').reference?.value).toBe('0')
  })

  test('has none before the service answered, and none in a gap', () => {
    const { pastValues, clock } = opened('dayAgo')
    pastValues.add('BRTI', at(0, '1.00'), 'PER_SECOND')
    expect(pastValues.facts('BRTI').reference).toBeUndefined()
    clock.advance(day + 3 * hour)
    pastValues.add('BRTI', at(day + 3 * hour, '2.00'), 'PER_SECOND')
    expect(pastValues.facts('BRTI').reference).toBeUndefined()
    pastValues.restoreDay('BRTI', lastDay(day + 3 * hour))
    expect(pastValues.facts('BRTI').reference?.value).toBe(String(3 * 60 + 1))
  })

  test('has one since app start, another as soon as it is known, and none after `forget`', () => {
    const { pastValues, use } = opened('sessionFirst')
    pastValues.add('BRTI', at(0, '1.00'), 'PER_SECOND')
    expect(pastValues.facts('BRTI').reference).toMatchObject({ kind: 'sessionFirst', value: '1.00' })
    use('dayAgo')
    expect(pastValues.facts('BRTI').reference).toBeUndefined()
    pastValues.restoreDay('BRTI', lastDay())
    expect(pastValues.facts('BRTI').reference?.kind).toBe('dayAgo')
    pastValues.forget('BRTI')
    pastValues.add('BRTI', at(0, '1.00'), 'PER_SECOND')
    expect(pastValues.facts('BRTI').reference).toBeUndefined()
  })

  test('ignores values from the future', () => {
    const { pastValues } = opened('dayAgo')
    pastValues.add('BRTI', at(0, '1.00'), 'PER_SECOND')
    pastValues.restoreDay('BRTI', [at(2 * day, '9')])
    expect(pastValues.facts('BRTI').reference).toBeUndefined()
  })
})

describe('an index that ticks, counted from the previous close', () => {
  test('has the last value before midnight UTC, and the next one once the day is over', () => {
    const { pastValues, clock } = opened('previousClose')
    pastValues.add('BRTI', at(0, '0'), 'PER_200MS')
    expect(pastValues.facts('BRTI').reference).toBeUndefined()
    pastValues.restoreDay('BRTI', lastDay())
    expect(pastValues.facts('BRTI').reference).toEqual({
      kind: 'previousClose',
      value: String(-12 * 60 - 1),
      publishedAtMs: noon - 12 * hour - minute,
    })
    clock.advance(12 * hour)
    pastValues.add('BRTI', at(12 * hour - 5, '719.9'), 'PER_200MS')
    pastValues.add('BRTI', at(12 * hour, '720'), 'PER_200MS')
    expect(pastValues.facts('BRTI').reference?.value).toBe('719.9')
  })

  test('has none where the values before midnight are missing', () => {
    const { pastValues, clock } = opened('previousClose')
    pastValues.add('BRTI', at(0, '1.00'), 'PER_SECOND')
    clock.advance(15 * hour)
    pastValues.add('BRTI', at(15 * hour, '2.00'), 'PER_SECOND')
    expect(pastValues.facts('BRTI').reference).toBeUndefined()
  })
})

describe('an index that publishes seldom', () => {
  const fill = (base: ChangeBase, resolution: Resolution, stepMs: number, latestMs = 0) => {
    const { pastValues } = opened(base)
    const past = Array.from({ length: 40 }, (_, index) => at(latestMs - index * stepMs, `${index} before`))
    pastValues.restore('BRR', past, resolution)
    return pastValues.facts('BRR').reference
  }

  test('hourly uses the last value before midnight or of 24 hours ago', () => {
    expect(fill('previousClose', 'PER_HOUR', hour)).toMatchObject({ kind: 'previousClose', value: '13 before' })
    expect(fill('dayAgo', 'PER_HOUR', hour)).toMatchObject({ kind: 'dayAgo', value: '24 before' })
    expect(fill('sessionFirst', 'PER_HOUR', hour)).toMatchObject({ kind: 'previousPublished', value: '1 before' })
  })

  test.each(['DAILY', 'BUSINESS_DAYS'] as const)('%s uses the previous publication', (resolution) => {
    for (const base of ['sessionFirst', 'previousClose'] as const) {
      expect(fill(base, resolution, day)).toMatchObject({ kind: 'previousPublished', value: '1 before' })
    }
    // Published at 9, the value of 24 hours ago is yesterday's. Published at 16 yesterday, it is that of the day
    // before.
    expect(fill('dayAgo', resolution, day, -3 * hour)).toMatchObject({ kind: 'dayAgo', value: '1 before' })
    expect(fill('dayAgo', resolution, day, -20 * hour)).toMatchObject({ kind: 'dayAgo', value: '1 before' })
    expect(fill('dayAgo', resolution, day, -25 * hour)).toMatchObject({ kind: 'dayAgo', value: '0 before' })
  })
})
