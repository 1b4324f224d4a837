import { expect, test } from 'vitest'
import { QuoteData } from '../../../../main/quotes/quote-data'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryTape } from '../../../support/memory-tape'
import { RecordedLog } from '../../../support/recorded-log'

const onError = (error: unknown) => {
  throw error
}

test('a start has the latest values of the tape, as cached ones, and those of the other kind make room', async () => {
  const clock = new FakeClock(Date.UTC(2023, 10, 1, 12))
  const publishedAtMs = clock.wallMs() - 60_000
  const amended = {
    value: '68000.10',
    publishedAtMs,
    amendedAtMs: publishedAtMs + 5_000,
    isRepeatOfPrevious: true,
  } as const
  const tape = new MemoryTape()
  const learned = { learnedAtMs: publishedAtMs, origin: 'stream', connection: 'Demo' } as const
  await tape.commit({
    values: [
      { id: 'BRTI', value: '1', publishedAtMs, ...learned },
      { id: 'BRTI', ...amended, ...learned },
    ],
  })
  const values = new QuoteData({ tape, clock, log: new RecordedLog(), changeBase: () => 'sessionFirst', onError })
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

test('without a service the rows have the day, the close before it and the last rates that the tape knows', async () => {
  const clock = new FakeClock(Date.UTC(2023, 10, 1, 12))
  const nowMs = clock.wallMs()
  const tape = new MemoryTape()
  const of = (id: string, value: string, agoMs: number) => {
    const publishedAtMs = nowMs - agoMs
    return { id, value, publishedAtMs, learnedAtMs: publishedAtMs, origin: 'stream', connection: 'Desk' } as const
  }
  const [minute, day] = [60_000, 86_400_000]
  const values = [
    // Of one step of the samples, of which the later one is the close.
    ...[of('BRTI', '80', 730 * minute), of('BRTI', '81', 721 * minute)],
    ...[of('BRTI', '90', 90 * minute), of('BRTI', '100', 20 * minute), of('BRTI', '101.5', 3 * minute)],
    ...[of('BRR', '200', 2 * day), of('BRR', '210', day), of('LIVE_RTI', '1', 2 * minute), of('LIVE_RTI', '2', minute)],
  ]
  await tape.commit({ values })
  const data = new QuoteData({ tape, clock, log: new RecordedLog(), changeBase: () => 'previousClose', onError })
  await data.use('real')
  data.store.apply('LIVE_RTI', { value: '3', publishedAtMs: nowMs }, 'stream')
  const listed = [
    { id: 'BRTI', resolution: 'PER_SECOND' },
    { id: 'BRR', resolution: 'DAILY' },
    { id: 'LIVE_RTI', resolution: 'PER_SECOND' },
  ] as const
  expect(await data.recall(listed)).toBe(true)
  expect(data.history.facts('BRTI')).toMatchObject({ reference: { kind: 'previousClose', value: '81' } })
  expect(data.history.facts('BRTI').trend?.filter((each) => each !== null)).toEqual([81, 90, 100, 101.5])
  expect(data.history.facts('BRR')).toMatchObject({ trend: [200, 210], reference: { value: '200' } })
  expect(data.history.facts('LIVE_RTI')).toEqual({})
  expect(await data.recall([{ id: 'NEW_RTI', resolution: 'PER_SECOND' }])).toBe(false)
})

test('one value from the future is left out in silence, a row of them is reported once', () => {
  const clock = new FakeClock(Date.UTC(2023, 10, 1, 12))
  const log = new RecordedLog()
  const tape = new MemoryTape()
  const values = new QuoteData({ tape, clock, log, changeBase: () => 'sessionFirst', onError })
  const warnings: string[] = []
  values.watchClock((message) => warnings.push(message))
  let publishedAtMs = clock.wallMs()
  const fromNow = () => {
    values.store.apply('BRTI', { value: '1', publishedAtMs: publishedAtMs++ }, 'stream')
  }
  const fromFuture = () => {
    values.store.apply('BRTI', { value: '1', publishedAtMs: clock.wallMs() + 3_600_000 }, 'stream')
  }
  for (let round = 0; round < 10; round++) {
    fromFuture()
    fromNow()
  }
  expect(warnings).toEqual([])
  for (let at = 0; at < 20; at++) fromFuture()
  expect(warnings).toEqual([expect.stringContaining('clock')])
})
