import { describe, expect, test } from 'vitest'
import {
  basisPoints,
  fixingPlace,
  fixingsOf,
  nextFixingMs,
  realTimeOf,
  untilWords,
} from '../../../../renderer/format/fixings'

const everything = () => true
const london = { name: 'London', zone: 'Europe/London' }

describe('which belong together', () => {
  test.each([
    ['BRTI', 'BRR BRRNY BRRAP'],
    ['ETHUSD_RTI', 'ETHUSD_RR ETHUSD_NY ETHUSD_AP'],
    ['BRR', ''],
    ['NCI', ''],
    ['UC5_RTI_TR', ''],
  ])('the daily rates of %s are %s', (id, rates) => {
    expect(fixingsOf(id, everything).join(' ')).toBe(rates)
  })

  test.each([
    ['BRRNY', 'BRTI', 'New York'],
    ['ETHUSD_RR', 'ETHUSD_RTI', 'London'],
    ['1INCHUSD_AP', '1INCHUSD_RTI', 'Hong Kong'],
    ['UC5_RR_TR', undefined, undefined],
    ['APT_SRR', undefined, undefined],
  ])('%s belongs to %s and is fixed in %s', (id, realTime, place) => {
    expect(realTimeOf(id, everything)).toBe(realTime)
    expect(fixingPlace(id)?.name).toBe(place)
  })

  test('what the service does not list is not offered', () => {
    expect(fixingsOf('BRTI', (id) => id === 'BRRNY')).toEqual(['BRRNY'])
    expect(realTimeOf('BRR', () => false)).toBeUndefined()
  })
})

describe('the next fixing', () => {
  const next = (after: string, onBusinessDays = false) =>
    new Date(nextFixingMs(london, Date.parse(after), onBusinessDays)).toISOString()

  test('is at 16:00 of its place, in summer and winter time', () => {
    expect(next('2026-11-23T15:59:59.999Z')).toBe('2026-11-23T16:00:00.000Z')
    expect(next('2026-11-23T16:00:00Z')).toBe('2026-11-24T16:00:00.000Z')
    expect(next('2026-07-01T12:00:00Z')).toBe('2026-07-01T15:00:00.000Z')
    // The clocks change on the 29th.
    expect(next('2026-03-28T17:00:00Z')).toBe('2026-03-29T15:00:00.000Z')
  })

  test('is not on a weekend where only business days have one', () => {
    expect(next('2026-11-20T17:00:00Z', true)).toBe('2026-11-23T16:00:00.000Z')
    expect(next('2026-11-20T17:00:00Z')).toBe('2026-11-21T16:00:00.000Z')
  })

  test.each([
    [59_999, 'less than a minute'],
    [60_000, '1 min'],
    [3_600_000, '1 h 0 min'],
    [71_040_000, '19 h 44 min'],
    [86_400_000, '1 d'],
    [180_000_000, '2 d 2 h'],
  ])('%i ms is %s away', (ms, words) => {
    expect(untilWords(ms)).toBe(words)
  })
})

test.each([
  ['68000.00', '68123.40', '18.1'],
  ['68000.00', '67999.99', '0.0'],
  ['2500', '2499', '-4.0'],
  ['1', '2', '10000.0'],
  ['0.00', '1', undefined],
])('from %s to %s are %s basis points', (from, to, points) => {
  expect(basisPoints(from, to)).toBe(points)
})
