import { describe, expect, test } from 'vitest'
import { at, nowMs, openChart } from '../../../support/open-chart'
import type { Problem, Publication } from '../../../../core/model'
import { rangeMs } from '../../../../protocol/responses'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const offline: Problem = { code: 'unreachable', message: 'The provider cannot be reached.' }

/** This many seconds up to now. */
const seconds = (count: number): Publication[] =>
  Array.from({ length: count }, (_, index) => at((index + 1 - count) * 1_000, `${index}.10`))

/** A chart with the page of BRTI open. */
function openBrti() {
  const opened = openChart()
  opened.chart.opened('BRTI')
  return opened
}

describe('an hour of a real-time index', () => {
  test('joins REST and stream without duplicates or gaps', async () => {
    const { chart, rest, publish } = openBrti()
    publish(at(-1_000, '59.10'))
    rest.course = [at(-hourMs, 'too old'), ...seconds(3)]
    // Published after REST has read its values and before its response arrives.
    rest.meanwhile = () => {
      publish(at(0, '2.10'))
      publish(at(1_000, '3.10'))
    }
    const series = await chart.series('BRTI', '1h')
    expect(series).toEqual({
      indexId: 'BRTI',
      range: '1h',
      points: [at(-2_000, '0.10'), at(-1_000, '59.10'), at(0, '2.10'), at(1_000, '3.10')],
      gapAfterMs: 5_000,
    })
  })

  test('has amendments of older points and points that come late, after the answer', async () => {
    const { chart, rest, publish } = openBrti()
    rest.course = [at(-3_000, '1.00'), at(-1_000, '3.00'), at(0, '4.00')]
    await chart.series('BRTI', '1h')
    const amended = at(-3_000, '1.01', { amendedAtMs: nowMs })
    for (const each of [at(0, '4.00'), amended, at(-2_000, '2.00')]) publish(each)
    const { points } = await chart.series('BRTI', '1h')
    expect(points).toEqual([amended, at(-2_000, '2.00'), at(-1_000, '3.00'), at(0, '4.00')])
    expect(rest.asked).toEqual(['values BRTI'])
  })

  test('leaves out points outside the range', async () => {
    const { chart, rest } = openChart()
    rest.course = [at(-2 * hourMs, 'old'), at(-hourMs, 'edge'), at(-1_000, '1.00'), at(dayMs, 'far')]
    expect((await chart.series('BRTI', '1h')).points).toEqual([at(-1_000, '1.00')])
  })
})

describe("where this computer's clock is 2 h fast", () => {
  function openFast() {
    const opened = openChart()
    opened.clock.jumpWall(2 * hourMs)
    opened.clock.followService({}, nowMs - opened.clock.monotonicMs())
    return opened
  }

  test('the last hour has what the service and the history have of it', async () => {
    const { chart, rest, history } = openFast()
    rest.course = [at(-2_000, '2.00')]
    const known = { id: 'BRTI', learnedAtMs: nowMs, origin: 'stream' as const, connection: 'Desk' }
    history.append([{ ...at(-3_000, '1.00'), ...known }])
    expect((await chart.series('BRTI', '1h')).points.map(({ value }) => value)).toEqual(['1.00', '2.00'])
  })

  test('the service is asked for a time that is within its last hour', async () => {
    const { chart, rest } = openFast()
    rest.course = seconds(60)
    const { points } = await chart.series('BRTI', { fromMs: nowMs - minuteMs, toMs: nowMs - 1_000 })
    expect(points).toHaveLength(59)
  })
})

describe('an index that publishes every 200 ms', () => {
  const ticks = [at(-400, '1'), at(-200, '2'), at(0, '3')]

  const minutes = { fromMs: nowMs - 5 * minuteMs, toMs: nowMs }

  test('has every tick over a typed range of minutes where it is watched so', async () => {
    const { chart, rest, state } = openChart({ resolution: 'PER_200MS' })
    state.isEveryTick = true
    chart.opened('BRTI')
    rest.course = ticks
    const series = await chart.series('BRTI', minutes)
    expect(series.points.map(({ value }) => value)).toEqual(['1', '2', '3'])
    expect(series.gapAfterMs).toBe(2_000)
    const hour = await chart.series('BRTI', '1h')
    expect(hour.points.map(({ value }) => value)).toEqual(['3'])
    expect(rest.asked).toEqual(['values BRTI PER_200MS', 'values BRTI'])
  })

  test('is given by the second where it is not', async () => {
    const { chart, rest, publish } = openChart({ resolution: 'PER_200MS' })
    chart.opened('BRTI')
    for (const tick of ticks) publish(tick)
    expect((await chart.series('BRTI', '1h')).points.map(({ value }) => value)).toEqual(['3'])
    expect(rest.asked).toEqual(['values BRTI'])
  })
})

describe('indices that are compared', () => {
  test('are followed beside the open page, and no longer when others are', async () => {
    const { chart, rest, publish } = openBrti()
    chart.follow(['NCI', 'BRTI', 'NCI'])
    expect(chart.followedIds).toEqual(['NCI', 'BRTI'])
    for (const id of ['BRTI', 'NCI', 'BRR']) publish(at(0, `1.${id.length}`), id)
    rest.course = [at(-1_000, '1.00')]
    const values = async (id: string) => (await chart.series(id, '1h')).points.map(({ value }) => value)
    expect(await values('NCI')).toEqual(['1.00', '1.3'])
    expect(['BRTI', 'NCI', 'BRR'].map((id) => chart.follows(id))).toEqual([true, true, false])
    chart.follow([])
    expect(['BRTI', 'NCI'].map((id) => chart.follows(id))).toEqual([true, false])
    publish(at(1_000, '2.00'))
    expect(await values('BRTI')).toEqual(['1.00', '1.4', '2.00'])
  })

  test('belong to their window, and end with it', () => {
    const { chart, publish } = openBrti()
    chart.opened('NCI', 'other')
    chart.follow(['BRR'], 'other')
    publish(at(0, '1.00'), 'NCI')
    const followed = (inWindow?: string) => ['BRTI', 'NCI', 'BRR'].filter((id) => chart.follows(id, inWindow))
    expect([followed(), followed('other')]).toEqual([['BRTI'], ['NCI', 'BRR']])
    expect(chart.followedIds).toEqual(['BRR'])
    chart.opened(undefined, 'other')
    chart.follow([], 'other')
    expect([followed(), followed('other')]).toEqual([['BRTI'], []])
  })

  test('keep nothing of the service before', async () => {
    const { chart, rest, state, connect, publish } = openChart()
    chart.follow(['BRTI'])
    publish(at(-1_000, '1.00'))
    state.service = connect()
    publish(at(0, '2.00'))
    rest.course = []
    expect((await chart.series('BRTI', '1h')).points.map(({ value }) => value)).toEqual(['2.00'])
  })
})

describe('other ranges', () => {
  test('a day is a point a minute and the latest', async () => {
    const { chart, rest, publish } = openBrti()
    rest.last24Hours = [at(-dayMs, 'too old'), at(-dayMs + minuteMs, '1.00'), at(-minuteMs, '2.00')]
    rest.latest = at(-30_000, '2.50')
    for (let second = -29; second <= 65; second++) publish(at(second * 1_000, `${second}`))
    const series = await chart.series('BRTI', '24h')
    expect(series.points.map(({ value }) => value)).toEqual(['2.00', '0', '60', '65'])
    expect(series.gapAfterMs).toBe(4 * minuteMs)
    expect(rest.asked).toEqual(['summary BRTI'])
  })

  test('an amended value between two points of a day is a point too', async () => {
    const { chart, rest, history, publish } = openBrti()
    const known = { id: 'BRTI', learnedAtMs: nowMs, origin: 'stream' as const, connection: 'Desk' }
    const fromHistory = at(-2 * hourMs + 7_000, '1.50', { amendedAtMs: nowMs - hourMs })
    history.append([at(-2 * hourMs, '1.00'), fromHistory].map((each) => ({ ...each, ...known })))
    const streamed = at(-30_000, '2.50', { amendedAtMs: nowMs })
    for (const each of [at(-50_000, '2.00'), at(-40_000, '2.10'), streamed, at(0, '3.00')]) publish(each)
    rest.latest = at(0, '3.00')
    const { points } = await chart.series('BRTI', '24h')
    expect(points).toEqual([at(-2 * hourMs, '1.00'), fromHistory, at(-50_000, '2.00'), streamed, at(0, '3.00')])
  })

  test('a year of a real-time index joins history and last day, six hours apart', async () => {
    const { chart, rest, history, publish } = openBrti()
    const known = { id: 'BRTI', learnedAtMs: nowMs, origin: 'stream' as const, connection: 'Desk' }
    history.append([{ ...at(-300 * dayMs, '1.00'), ...known }])
    history.append(
      Array.from({ length: 3 * 24 * 60 }, (_, minute) => ({
        ...at(minute * minuteMs - 5 * dayMs, `${minute}`),
        ...known,
      })),
    )
    rest.last24Hours = [at(-12 * hourMs, '7.00'), at(-12 * hourMs + minuteMs, '8.00')]
    rest.latest = at(-30_000, '9.00')
    for (let second = -29; second <= 65; second++) publish(at(second * 1_000, `${second}.5`))
    const year = await chart.series('BRTI', '1y')
    const fromHistory = Array.from({ length: 12 }, (_, step) => `${step * 360}`)
    expect(year.points.map(({ value }) => value)).toEqual(['1.00', ...fromHistory, '7.00', '9.00', '0.5', '65.5'])
    expect(year.spacingMs).toBe(6 * hourMs)
    expect(year.problem).toBe(
      'The provider keeps 24 hours of data published every second; anything older comes from this app’s own history.',
    )
    expect(rest.asked).toEqual(['summary BRTI'])
  })

  test('a year of which a day is known is drawn as closely as a day', async () => {
    const { chart, rest, history } = openChart()
    let reads = 0
    const query = history.query.bind(history)
    history.query = (name, asked) => {
      if (name === 'samples') reads++
      return query(name, asked)
    }
    chart.opened('BRTI')
    rest.last24Hours = Array.from({ length: 1_000 }, (_, minute) => at((minute - 1_000) * minuteMs, `${minute}`))
    rest.latest = at(0, '1000')
    const year = await chart.series('BRTI', '1y')
    expect(year).toMatchObject({ range: '1y', spacingMs: minuteMs, gapAfterMs: 4 * minuteMs })
    // The history is queried once for a year.
    expect(reads).toBe(1)
    expect(year.points).toEqual((await chart.series('BRTI', '24h')).points)
  })

  test.each([
    ['7d', 10 * minuteMs],
    ['30d', hourMs],
  ] as const)('%s of a real-time index that the history has whole are drawn %i ms apart', async (range, spacingMs) => {
    const { chart, history } = openChart()
    const known = { id: 'BRTI', learnedAtMs: nowMs, origin: 'stream' as const, connection: 'Desk' }
    history.append([{ ...at(spacingMs - rangeMs[range], '1'), ...known }])
    const series = await chart.series('BRTI', range)
    expect(series).toMatchObject({ spacingMs, gapAfterMs: 4 * spacingMs })
    expect(series).not.toHaveProperty('problem')
  })

  test('a year that the history has whole says nothing', async () => {
    const { chart, history } = openChart()
    const known = { id: 'BRTI', learnedAtMs: nowMs, origin: 'stream' as const, connection: 'Desk' }
    history.append([{ ...at(-364.9 * dayMs, '1'), ...known }])
    expect(await chart.series('BRTI', '1y')).not.toHaveProperty('problem')
  })

  test('a daily index has its year, and shorter ranges have the values in them', async () => {
    const { chart, rest } = openChart({ resolution: 'DAILY' })
    rest.course = Array.from({ length: 400 }, (_, index) => at((index - 399) * dayMs - 2 * hourMs, `${index}.00`))
    const year = await chart.series('BRTI', '1y')
    expect(year.points).toHaveLength(366)
    expect(year).not.toHaveProperty('problem')
    expect((await chart.series('BRTI', '24h')).points.map(({ value }) => value)).toEqual(['399.00'])
    expect(await chart.series('BRTI', '1h')).toMatchObject({
      points: [],
      problem: 'BRTI publishes once a day: choose 7 d.',
    })
    expect(new Set(rest.asked)).toEqual(new Set(['values BRTI']))
  })

  test('an hourly index without a point in an hour is better seen over a day', async () => {
    const { chart } = openChart({ resolution: 'PER_HOUR' })
    expect((await chart.series('BRTI', '1h')).problem).toBe('BRTI publishes once an hour: choose 24 h.')
    expect((await chart.series('BRTI', '1y')).problem).toBe('BRTI published nothing in the last year.')
  })

  test('how often an index publishes is asked for where it is not known yet', async () => {
    const { chart, rest } = openChart()
    rest.resolution = 'DAILY'
    rest.course = [at(-dayMs * 3, '1.00')]
    expect((await chart.series('BRR', '1y')).points).toEqual(rest.course)
    expect(rest.asked).toEqual(['index BRR', 'values BRR'])
  })
})

describe('between two times', () => {
  const known = { id: 'BRTI', learnedAtMs: nowMs, origin: 'stream' as const, connection: 'Desk' }

  test('older values come only from the history', async () => {
    const { chart, rest, history } = openChart()
    const offsets = [-40 * dayMs - 1, -40 * dayMs, -40 * dayMs + 500, -40 * dayMs + hourMs, -40 * dayMs + hourMs + 1]
    history.append(offsets.map((offsetMs, place) => ({ ...at(offsetMs, `${place}`), ...known })))
    const span = { fromMs: nowMs - 40 * dayMs, toMs: nowMs - 40 * dayMs + hourMs }
    const series = await chart.series('BRTI', span)
    expect(series.points.map(({ value }) => value)).toEqual(['1', '3'])
    expect(series).toMatchObject({ range: span, gapAfterMs: 5_000 })
    expect(series.problem).toBeUndefined()
    expect(rest.asked).toEqual([])
    expect(await chart.series('BRTI', { fromMs: 0, toMs: 1 })).toMatchObject({
      points: [],
      problem: 'The history has no values of BRTI in this range.',
    })
  })

  test('REST provides the newest part of the span', async () => {
    const { chart, rest } = openChart()
    rest.course = seconds(10)
    const series = await chart.series('BRTI', { fromMs: nowMs - 4_000, toMs: nowMs - 2_000 })
    expect(series.points.map(({ publishedAtMs }) => publishedAtMs - nowMs)).toEqual([-4_000, -3_000, -2_000])
    expect(rest.asked).toEqual(['values BRTI'])
  })

  test('a long span has its points apart, a span of a daily index every one', async () => {
    const { chart, history, resolutions } = openChart()
    history.append(Array.from({ length: 400 }, (_, hour) => ({ ...at((hour - 400) * hourMs, `${hour}`), ...known })))
    const span = { fromMs: nowMs - 400 * hourMs, toMs: nowMs }
    expect(await chart.series('BRTI', span)).toMatchObject({ spacingMs: 10 * minuteMs, gapAfterMs: 40 * minuteMs })
    resolutions.set('BRTI', 'DAILY')
    const daily = await chart.series('BRTI', span)
    expect(daily.points).toHaveLength(400)
    expect(daily).not.toHaveProperty('spacingMs')
  })
})

describe('without an answer', () => {
  test.each([['24h'], [{ fromMs: nowMs - 2 * hourMs, toMs: nowMs }]] as const)(
    'known points are shown immediately, even if the frequency is unknown: %j',
    async (range) => {
      const { chart, rest, history, resolutions } = openChart()
      resolutions.clear()
      const known = { id: 'BRTI', learnedAtMs: nowMs, origin: 'stream' as const, connection: 'Desk' }
      history.append([{ ...at(-hourMs, '1.00'), ...known }])
      const { points } = await chart.series('BRTI', range, 'known')
      expect([points, rest.asked]).toEqual([[at(-hourMs, '1.00')], []])
    },
  )

  test('received values are shown, with the reason why more are missing', async () => {
    const { chart, rest, publish } = openBrti()
    rest.problem = offline
    publish(at(0, '1.00'))
    expect(await chart.series('BRTI', '1h')).toMatchObject({
      points: [at(0, '1.00')],
      problem: 'The provider cannot be reached. The chart shows only values received before.',
    })
  })

  test('stored values are shown in their latest revision', async () => {
    const { chart, rest, history, state, publish } = openChart()
    const known = { id: 'BRTI', learnedAtMs: nowMs, origin: 'stream' as const, connection: 'Desk' }
    history.append([
      { ...at(-3 * minuteMs, '1.00'), ...known },
      { ...at(-2 * minuteMs, '2.00'), ...known },
      { ...at(-2 * minuteMs, '2.50', { amendedAtMs: nowMs }), ...known },
      { ...at(-2 * hourMs, '0.50'), ...known },
      { ...at(-minuteMs, '9.00'), ...known, id: 'ETHUSD_RTI' },
    ])
    rest.problem = offline
    const past = [at(-3 * minuteMs, '1.00'), at(-2 * minuteMs, '2.50', { amendedAtMs: nowMs })]
    expect(await chart.series('BRTI', '1h')).toMatchObject({
      points: past,
      problem: 'The provider cannot be reached. The chart shows only values received before.',
    })
    expect((await chart.series('BRTI', '24h')).points.map(({ value }) => value)).toEqual(['0.50', '1.00', '2.50'])
    chart.opened('BRTI')
    publish(at(0, '3.00'))
    expect((await chart.series('BRTI', '1h')).points).toEqual([...past, at(0, '3.00')])
    state.service = undefined
    expect(await chart.series('BRTI', '1h')).toMatchObject({
      points: [...past, at(0, '3.00')],
      problem: 'Not connected: the chart shows only values received before.',
    })
  })

  test('an earlier response is used', async () => {
    const { chart, rest, clock, publish } = openBrti()
    rest.course = seconds(2)
    await chart.series('BRTI', '1h')
    rest.problem = offline
    clock.advance(30_000)
    publish(at(29_000, '9.00'))
    const { points, problem } = await chart.series('BRTI', '1h')
    expect(points).toEqual([...seconds(2), at(29_000, '9.00')])
    expect(problem).toContain('cannot be reached')
  })

  test('without a REST address or a connection the problem says so', async () => {
    const { chart, state, publish } = openChart({ hasRest: false })
    chart.opened('BRTI')
    publish(at(0, '1.00'))
    const withoutRest = await chart.series('BRTI', '1h')
    expect(withoutRest.points).toEqual([at(0, '1.00')])
    expect(withoutRest.problem).toContain('no REST address')
    state.service = undefined
    const withoutService = await chart.series('BRR', '1h')
    expect(withoutService.points).toEqual([])
    expect(withoutService.problem).toContain('Not connected: the chart shows only values received before.')
  })

  test('a cached value is not a point', async () => {
    const { chart, store } = openChart({ hasRest: false })
    store.seed([{ ...at(-1_000, '1.00'), id: 'BRTI', source: 'cache' }])
    expect((await chart.series('BRTI', '1h')).points).toEqual([])
    store.apply('BRTI', at(-1_000, '1.00'), 'stream')
    expect((await chart.series('BRTI', '1h')).points).toEqual([at(-1_000, '1.00')])
  })
})

describe('an answer', () => {
  test('is good for ten seconds, going through the ranges of the open page', async () => {
    const { chart, rest, clock } = openBrti()
    for (const range of ['1h', '24h', '1h'] as const) await chart.series('BRTI', range)
    expect(rest.asked).toEqual(['values BRTI', 'summary BRTI'])
    clock.advance(9_999)
    await chart.series('BRTI', '1h')
    expect(rest.asked).toHaveLength(2)
    clock.advance(1)
    await chart.series('BRTI', '1h')
    expect(rest.asked).toHaveLength(3)
  })

  test('is asked for again once the stream may have missed something, or the page was closed', async () => {
    const { chart, rest } = openBrti()
    await chart.series('BRTI', '1h')
    chart.streamChanged()
    await chart.series('BRTI', '1h')
    expect(rest.asked).toHaveLength(2)
    chart.opened(undefined)
    chart.opened('BRTI')
    await chart.series('BRTI', '1h')
    expect(rest.asked).toHaveLength(3)
    // A response to a request sent before the interruption is old too.
    rest.meanwhile = () => chart.streamChanged()
    chart.streamChanged()
    await chart.series('BRTI', '1h')
    rest.meanwhile = () => undefined
    await chart.series('BRTI', '1h')
    expect(rest.asked).toHaveLength(5)
  })

  test('for an index without an open page is queried each time', async () => {
    const { chart, rest, publish } = openChart()
    chart.opened('BRR')
    publish(at(-1_000, '1.00'))
    publish(at(0, '2.00'))
    expect((await chart.series('BRTI', '1h')).points).toEqual([at(0, '2.00')])
    await chart.series('BRTI', '1h')
    expect(rest.asked).toHaveLength(2)
  })
})

test('values of one service are never joined with those of another', async () => {
  const { chart, rest, state, connect, publish, store } = openBrti()
  publish(at(-2_000, 'of the first'))
  rest.course = [at(-3_000, 'of the first')]
  const changeService = () => {
    state.service = connect()
    store.forget('BRTI')
    rest.meanwhile = () => undefined
    rest.course = [at(-1_000, 'of the second')]
  }
  expect((await chart.series('BRTI', '1h')).points).toHaveLength(2)
  chart.streamChanged()
  rest.meanwhile = changeService
  expect((await chart.series('BRTI', '1h')).points).toEqual([at(-1_000, 'of the second')])
})

test('the latest 18,000 received publications are kept', async () => {
  const { chart } = openChart({ resolution: 'DAILY', hasRest: false })
  chart.opened('BRTI')
  for (let second = 0; second < 18_005; second++) chart.record('BRTI', at((second - 18_004) * 1_000, `${second}`))
  const { points } = await chart.series('BRTI', '24h')
  expect(points).toHaveLength(18_000)
  expect([points[0]?.value, points.at(-1)?.value]).toEqual(['5', '18004'])
})
