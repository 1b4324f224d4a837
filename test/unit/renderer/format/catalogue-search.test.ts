import { expect, test } from 'vitest'
import { serviceIdForm } from '../../../../core/formula-id'
import type { IndexInfo } from '../../../../core/model'
import { foundPieces, idShape, looksLikeId, searchCatalogue } from '../../../../renderer/format/catalogue-search'

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

test('an empty text finds all indices in order', () =>
  expect(found('  ')).toEqual(['WBTC_RTI', 'BRTI', 'BRR', 'BRRNY', 'NCI']))

test('an exact id comes before longer ones', () => expect(found('brr')).toEqual(['BRR', 'BRRNY']))

test('assets, names and several words are searched', () => {
  expect(found('btc')).toEqual(['BRTI', 'BRR', 'BRRNY', 'WBTC_RTI'])
  // WBTC_RTI matches by its kind, real time.
  expect(found('bitcoin real')).toEqual(['BRTI', 'WBTC_RTI'])
  expect(found('bitcoin usd ref')).toEqual(['BRR'])
})

test('a typed mean is found as a row of its own', () => {
  expect(found('MEAN(brti,60)')).toEqual(['mean(BRTI, 60)'])
  expect(found('mean(BRR, 60)')).toEqual([])
})

test('the index of a ticker or of a code comes first', () => {
  for (const text of ['.brti', 'BRTI Index', 'COINBASE:BTCUSD', 'btc-usdt']) expect(found(text)[0], text).toBe('BRTI')
  const coded = catalogue.map((info) =>
    info.id === 'NCI' ? { ...info, codes: ['NCIDX Index', 'US0378331005'] } : info,
  )
  for (const text of ['ncidx', 'NCIDX Index', 'us0378331005']) {
    expect(
      searchCatalogue(coded, text).map(({ id }) => id),
      text,
    ).toEqual(['NCI'])
  }
})

test('an index must contain every word', () => {
  expect(found('doge')).toEqual([])
  expect(found('bitcoin doge')).toEqual([])
})

test('ids are checked as in the main process', () => {
  expect(idShape.source).toBe(`^${serviceIdForm}$`)
  expect(looksLikeId('FOO_RTI')).toBe(true)
  expect(looksLikeId('two words')).toBe(false)
  expect(looksLikeId('')).toBe(false)
})

test('families and kinds are searched by their texts', () => {
  const wide: IndexInfo[] = [
    { id: 'BRTI', name: 'CME CF Bitcoin Real Time Index', maxResolution: 'PER_200MS', base: 'BTC', quote: 'USD' },
    { id: 'NQBTC', name: 'Nasdaq Bitcoin Reference Price Index', maxResolution: 'PER_SECOND', base: 'BTC' },
    { id: 'SHIBUSD_RTI', name: 'CF Shiba Inu-Dollar Spot Rate', maxResolution: 'PER_SECOND', base: 'SHIB' },
    { id: 'BRR', name: 'CME CF Bitcoin Reference Rate', maxResolution: 'DAILY', base: 'BTC', quote: 'USD' },
    { id: 'APT_SRR', name: 'CF APT Staking Reward Rate Index', maxResolution: 'DAILY' },
    { id: 'UC5_RTI_TR', name: 'CF Ultra Cap 5 - Spot Rate', maxResolution: 'PER_SECOND' },
  ]
  const ids = (text: string) => searchCatalogue(wide, text).map(({ id }) => id)
  expect(ids('nasdaq')).toEqual(['NQBTC'])
  expect(ids('cme cf')).toEqual(['BRTI', 'BRR'])
  expect(ids('daily')).toEqual(['BRR'])
  expect(ids('cme cf reference')).toEqual(['BRR'])
  expect(ids('staking reward')).toEqual(['APT_SRR'])
  expect(ids('basket')).toEqual(['UC5_RTI_TR'])
  expect(ids('real time')).toEqual(['BRTI', 'NQBTC', 'SHIBUSD_RTI'])
  expect(ids('real time shib')).toEqual(['SHIBUSD_RTI'])
  expect(ids('real time basket')).toEqual([])
})

test('an exact id comes first, then starts of ids, starts of words, and other matches', () => {
  const info = (id: string, name: string): IndexInfo => ({ id, name, maxResolution: 'PER_SECOND' })
  const mixed = [info('XLET', 'Pallet'), info('BLET', 'The Let-Alone'), info('LETTER', 'Z'), info('LET', 'Y')]
  expect(searchCatalogue(mixed, 'let').map(({ id }) => id)).toEqual(['LET', 'LETTER', 'BLET', 'XLET'])
  expect(searchCatalogue(mixed, 'alone').map(({ id }) => id)).toEqual(['BLET'])
})

test('a text is split at the matches, and the pieces add up to it', () => {
  expect(foundPieces('Bitcoin Real Time', 'bit time')).toEqual([
    { text: 'Bit', isFound: true },
    { text: 'coin Real ', isFound: false },
    { text: 'Time', isFound: true },
  ])
  expect(foundPieces('BRRRTI', 'rr')).toEqual([
    { text: 'B', isFound: false },
    { text: 'RRR', isFound: true },
    { text: 'TI', isFound: false },
  ])
  expect(foundPieces('New York', 'or').map(({ text }) => text)).toEqual(['New Y', 'or', 'k'])
  expect(foundPieces('York Rate', 'r').map(({ text }) => text)).toEqual(['York ', 'R', 'ate'])
  expect(foundPieces('New York', 'r')).toEqual([{ text: 'New York', isFound: false }])
  expect(foundPieces('BRTI', '  ')).toEqual([{ text: 'BRTI', isFound: false }])
  expect(foundPieces('', 'x')).toEqual([])
  expect(foundPieces('\u0130stanbul', 'ist')).toEqual([{ text: '\u0130stanbul', isFound: false }])
})
