import { describe, expect, test } from 'vitest'
import type { ConstituentsPublication } from '../../../../../core/model'
import {
  barOf,
  constituentRows,
  driftOf,
  orderOf,
  tableLines,
} from '../../../../../renderer/views/constituents/constituents'

function published(...members: [constituent: string, value: string, weightPercent: string][]): ConstituentsPublication {
  const constituents = members.map(([constituent, value, weightPercent]) => ({ constituent, value, weightPercent }))
  return { value: '1', publishedAtMs: 0, constituents }
}

const opening = published(['BTC', '100', '60'], ['ETH', '10', '30'], ['XRP', '1.0', '10'])
const now = published(['BTC', '101', '60'], ['ETH', '9', '25'], ['SOL', '150.10', '15'])

describe('rows', () => {
  test('have the constituent at the baseline', () => {
    const [btc, eth, sol] = constituentRows(now, opening)
    expect(btc?.before?.value).toBe('100')
    expect(eth?.before?.weightPercent).toBe('30')
    expect(sol?.before).toBeUndefined()
    expect(constituentRows(now, undefined).every(({ before }) => before === undefined)).toBe(true)
  })

  test('have a drift, the exact difference of the published weights in percentage points', () => {
    const then = published(['A', '1', '0.1'], ['B', '1', '58.2140'], ['C', '1', '1e-7'], ['D', '1', '12.5'])
    const later = published(
      ['A', '1', '0.3'],
      ['B', '1', '58.214'],
      ['C', '1', '0.0000003'],
      ['D', '1', '9.75'],
      ['E', '1', '4'],
    )
    // As floats the first would be 0.19999999999999998.
    expect(constituentRows(later, then).map(driftOf)).toEqual(['0.2', '0.0000', '0.0000002', '-2.75', undefined])
  })

  test('have a contribution in index points', () => {
    const then = { ...opening, value: '1000.00' }
    const rows = constituentRows({ ...now, value: '985.50' }, then)
    // 60 % of 1 %, and 30 % of −10 %. SOL was added.
    expect(rows.map(({ points }) => points)).toEqual(['6.00', '-30.00', undefined])
    expect(constituentRows(now, undefined).map(({ points }) => points)).toEqual([undefined, undefined, undefined])
  })

  test('have unique keys, even if a name occurs twice', () => {
    const twice = published(['A', '1', '1'], ['A (2)', '2', '1'], ['A', '3', '1'])
    expect(new Set(constituentRows(twice, undefined).map(({ key }) => key)).size).toBe(3)
  })
})

test('a bar fills the share of the weight in 100 %', () =>
  expect(['71', '22', '0', '-5', '250'].map(barOf)).toEqual([0.71, 0.22, 0, 0, 1]))

describe('sorting', () => {
  const rows = constituentRows(now, opening)

  test('is numeric', () => {
    expect(orderOf(rows, { column: 'value', isDescending: true })).toEqual(['SOL', 'BTC', 'ETH'])
    expect(orderOf(rows, { column: 'value', isDescending: false })).toEqual(['ETH', 'BTC', 'SOL'])
    expect(orderOf(rows, undefined)).toEqual(['BTC', 'ETH', 'SOL'])
  })

  test('distinguishes what a float cannot', () => {
    const close = constituentRows(published(['A', '9007199254740992', '1'], ['B', '9007199254740993', '1']), undefined)
    expect(orderOf(close, { column: 'value', isDescending: true })).toEqual(['B', 'A'])
  })

  test('puts constituents without a change last in both directions', () => {
    expect(orderOf(rows, { column: 'change', isDescending: true })).toEqual(['BTC', 'ETH', 'SOL'])
    expect(orderOf(rows, { column: 'change', isDescending: false })).toEqual(['ETH', 'BTC', 'SOL'])
  })

  test('by drift puts the largest gain first, and added constituents last', () => {
    expect(orderOf(rows, { column: 'drift', isDescending: true })).toEqual(['BTC', 'ETH', 'SOL'])
    expect(orderOf(rows, { column: 'drift', isDescending: false })).toEqual(['ETH', 'BTC', 'SOL'])
  })
})

test('the exchanges of an expanded row follow it', () => {
  const exchanges = ['Coinbase', 'Kraken'].map((exchange) => ({ exchange, weightPercent: '50' }))
  const rows = ['BTC', 'ETH'].map((key) => ({
    key,
    constituent: { constituent: key, value: '1', weightPercent: '50', exchanges },
  }))
  const keysOf = (expanded: string) =>
    tableLines(rows, (key) => key === expanded).map(({ row, exchangeAt }) => `${row.key} ${exchangeAt ?? ''}`.trim())
  expect(keysOf('BTC')).toEqual(['BTC', 'BTC 0', 'BTC 1', 'ETH'])
  expect(keysOf('')).toEqual(['BTC', 'ETH'])
})
