import { expect, test } from 'vitest'
import type { QuoteUpdate } from '../../../../protocol/desktop'
import { PendingChanges } from '../../../../renderer/state/pending-changes'

const quote: QuoteUpdate = { id: 'BRTI', value: '1', publishedAtMs: 0, source: 'stream', ageMs: 0 }

test('however many updates come before a frame, only the newest of each index remains', () => {
  const pending = new PendingChanges()
  for (let number = 1; number <= 1_000; number++) {
    pending.add({ number, quotes: [{ ...quote, value: String(number) }], rows: [{ id: 'BRTI' }], state: {} }, number)
  }
  expect(pending.quotes.size).toBe(1)
  expect(pending.rows.size).toBe(1)
  expect(pending.quotes.get('BRTI')).toEqual({ quote: { ...quote, value: '1000' }, receivedAtMs: 1_000 })
})

test('parts of the state are merged', () => {
  const pending = new PendingChanges()
  pending.add({ number: 1, quotes: [], rows: [], state: { appVersion: '1', notices: [] } }, 0)
  pending.add({ number: 2, quotes: [], rows: [], state: { appVersion: '2' } }, 0)
  expect(pending.state).toEqual({ appVersion: '2', notices: [] })
})
