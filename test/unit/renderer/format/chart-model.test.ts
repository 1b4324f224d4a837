import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AlertEvent } from '../../../../core/alert-events'
import { rangeMs, type ChartPoint } from '../../../../protocol/responses'
import { firedEvent, levelDraft, ruleView } from '../../../support/sample-alerts'
import {
  decimate,
  drawnLevels,
  extremesOf,
  firingsOf,
  isLevelRule,
  mergePoints,
  nearestTo,
  onSteps,
  segmentsOf,
  trimPoints,
  viewOf,
} from '../../../../renderer/format/chart-model'

function pointsAt(times: readonly number[], value: (at: number) => number = () => 1): ChartPoint[] {
  return times.map((publishedAtMs, at) => ({ value: String(value(at)), publishedAtMs }))
}

test('of many alerts the twenty levels nearest to the middle of the plot are drawn', () => {
  const rules = Array.from({ length: 100 }, (_, at) => ruleView(`r${at}`, levelDraft(`${at}`))).filter(isLevelRule)
  const levels = drawnLevels(rules, { min: 40, max: 60 }).map(({ terms }) => Number(terms.level))
  expect([Math.min(...levels), Math.max(...levels), levels.length]).toEqual([40, 59, 20])
})

const seconds = (count: number): number[] => Array.from({ length: count }, (_, at) => at * 1_000)

describe('merged points', () => {
  test('are ascending, one per published time, for any order and duplicates', () => {
    const received = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 })
    fc.assert(
      fc.property(received, received, (first, second) => {
        const points = [...first, ...second].map((atMs): ChartPoint => ({ value: String(atMs), publishedAtMs: atMs }))
        const once = mergePoints([], points)
        expect(once.map(({ atMs }) => atMs)).toEqual([...new Set([...first, ...second])].sort((a, b) => a - b))
        expect(mergePoints(once, points)).toEqual(once)
        expect(mergePoints(mergePoints([], points.slice(first.length)), points.slice(0, first.length))).toEqual(once)
      }),
    )
  })

  test('have the amended version, even if the older version is received later', () => {
    const [first] = pointsAt([0, 1_000])
    const amended: ChartPoint = { value: '2', publishedAtMs: 0, amendedAtMs: 500 }
    if (first === undefined) throw new Error('no point')
    const known = mergePoints([], pointsAt([0, 1_000]))
    const merged = mergePoints(known, [amended])
    expect(merged.map(({ point }) => point.value)).toEqual(['2', '1'])
    expect(mergePoints(merged, [first])).toEqual(merged)
  })

  test('keep the published text', () =>
    expect(mergePoints([], [{ value: '68123.40', publishedAtMs: 1 }])).toEqual([
      { atMs: 1, value: 68123.4, point: { value: '68123.40', publishedAtMs: 1 } },
    ]))
})

test.each(['7d', '30d', '1y'] as const)('%s with less data begin with the first point, at least a day', (range) => {
  const dayMs = 86_400_000
  const spanOf = (...times: number[]) =>
    viewOf(mergePoints([], pointsAt(times)), { range, gapAfterMs: dayMs, nowMs: 0 }).span
  expect(spanOf(626 * dayMs, 630 * dayMs)).toEqual({ fromMs: 626 * dayMs, toMs: 630 * dayMs })
  expect(spanOf(630 * dayMs)).toEqual({ fromMs: 629 * dayMs, toMs: 630 * dayMs })
  expect(spanOf(0, 600 * dayMs)).toEqual({ fromMs: 600 * dayMs - rangeMs[range], toMs: 600 * dayMs })
})

describe('gaps', () => {
  const points = mergePoints([], pointsAt([0, 10, 20, 31, 40]))

  test('begin after more than the allowed time without a value', () => {
    expect(segmentsOf(points, 10).map((segment) => segment.map(({ atMs }) => atMs))).toEqual([
      [0, 10, 20],
      [31, 40],
    ])
    expect(segmentsOf(points, 11)).toHaveLength(1)
  })

  test('split the line and have a span', () => {
    const view = viewOf(points, { range: '1h', gapAfterMs: 10, nowMs: 0 })
    expect(view.gaps).toEqual([{ fromMs: 20, toMs: 31 }])
    expect(view.lines).toHaveLength(2)
  })

  test('that begin before the window are cut at its edge', () => {
    const late = mergePoints([], pointsAt([0, 6_000_000, 7_800_000]))
    const view = viewOf(late, { range: '1h', gapAfterMs: 2_400_000, nowMs: 0 })
    expect(view.gaps).toEqual([{ fromMs: 4_200_000, toMs: 6_000_000 }])
    expect(view.points).toHaveLength(2)
  })

  test('without a gap the line enters from the point before the window', () => {
    const view = viewOf(mergePoints([], pointsAt(seconds(7_201))), {
      range: '1h',
      gapAfterMs: 5_000,
      nowMs: 0,
    })
    expect(view.points[0]?.atMs).toBe(3_600_000)
    expect(view.lines[0]?.[0]?.atMs).toBe(3_599_000)
  })
})

describe('decimated points', () => {
  const points = mergePoints(
    [],
    pointsAt(seconds(3_600), (at) => Math.sin(at) * (at === 1_234 ? 99 : 1)),
  )
  const span = { fromMs: 0, toMs: 3_599_000 }

  test('are at most two per column, in order, with the first and the last', () => {
    const kept = decimate(points, span, 200)
    expect(kept.length).toBeLessThanOrEqual(2 * 201)
    expect(kept.map(({ atMs }) => atMs)).toEqual(kept.map(({ atMs }) => atMs).sort((a, b) => a - b))
    expect(kept[0]).toBe(points[0])
    expect(kept.at(-1)).toBe(points.at(-1))
  })

  test('include the extremes of every column', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 50, maxLength: 400 }),
        (values) => {
          const all = mergePoints(
            [],
            pointsAt(seconds(values.length), (at) => values[at] ?? 0),
          )
          const kept = decimate(all, { fromMs: 0, toMs: (values.length - 1) * 1_000 }, 7)
          expect(extremesOf(kept)).toEqual(extremesOf(all))
        },
      ),
    )
    expect(decimate(points, span, 50)).toContain(extremesOf(points)?.high)
  })

  test('are all points if there is room', () =>
    expect(decimate(points.slice(0, 10), span, 200)).toEqual(points.slice(0, 10)))

  test('are marked if amended or carried forward', () => {
    const received: ChartPoint[] = [
      ...pointsAt([0, 1_000]),
      { value: '1', publishedAtMs: 2_000, amendedAtMs: 2_500 },
      { value: '1', publishedAtMs: 3_000, isRepeatOfPrevious: true },
    ]
    const view = viewOf(mergePoints([], received), { range: '1h', gapAfterMs: 10_000, nowMs: 0 })
    expect(view.marks.map(({ kind, at }) => [kind, at.atMs])).toEqual([
      ['amended', 2_000],
      ['carriedOver', 3_000],
    ])
  })
})

describe('firings', () => {
  const draft = levelDraft('1')
  const firing = (number: number, publishedAtMs: number, more: Partial<AlertEvent> = {}) =>
    firedEvent(number, draft, { inputs: { value: '1.5', publishedAtMs }, ...more })
  const wordsOf = ({ id, inputs }: AlertEvent) => `${id} ${inputs.value ?? ''}`

  test('leave out retracted ones and other indices, and use the confirmed value', () => {
    const events = [
      firing(1, 1_000),
      firing(2, 2_000, { kind: 'lateFromHistory' }),
      firing(3, 2_500, { kind: 'confirmed', aboutEventId: 'e1', inputs: { value: '1.6', publishedAtMs: 900 } }),
      firing(4, 2_000, { kind: 'retracted', aboutEventId: 'e2' }),
      firing(5, 3_000, { kind: 'snoozed' }),
      firing(6, 4_000, { indexId: 'NCI' }),
      firing(7, 5_000, { terms: { condition: 'divisorChanged' }, inputs: { value: '7', publishedAtMs: 5_000 } }),
    ]
    const expected = [
      { atMs: 900, value: '1.6', words: 'e1 1.6' },
      { atMs: 5_000, words: 'e7 7' },
    ]
    expect(firingsOf(events, 'BRTI', wordsOf)).toEqual(expected)
    expect(firingsOf([...events, ...events].reverse(), 'BRTI', wordsOf)).toEqual(expected)
  })

  test('are marked at their own time and value, with the nearest point', () => {
    const firings = [
      { atMs: 1_400, value: '9.5', words: 'rose to 9.5' },
      { atMs: 2_900, words: 'changed' },
      { atMs: 90_000, words: 'later' },
    ]
    const points = mergePoints(
      [],
      pointsAt([0, 1_000, 3_000], (at) => at),
    )
    const view = viewOf(points, { range: '1h', gapAfterMs: 10_000, nowMs: 0, firings })
    expect(view.marks).toMatchObject([
      { kind: 'fired', at: { atMs: 1_400, value: 9.5 } },
      { kind: 'fired', at: { atMs: 2_900, value: 2 } },
    ])
    expect(view.firings.map(({ point, words }) => [point.atMs, words])).toEqual([
      [1_000, 'rose to 9.5'],
      [3_000, 'changed'],
    ])
  })
})

test('the nearest point in time is found', () => {
  const points = mergePoints([], pointsAt([0, 10, 20]))
  expect([-5, 4, 6, 15, 99].map((atMs) => nearestTo(points, atMs))).toEqual([0, 0, 1, 1, 2])
  expect(nearestTo([], 0)).toBe(-1)
})

test('points before the window are dropped, except the last one', () => {
  const points = mergePoints([], pointsAt(seconds(3_740)))
  const kept = trimPoints(points, '1h')
  expect(kept[0]?.atMs).toBe(138_000)
  expect(kept).toHaveLength(3_602)
  expect(trimPoints(kept, '1h')).toBe(kept)
})

test('thinning a day of 200 ms values keeps every extreme and amended point', () => {
  const count = 60_000
  const points: ChartPoint[] = Array.from({ length: count }, (_, at) => ({
    value: String(at === 31_337 ? 999 : at % 7),
    publishedAtMs: at * 200,
    ...(at === 4_321 ? { amendedAtMs: 1 } : {}),
  }))
  const kept = trimPoints(mergePoints([], points), '24h')
  expect(kept.length).toBeLessThan(20_100)
  expect(extremesOf(kept)?.high.atMs).toBe(31_337 * 200)
  expect(kept.some(({ atMs }) => atMs === 4_321 * 200)).toBe(true)
})

test('a live year has one point per step and the newest one', () => {
  let points = onSteps(mergePoints([], pointsAt([0, 6_000, 12_000])), 6_000)
  for (let atMs = 13_000; atMs <= 19_000; atMs += 1_000) {
    points = onSteps(mergePoints(points, pointsAt([atMs])), 6_000)
  }
  expect(points.map(({ atMs }) => atMs)).toEqual([0, 6_000, 12_000, 18_000, 19_000])
  const amended = mergePoints(points, [{ value: '2', publishedAtMs: 13_000, amendedAtMs: 20_000 }])
  expect(onSteps(amended, 6_000)).toEqual(amended)
})
