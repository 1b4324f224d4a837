import { expect, test } from 'vitest'
import { indexIdPattern } from '../../../../protocol/desktop-schema'
import type { IndexInfo } from '../../../../protocol/model'
import { idShape, looksLikeId, searchCatalogue } from '../../../../renderer/format/catalogue-search'

const catalogue: IndexInfo[] = [
  { id: 'WBTC_RTI', name: 'Wrapped Bitcoin', maxResolution: 'PER_SECOND', base: 'WBTC', quote: 'USD' },
  { id: 'BRTI', name: 'CME CF Bitcoin Real Time Index', maxResolution: 'PER_200MS', base: 'BTC', quote: 'USD' },
  { id: 'BRR', name: 'CME CF Bitcoin Reference Rate', maxResolution: 'DAILY', base: 'BTC', quote: 'USD' },
  { id: 'BRRNY', maxResolution: 'DAILY', base: 'BTC', quote: 'USD' },
  { id: 'NCI', name: 'Crypto Index', maxResolution: 'PER_SECOND' },
]

function found(text: string): string[] {
  return searchCatalogue(catalogue, text).map(({ id }) => id)
}

test('no text finds everything in order', () => {
  expect(found('  ')).toEqual(['WBTC_RTI', 'BRTI', 'BRR', 'BRRNY', 'NCI'])
})

test('an exact id comes before longer ones', () => {
  expect(found('brr')).toEqual(['BRR', 'BRRNY'])
})

test('assets, names and several words are searched', () => {
  expect(found('btc')).toEqual(['BRTI', 'BRR', 'BRRNY', 'WBTC_RTI'])
  expect(found('bitcoin real')).toEqual(['BRTI'])
  expect(found('bitcoin usd ref')).toEqual(['BRR'])
})

test('what is nowhere is not found', () => {
  expect(found('doge')).toEqual([])
  expect(found('bitcoin doge')).toEqual([])
})

test('what looks like an id is judged as the main process judges it', () => {
  expect(idShape.source).toBe(indexIdPattern.source)
  expect(looksLikeId('FOO_RTI')).toBe(true)
  expect(looksLikeId('two words')).toBe(false)
  expect(looksLikeId('')).toBe(false)
})
