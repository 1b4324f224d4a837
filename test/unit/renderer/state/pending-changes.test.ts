import { expect, test } from 'vitest'
import type { QuoteUpdate } from '../../../../protocol/desktop'
import { PendingChanges } from '../../../../renderer/state/pending-changes'

const quote: QuoteUpdate = { id: 'BRTI', value: '1', publishedAtMs: 0, source: 'stream', ageMs: 0 }

test('only the newest quote of each index is kept between frames', () => {
  const pending = new PendingChanges()
  for (let number = 1; number <= 1_000; number++) {
    pending.add({ number, quotes: [{ ...quote, value: String(number) }], rows: [{ id: 'BRTI' }], state: {} }, number)
  }
  expect(pending.quotes.size).toBe(1)
  expect(pending.rows.size).toBe(1)
  expect(pending.quotes.get('BRTI')).toEqual({ quote: { ...quote, value: '1000' }, receivedAtMs: 1_000 })
})

test('changed parts of the state are merged', () => {
  const pending = new PendingChanges()
  pending.add({ number: 1, quotes: [], rows: [], state: { appVersion: '1', notices: [] } }, 0)
  pending.add({ number: 2, quotes: [], rows: [], state: { appVersion: '2' } }, 0)
  expect(pending.state).toEqual({ appVersion: '2', notices: [] })
})

test('all points are kept in order', () => {
  const pending = new PendingChanges()
  const tick = (publishedAtMs: number) => ({ indexId: 'BRTI', point: { value: '1', publishedAtMs } })
  pending.add({ number: 1, quotes: [], rows: [], state: {}, points: [tick(1), tick(2)] }, 0)
  pending.add({ number: 2, quotes: [], rows: [], state: {} }, 0)
  pending.add({ number: 3, quotes: [], rows: [], state: {}, points: [tick(3)] }, 0)
  expect(pending.points).toEqual([tick(1), tick(2), tick(3)])
  expect(pending.hasLostPoints).toBe(false)
})

test('too many points are dropped, to be fetched again', () => {
  const pending = new PendingChanges()
  const points = Array.from({ length: 7_000 }, (_, publishedAtMs) => ({
    indexId: 'BRTI',
    point: { value: '1', publishedAtMs },
  }))
  for (let number = 1; number <= 4; number++) pending.add({ number, quotes: [], rows: [], state: {}, points }, 0)
  expect(pending.points).toEqual([])
  expect(pending.hasLostPoints).toBe(true)
})
