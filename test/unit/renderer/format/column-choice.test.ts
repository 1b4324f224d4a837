import { expect, test } from 'vitest'
import { listColumns } from '../../../../protocol/model'
import { allInOrder, movedColumn, storedColumns, usualColumns } from '../../../../renderer/format/column-choice'

test('the usual columns are all but the resolution', () => {
  expect([...usualColumns, 'resolution'].toSorted()).toEqual([...listColumns].toSorted())
})

test('hidden columns stand behind those they usually follow', () => {
  expect(allInOrder(usualColumns)).toEqual([...listColumns])
  expect(allInOrder(['age', 'value'])).toEqual([
    'name',
    'age',
    'resolution',
    'flags',
    'value',
    'change',
    'percent',
    'trend',
    'published',
  ])
})

test('a column moves one place, and not beyond an end', () => {
  const order = ['name', 'value', 'age'] as const
  expect(movedColumn(order, 'value', -1)).toEqual(['value', 'name', 'age'])
  expect(movedColumn(order, 'value', 1)).toEqual(['name', 'age', 'value'])
  expect(movedColumn(order, 'name', -1)).toEqual([...order])
  expect(movedColumn(order, 'age', 1)).toEqual([...order])
})

test('only a choice of the user is stored', () => {
  expect(storedColumns([...usualColumns])).toBeNull()
  expect(storedColumns(['value'])).toEqual(['value'])
  expect(storedColumns(usualColumns.toReversed())).toEqual(usualColumns.toReversed())
})
