import { describe, expect, test } from 'vitest'
import { QuoteData } from '../../../../main/quotes/quote-data'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryHistory } from '../../../support/memory-history'
import { RecordedLog } from '../../../support/recorded-log'
import { onError } from '../../../support/on-error'
import type { Resolution } from '../../../../core/model'
import type { HistoryAccess } from '../../../../main/history-store/contract'
import type { ChangeBase } from '../../../../core/preferences'

test('a start has the latest values of the history as cached, and drops those of the other kind', async () => {
  const clock = new FakeClock(Date.UTC(2023, 10, 1, 12))
  const publishedAtMs = clock.wallMs() - 60_000
  const amended = {
    value: '68000.10',
    publishedAtMs,
    amendedAtMs: publishedAtMs + 5_000,
    isRepeatOfPrevious: true,
  } as const
  const history = new MemoryHistory()
  const learned = { learnedAtMs: publishedAtMs, origin: 'stream', connection: 'Demo' } as const
  await history.commit({
    values: [
      { id: 'BRTI', value: '1', publishedAtMs, ...learned },
      { id: 'BRTI', ...amended, ...learned },
    ],
  })
  const values = new QuoteData({ history, clock, log: new RecordedLog(), changeBase: () => 'sessionFirst', onError })
  await values.use('real')
  expect(values.store.all()).toEqual([{ id: 'BRTI', ...amended, source: 'cache' }])
  values.store.apply('ETHUSD_RTI', { value: '2', publishedAtMs }, 'stream')
  await values.use('real')
  expect(values.store.all().map(({ id, source }) => [id, source])).toEqual([
    ['BRTI', 'cache'],
    ['ETHUSD_RTI', 'cache'],
  ])
  await values.use('demo')
  expect(values.store.all().map(({ id }) => id)).toEqual(['BRTI'])
})

test('rows get their day, the value at midnight and the last fixings from the history', async () => {
  const clock = new FakeClock(Date.UTC(2023, 10, 1, 12))
  const nowMs = clock.wallMs()
  const history = new MemoryHistory()
  const of = (id: string, value: string, agoMs: number) => {
    const publishedAtMs = nowMs - agoMs
    return { id, value, publishedAtMs, learnedAtMs: publishedAtMs, origin: 'stream', connection: 'Desk' } as const
  }
  const [minute, day] = [60_000, 86_400_000]
  const values = [
    // Two values in one step of the samples. The later one is the value at midnight.
    ...[of('BRTI', '80', 730 * minute), of('BRTI', '81', 721 * minute)],
    ...[of('BRTI', '90', 90 * minute), of('BRTI', '100', 20 * minute), of('BRTI', '101.5', 3 * minute)],
    ...[of('BRR', '200', 2 * day), of('BRR', '210', day), of('LIVE_RTI', '1', 2 * minute), of('LIVE_RTI', '2', minute)],
  ]
  await history.commit({ values })
  const data = new QuoteData({ history, clock, log: new RecordedLog(), changeBase: () => 'previousClose', onError })
  await data.use('real')
  data.store.apply('LIVE_RTI', { value: '3', publishedAtMs: nowMs }, 'stream')
  const listed = [
    { id: 'BRTI', resolution: 'PER_SECOND', others },
    { id: 'BRR', resolution: 'DAILY', others },
    { id: 'LIVE_RTI', resolution: 'PER_SECOND', others },
  ] as const
  expect(await data.recall(listed)).toBe(true)
  expect(data.pastValues.facts('BRTI')).toMatchObject({ reference: { kind: 'previousClose', value: '81' } })
  expect(data.pastValues.facts('BRTI').trend?.filter((each) => each !== null)).toEqual([81, 90, 100, 101.5])
  expect(data.pastValues.facts('BRR')).toMatchObject({ trend: [200, 210], reference: { value: '200' } })
  expect(data.pastValues.facts('LIVE_RTI')).toEqual({ range: { low: '1', high: '2' }, trend: [1, 2, null] })
  expect(await data.recall([{ id: 'NEW_RTI', resolution: 'PER_SECOND', others }])).toBe(false)
})

test('the past of 50 rows takes two turns of two queries', async () => {
  const history = new MemoryHistory()
  const names: string[] = []
  const counted: HistoryAccess = {
    append: (values) => history.append(values),
    commit: (batch) => history.commit(batch),
    query: (name, params) => {
      names.push(name)
      return history.query(name, params)
    },
  }
  const clock = new FakeClock(Date.UTC(2023, 10, 1, 12))
  const options = { history: counted, clock, log: new RecordedLog(), onError }
  const data = new QuoteData({ ...options, changeBase: () => 'sessionFirst' })
  await data.recall(Array.from({ length: 50 }, (_, at) => ({ id: `INDEX${at}`, resolution: 'PER_SECOND', others })))
  expect(names).toEqual(['rowPasts', 'documents', 'rowPasts', 'documents'])
})

const others: ReadonlySet<string> = new Set()
const [minuteMs, dayMs] = [60_000, 86_400_000]

/** A run of the app with this history: the values it receives, and what its rows show. */
async function startedRun(history: MemoryHistory, clock: FakeClock, base: ChangeBase) {
  const connectionOf = () => 'Desk'
  const data = new QuoteData({ history, clock, log: new RecordedLog(), changeBase: () => base, connectionOf, onError })
  await data.use('real')
  const learned = { learnedAtMs: clock.wallMs(), origin: 'stream', connection: 'Desk' } as const
  const stream = async (id: string, value: string, publishedAtMs: number) => {
    await history.commit({ values: [{ id, value, publishedAtMs, ...learned }] })
    data.store.apply(id, { value, publishedAtMs }, 'stream')
    data.pastValues.add(id, { value, publishedAtMs }, 'PER_SECOND')
  }
  const recall = (id: string, resolution: Resolution, notOf = others) =>
    data.recall([{ id, resolution, others: notOf }])
  return { data, stream, recall }
}

describe('what REST sent of the last 24 hours is there at the next start', () => {
  /** The last day, one value a minute. Each value is its minute. */
  const lastDay = (nowMs: number) =>
    Array.from({ length: 1_440 }, (_, at) => ({ value: `${at + 1}`, publishedAtMs: nowMs - (1_439 - at) * minuteMs }))

  test.each([
    ['previousClose', 10 * minuteMs],
    ['previousClose', 3 * dayMs],
    ['dayAgo', 10 * minuteMs],
    ['dayAgo', 3 * dayMs],
    ['sessionFirst', 10 * minuteMs],
    ['sessionFirst', 3 * dayMs],
  ] as const)('changes from %s, %i ms later: change, trend and range as they were', async (base, laterMs) => {
    const clock = new FakeClock(Date.UTC(2023, 10, 1, 12))
    const nowMs = clock.wallMs()
    const history = new MemoryHistory()
    const first = await startedRun(history, clock, base)
    await first.stream('BRTI', '1500', nowMs - 70 * minuteMs)
    first.data.pastValues.restoreDay('BRTI', lastDay(nowMs))
    await first.stream('BRTI', '1440', nowMs)
    const before = first.data.pastValues.facts('BRTI')
    expect(before.reference?.kind).toBe(base)

    clock.advance(laterMs)
    const second = await startedRun(history, clock, base)
    await second.recall('BRTI', 'PER_SECOND')
    const after = second.data.pastValues.facts('BRTI')
    expect(after.reference).toEqual(before.reference)
    expect(after.range).toEqual(before.range)
    const known = (trend: readonly (number | null)[] = []) => trend.filter((each) => each !== null)
    // The trend ends at most an hour after the latest value, and has a value of each quarter of an hour until REST answers.
    const quarters = (nowMs - (before.reference?.publishedAtMs ?? nowMs)) / (15 * minuteMs)
    expect(known(after.trend).length).toBeGreaterThanOrEqual(Math.min(0.9 * known(before.trend).length, quarters))
    expect(second.data.store.get('BRTI')).toMatchObject({ source: 'cache', value: '1440' })
  })

  test('the first value of the next run takes the place of that of the run before', async () => {
    const clock = new FakeClock()
    const history = new MemoryHistory()
    const first = await startedRun(history, clock, 'sessionFirst')
    await first.stream('BRTI', '100', clock.wallMs())
    clock.advance(minuteMs)
    const second = await startedRun(history, clock, 'sessionFirst')
    await second.recall('BRTI', 'PER_SECOND')
    expect(second.data.pastValues.facts('BRTI').reference?.value).toBe('100')
    await second.stream('BRTI', '110', clock.wallMs())
    expect(second.data.pastValues.facts('BRTI').reference?.value).toBe('110')
  })
})

test('a daily rate keeps change and trend over three starts on one day, while a service answers', async () => {
  const clock = new FakeClock(Date.UTC(2023, 10, 1, 17))
  const history = new MemoryHistory()
  const learned = { learnedAtMs: clock.wallMs(), origin: 'catchUp', connection: 'Desk' } as const
  const days = Array.from({ length: 30 }, (_, at) => ({
    ...{ id: 'BRR', value: `${1_000 - at}`, publishedAtMs: clock.wallMs() - 3_600_000 - at * dayMs },
    ...learned,
  }))
  await history.commit({ values: days })
  for (let start = 0; start < 3; start++) {
    const { data, recall } = await startedRun(history, clock, 'previousClose')
    data.store.apply('BRR', { value: '1000', publishedAtMs: clock.wallMs() - 3_600_000 }, 'rest')
    expect(await recall('BRR', 'DAILY')).toBe(true)
    const { reference, trend } = data.pastValues.facts('BRR')
    expect(reference).toMatchObject({ kind: 'previousPublished', value: '999' })
    expect(trend).toHaveLength(30)
  }
})

test('no past of another connection is recalled for an index', async () => {
  const clock = new FakeClock()
  const history = new MemoryHistory()
  const { stream, data } = await startedRun(history, clock, 'sessionFirst')
  await stream('BRTI', '100', clock.wallMs() - 2 * minuteMs)
  await stream('BRTI', '101', clock.wallMs() - minuteMs)
  data.pastValues.restoreDay('BRTI', [{ value: '90', publishedAtMs: clock.wallMs() - dayMs / 2 }])
  const next = await startedRun(history, clock, 'sessionFirst')
  expect(await next.recall('BRTI', 'PER_SECOND', new Set(['Desk']))).toBe(false)
  expect(next.data.pastValues.facts('BRTI')).toEqual({})
})

test('one value from the future is left out in silence, a row of them is reported once', () => {
  const clock = new FakeClock(Date.UTC(2023, 10, 1, 12))
  const log = new RecordedLog()
  const history = new MemoryHistory()
  const values = new QuoteData({ history, clock, log, changeBase: () => 'sessionFirst', onError })
  const warnings: string[] = []
  values.watchClock((message) => warnings.push(message))
  let publishedAtMs = clock.wallMs()
  const fromNow = () => values.store.apply('BRTI', { value: '1', publishedAtMs: publishedAtMs++ }, 'stream')
  const fromFuture = () =>
    values.store.apply('BRTI', { value: '1', publishedAtMs: clock.wallMs() + 3_600_000 }, 'stream')
  for (let round = 0; round < 10; round++) {
    fromFuture()
    fromNow()
  }
  expect(warnings).toEqual([])
  for (let at = 0; at < 20; at++) fromFuture()
  expect(warnings).toEqual([expect.stringContaining('clock')])
})
