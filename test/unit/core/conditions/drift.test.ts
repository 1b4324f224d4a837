import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { phaseOf, stateSchema } from '../../../../core/evaluation/state'
import type { AlertDraft, TermsWith } from '../../../../core/alerts'
import { compositionSeen, observe, ruleOf, type BenchOptions, type Composition } from '../../../support/rule-bench'

function drift(more: Partial<TermsWith<'points'>> = {}, draft: Partial<AlertDraft> = {}) {
  return ruleOf({ condition: 'weightDrift', points: '5', base: 'made', ...more }, draft)
}
const seenOf = (compositions: readonly Composition[]) =>
  compositions.map((composition, at) => compositionSeen(at, composition))
const fires = (rule: ReturnType<typeof drift>, compositions: readonly Composition[], options: BenchOptions = {}) =>
  observe(rule, seenOf(compositions), options).fired.map(({ at, inputs }) => `${at} ${inputs.constituent ?? ''}`)
const btc = (...weights: string[]): Composition[] => weights.map((weight) => ({ BTC: weight }))

/** `BTC 50 ETH 30`: constituents with their weights. */
const mixes = (...texts: string[]): Composition[] =>
  texts.map((text) =>
    Object.fromEntries([...text.matchAll(/(\S+) (\S+)/g)].map(([, name = '', weight = '']) => [name, weight])),
  )

describe('a drift from the weights the rule began with', () => {
  test('fires at that many points up or down, and again after it has come back', () =>
    expect(fires(drift(), btc('50', '54.99', '55', '60', '52', '45', '50', '40'))).toEqual(['2 BTC', '5 BTC', '7 BTC']))

  test('reports the weight it began from and the distance', () => {
    const { fired, verdicts } = observe(drift(), seenOf(btc('50', '44.9')))
    expect(fired[0]?.inputs).toMatchObject({ value: '44.9', before: '50', constituent: 'BTC' })
    expect(verdicts[1]?.measure).toBe('-5.1')
    expect(verdicts[0]?.words).toBe('These weights are the baseline: armed.')
  })

  test('is measured for one constituent or for any', () => {
    const compositions = mixes('BTC 50 ETH 50', 'BTC 50 ETH 56')
    expect(fires(drift({ constituent: 'BTC' }), compositions)).toEqual([])
    expect(fires(drift({ constituent: 'ETH' }), compositions)).toEqual(['1 ETH'])
    expect(fires(drift(), compositions)).toEqual(['1 ETH'])
  })

  test('fires for a second constituent while the first is still away', () => {
    const compositions = mixes('BTC 50 ETH 30', 'BTC 56 ETH 30', 'BTC 56 ETH 36', 'BTC 57 ETH 37')
    expect(fires(drift(), compositions)).toEqual(['1 BTC', '2 ETH'])
    expect(fires(drift(), mixes('BTC 50 ETH 50', 'BTC 60 ETH 40'))).toEqual(['1 BTC', '1 ETH'])
  })

  test('keeps its baseline when constituents are added or removed', () => {
    expect(fires(drift(), mixes('BTC 50 ETH 50', 'BTC 52 SOL 48', 'BTC 56 SOL 44'))).toEqual(['2 BTC'])
    expect(fires(drift(), mixes('BTC 50', 'SOL 90'))).toEqual([])
  })

  test('can require a hold', () => {
    const held = drift({}, { holdMs: 2_000 })
    const { fired, state } = observe(held, seenOf(btc('50', '56', '56')))
    expect([fired.length, phaseOf(state)]).toEqual([0, 'holding'])
    expect(fires(held, btc('50', '56', '56', '56', '56'))).toEqual(['3 BTC'])
  })

  test('is remembered after a restart', () => {
    const { state } = observe(drift(), seenOf(btc('50', '56')))
    const kept = v.parse(stateSchema, JSON.parse(JSON.stringify(state)))
    expect(kept).toEqual(state)
    expect(fires(drift(), btc('57', '50', '56'), { state: kept })).toEqual(['2 BTC'])
    expect(fires(drift(), btc('57', '50', '56'))).toEqual(['1 BTC'])
  })

  test('keeps the same state object while nothing changes', () => {
    const { verdicts } = observe(drift(), seenOf(btc('50', '51', '56', '57')))
    const states = verdicts.map(({ state }) => state)
    expect(states.map((state, at) => at > 0 && state === states[at - 1])).toEqual([false, true, false, true])
  })
})

describe('a drift from the weights of the last rebalance', () => {
  const rule = drift({ base: 'rebalance' })

  test('begins again when the constituents change', () => {
    const compositions = mixes('BTC 50 ETH 50', 'BTC 60 SOL 40', 'BTC 64 SOL 36', 'BTC 65 SOL 36')
    expect(fires(rule, compositions)).toEqual(['3 BTC'])
    expect(fires(drift(), compositions)).toEqual(['1 BTC'])
  })

  test('begins again when the number of the divisor changes', () => {
    const seen = [
      compositionSeen(0, { BTC: '50' }, { divisor: '10' }),
      compositionSeen(1, { BTC: '56' }, { divisor: '10.0' }),
      compositionSeen(2, { BTC: '58' }, { divisor: '11' }),
      compositionSeen(3, { BTC: '62' }, { divisor: '11' }),
      compositionSeen(4, { BTC: '63' }, { divisor: '11' }),
    ]
    expect(observe(rule, seen).fired.map(({ at }) => at)).toEqual([1, 4])
  })
})
