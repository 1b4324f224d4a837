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

function offered(id: string, selected: string[] = []): string[] {
  return manyFrom([list, single], selected, id).map(({ words, ids }) => `${words}: ${ids.join(' ')}`)
}

test('an alert can be set on each index of a list or section with the chosen index and others', () => {
  expect(offered('BRTI')).toEqual(['each of Desk: BRTI ETHUSD_RTI SOLUSD_RTI BRR NCI'])
  expect(offered('SOLUSD_RTI')).toEqual([
    'each of Desk: BRTI ETHUSD_RTI SOLUSD_RTI BRR NCI',
    'each of Layer 1: ETHUSD_RTI SOLUSD_RTI',
  ])
  expect(offered('NCI').at(-1)).toBe('each of Rates: BRR NCI')
})

test('selected rows come first while the chosen index is one of them', () => {
  expect(offered('BRTI', ['BRTI', 'NCI'])[0]).toBe('each selected row: BRTI NCI')
  expect(offered('BRR', ['BRTI', 'NCI'])[0]).toBe('each of Desk: BRTI ETHUSD_RTI SOLUSD_RTI BRR NCI')
})
