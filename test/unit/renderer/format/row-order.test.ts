import { expect, test } from 'vitest'
import type { ListSort } from '../../../../core/model'
import { nextSort, type SortFacts } from '../../../../renderer/format/row-order'
import { sortedIds } from '../../../../renderer/views/watchlist/columns'

function row(id: string, value?: string, more: Partial<SortFacts> = {}): SortFacts {
  const quote = value === undefined ? undefined : { id, value, publishedAtMs: 1, source: 'stream' as const }
  return {
    id,
    name: undefined,
    quote,
    facts: undefined,
    resolution: undefined,
    flagWeight: undefined,
    ...more,
  }
}

function since(id: string, from: string, value: string): SortFacts {
  return row(id, value, { facts: { id, reference: { kind: 'sessionFirst', value: from, publishedAtMs: 0 } } })
}

function by(column: ListSort['column'], rows: SortFacts[], isDescending = false): string[] {
  return sortedIds(rows, { column, isDescending })
}

test('values are compared exactly, in any length and notation', () => {
  const rows = [
    row('c', '9007199254740993.0000000000000000002'),
    row('b', '9007199254740993.0000000000000000001'),
    row('a', '1.5e-30'),
    row('d', '1e20'),
    row('z', '-2'),
  ]
  expect(by('value', rows)).toEqual(['z', 'a', 'b', 'c', 'd'])
  expect(by('value', rows, true)).toEqual(['d', 'c', 'b', 'a', 'z'])
})

test('rows without a value are last in both directions', () => {
  const rows = [row('none'), row('b', '2'), row('nor'), row('a', '1')]
  expect(by('value', rows)).toEqual(['a', 'b', 'none', 'nor'])
  expect(by('value', rows, true)).toEqual(['b', 'a', 'none', 'nor'])
})

test('equal values keep the manual order in both directions', () => {
  const rows = [row('x', '1.0'), row('y', '1'), row('w', '1.00'), row('a', '0')]
  expect(by('value', rows)).toEqual(['a', 'x', 'y', 'w'])
  expect(by('value', rows, true)).toEqual(['x', 'y', 'w', 'a'])
})

test('changes are sorted by sign and size, percentages with more places than shown', () => {
  const rows = [
    since('up', '100', '101'),
    since('down', '1', '0.5'),
    since('bit', '100000', '100001'),
    since('zero', '0', '1'),
  ]
  expect(by('change', rows)).toEqual(['down', 'up', 'bit', 'zero'])
  expect(by('percent', rows)).toEqual(['down', 'bit', 'up', 'zero'])
  expect(by('percent', [since('b', '100000', '100002'), since('a', '100000', '100001')])).toEqual(['a', 'b'])
})

test('names and ids are sorted as words, numbers within them as numbers', () => {
  expect(by('index', [row('IX10'), row('IX9'), row('ix1')])).toEqual(['ix1', 'IX9', 'IX10'])
  expect(by('name', [row('1', undefined, { name: 'b' }), row('2'), row('3', undefined, { name: 'A' })])).toEqual([
    '3',
    '1',
    '2',
  ])
})

test('trends, times, frequencies and flags can be sorted', () => {
  const trend = (id: string, trend: (number | null)[]) => row(id, '1', { facts: { id, trend } })
  expect(by('trend', [trend('a', [100, null, 101]), trend('b', [1, 0.9]), trend('c', [null])])).toEqual(['b', 'a', 'c'])
  const quote = { id: 'p', value: '1', source: 'stream' as const }
  const late = row('late', '1', { quote: { ...quote, publishedAtMs: 9 } })
  expect(by('published', [late, row('early', '1')])).toEqual(['early', 'late'])
  expect(
    by('resolution', [row('d', '1', { resolution: 'DAILY' }), row('t', '1', { resolution: 'PER_200MS' })]),
  ).toEqual(['t', 'd'])
  expect(by('flags', [row('none'), row('s', '1', { flagWeight: 2 }), row('u', '1', { flagWeight: 0 })])).toEqual([
    'u',
    's',
    'none',
  ])
})

test('clicks on a descending-first head sort descending, ascending, then manually', () => {
  const down = nextSort(undefined, 'weight', true)
  expect(down).toEqual({ column: 'weight', isDescending: true })
  const up = nextSort(down ?? undefined, 'weight', true)
  expect(up).toEqual({ column: 'weight', isDescending: false })
  expect(nextSort(up ?? undefined, 'weight', true)).toBeNull()
})

test('clicks on a head sort ascending, descending, then manually', () => {
  const up = nextSort(undefined, 'value')
  expect(up).toEqual({ column: 'value', isDescending: false })
  const down = nextSort(up ?? undefined, 'value')
  expect(down).toEqual({ column: 'value', isDescending: true })
  expect(nextSort(down ?? undefined, 'value')).toBeNull()
  expect(nextSort(down ?? undefined, 'name')).toEqual({ column: 'name', isDescending: false })
})
