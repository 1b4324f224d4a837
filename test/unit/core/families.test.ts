import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { families, family, kind, type Family, type Kind } from '../../../core/families'

const familyOf: Record<string, Family> = { 'CME-CF': 'CME CF', CF: 'CF', NASDAQ: 'Nasdaq', '': 'Other' }

/** Part of a public list of indices, with what it states about each. */
const sample = readFileSync(new URL('index-catalogue-sample.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [id = '', name = '', said = '', variant = '', units = '', basket = ''] = line.split(',')
    const maxResolution = variant === 'RTI' ? 'PER_SECOND' : 'DAILY'
    return { info: { id, name, maxResolution } as const, said: familyOf[said], variant, units, basket }
  })

/** The list states no kinds, only facts that a kind must agree with. */
function allowedKinds({ variant, units, basket }: (typeof sample)[number]): Kind[] {
  if (basket !== '') return units === 'currency' ? ['stakedReturn'] : ['basket']
  if (units === 'percent') return ['stakingRate', 'interestRate']
  if (units === 'currency') return ['stakedReturn']
  if (variant === 'INTEREST_RATE') return ['interestRate']
  return variant === 'RTI' ? ['realTime'] : ['referenceRate']
}

test('families and kinds agree with the public list of indices', () => {
  expect(sample.length).toBeGreaterThanOrEqual(40)
  for (const row of sample) {
    expect([row.info.id, family(row.info)]).toEqual([row.info.id, row.said])
    expect([row.info.id, allowedKinds(row)]).toEqual([row.info.id, expect.arrayContaining([kind(row.info)])])
  }
  expect(new Set(sample.map(({ info }) => family(info)))).toEqual(new Set(families))
})

describe('each kind', () => {
  const examples: Record<Kind, { id: string; name: string }> = {
    realTime: { id: 'BRTI', name: 'CME CF Bitcoin Real Time Index' },
    referenceRate: { id: 'BRRAP', name: 'CME CF Bitcoin Reference Rate - Asia Pacific Variant' },
    basket: { id: 'CFFBCLDN_RTI_TR', name: 'CF Broad Cap Index (Free Float Market Cap Weight) - London - Spot Rate' },
    stakingRate: { id: 'APT_SRR', name: 'CF APT Staking Reward Rate Index' },
    stakedReturn: { id: 'ETHUSD_SRIC_NY', name: 'CF ETH Staked Return Index - Compounded - New York Variant' },
    volatility: { id: 'BVXS', name: 'CME CF Bitcoin Volatility Index - Settlement' },
    interestRate: { id: 'BIRC', name: 'CF Bitcoin Interest Rate Curve' },
    tokenizedEquity: { id: 'TSLAXUSD_RTI', name: 'CF Tesla xStock-Dollar Real Time Index' },
  }

  test.each(Object.entries(examples))('such as %s is recognized by id and name', (expected, { id, name }) =>
    expect(kind({ id, name, maxResolution: 'PER_SECOND' })).toBe(expected),
  )
})

test('without a name, family and kind are read from the id', () => {
  expect(family({ id: 'NQSOLS' })).toBe('Nasdaq')
  expect(family({ id: 'UC5_RTI_TR' })).toBe('CF')
  expect(family({ id: 'BRRNY' })).toBe('CME CF')
  expect(family({ id: 'ETHUSD_RTI' })).toBe('Other')
  for (const { info } of sample) {
    const named = kind(info)
    expect([info.id, kind({ id: info.id, maxResolution: info.maxResolution })]).toEqual([info.id, named])
  }
})

test('similar ids and names get different families and kinds', () => {
  expect(kind({ id: 'USDT', maxResolution: 'DAILY' })).toBe('interestRate')
  expect(kind({ id: 'USDTUSD_RTI', maxResolution: 'PER_SECOND' })).toBe('realTime')
  expect(kind({ id: 'AVAXUSD_RTI', name: 'CME CF Avalanche-Dollar Real Time Index', maxResolution: 'DAILY' })).toBe(
    'realTime',
  )
  expect(family({ id: 'CFXUSD_RTI' })).toBe('Other')
  expect(family({ id: 'X', name: 'CFO Index' })).toBe('Other')
})

test('if neither id nor name shows the kind, the resolution decides', () => {
  expect(kind({ id: 'FOO', maxResolution: 'PER_MINUTE' })).toBe('realTime')
  expect(kind({ id: 'FOO', maxResolution: 'BUSINESS_DAYS' })).toBe('referenceRate')
})
