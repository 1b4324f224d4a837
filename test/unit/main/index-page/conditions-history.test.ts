import { expect, test } from 'vitest'
import { ConditionsHistory } from '../../../../main/index-page/conditions-history'
import type { MarketConditions } from '../../../../core/model'

const atMs = Date.UTC(2023, 10, 1, 12)
const at = (seconds: number, more: Partial<MarketConditions>): MarketConditions => ({
  value: '100',
  publishedAtMs: atMs + seconds * 1_000,
  ...more,
})
const sides = { valueBid: '99.95', valueAsk: '100.05' }

test('has the exact spread and the published depth, if there are any', () => {
  const history = new ConditionsHistory()
  const received = [at(0, { ...sides, utilizedDepth: '3.10e2' }), at(60, sides), at(120, { utilizedDepth: '5' })]
  expect(history.add(received)).toEqual(received)
  expect(history.points).toEqual([
    { publishedAtMs: atMs, spreadBps: '10.00', utilizedDepth: '3.10e2' },
    { publishedAtMs: atMs + 60_000, spreadBps: '10.00' },
    { publishedAtMs: atMs + 120_000, utilizedDepth: '5' },
  ])
})

test('leaves out what says neither, as where bid and ask are crossed', () => {
  const history = new ConditionsHistory()
  expect(history.add([at(0, { midPrice: '1' }), at(60, { valueBid: '2', valueAsk: '1' })])).toEqual([])
  expect(history.points).toEqual([])
})

test('of a minute the first stays in any order of arrival, and in the place of it its amendment', () => {
  const history = new ConditionsHistory()
  const depths = () => history.points.map(({ utilizedDepth }) => utilizedDepth)
  history.add([at(20, { utilizedDepth: '2' })])
  expect(history.add([at(30, { utilizedDepth: '3' })])).toEqual([])
  expect(depths()).toEqual(['2'])
  expect(history.add([at(10, { utilizedDepth: '1' })])).toHaveLength(1)
  expect(depths()).toEqual(['1'])
  expect(history.add([at(10, { utilizedDepth: '1.5', amendedAtMs: atMs + 90_000 })])).toHaveLength(1)
  history.add([at(10, { utilizedDepth: '1' })])
  expect(depths()).toEqual(['1.5'])
})
