import { expect, test, vi } from 'vitest'
import { failure, done, type Outcome } from '../../../../core/model'
import { revisionsBetween } from '../../../../main/history/revisions'
import { maxValuesInPage, type StoredValue } from '../../../../main/history-store/contract'
import { MemoryHistory } from '../../../support/memory-history'

const fromMs = 1_700_000_000_000
const range = { indexId: 'BRTI', fromMs, toMs: fromMs + 59_000 }
const afterEnd = { nowMs: fromMs + 120_000 }

function stored(at: number, value: string, amendedAtMs?: number): StoredValue {
  const publishedAtMs = fromMs + at * 1_000
  const learned = { learnedAtMs: publishedAtMs, origin: 'stream', connection: 'Desk' } as const
  return { id: 'BRTI', value, publishedAtMs, ...learned, ...(amendedAtMs !== undefined && { amendedAtMs }) }
}

function historyOf(...values: StoredValue[]): MemoryHistory {
  const history = new MemoryHistory()
  history.store.commit([{ values }])
  return history
}

/** All seconds of the range except some. */
const seconds = (...missing: number[]) =>
  Array.from({ length: 61 }, (_, at) => at - 1).flatMap((at) =>
    missing.includes(at) ? [] : [stored(at, `1.${at + 1}`)],
  )

test('every revision of the range is returned, and nothing outside it', async () => {
  const history = historyOf(...seconds(), stored(10, '9', fromMs + 90_000), stored(60, '7'))
  const answer = await revisionsBetween(history, range, afterEnd)
  const values = answer.ok ? answer.value.values : []
  expect(values.length).toBe(61)
  expect(values.filter(({ publishedAtMs }) => publishedAtMs === fromMs + 10_000)).toEqual([
    { value: '1.11', publishedAtMs: fromMs + 10_000 },
    { value: '9', publishedAtMs: fromMs + 10_000, amendedAtMs: fromMs + 90_000 },
  ])
})

test('more values than a page of the history has are all returned', async () => {
  const many = Array.from({ length: maxValuesInPage + 3 }, (_, at) => stored(at / 1_000, '1'))
  const answer = await revisionsBetween(historyOf(...many), range, afterEnd)
  expect(answer.ok && answer.value.values.length).toBe(many.length)
})

test('a gap of which the provider was not asked is asked for, and what comes is returned', async () => {
  const history = historyOf(...seconds(30))
  const fetchAround = vi.fn((): Promise<Outcome<null>> => {
    history.store.commit([{ values: [stored(30, '1.31')] }])
    return Promise.resolve(done)
  })
  const answer = await revisionsBetween(history, range, { ...afterEnd, fetchAround })
  expect(fetchAround.mock.calls).toEqual([[fromMs + 29_000]])
  expect(answer.ok && answer.value.values.length).toBe(60)
})

test('the provider is not asked for a gap that it has answered, nor for values under way', async () => {
  const history = historyOf(...seconds(30, 58, 59))
  const span = { id: 'BRTI', fromMs: fromMs + 29_000, toMs: fromMs + 31_000, state: 'answered', askedAtMs: 0 } as const
  history.store.commit([{ spans: [span] }])
  const fetchAround = vi.fn(() => Promise.resolve(done))
  await revisionsBetween(history, range, { nowMs: fromMs + 59_500, fetchAround })
  await revisionsBetween(history, range, { nowMs: fromMs - 60_000, fetchAround })
  expect(fetchAround).not.toHaveBeenCalled()
})

test('a provider that cannot answer leaves the known values, with the reason', async () => {
  const fetchAround = () => Promise.resolve(failure('notConnected', 'Not connected.'))
  const answer = await revisionsBetween(historyOf(...seconds(30)), range, { ...afterEnd, fetchAround })
  expect(answer.ok && [answer.value.values.length, answer.value.problem]).toEqual([59, 'Not connected.'])
})
