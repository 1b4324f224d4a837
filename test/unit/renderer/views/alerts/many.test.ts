import { expect, test } from 'vitest'
import type { Watchlist } from '../../../../../core/model'
import { manyFrom } from '../../../../../renderer/views/alerts/dialog/many'

const entry = (id: string) => ({ id, maxResolution: 'PER_SECOND' as const })
const list: Watchlist = {
  id: 'l1',
  name: 'Desk',
  entries: ['BRTI', 'ETHUSD_RTI', 'SOLUSD_RTI', 'BRR', 'NCI'].map(entry),
  sections: [
    { id: 's1', name: 'Layer 1', at: 1 },
    { id: 's2', name: 'Rates', at: 3 },
  ],
}
const single: Watchlist = { id: 'l2', name: 'One', entries: [entry('BRTI')] }

test('an alert can be set on each of several selected rows, and on any of a list or a section', () => {
  const offered = manyFrom([list, single], ['BRTI', 'NCI']).map(({ words, ids }) => `${words}: ${ids.join(' ')}`)
  expect(offered).toEqual([
    'each of 2 selected rows: BRTI NCI',
    'any of Desk (5): BRTI ETHUSD_RTI SOLUSD_RTI BRR NCI',
    'any of Layer 1 (2): ETHUSD_RTI SOLUSD_RTI',
    'any of Rates (2): BRR NCI',
    'any of One (1): BRTI',
  ])
  expect(manyFrom([{ ...single, entries: [] }], ['BRTI'])).toEqual([])
})
