import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  everySecond,
  everyTick,
  isWithin,
  latestTime,
  resolutionOf,
  timesBetween,
  type PublicationZone,
  type Schedule,
} from '../../../simulator/schedule'

const zones: PublicationZone[] = ['Europe/London', 'America/New_York', 'Asia/Hong_Kong']
const schedules: Schedule[] = [everyTick, everySecond, ...zones.map((dailyIn) => ({ dailyIn }))]

test.each([
  { dailyIn: 'Europe/London', first: '2025-03-29T16:00:00Z', next: '2025-03-30T15:00:00Z' },
  { dailyIn: 'Europe/London', first: '2025-10-25T15:00:00Z', next: '2025-10-26T16:00:00Z' },
  { dailyIn: 'America/New_York', first: '2025-03-08T21:00:00Z', next: '2025-03-09T20:00:00Z' },
  { dailyIn: 'America/New_York', first: '2025-11-01T20:00:00Z', next: '2025-11-02T21:00:00Z' },
  { dailyIn: 'Asia/Hong_Kong', first: '2025-03-29T08:00:00Z', next: '2025-03-30T08:00:00Z' },
] as const)('in $dailyIn, 16:00 local is $first one day and $next the next', ({ dailyIn, first, next }) => {
  const [firstMs, nextMs] = [Date.parse(first), Date.parse(next)]
  expect(timesBetween({ dailyIn }, firstMs - 1, nextMs, 'PER_SECOND')).toEqual([firstMs, nextMs])
  expect(latestTime({ dailyIn }, nextMs - 1, 'PER_SECOND')).toBe(firstMs)
  expect(latestTime({ dailyIn }, nextMs, 'PER_SECOND')).toBe(nextMs)
})

test("the daily time of a summer day is the service's", () => {
  const timeMs = 1_747_753_200_000
  expect(latestTime({ dailyIn: 'Europe/London' }, timeMs + 1, 'PER_SECOND')).toBe(timeMs)
})

test('real-time indices publish on exact multiples of their step', () => {
  expect(timesBetween(everyTick, 1_000, 2_000, 'PER_200MS')).toEqual([1_200, 1_400, 1_600, 1_800, 2_000])
  expect(timesBetween(everyTick, 1_000, 3_999, 'PER_SECOND')).toEqual([2_000, 3_000])
  expect(timesBetween(everySecond, 999, 2_000, 'PER_200MS')).toEqual([1_000, 2_000])
  expect(latestTime(everyTick, 1_999, 'PER_200MS')).toBe(1_800)
  expect(latestTime(everyTick, 1_999, 'PER_SECOND')).toBe(1_000)
})

test('adjoining spans publish the same as the whole span, which ends with the latest time', () => {
  const moment = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2027, 0, 1) })
  const length = fc.integer({ min: 0, max: 20_000 })
  const resolution = fc.constantFrom('PER_SECOND', 'PER_200MS')
  fc.assert(
    fc.property(
      fc.constantFrom(...schedules),
      moment,
      length,
      length,
      resolution,
      (schedule, from, one, two, asked) => {
        const spanMs = 'dailyIn' in schedule ? 50_000 : 1
        const [middle, end] = [from + one * spanMs, from + (one + two) * spanMs]
        const whole = timesBetween(schedule, from, end, asked)
        expect([...timesBetween(schedule, from, middle, asked), ...timesBetween(schedule, middle, end, asked)]).toEqual(
          whole,
        )
        if (whole.length > 0) expect(latestTime(schedule, end, asked)).toBe(whole.at(-1))
        for (const timeMs of whole) expect(isWithin(timeMs, asked)).toBe(true)
      },
    ),
  )
})

test('a time between second boundaries is for subscribers of every tick', () =>
  expect([isWithin(2_000, 'PER_SECOND'), isWithin(2_200, 'PER_SECOND'), isWithin(2_200, 'PER_200MS')]).toEqual([
    true,
    false,
    true,
  ]))

test('a schedule is named by its frequency', () =>
  expect(schedules.map(resolutionOf)).toEqual(['PER_200MS', 'PER_SECOND', 'DAILY', 'DAILY', 'DAILY']))
