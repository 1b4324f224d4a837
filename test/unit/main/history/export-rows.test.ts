import { describe, expect, test } from 'vitest'
import { exportRows } from '../../../../main/history/export-rows'
import { decodeValues } from '../../../../main/history-store/value-rows'
import type { Queries, StoredValue } from '../../../../main/history-store/contract'
import type { ExportRequest } from '../../../../protocol/history'
import { MemoryHistory } from '../../../support/memory-history'
import { historyStartMs as startMs } from '../../../support/history-thread'
import { storedValue } from '../../../support/history-thread'

const muchLaterMs = startMs + 10 * 86_400_000

function rowsOf(
  values: readonly StoredValue[],
  wanted: Partial<ExportRequest> = {},
  { nowMs = muchLaterMs, limit = 2 } = {},
) {
  const history = new MemoryHistory()
  history.store.commit([{ values }])
  const reader = {
    query: (name: 'values', params: Queries['values']['params']) => {
      const limited = { ...params, limit }
      return decodeValues(history.store.query(name, limited), limited)
    },
  }
  const request = {
    indexIds: ['BRTI'],
    fromMs: startMs,
    toMs: startMs + 60_000,
    resolution: 'every' as const,
    ...wanted,
  }
  const fractions: number[] = []
  const rows = [...exportRows(reader, request, nowMs)].flatMap((page) => {
    fractions.push(page.fraction)
    return page.rows
  })
  const secondsIn = (atMs: number | undefined) => (atMs === undefined ? undefined : (atMs - startMs) / 1_000)
  return {
    rows: rows.map(({ value, atMs }) => [secondsIn(atMs), secondsIn(value.publishedAtMs), value.value]),
    fractions,
  }
}

const amended = { amendedAtMs: startMs + 90_000 }

describe('every value', () => {
  test('is a row for each revision in the range without its end, for any page size', () => {
    const values = [
      storedValue(-0.001, '1'),
      storedValue(0, '2.10'),
      storedValue(30, '3'),
      storedValue(30, '3.5', amended),
      storedValue(59.999, '4'),
      storedValue(60, '5'),
    ]
    const expected = [
      [undefined, 0, '2.10'],
      [undefined, 30, '3'],
      [undefined, 30, '3.5'],
      [undefined, 59.999, '4'],
    ]
    for (const limit of [1, 2, 3, 100]) expect(rowsOf(values, {}, { limit }).rows).toEqual(expected)
  })

  test('of several indices comes index after index, and the progress only grows, to the end', () => {
    const values = [0, 1, 2].flatMap((at) => [
      storedValue(at, `${at}`),
      storedValue(at, `9${at}`, { id: 'ETHUSD_RTI' }),
    ])
    const { rows, fractions } = rowsOf(values, { indexIds: ['ETHUSD_RTI', 'BRTI'] })
    expect(rows.map(([, , value]) => value)).toEqual(['90', '91', '92', '0', '1', '2'])
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b))
    expect(fractions.at(-1)).toBe(1)
  })
})

describe('a row for each whole second, minute, hour or day', () => {
  test('is the latest revision of the value in effect, never a later value, and is not repeated', () => {
    const values = [
      storedValue(-59.5, '1'),
      storedValue(-0.2, '2'),
      storedValue(0.2, '3'),
      storedValue(59.8, '4'),
      storedValue(59.8, '4.4', amended),
      storedValue(60, '5'),
      storedValue(60, '5.5', amended),
      storedValue(60.2, '6'),
      // Nothing was published for three minutes, so there are no rows.
      storedValue(260, '7'),
    ]
    const range = { resolution: 'minute', toMs: startMs + 301_000 } as const
    const expected = [
      [0, -0.2, '2'],
      [60, 60, '5.5'],
      [120, 60.2, '6'],
      [300, 260, '7'],
    ]
    for (const limit of [1, 2, 3, 100]) expect(rowsOf(values, range, { limit }).rows).toEqual(expected)
    // The start is included, the end is not.
    expect(rowsOf(values, { ...range, toMs: startMs + 300_000 }).rows).toEqual(expected.slice(0, 3))
    expect(rowsOf(values, { ...range, fromMs: startMs + 1 }).rows).toEqual(expected.slice(1))
  })

  test('has no row for a time in the future', () => {
    const values = [storedValue(0, '1'), storedValue(30, '2')]
    const range = { resolution: 'minute', toMs: startMs + 600_000 } as const
    expect(rowsOf(values, range, { nowMs: startMs + 59_999 }).rows).toEqual([[0, 0, '1']])
    expect(rowsOf(values, range, { nowMs: startMs + 60_000 }).rows).toHaveLength(2)
    expect(rowsOf(values, range, { nowMs: startMs - 1 }).rows).toEqual([])
  })

  test.each([
    ['second', 1],
    ['hour', 3_600],
    ['day', 86_400],
  ] as const)('stands at whole ones of UTC: %s', (resolution, stepSeconds) => {
    const values = [storedValue(0.4, '1'), storedValue(200_000, '2')]
    const { rows } = rowsOf(values, { resolution, toMs: startMs + 400_000_000 })
    const times = rows.map(([at]) => startMs / 1_000 + Number(at))
    expect(rows.map(([, , value]) => value)).toEqual(['1', '2'])
    for (const time of times) expect(time % stepSeconds).toBe(0)
  })
})
