import { expect, test } from 'vitest'
import { findIndex } from '../../../simulator/catalogue'
import { conditionsAt, hasConditions } from '../../../simulator/conditions'
import { spreadText } from '../../../core/spread'
import { Publications } from '../../../simulator/publications'
import { knownIndex } from '../../support/known-index'

const nowMs = Date.UTC(2026, 8, 15, 18, 30)
const publications = new Publications(1)

test('only real-time indices of one asset have conditions', () => {
  const offered = (id: string) => {
    const index = findIndex(id)
    return index !== undefined && hasConditions(index)
  }
  expect(['BRTI', 'SHIBUSD_RTI', 'TSLAXUSD_RTI'].map(offered)).toEqual([true, true, true])
  expect(['BRR', 'NCI', 'UC5_RTI_TR', 'BVX', 'NQBTC', 'ETH_SRR'].map(offered)).toEqual(Array(6).fill(false))
})

test('within an hour an alert on a wide spread or a thin depth fires', () => {
  const index = knownIndex('BRTI')
  const hour = publications.history(index, nowMs, 'PER_SECOND').map((published) => conditionsAt(1, index, published))
  const spreads = hour.map((conditions) => Number(spreadText(conditions)))
  const depths = hour.map(({ utilizedDepth }) => Number(utilizedDepth))
  const share = (some: readonly unknown[]) => some.length / hour.length
  expect(Math.max(...spreads)).toBeGreaterThan(12)
  expect(Math.min(...depths)).toBeLessThan(60)
  expect(share(spreads.filter((spread) => spread < 7))).toBeGreaterThan(0.7)
  expect(share(depths.filter((depth) => depth > 140))).toBeGreaterThan(0.7)
})
