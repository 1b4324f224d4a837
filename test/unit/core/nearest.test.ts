import { expect, test } from 'vitest'
import { nearestName } from '../../../core/nearest'

const names = ['BTC', 'ETH', 'DOGE', 'Kraken', 'LMAX Digital', 'BRTI', 'ETHUSD_RTI']

test.each([
  ['BTCC', 'BTC'],
  ['btc', 'BTC'],
  ['TBC', 'BTC'],
  ['EHT', 'ETH'],
  ['Krakn', 'Kraken'],
  ['lmax digitla', 'LMAX Digital'],
  ['BTRI', 'BRTI'],
  ['ETHUSDRTI', 'ETHUSD_RTI'],
])('%s most likely means %s', (typed, name) => expect(nearestName(typed, names)).toBe(name))

test.each(['SOL', 'B', '', 'Coinbase', 'BTCUSD_RTI'])('no name is near “%s”', (typed) =>
  expect(nearestName(typed, names)).toBeUndefined(),
)

test('the nearest of several names is chosen', () => {
  expect(nearestName('BRRNZ', ['BRRN', 'BRRNY', 'BRR'])).toBe('BRRN')
  expect(nearestName('brrny', ['BRRN', 'BRRNY'])).toBe('BRRNY')
})
