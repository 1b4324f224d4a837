import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellPx, grownBy, layOutColumns } from '../../../../renderer/ui/column-layout'
import type { TableColumn } from '../../../../renderer/ui/table-column'

const columns: TableColumn<number>[] = [
  { key: 'name', name: 'Name', px: 100, gives: [[3, 60]], takes: [[2]] },
  { key: 'value', name: 'Value', px: 80 },
  { key: 'bar', name: 'Bar', px: 50, gives: [[1, 20, 'short']], takes: [[1, 40]] },
  { key: 'note', name: 'Note', px: 70, gives: [[2]] },
]

function laidOut(availablePx: number): Record<string, number | undefined> {
  return Object.fromEntries(layOutColumns(columns, {}, availablePx).map(({ column, px }) => [column.key, px]))
}

test('columns have their wanted width if there is room', () =>
  expect(laidOut(300)).toEqual({ name: 100, value: 80, bar: 50, note: 70 }))

test('spare width is taken in turns, up to the limit of each column', () => {
  expect(laidOut(320)).toEqual({ name: 100, value: 80, bar: 70, note: 70 })
  expect(laidOut(400)).toEqual({ name: 160, value: 80, bar: 90, note: 70 })
})

test('columns give way in turns, no further than needed', () => {
  expect(laidOut(299)).toEqual({ name: 100, value: 80, bar: 49, note: 70 })
  expect(laidOut(260)).toEqual({ name: 100, value: 80, bar: 80 })
  expect(laidOut(199)).toEqual({ name: 60, value: 80, bar: 59 })
})

test('a column that shrank has its form', () => {
  const formAt = (px: number) => layOutColumns(columns, {}, px).find(({ column }) => column.key === 'bar')?.form
  expect([formAt(300), formAt(299)]).toEqual([undefined, 'short'])
})

test('a table is wider than its room if the remaining columns do not fit', () =>
  expect(laidOut(10)).toEqual({ name: 60, value: 80, bar: 20 }))

test('a chosen width cuts no number, takes no spare room, and gives way only by hiding', () => {
  const sized: TableColumn<number>[] = [
    { key: 'name', name: 'Name', px: 100, gives: [[3, 60]], takes: [[2]] },
    { key: 'value', name: 'Value', px: 80, isNumber: true },
    { key: 'bar', name: 'Bar', px: 50, gives: [[1, 20, 'short'], [2]], takes: [[1, 40]] },
  ]
  const at = (availablePx: number, chosen: Record<string, number>) =>
    layOutColumns(sized, {}, availablePx, chosen).map(({ px, form }) => form ?? px)
  expect(at(400, { name: 70 })).toEqual([70, 80, 90])
  expect(at(400, { value: 30 })).toEqual([230, 80, 90])
  expect(at(400, { value: 120, bar: 60 })).toEqual([220, 120, 60])
  expect(at(230, { name: 120, bar: 60 })).toEqual([120, 80])
  expect(at(400, { bar: 30 })).toEqual([290, 80, 'short'])
})

test('a cell has padding', () => expect(cellPx(10.2)).toBe(27))

test('a measured column fits its widest content, within its minimum and maximum', () => {
  const measured: TableColumn<number>[] = [{ key: 'n', name: 'N', room: (row) => row, edge: 4, min: 50, max: 90 }]
  const pxAfter = (rows: number[]) => layOutColumns(measured, grownBy({}, measured, rows), 0)[0]?.px
  expect([pxAfter([]), pxAfter([10]), pxAfter([40, 20]), pxAfter([200])]).toEqual([50, 50, 60, 90])
})

test('widths only grow, and stay the same object while none grows', () => {
  const measured: TableColumn<number>[] = [
    { key: 'n', name: 'N', room: (row) => row, also: { half: (row) => row / 2 } },
  ]
  const before = grownBy({}, measured, [40])
  expect(before).toEqual({ n: 40, half: 20 })
  expect(grownBy(before, measured, [30])).toBe(before)
  expect(grownBy(before, measured, [50])).toEqual({ n: 50, half: 25 })
})

test('no column is narrower than its content at any width, and all room is used', () => {
  const px = fc.integer({ min: 0, max: 900 })
  const measured = ['a', 'b', 'c'].map((key, at): TableColumn<number[]> => ({
    ...{ key, name: key, room: (row) => row[at] ?? 0 },
    ...(at === 1 ? { gives: [[1]] } : {}),
    ...(at === 0 ? { takes: [[1]] } : {}),
  }))
  fc.assert(
    fc.property(px, fc.array(fc.tuple(px, px, px)), (availablePx, rows) => {
      const widths = grownBy({}, measured, rows)
      const shown = layOutColumns(measured, widths, availablePx)
      for (const { column, px: given = 0 } of shown)
        expect(given).toBeGreaterThanOrEqual((widths[column.key] ?? 0) + 16)
      expect(shown.reduce((sum, { px: given = 0 }) => sum + given, 0)).toBeGreaterThanOrEqual(availablePx)
    }),
  )
})
