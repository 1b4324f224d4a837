import { expect, test } from 'vitest'
import { catalogue, findIndex } from '../../../simulator/catalogue'
import { conditionsAt, hasConditions } from '../../../simulator/conditions'
import { Publications } from '../../../simulator/publications'

const nowMs = Date.UTC(2026, 8, 15, 18, 30)
const publications = new Publications(1)

test('the bid is never above the value and the ask never below, to the last digit, close by and with a mid price', () => {
  for (const index of catalogue.filter(hasConditions)) {
    for (const published of publications.history(index, nowMs, 'PER_SECOND').slice(-300)) {
      const conditions = conditionsAt(1, index, published)
      const [bid, value, ask, mid] = [
        conditions.valueBid,
        published.value,
        conditions.valueAsk,
        conditions.midPrice,
      ].map(Number)
      if (bid === undefined || value === undefined || ask === undefined || mid === undefined) throw new Error('short')
      expect(bid).toBeLessThanOrEqual(value)
      expect(ask).toBeGreaterThanOrEqual(value)
      expect(mid).toBeCloseTo((bid + ask) / 2, index.decimals)
      expect((ask - bid) / value).toBeLessThan(index.decimals === 10 ? 0.003 : 0.0035)
      expect(conditions.utilizedDepth).toMatch(/^\d+\.\d$/)
    }
  }
})

test('only real-time indices of one asset have conditions', () => {
  const offered = (id: string) => {
    const index = findIndex(id)
    return index !== undefined && hasConditions(index)
  }
  expect(['BRTI', 'SHIBUSD_RTI', 'TSLAXUSD_RTI'].map(offered)).toEqual([true, true, true])
  expect(['BRR', 'NCI', 'UC5_RTI_TR', 'BVX', 'NQBTC', 'ETH_SRR'].map(offered)).toEqual(Array(6).fill(false))
})
