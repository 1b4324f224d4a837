import { expect, test } from 'vitest'
import { shapeOf, type ToolData } from '../../../protocol/service-tools'

test('similar records are a table with cells as sent, and single values are facts', () => {
  const rows: ToolData[] = [
    { id: 'A', value: '1.10' },
    { id: 'B', error: 'none', value: null },
  ]
  expect(shapeOf({ name: 'X', tags: ['a', 'b'], about: { sector: 'S' }, rows })).toEqual({
    facts: [
      { name: 'name', text: 'X' },
      { name: 'tags', text: 'a, b' },
      { name: 'about sector', text: 'S' },
    ],
    tables: [
      {
        name: 'rows',
        table: {
          columns: ['id', 'value', 'error'],
          rows: [
            ['A', '1.10', undefined],
            ['B', undefined, 'none'],
          ],
        },
      },
    ],
    rest: [],
  })
})

test('other nesting is a tree, including a table with too many columns', () => {
  const wide = [Object.fromEntries(Array.from({ length: 41 }, (_, at) => [`c${at}`, at]))]
  expect(shapeOf({ wide, deep: { a: { b: 1 } } }).rest.map(({ name }) => name)).toEqual(['wide', 'deep'])
})
