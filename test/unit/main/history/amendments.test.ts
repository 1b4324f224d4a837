import { describe, expect, test } from 'vitest'
import { records } from '../../../../core/records'
import { recordsCsv } from '../../../../main/base/csv'
import { amendmentPage, amendmentRows } from '../../../../main/history/amendments'
import { failure } from '../../../../core/model'
import { MemoryHistory } from '../../../support/memory-history'
import { valueOf } from '../../../support/value-of'
import { historyStartMs, storedValue } from '../../../support/history-thread'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const firstAmendment = historyStartMs + 10_000

function openLedger() {
  const history = new MemoryHistory()
  const eventAt = (number: number, indexId: string, publishedAtMs: number) =>
    firedEvent(number, levelDraft('79760.00', { indexId }), {
      inputs: { value: '79760.00', publishedAtMs, direction: 'up' },
    })
  history.store.commit([
    {
      values: [
        storedValue(0, '79767.340'),
        storedValue(0, '79757.34', { amendedAtMs: firstAmendment, learnedAtMs: firstAmendment + 250 }),
        storedValue(0, '1.350e-5', { id: 'SHIBUSD_RTI' }),
        storedValue(0, '1.352e-5', { id: 'SHIBUSD_RTI', amendedAtMs: firstAmendment + 1 }),
        storedValue(5, '9', { id: 'ETHUSD_RTI', amendedAtMs: firstAmendment + 2 }),
      ],
      events: [
        eventAt(2, 'BRTI', historyStartMs),
        eventAt(1, 'BRTI', historyStartMs),
        eventAt(3, 'BRTI', historyStartMs + 1),
        eventAt(4, 'ETHUSD_RTI', historyStartMs),
      ],
    },
  ])
  return history
}

describe('the ledger of amendments', () => {
  test('has the exact difference, and the alerts of that index and published time', async () => {
    const { amendments, next } = valueOf(await amendmentPage(openLedger(), {}))
    expect(amendments.map(({ id, before, after, difference }) => [id, before, after, difference])).toEqual([
      ['ETHUSD_RTI', undefined, '9', undefined],
      ['SHIBUSD_RTI', '1.350e-5', '1.352e-5', '0.00000002'],
      ['BRTI', '79767.340', '79757.34', '-10.000'],
    ])
    expect(amendments.map(({ alerts }) => alerts.map(({ number }) => number))).toEqual([[], [], [1, 2]])
    expect(amendments[2]).toMatchObject({ amendedAtMs: firstAmendment, learnedAtMs: firstAmendment + 250 })
    expect(next).toBeUndefined()
  })

  test('continues after a page, for one index if requested', async () => {
    const history = openLedger()
    const first = valueOf(await amendmentPage(history, {}, 2))
    expect(first.amendments).toHaveLength(2)
    const second = valueOf(await amendmentPage(history, { before: first.next }, 2))
    expect(second.amendments.map(({ id }) => id)).toEqual(['BRTI'])
    const own = valueOf(await amendmentPage(history, { indexId: 'SHIBUSD_RTI' }))
    expect(own.amendments.map(({ id }) => id)).toEqual(['SHIBUSD_RTI'])
  })

  test('is saved whole as CSV, digit by digit', async () => {
    const rows = valueOf(await amendmentRows(openLedger(), undefined))
    expect(recordsCsv(records.amendment, rows).split('\n')).toEqual([
      'id,published,before,after,difference,amended,received,connection,alerts',
      'ETHUSD_RTI,2026-11-02T09:00:05.000Z,,9,,2026-11-02T09:00:10.002Z,2026-11-02T09:00:05.150Z,Demo,',
      'SHIBUSD_RTI,2026-11-02T09:00:00.000Z,1.350e-5,1.352e-5,0.00000002,2026-11-02T09:00:10.001Z,2026-11-02T09:00:00.150Z,Demo,',
      'BRTI,2026-11-02T09:00:00.000Z,79767.340,79757.34,-10.000,2026-11-02T09:00:10.000Z,2026-11-02T09:00:10.250Z,Demo,BRTI rises to 79760.00',
      '',
    ])
  })

  test('of more than a page is saved to the last one', async () => {
    const history = new MemoryHistory()
    const values = Array.from({ length: 1_201 }, (_, at) =>
      storedValue(at, '2', { amendedAtMs: historyStartMs + 5_000_000 + at }),
    )
    history.store.commit([{ values }])
    expect(valueOf(await amendmentRows(history, 'BRTI'))).toHaveLength(1_201)
  })

  test('leaves out damaged values', async () => {
    const history = new MemoryHistory()
    history.store.commit([
      {
        values: [
          storedValue(0, '1#0'),
          storedValue(0, '2', { amendedAtMs: firstAmendment }),
          storedValue(1, '3#', { amendedAtMs: firstAmendment }),
        ],
      },
    ])
    const { amendments } = valueOf(await amendmentPage(history, {}))
    expect(amendments.map(({ before, after, difference }) => [before, after, difference])).toEqual([
      [undefined, '2', undefined],
    ])
  })

  test('answers why it cannot be read', async () => {
    const closed = { query: () => Promise.resolve(failure('notReady', 'Not open.')) }
    expect(await amendmentPage(closed, {})).toMatchObject({ problem: { code: 'notReady' } })
    expect(await amendmentRows(closed, 'BRTI')).toMatchObject({ problem: { code: 'notReady' } })
  })
})
