import { expect, test } from 'vitest'
import { cellPx, layOutColumns, type ColumnPlan } from '../../../../renderer/ui/column-layout'

type Key = 'name' | 'value' | 'bar' | 'note'
const plan: ColumnPlan<Key> = {
  columns: [
    ['name', 100],
    ['value', 80],
    ['bar', 50],
    ['note', 70],
  ],
  givesWay: [{ key: 'bar', toPx: 20 }, { key: 'note' }, { key: 'name', toPx: 60 }],
  takesRest: [{ key: 'bar', maxPx: 90 }, { key: 'name' }],
}

function laidOut(availablePx: number): Record<string, number> {
  return Object.fromEntries(layOutColumns(plan, availablePx))
}

test('what fits is as wide as it would like to be', () => {
  expect(laidOut(300)).toEqual({ name: 100, value: 80, bar: 50, note: 70 })
})

test('what is left over is taken in turn, up to what each may be', () => {
  expect(laidOut(320)).toEqual({ name: 100, value: 80, bar: 70, note: 70 })
  expect(laidOut(400)).toEqual({ name: 160, value: 80, bar: 90, note: 70 })
})

test('columns give way in turn, and no further than needed', () => {
  expect(laidOut(299)).toEqual({ name: 100, value: 80, bar: 49, note: 70 })
  expect(laidOut(260)).toEqual({ name: 100, value: 80, bar: 80 })
  expect(laidOut(199)).toEqual({ name: 60, value: 80, bar: 59 })
})

test('a table that is too narrow for what never gives way is wider than its room', () => {
  expect(laidOut(10)).toEqual({ name: 60, value: 80, bar: 20 })
})

test('a cell has room beside its text', () => {
  expect(cellPx(10.2)).toBe(27)
})
