import { expect, test } from 'vitest'
import { listColumns } from '../../../../../core/model'
import { layOutColumns } from '../../../../../renderer/ui/column-layout'
import {
  allInOrder,
  basisColumn,
  columnsOf,
  defaultColumns,
  movedColumn,
  rowText,
  commonPrefix,
  storedColumns,
  type ListLook,
} from '../../../../../renderer/views/watchlist/columns'

const widest = { index: 110, name: 300, value: 92, change: 96, percent: 58, published: 86, basis: 0 }
const defaultKeys = ['index', ...defaultColumns, 'menu']
const narrowKeys = defaultKeys.filter((key) => key !== 'range')
const look: ListLook = { isComfortable: false, changeBase: 'previousClose', chosen: undefined }

function columnsFor(availablePx: number, widths: typeof widest, of: ListLook) {
  return layOutColumns(columnsOf(of), widths, availablePx)
}

type Layout = ReturnType<typeof columnsFor>

function keysOf(columns: Layout): string[] {
  return columns.map(({ column }) => column.key)
}

function sumOf(columns: Layout): number {
  return columns.reduce((sum, { px = 0 }) => sum + px, 0)
}

function shown(availablePx: number): string[] {
  return keysOf(columnsFor(availablePx, widest, look))
}

test('the default columns are all except the frequency and the mean', () =>
  expect([...defaultColumns, 'resolution', 'mean'].toSorted()).toEqual([...listColumns].toSorted()))

test('hidden columns follow the column that they follow by default', () => {
  expect(allInOrder(defaultColumns)).toEqual([...listColumns])
  const inOrder = 'name published resolution flags value change percent mean trend range'
  expect(allInOrder(['published', 'value']).join(' ')).toBe(inOrder)
})

test('a column moves one position, but not beyond an end', () => {
  const order = ['name', 'value', 'flags'] as const
  expect(movedColumn(order, 'value', -1)).toEqual(['value', 'name', 'flags'])
  expect(movedColumn(order, 'value', 1)).toEqual(['name', 'flags', 'value'])
  expect(movedColumn(order, 'name', -1)).toEqual([...order])
  expect(movedColumn(order, 'flags', 1)).toEqual([...order])
})

test('the default columns are stored as null', () => {
  expect(storedColumns([...defaultColumns])).toBeNull()
  expect(storedColumns(['value'])).toEqual(['value'])
  expect(storedColumns(defaultColumns.toReversed())).toEqual(defaultColumns.toReversed())
})

function formOf(layout: Layout, wanted: string): string | undefined {
  return layout.find(({ column }) => column.key === wanted)?.form
}

function pxOf(layout: Layout, wanted: string): number | undefined {
  return layout.find(({ column }) => column.key === wanted)?.px
}

test('a wide table shows every column, names up to 280 pixels wide, and a longer trend', () => {
  const layout = columnsFor(1704, widest, look)
  expect(keysOf(layout)).toEqual(defaultKeys)
  expect([pxOf(layout, 'name'), pxOf(layout, 'trend')]).toEqual([280, 300])
  expect(formOf(layout, 'flags')).toBeUndefined()
  expect(sumOf(layout)).toBe(1704)
  expect(pxOf(columnsFor(1704, { ...widest, name: 150 }, look), 'name')).toBe(166)
})

test('a name is whole or hidden, after the range hid and flags became icons', () => {
  const layout = columnsFor(1084, widest, look)
  expect(keysOf(layout)).toEqual(narrowKeys)
  expect(sumOf(layout)).toBe(1084)
  expect([pxOf(layout, 'name'), formOf(layout, 'flags')]).toEqual([280, 'icons'])
  const narrower = columnsFor(1000, widest, look)
  expect(keysOf(narrower)).toEqual(narrowKeys.filter((key) => key !== 'name'))
  // The words of flags come back into its room.
  expect([pxOf(narrower, 'flags'), formOf(narrower, 'flags')]).toEqual([156, undefined])
  for (let px = 300; px < 1_800; px += 1) expect([undefined, 280]).toContain(pxOf(columnsFor(px, widest, look), 'name'))
})

test('the trend is at least 160 pixels wide where there is room, and shrinks before a name hides', () => {
  const px = (availablePx: number, of = look) => {
    const layout = columnsFor(availablePx, widest, of)
    return [pxOf(layout, 'trend'), pxOf(layout, of.isComfortable ? 'index' : 'name')]
  }
  expect(px(1400)).toEqual([254, 280])
  expect(px(1110)).toEqual([100, 280])
  expect(px(1084)).toEqual([166, 280])
  expect(px(1084, { ...look, isComfortable: true })).toEqual([209, 279])
})

test('a stacked name takes no room of its own and widens the column of its id', () => {
  const stacked = { ...look, isComfortable: true }
  const layout = columnsFor(1084, widest, stacked)
  expect(keysOf(layout).slice(0, 2)).toEqual(['index', 'name'])
  expect([pxOf(layout, 'index'), pxOf(layout, 'name')]).toEqual([279, 0])
  expect(layout[1]?.column.isUnder).toBe(true)
  expect(sumOf(layout)).toBe(1084)
  expect(pxOf(columnsFor(300, widest, stacked), 'index')).toBe(160)
  expect(keysOf(columnsFor(1084, widest, { ...stacked, chosen: ['value', 'name'] }))).toEqual([
    'index',
    'name',
    'value',
    'menu',
  ])
  expect(pxOf(columnsFor(1084, widest, { ...stacked, chosen: ['value'] }), 'index')).toBe(134)
})

test('in comfortable rows the baseline is below the number and widens no other column', () => {
  const without = columnsFor(1084, widest, { ...look, isComfortable: true })
  const layout = columnsFor(1084, { ...widest, basis: 85 }, { ...look, isComfortable: true })
  expect(pxOf(layout, 'percent')).toBe(101)
  expect(pxOf(layout, 'change')).toBe(pxOf(without, 'change'))
})

test('in compact rows the baseline is before the number, as a mark before a name is cut', () => {
  const basisAt = (availablePx: number) => {
    const layout = columnsFor(availablePx, { ...widest, basis: 85 }, look)
    return [formOf(layout, 'percent'), pxOf(layout, 'percent')]
  }
  expect(basisAt(1704)).toEqual([undefined, 169])
  expect(basisAt(1200)).toEqual([undefined, 169])
  expect(basisAt(1100)).toEqual(['mark', 100])
})

test('without the percentage the change shows the baseline', () =>
  expect([basisColumn(undefined), basisColumn(['value', 'change'])]).toEqual(['percent', 'change']))

test('the tooltip of the trend names its span, and the baseline of the change', () => {
  const title = (changeBase: ListLook['changeBase']) =>
    columnsOf({ ...look, changeBase }).find(({ key }) => key === 'trend')?.title
  expect(title('previousClose')).toMatch(/^The last 24 hours\..*fainter before 00:00 UTC\.$/)
  expect(title('dayAgo')).toMatch(/^The last 24 hours\.(?!.*fainter)/)
  expect(title('sessionFirst')).toMatch(/^The last 24 hours\..*fainter before app start\.$/)
})

test('the shared beginning of names is whole words, and something remains of each', () => {
  expect(commonPrefix(['CME CF Bitcoin Index', 'CME CF Ether Index'])).toBe('CME CF ')
  expect(commonPrefix(['CME CF Bitcoin', 'CME CF Bitcoin Cash'])).toBe('CME CF ')
  expect(commonPrefix(['CF Bitcoin', 'CFB Ether'])).toBe('')
  expect(commonPrefix(['CF Bitcoin'])).toBe('')
  expect(commonPrefix([])).toBe('')
})

test('columns hide by weight; index, value, percentage and flags never do', () => {
  expect(shown(780)).toContain('published')
  expect(shown(704)).not.toContain('published')
  expect(shown(604)).not.toContain('change')
  expect(shown(450)).not.toContain('trend')
  expect(shown(100)).toEqual(['index', 'value', 'percent', 'flags'])
})

test('narrow flags are icons', () => expect(formOf(columnsFor(450, widest, look), 'flags')).toBe('icons'))

test('a number always has the room that it needs', () => {
  for (const availablePx of [2000, 1084, 704, 300]) {
    expect(pxOf(columnsFor(availablePx, { ...widest, value: 240 }, look), 'value')).toBeGreaterThanOrEqual(256)
  }
})

test('chosen columns keep their order, with the index first and the menu last', () => {
  const layout = columnsFor(2000, widest, { ...look, chosen: ['flags', 'resolution', 'value'] })
  expect(keysOf(layout)).toEqual(['index', 'flags', 'resolution', 'value', 'menu'])
  expect(sumOf(layout)).toBe(2000)
})

test('columns that were not chosen do not come back when room runs out', () =>
  expect(keysOf(columnsFor(50, widest, { ...look, chosen: ['value', 'published'] }))).toEqual(['index', 'value']))

test('a copied row has every digit of the published value and the time in UTC', () => {
  const quote = {
    id: 'BRTI',
    value: '1.350e-5',
    publishedAtMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    source: 'stream' as const,
  }
  const info = { id: 'BRTI', name: 'Bitcoin', maxResolution: 'PER_SECOND' as const }
  expect(rowText('BRTI', info, quote)).toBe('BRTI\t1.350e-5\tBitcoin\t2026-01-02T03:04:05.006Z')
  expect(rowText('BRTI', undefined, quote)).toBe('BRTI\t1.350e-5\t\t2026-01-02T03:04:05.006Z')
})
