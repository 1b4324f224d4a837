import { expect, test } from 'vitest'
import { RowSelection } from '../../../../renderer/ui/row-selection.svelte'

const rows = ['A', 'B', 'C', 'D', 'E']

function selected(change: (selection: RowSelection) => void): string {
  const selection = new RowSelection(() => rows)
  selection.only('C')
  change(selection)
  return selection.ids.join('')
}

test('Shift selects from the row that was clicked last, in both directions', () => {
  expect(selected((selection) => selection.extend('E'))).toBe('CDE')
  const both = (selection: RowSelection) => {
    selection.extend('E')
    selection.extend('A')
  }
  expect(selected(both)).toBe('ABC')
})

test('Ctrl adds and removes rows, and Ctrl with Shift adds a range', () => {
  const change = (selection: RowSelection) => {
    selection.toggle('A')
    selection.toggle('C')
    selection.toggle('D')
    selection.extend('E', true)
  }
  expect(selected(change)).toBe('ADE')
})

test('a command on a selected row applies to all of them, on another row only to it', () => {
  const selection = new RowSelection(() => rows)
  selection.all()
  selection.toggle('B')
  expect(selection.around('D')).toEqual(['A', 'C', 'D', 'E'])
  expect(selection.around('B')).toEqual(['B'])
})
