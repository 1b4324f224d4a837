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
