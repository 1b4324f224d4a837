import { expect, test } from 'vitest'
import type { Publication } from '../../../../core/model'
import { RollingMeans } from '../../../../main/quotes/rolling-means'
import { onError } from '../../../support/on-error'
import { MemoryHistory } from '../../../support/memory-history'

const nowMs = 1_700_000_000_000

function at(seconds: number, value: string): Publication {
  return { value, publishedAtMs: nowMs + seconds * 1_000 }
}

function store(history: MemoryHistory, connection: string, ...publications: Publication[]): void {
  const learned = { id: 'BRTI', learnedAtMs: nowMs, origin: 'stream', connection } as const
  history.store.commit([{ values: publications.map((each) => ({ ...each, ...learned })) }])
}

function meansOf(history = new MemoryHistory()) {
  const means = new RollingMeans({ history, latestMs: () => nowMs, connectionOf: () => 'Desk', onError })
  means.watch([{ index: 'BRTI', seconds: 60 }])
  return means
}

test('a mean is kept for watched indices only', () => {
  const means = meansOf()
  for (const id of ['BRTI', 'ETHUSD_RTI']) means.add(id, [at(0, '10.00')])
  means.add('BRTI', [at(1, '10.05')])
  expect(means.row('BRTI')).toEqual({ sum: '20.05', counted: 2, expected: 60 })
  expect(means.row('ETHUSD_RTI')).toBeUndefined()
  means.watch([])
  expect(means.row('BRTI')).toBeUndefined()
})

test('a minute has sixty values, and a late or amended one takes its place', () => {
  const means = meansOf()
  for (let second = 0; second < 90; second++) if (second !== 70) means.add('BRTI', [at(second, String(second))])
  const sum = 60 * 59.5 - 70
  expect(means.row('BRTI')).toEqual({ sum: String(sum), counted: 59, expected: 60 })
  means.add('BRTI', [at(70, '70')])
  means.add('BRTI', [{ ...at(71, '1071'), amendedAtMs: nowMs + 90_000 }])
  expect(means.row('BRTI')).toEqual({ sum: String(sum + 70 + 1_000), counted: 60, expected: 60 })
})

test('the last minute is recalled from the history of the same connection once it can be read', async () => {
  const history = new MemoryHistory()
  store(history, 'Desk', at(-61, '1'), at(-2, '2'), at(-1, '3'))
  store(history, 'Other', at(-3, '900'))
  const means = meansOf(history)
  history.isLocked = true
  await means.recall()
  expect(means.row('BRTI')).toBeUndefined()
  history.isLocked = false
  means.add('BRTI', [at(0, '4')])
  await means.recall()
  expect(means.row('BRTI')).toEqual({ sum: '9', counted: 3, expected: 60 })
})

test('the mean begins again when another source provides the index', () => {
  const means = meansOf()
  means.add('BRTI', [at(0, '10')])
  means.restart('BRTI')
  means.add('BRTI', [at(1, '90')])
  expect(means.row('BRTI')).toEqual({ sum: '90', counted: 1, expected: 60 })
  means.restartAll()
  expect(means.row('BRTI')).toBeUndefined()
})
