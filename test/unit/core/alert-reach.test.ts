import { describe, expect, test } from 'vitest'
import { checkDraft } from '../../../core/alert-checks'
import { reachOf, type Offered } from '../../../core/alert-reach'
import type { AlertDraft, AlertTerms } from '../../../core/alerts'
import type { Constituent, MarketConditions } from '../../../core/model'
import { levelDraft } from '../../support/sample-alerts'

const nowMs = Date.UTC(2026, 10, 21, 12)
const part = (constituent: string, exchanges?: string[]): Constituent => ({
  constituent,
  value: '1',
  weightPercent: '50',
  ...(exchanges && { exchanges: exchanges.map((exchange) => ({ exchange, weightPercent: '50' })) }),
})
const constituents = [part('BTC', ['Kraken', 'LMAX Digital']), part('ETH')]
const weightOf = (constituent: string): AlertTerms => ({
  condition: 'weightAtOrAbove',
  constituent,
  weightPercent: '60',
})
const shareOf = (exchange: string, constituent = 'BTC'): AlertTerms => {
  return { condition: 'exchangeShareAtOrBelow', constituent, exchange, sharePercent: '10' }
}
const draft = (terms: AlertTerms, indexId = 'NCI'): AlertDraft => ({ ...levelDraft('1', { indexId }), terms })
const known: Offered = { isKnown: true, constituents }
const level = levelDraft('1').terms
const spread: AlertTerms = { condition: 'spreadAtOrAbove', spreadBps: '10' }
const thin: AlertTerms = { condition: 'depthAtOrBelow', depth: '50' }
const withoutAsk: MarketConditions = { value: '1', publishedAtMs: nowMs, valueBid: '1' }
const conditions: MarketConditions = { ...withoutAsk, valueAsk: '1', utilizedDepth: '300' }

describe('a rule', () => {
  test.each<[string, AlertTerms, Offered]>([
    ['for a value of a listed index', level, { isKnown: true }],
    ['for a constituent of the index', weightOf('BTC'), known],
    ['for an exchange of the constituent', shareOf('Kraken'), known],
    ['for any constituent', { condition: 'weightDrift', points: '2', base: 'made' }, { isKnown: true }],
    ['for a published spread', spread, { isKnown: true, conditions }],
    ['for a published depth', thin, { isKnown: true, conditions }],
  ])('%s can fire', (_, terms, offered) => expect(reachOf(draft(terms), offered)).toBe('possible'))

  test.each<[string, AlertTerms, Offered]>([
    ['whose index has not been listed yet', level, {}],
    ['whose constituents are not known yet', weightOf('BTCC'), { isKnown: true }],
    ['whose market conditions are not known yet', spread, { isKnown: true }],
  ])('%s has an unknown reach', (_, terms, offered) => expect(reachOf(draft(terms), offered)).toBe('unknown'))

  const bitcoin = { id: 'BRTI', name: 'CME CF Bitcoin Real Time Index', base: 'BTC', quote: 'USD' } as const
  test.each<[string, AlertTerms, Offered, string]>([
    ['an index that is not listed', level, { isKnown: false }, 'the provider does not list NCI for this key'],
    ['an index that is refused', level, { ...known, refusal: 'No access.' }, 'the provider refuses NCI: No access'],
    ['a missing constituent', weightOf('BTCC'), known, 'no BTCC in NCI'],
    ['a missing exchange', shareOf('Krakn'), known, 'no Krakn in BTC of NCI'],
    ['an exchange of a constituent without any', shareOf('Kraken', 'ETH'), known, 'no Kraken in ETH of NCI'],
    ['market conditions that are refused', spread, { isKnown: true, conditions: null }, 'NCI has no market conditions'],
    ['a spread without an ask', spread, { isKnown: true, conditions: withoutAsk }, 'NCI has no bid and ask'],
    ['a depth that is not published', thin, { isKnown: true, conditions: withoutAsk }, 'NCI has no depth'],
    [
      'a constituent of an index without any',
      weightOf('BTC'),
      { isKnown: true, index: { ...bitcoin, maxResolution: 'PER_SECOND' } },
      'BRTI has no constituents',
    ],
  ])('that waits for %s cannot fire', (_, terms, offered, cannotFire) =>
    expect(reachOf(draft(terms), offered)).toEqual({ cannotFire }),
  )
})

describe('a draft is refused with a suggestion for its', () => {
  test.each<[string, AlertDraft, Offered, string, string]>([
    ['constituent', draft(weightOf('BTCC')), known, 'constituent', 'No BTCC in NCI. Did you mean BTC?'],
    [
      'constituent without a similar name',
      draft(weightOf('SHIB')),
      known,
      'constituent',
      'No SHIB in NCI. Choose one that it has, such as BTC.',
    ],
    ['exchange', draft(shareOf('Krakn')), known, 'exchange', 'No Krakn in BTC of NCI. Did you mean Kraken?'],
    [
      'exchange of a constituent without any',
      draft(shareOf('Kraken', 'ETH')),
      known,
      'exchange',
      'No Kraken in ETH of NCI. It lists none. Choose another condition.',
    ],
    [
      'index',
      levelDraft('1', { indexId: 'BTRI' }),
      { isKnown: false, listedIds: ['NCI', 'BRTI'] },
      'indexId',
      'The provider does not list BTRI for this key. Did you mean BRTI?',
    ],
    [
      'index that is refused',
      levelDraft('1', { indexId: 'NCI' }),
      { isKnown: true, refusal: 'Not entitled.' },
      'indexId',
      'The provider refuses NCI: Not entitled. Choose another index.',
    ],
  ])('%s', (_, tried, offered, field, message) =>
    expect(checkDraft(tried, { nowMs, ...offered })).toEqual([{ field, message }]),
  )

  test('constituent only if those of the index are known', () => {
    expect(checkDraft(draft(weightOf('BTCC')), { nowMs })).toEqual([])
    expect(checkDraft(draft(weightOf('BTC')), { nowMs, ...known })).toEqual([])
  })

  test('empty constituent only once', () =>
    expect(checkDraft(draft(weightOf('')), { nowMs, ...known })).toHaveLength(1))
})

describe('hours that do not come before the rule expires', () => {
  // A Saturday.
  const hours = { days: ['mon' as const], from: '08:00', to: '16:00', timeZone: 'UTC' }
  const untilMs = (atMs: number): AlertDraft => ({ ...levelDraft('1'), hours, expiresAt: { atMs, timeZone: 'UTC' } })
  const mondayMs = Date.UTC(2026, 10, 23, 8)

  test('are refused at the expiry', () => {
    const message = 'The alert expires before its hours begin, so it can never fire. Choose a later time, or none.'
    expect(checkDraft(untilMs(mondayMs), { nowMs })).toEqual([{ field: 'expiresAt', message }])
  })

  test('are distinguished from hours that begin before it or are in effect now', () => {
    expect(checkDraft(untilMs(mondayMs + 1), { nowMs })).toEqual([])
    expect(checkDraft(untilMs(mondayMs + 60_000), { nowMs: mondayMs })).toEqual([])
  })
})
