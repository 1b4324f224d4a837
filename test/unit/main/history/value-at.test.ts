import { describe, expect, test } from 'vitest'
import { valueAt } from '../../../../main/history/value-at'
import type { CoveredSpan } from '../../../../main/history-store/contract'
import { failure } from '../../../../core/model'
import { MemoryHistory } from '../../../support/memory-history'
import { valueOf } from '../../../support/value-of'
import { historyStartMs as startMs } from '../../../support/history-thread'
import { storedValue } from '../../../support/history-thread'

const nowMs = startMs + 3_600_000

function open(spans: CoveredSpan[] = []) {
  const history = new MemoryHistory()
  const values = [
    storedValue(0, '100.10'),
    storedValue(1, '101'),
    storedValue(1, '101.50', { amendedAtMs: startMs + 9_000, origin: 'rest', connection: 'Desk' }),
    storedValue(2, '102', { isRepeatOfPrevious: true }),
    // No value for ten minutes.
    storedValue(602, '103'),
  ]
  history.store.commit([{ values, spans }])
  return async (secondsIn: number) =>
    valueOf(await valueAt(history, { id: 'BRTI', atMs: startMs + secondsIn * 1_000, nowMs, maxGapMs: 10_000 }))
}

function span(fromSeconds: number, toSeconds: number, state: CoveredSpan['state']): CoveredSpan {
  const [fromMs, toMs] = [startMs + fromSeconds * 1_000, startMs + toSeconds * 1_000]
  return { id: 'BRTI', fromMs, toMs, state, askedAtMs: nowMs }
}

describe('the value at a time', () => {
  test('is the last one published by then, with its revisions, their sources, and the next value', async () => {
    const at = open()
    expect(await at(1.999)).toEqual({
      id: 'BRTI',
      atMs: startMs + 1_999,
      revisions: [
        {
          value: '101',
          publishedAtMs: startMs + 1_000,
          learnedAtMs: startMs + 1_150,
          source: 'stream',
          connection: 'Demo',
        },
        {
          value: '101.50',
          publishedAtMs: startMs + 1_000,
          amendedAtMs: startMs + 9_000,
          learnedAtMs: startMs + 1_150,
          source: 'rest',
          connection: 'Desk',
        },
      ],
      nextPublishedAtMs: startMs + 2_000,
    })
    expect((await at(0)).revisions.map(({ value }) => value)).toEqual(['100.10'])
    expect((await at(2)).revisions).toMatchObject([{ value: '102', isRepeatOfPrevious: true }])
  })

  test('between values with an unasked range is in a gap, at its ends it is not', async () => {
    const at = open()
    const gap = { fromMs: startMs + 2_000, toMs: startMs + 602_000, state: 'unasked' }
    expect((await at(2)).gap).toBeUndefined()
    expect((await at(2.001)).gap).toEqual(gap)
    expect((await at(601.999)).gap).toEqual(gap)
    expect((await at(602)).gap).toBeUndefined()
  })

  test('has a next value only if none can be missing before it', async () => {
    expect((await open()(2)).nextPublishedAtMs).toBeUndefined()
    expect((await open([span(2, 602, 'answered')])(2)).nextPublishedAtMs).toBe(startMs + 602_000)
  })

  test('where the service has nothing more is known, and where it could not say is not', async () => {
    expect((await open([span(2, 602, 'answered')])(300)).gap).toBeUndefined()
    expect((await open([span(2, 602, 'unknown')])(300)).gap).toMatchObject({ state: 'unknown' })
  })

  test('after the last value is in effect while fresh, then in a gap', async () => {
    const at = open()
    expect((await at(3_000)).gap).toEqual({ fromMs: startMs + 602_000, toMs: nowMs, state: 'unasked' })
    expect((await at(3_000)).revisions).toMatchObject([{ value: '103' }])
  })

  test('before the first value is not known', async () => {
    const before = await open()(-1)
    expect(before).toMatchObject({ revisions: [], nextPublishedAtMs: startMs, gap: { state: 'unasked' } })
  })

  test('is answered with the problem where the history cannot be read', async () => {
    const closed = { query: () => Promise.resolve(failure('notReady', 'Not open.')) }
    expect(await valueAt(closed, { id: 'BRTI', atMs: 1, nowMs, maxGapMs: 1 })).toMatchObject({
      problem: { code: 'notReady' },
    })
  })
})
