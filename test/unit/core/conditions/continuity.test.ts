import { describe, expect, test } from 'vitest'
import type { Observation } from '../../../../core/evaluation/observation'
import type { ConstituentsPublication } from '../../../../core/model'
import { catalogue } from '../../../../simulator/catalogue'
import { Publications } from '../../../../simulator/publications'
import { compositionSeen, observe, ruleOf, type Composition } from '../../../support/rule-bench'
import { knownIndex } from '../../../support/known-index'

const rule = ruleOf({ condition: 'continuity', tolerancePercent: '0.5' })

/** Two constituents of equal weight, with the given prices and value. */
function calculation(
  at: number,
  value: string,
  [btc, eth]: [string, string],
  more: Partial<ConstituentsPublication> = {},
) {
  const composition: Composition = { BTC: { value: btc, weight: '50' }, ETH: { value: eth, weight: '50' } }
  return compositionSeen(at, composition, { value, divisor: '1000', ...more })
}

describe('a value', () => {
  test('that moves with its constituents does not fire', () => {
    const { fired, verdicts } = observe(rule, [
      calculation(0, '100', ['10', '20']),
      calculation(1, '110', ['11', '22']),
    ])
    expect(fired).toEqual([])
    expect(verdicts.map(({ measure }) => measure)).toEqual([undefined, '0'])
    expect(verdicts[0]?.words).toBe('Waiting for a second calculation to compare with.')
  })

  test('that moves without them fires once with the difference in percent', () => {
    const seen = [
      calculation(0, '100', ['10', '20']),
      calculation(1, '105', ['11', '20']),
      calculation(2, '104', ['11', '20']),
    ]
    const { fired, verdicts } = observe(rule, seen)
    expect(verdicts[1]?.measure).toBe('0')
    expect(fired.map(({ at, inputs }) => [at, inputs.value])).toEqual([[2, '-0.95']])
  })

  test('may differ by as much as the tolerance', () => {
    const off = (value: string) =>
      observe(rule, [calculation(0, '100', ['10', '20']), calculation(1, value, ['10', '20'])]).fired.length
    expect([off('100.5'), off('100.500000001'), off('99.5'), off('99.4999999')]).toEqual([0, 1, 0, 1])
  })

  test('that fits the calculation before arms the rule again', () => {
    const prices: [string, string] = ['10', '20']
    const values = ['100', '102', '102', '104', '106']
    const { fired } = observe(
      rule,
      values.map((value, at) => calculation(at, value, prices)),
    )
    expect(fired.map(({ at }) => at)).toEqual([1, 3])
  })
})

describe('nothing is compared', () => {
  const jump = (more: Partial<ConstituentsPublication>) =>
    observe(rule, [calculation(0, '100', ['10', '20'], more), calculation(1, '200', ['10', '20'], more)])

  test('without a divisor', () => {
    const composition: Composition = { BTC: { value: '10', weight: '100' } }
    const pair = (more: Partial<ConstituentsPublication>) =>
      observe(rule, [compositionSeen(0, composition, more), compositionSeen(1, composition, { value: '200', ...more })])
    expect(pair({}).fired).toEqual([])
    expect(pair({}).verdicts[1]?.words).toBe('No divisor to compare.')
    expect(pair({ divisor: '1' }).fired).toHaveLength(1)
  })

  test('without constituents, without common ones, or with a price missing or zero', () => {
    expect(jump({ constituents: [] }).fired).toEqual([])
    expect(observe(rule, [calculation(0, '100', ['0', '20']), calculation(1, '200', ['10', '20'])]).fired).toEqual([])
    expect(observe(rule, [calculation(0, '100', ['', '20']), calculation(1, '200', ['10', '20'])]).fired).toEqual([])
    const other = compositionSeen(1, { SOL: { value: '1', weight: '100' } }, { value: '200', divisor: '1' })
    expect(observe(rule, [calculation(0, '100', ['10', '20']), other]).fired).toEqual([])
  })
})

describe('on the demo service', () => {
  const publications = new Publications(1)
  const withDivisor = catalogue.filter(({ constituents }) => constituents === 'withExchanges')
  const seenOf = (index: (typeof catalogue)[number], times: readonly number[]) =>
    times.map((nowMs): Observation => {
      const published = publications.latest(index, nowMs, 'PER_SECOND')
      const { divisor, constituents } = publications.calculation(index, published)
      const parts = constituents.map((part) => ({ ...part, exchanges: [...(part.exchanges ?? [])] }))
      const publication = { value: published.value, publishedAtMs: published.time, constituents: parts }
      return { kind: 'constituents', publication: { ...publication, ...(divisor !== undefined && { divisor }) } }
    })

  const startMs = Date.UTC(2026, 4, 15, 17, 30)
  const minutes = Array.from({ length: 60 }, (_, at) => startMs + at * 60_000)
  const days = Array.from({ length: 60 }, (_, at) => startMs + at * 86_400_000)
  const within = (tolerancePercent: string, seen: Observation[]) =>
    observe(ruleOf({ condition: 'continuity', tolerancePercent }), seen).fired.map(({ inputs }) => inputs.value)

  test('every index with a divisor fits its constituents over minutes, days and rebalances', () => {
    expect(withDivisor.length).toBeGreaterThan(2)
    for (const index of withDivisor) {
      expect([index.id, within('0.01', seenOf(index, minutes))]).toEqual([index.id, []])
      expect([index.id, within('0.1', seenOf(index, days))]).toEqual([index.id, []])
    }
  })

  test('a single wrong value is found', () => {
    const seen = seenOf(knownIndex('NCI'), minutes)
    const divisors = seen.map((each) => (each.kind === 'constituents' ? each.publication.divisor : ''))
    expect(new Set(divisors).size).toBe(2)
    const odd = seen.map((each, at): Observation => {
      if (each.kind !== 'constituents' || at !== 20) return each
      const value = (Number(each.publication.value) * 1.01).toFixed(2)
      return { ...each, publication: { ...each.publication, value } }
    })
    expect(within('0.5', odd)).toHaveLength(1)
    expect(within('1.5', odd)).toHaveLength(0)
  })
})
