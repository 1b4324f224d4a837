import { expect, test } from 'vitest'
import { DayHistory } from '../../../../main/quotes/day-history'
import type { Publication } from '../../../../core/model'

const noon = Date.UTC(2023, 10, 1, 12)
const minute = 60_000

const at = (offsetMs: number, value: string): Publication => ({ value, publishedAtMs: noon + offsetMs })

test('a day keeps the last amended value of each part, in any order, and only what it needs', () => {
  const past = new DayHistory(minute)
  past.add(at(2_000, '2'))
  past.add(at(-minute, '0'))
  past.add(at(1_000, '1'))
  past.add({ ...at(2_000, '2.5'), amendedAtMs: noon + 3_000 })
  expect(past.points.map(({ value }) => value)).toEqual(['0', '2.5'])
  for (let count = 0; count <= 3_000; count++) past.add(at(count * minute, String(count)))
  expect(past.points).toHaveLength(1_441)
  expect(past.points[0]?.value).toBe(String(3_000 - 1_440))
})

test('the range of a day has the amended extremes of its last 24 hours and drops older ones', () => {
  const quarter = 15 * minute
  const past = new DayHistory(quarter)
  const range = (offsetMs: number) => past.range(noon + offsetMs)
  expect(range(0)).toBeUndefined()
  past.add(at(0, '9'))
  past.add(at(1_000, '100'))
  past.add(at(2_000, '10.0'))
  expect(range(2_000)).toEqual({ low: '9', high: '100' })
  past.add({ ...at(1_000, '11'), amendedAtMs: noon + 3_000 })
  expect(range(3_000)).toEqual({ low: '9', high: '11' })
  past.add(at(2 * quarter, '8.99999999999999999999'))
  past.add(at(2 * quarter + 1, '8.99999999999999999998'))
  expect(range(2 * quarter)).toEqual({ low: '8.99999999999999999998', high: '11' })
  // Extremes also expire without a new value.
  expect(range(24 * 60 * minute + 3_000)).toEqual({ low: '8.99999999999999999998', high: '8.99999999999999999999' })
  expect(range(25 * 60 * minute)).toBeUndefined()
})

test('a day is the same in any order of its values, and older ones change nothing', () => {
  const values = Array.from({ length: 3_000 }, (_, count) => at(count * minute, String((count * 7_919) % 1_000)))
  const days = [values, values.toReversed(), [...values.slice(1_500), ...values.slice(0, 1_500)]].map((ordered) => {
    const day = new DayHistory(15 * minute)
    for (const publication of ordered) day.add(publication)
    return day
  })
  const [first, ...others] = days.map((day) => ({ kept: day.kept.slice(1), range: day.range(noon + 3_000 * minute) }))
  for (const other of others) expect(other).toEqual(first)
})
