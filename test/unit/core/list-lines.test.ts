import { expect, test } from 'vitest'
import { listChangeWords, type SharedList } from '../../../core/list-lines'

const entries = (...ids: string[]) => ids.map((id) => ({ id, maxResolution: 'PER_SECOND' as const }))
const list: SharedList = { name: 'Majors', entries: entries('BRTI', 'NCI', 'BRR') }
const section = { id: 's', name: 'Rates', at: 1 }

test.for<[SharedList, SharedList, string]>([
  [list, list, ''],
  [list, { ...list, name: 'All' }, 'renamed it to All'],
  [list, { ...list, entries: entries('BRTI', 'NCI', 'BRR', 'A', 'B') }, 'added A and B'],
  [list, { ...list, entries: entries('BRTI') }, 'removed NCI and BRR'],
  [{ ...list, entries: [] }, { ...list, entries: entries('A', 'B', 'C', 'D') }, 'added 4 rows'],
  [list, { ...list, entries: entries('NCI', 'BRTI', 'BRR', 'A') }, 'added A, moved rows'],
  [
    list,
    { ...list, entries: [{ id: 'BRTI', maxResolution: 'PER_200MS' }, ...entries('NCI', 'BRR')] },
    'changed the frequency of BRTI',
  ],
  [list, { ...list, sections: [section] }, 'added section Rates'],
  [{ ...list, sections: [section] }, { ...list, sections: [{ ...section, name: 'Fixes' }] }, 'renamed a section'],
  [{ ...list, sections: [section] }, { ...list, sections: [{ ...section, at: 2 }] }, 'moved rows'],
  [list, { ...list, columns: ['value'] }, 'changed the columns'],
  [
    list,
    { name: 'All', entries: entries('NCI'), columns: ['value'] },
    'renamed it to All, removed BRTI and BRR, changed the columns',
  ],
])('a change of a list is said in words (%#)', ([was, is, words]) => {
  expect(listChangeWords(was, is)).toBe(words)
})
