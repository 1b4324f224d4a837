import { expect, test } from 'vitest'
import { mergePoints, viewOf } from '../../../../renderer/format/chart-model'
import { coveredText, pointNotes, summaryText } from '../../../../renderer/format/chart-words'

const style = { grouping: 'comma', timeZone: 'UTC' } as const
const lastMs = Date.UTC(2026, 10, 21, 14)
const dayMs = 24 * 60 * 60_000

/** A chart of a year with one value a day, for the last `days` days. */
function yearOf(days: number) {
  const points = Array.from({ length: days + 1 }, (_, at) => ({
    value: `${100 + at}.00`,
    publishedAtMs: lastMs - (days - at) * dayMs,
  }))
  return viewOf(mergePoints([], points), { range: '1y', gapAfterMs: 4 * dayMs, nowMs: lastMs })
}

test('a chart with data for its whole range is described by the range', () => {
  expect(coveredText('1y', yearOf(366), style)).toBe('over 1 year')
  // The first value of the year may be up to a day after its start.
  expect(coveredText('1y', yearOf(364), style)).toBe('over 1 year')
})

test('a chart with less data is described by its start', () => {
  expect(coveredText('1y', yearOf(3), style)).toBe('since 18 Nov 2026 14:00')
  expect(summaryText('BRR', '1y', yearOf(3), style)).toMatch(/^BRR since 18 Nov 2026 14:00: first 100\.00, /)
})

test('a point of a mean says how many values it lacks', () => {
  const point = { value: '1', publishedAtMs: lastMs }
  expect(pointNotes({ ...point, missing: 1 }, style)).toEqual(['1 value missing'])
  expect(pointNotes({ ...point, missing: 1_200 }, style)).toEqual(['1,200 values missing'])
  expect(pointNotes(point, style)).toEqual([])
})
