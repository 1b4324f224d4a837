import { expect, test } from 'vitest'
import type { IndexInfo } from '../../../../../core/model'
import { facetOptions, filterCatalogue, isFiltered } from '../../../../../renderer/views/indices/catalogue-filter'

const catalogue: IndexInfo[] = [
  { id: 'BRTI', name: 'CME CF Bitcoin Real Time Index', base: 'BTC', quote: 'USD', maxResolution: 'PER_200MS' },
  { id: 'BRR', name: 'CME CF Bitcoin Reference Rate', base: 'BTC', quote: 'USD', maxResolution: 'DAILY' },
  { id: 'NCI', name: 'Nasdaq Crypto Index', quote: 'USD', maxResolution: 'PER_SECOND' },
  { id: 'ETH_SRR', name: 'CF ETH Staking Reward Rate Index', maxResolution: 'DAILY' },
]
const ids = (infos: IndexInfo[]) => infos.map(({ id }) => id)

test('an index must match all parts of the filter', () => {
  expect(ids(filterCatalogue(catalogue, { text: '' }))).toEqual(['BRTI', 'BRR', 'NCI', 'ETH_SRR'])
  expect(ids(filterCatalogue(catalogue, { text: 'bitcoin', resolution: 'DAILY' }))).toEqual(['BRR'])
  expect(ids(filterCatalogue(catalogue, { text: '', family: 'Nasdaq' }))).toEqual(['NCI'])
  expect(ids(filterCatalogue(catalogue, { text: '', base: '-' }))).toEqual(['NCI', 'ETH_SRR'])
  expect(filterCatalogue(catalogue, { text: '', family: 'Nasdaq', base: 'BTC' })).toEqual([])
})

test('an option has the number of indices that match it and the rest of the filter', () => {
  expect(facetOptions(catalogue, { text: '', resolution: 'DAILY' }, 'resolution')).toEqual([
    { key: 'PER_200MS', name: 'every 200 ms', count: 1 },
    { key: 'PER_SECOND', name: 'every second', count: 1 },
    { key: 'DAILY', name: 'daily', count: 2 },
  ])
  expect(facetOptions(catalogue, { text: '', resolution: 'DAILY' }, 'base')).toEqual([
    { key: 'BTC', name: 'BTC', count: 1 },
    { key: '-', name: 'none', count: 1 },
  ])
})

test('the chosen option stays even if nothing matches it', () => {
  const options = facetOptions(catalogue, { text: 'nasdaq', base: 'BTC' }, 'base')
  expect(options).toContainEqual({ key: 'BTC', name: 'BTC', count: 0 })
})

test('a text of blanks does not filter', () => {
  expect(isFiltered({ text: '  ' })).toBe(false)
  expect(isFiltered({ text: '', quote: 'USD' })).toBe(true)
})
