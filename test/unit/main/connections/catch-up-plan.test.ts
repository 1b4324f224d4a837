import { merged, type TimeRange } from '../../../../core/ranges'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hoursOf, planCatchUp, type IndexToCatchUp } from '../../../../main/connections/catch-up-plan'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const nowMs = Date.UTC(2026, 10, 20, 12, 30)
const noon = Date.UTC(2026, 10, 20, 12)
const yesterday = Date.UTC(2026, 10, 19)

function index(id: string, missing: [number, number][], more: Partial<IndexToCatchUp> = {}): IndexToCatchUp {
  const ranges = missing.map(([fromMs, toMs]) => ({ fromMs, toMs }))
  return {
    ...{ id, resolution: 'PER_SECOND', maxResolution: 'PER_SECOND', isWatchedByRule: false },
    ...{ mayAsk: { values: true, history: true }, missing: ranges, ...more },
  }
}

/** The plan as text, in order. */
function plan(...indices: IndexToCatchUp[]): string[] {
  return planCatchUp(indices, nowMs).questions.map(({ id, source }) =>
    source.kind === 'values'
      ? `${id} values`
      : `${id} ${source.timespan} ${new Date(source.periodFromMs).toISOString()}`,
  )
}

describe('the requests', () => {
  test('none if nothing is missing', () =>
    expect(planCatchUp([index('A', [])], nowMs)).toEqual({ questions: [], unknown: [] }))

  test('one for any number of gaps in the last hour', () =>
    expect(
      plan(
        index('A', [
          [nowMs - 20 * minuteMs, nowMs - 19 * minuteMs],
          [nowMs - 5_000, nowMs],
        ]),
      ),
    ).toEqual(['A values']))

  test('of a night: the last hour, then each history hour once, newest first', () =>
    expect(plan(index('A', [[noon - 4 * hourMs - minuteMs, nowMs]]))).toEqual([
      'A values',
      'A HOUR 2026-11-20T11:00:00.000Z',
      'A HOUR 2026-11-20T10:00:00.000Z',
      'A HOUR 2026-11-20T09:00:00.000Z',
      'A HOUR 2026-11-20T08:00:00.000Z',
      'A HOUR 2026-11-20T07:00:00.000Z',
    ]))

  test('one for several gaps of one hour', () =>
    expect(
      plan(
        index('A', [
          [noon - 5 * hourMs, noon - 5 * hourMs + 1],
          [noon - 5 * hourMs + 9_000, noon - 5 * hourMs + 99_000],
        ]),
      ),
    ).toEqual(['A HOUR 2026-11-20T07:00:00.000Z']))

  test('a whole past day if much is missing, otherwise single hours', () => {
    const asked = plan(index('A', [[yesterday + 2 * hourMs, yesterday + dayMs + 2 * hourMs - 1]]))
    expect(asked).toEqual([
      'A HOUR 2026-11-20T01:00:00.000Z',
      'A HOUR 2026-11-20T00:00:00.000Z',
      'A DAY 2026-11-19T00:00:00.000Z',
    ])
    expect(plan(index('A', [[yesterday, yesterday + 5 * hourMs - 1]]))).toHaveLength(5)
  })

  test('hours for a day of ticks', () =>
    expect(plan(index('A', [[yesterday, yesterday + dayMs - 1]], { resolution: 'PER_200MS' }))).toHaveLength(24))

  test('hours with gaps for a day that was too large', () => {
    const { questions } = planCatchUp([index('A', [[yesterday + 2 * hourMs, yesterday + 10 * hourMs - 1]])], nowMs)
    const [day] = questions
    expect(day?.source).toMatchObject({ timespan: 'DAY' })
    const hours = day === undefined ? [] : hoursOf(day)
    expect(hours.map(({ source }) => source)).toEqual(
      Array.from({ length: 8 }, (_, at) => ({
        kind: 'history',
        timespan: 'HOUR',
        periodFromMs: yesterday + (at + 2) * hourMs,
      })),
    )
  })

  test('of a daily index: a year of values, and older ones by the year', () => {
    const daily = { resolution: 'DAILY' } as const
    expect(plan(index('D', [[nowMs - 3 * dayMs, nowMs]], daily))).toEqual(['D values'])
    expect(plan(index('D', [[Date.UTC(2024, 11, 1), Date.UTC(2025, 5)]], daily))).toEqual([
      'D YEAR 2025-01-01T00:00:00.000Z',
      'D YEAR 2024-01-01T00:00:00.000Z',
    ])
  })

  test('only the reach of values before the first value', () => {
    const missing = [{ fromMs: 0, toMs: nowMs, isBeforeFirst: true }] as const
    const { questions, unknown } = planCatchUp([index('A', [], { missing })], nowMs)
    expect(questions).toMatchObject([{ source: { kind: 'values' }, missed: [] }])
    expect(unknown).toEqual([])
    expect(
      planCatchUp([index('A', [], { missing, mayAsk: { values: false, history: false } })], nowMs).unknown,
    ).toEqual([])
  })

  test('latest values before history, and indices with rules before the rest', () => {
    const old: [number, number] = [noon - 3 * hourMs, noon - 3 * hourMs + minuteMs]
    const older: [number, number] = [noon - 9 * hourMs, noon - 9 * hourMs + minuteMs]
    const recent: [number, number] = [nowMs - minuteMs, nowMs]
    const asked = plan(
      index('A', [older, recent]),
      index('R', [older, old, recent], { isWatchedByRule: true }),
      index('B', [old]),
    )
    expect(asked.map((text) => text.split('T')[0])).toEqual([
      'R values',
      'A values',
      'R HOUR 2026-11-20',
      'R HOUR 2026-11-20',
      'B HOUR 2026-11-20',
      'A HOUR 2026-11-20',
    ])
  })
})

describe('unknown ranges', () =>
  test('are old gaps without the permission, and all gaps without REST', () => {
    const gap: [number, number] = [noon - 3 * hourMs, nowMs]
    const withoutHistory = { values: true, history: false }
    const part = planCatchUp([index('A', [gap], { mayAsk: withoutHistory })], nowMs)
    expect(part.questions.map(({ source }) => source.kind)).toEqual(['values'])
    expect(part.unknown).toEqual([{ id: 'A', fromMs: gap[0], toMs: nowMs - hourMs - 1 }])
    const none = planCatchUp([index('A', [gap], { mayAsk: { values: false, history: false } })], nowMs)
    expect(none).toEqual({ questions: [], unknown: [{ id: 'A', fromMs: gap[0], toMs: gap[1] }] })
  }))

test('requests every gap exactly once or reports it, and nothing else', () => {
  const anyRange = fc.tuple(fc.integer({ min: 0, max: 200 * hourMs }), fc.integer({ min: 1, max: 40 * hourMs }))
  const anyIndex = fc.record({
    ranges: fc.array(anyRange, { maxLength: 6 }),
    resolution: fc.constantFrom('PER_200MS', 'PER_SECOND', 'DAILY'),
    values: fc.boolean(),
    history: fc.boolean(),
  })
  fc.assert(
    fc.property(anyIndex, ({ ranges, resolution, values, history }) => {
      const missing = merged(
        ranges.map(([backMs, lengthMs]) => ({ fromMs: nowMs - backMs - lengthMs, toMs: nowMs - backMs })),
      )
      const one = index(
        'A',
        missing.map(({ fromMs, toMs }) => [fromMs, toMs]),
        { resolution, mayAsk: { values, history } },
      )
      const { questions, unknown } = planCatchUp([one], nowMs)
      expect(merged([...questions.flatMap(({ missed }) => missed), ...unknown])).toEqual(missing)
      const keys = questions.map(({ source }) => JSON.stringify(source))
      expect(new Set(keys).size).toBe(keys.length)
      const total = (list: TimeRange[]) => list.reduce((sum, each) => sum + each.toMs - each.fromMs + 1, 0)
      const parts = [...questions.flatMap(({ missed }) => missed), ...unknown]
      expect(total(parts)).toBe(total(missing))
    }),
    { numRuns: 300 },
  )
})
