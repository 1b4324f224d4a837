import { expect, test } from 'vitest'
import { movedWords } from '../../../../renderer/format/list-words'

test.each([
  [['A'], false, [], 'A moved to Majors'],
  [['A', 'B', 'C'], false, [], '3 rows moved to Majors'],
  [['A', 'B', 'C'], true, [], '3 rows added to Majors'],
  [['A', 'B', 'C'], false, ['B'], '3 rows moved to Majors. B was already there.'],
  [['A', 'B', 'C'], true, ['A', 'B'], 'C added to Majors. 2 were already there.'],
  [['A'], true, ['A'], 'A is already in Majors'],
  [['A', 'B'], true, ['A', 'B'], '2 rows are already in Majors'],
  [['A'], false, ['A'], 'A removed from My list: already in Majors'],
])('%j, copied: %s, there already: %j', (rowIds, isCopy, present, words) => {
  expect(movedWords({ rowIds, from: 'My list', to: 'Majors', isCopy, present })).toBe(words)
})
