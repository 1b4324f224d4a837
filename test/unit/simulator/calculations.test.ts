import { expect, test } from 'vitest'
import { catalogue } from '../../../simulator/catalogue'
import type { IndexDefinition } from '../../../simulator/index-definition'
import { Market } from '../../../simulator/market'
import { Publications, type PublishedValue } from '../../../simulator/publications'
import { isDeep } from '../../support/examples'
import { knownIndex } from '../../support/known-index'

const hourMs = 3_600_000
const nowMs = Date.UTC(2026, 8, 15, 18, 30)
const seed = 1
const publications = new Publications(seed)
const market = new Market(seed)
const withParts = catalogue.filter(({ constituents }) => constituents !== undefined)

/** The value calculated from published prices, units and divisor. */
function recomputed(index: IndexDefinition, published: PublishedValue): string {
  const { constituents } = publications.calculation(index, published)
  if (!('basket' in index.underlying)) return constituents[0]?.value ?? ''
  const { units, divisor } = market.composition(index.underlying.basket, published.time)
  let worth = 0
  for (const [asset, count] of units) {
    worth += count * Number(constituents.find(({ constituent }) => constituent === asset)?.value)
  }
  return (worth / divisor).toFixed(index.decimals)
}

test('a value is the sum of prices times units, divided by the divisor, to the last digit', () => {
  for (const index of withParts) {
    const rows = publications.history(index, nowMs, 'PER_SECOND').slice(isDeep ? -320 : -40)
    expect(rows.length).toBeGreaterThan(isDeep ? 300 : 30)
    const own = rows.filter(({ repeatOfPreviousValue }) => repeatOfPreviousValue !== true)
    expect(own.map((row) => recomputed(index, row))).toEqual(own.map(({ value }) => value))
  }
})

test('an amended value is the sum with amended prices', () => {
  const amended = withParts.flatMap((index) => {
    const rows = publications.history(index, nowMs, 'PER_SECOND').filter(({ amendTime }) => amendTime !== undefined)
    return rows.map((row) => ({ index, row }))
  })
  expect(amended.length).toBeGreaterThan(5)
  for (const { index, row } of amended) {
    expect(recomputed(index, row)).toBe(row.value)
    const [first] = publications.between(index, row.time - 1, row.time, 'PER_SECOND')
    if (first === undefined || !('basket' in index.underlying)) continue
    expect(publications.calculation(index, first)).not.toEqual(publications.calculation(index, row))
  }
})

test('weights follow from the prices and add up to 100 within rounding, heaviest first', () => {
  for (const index of withParts) {
    const { constituents } = publications.calculation(index, publications.latest(index, nowMs, 'PER_SECOND'))
    const weights = constituents.map(({ weightPercent }) => Number(weightPercent))
    expect(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 100)).toBeLessThanOrEqual(
      0.005 * weights.length + 1e-9,
    )
    expect(weights.toSorted((a, b) => b - a)).toEqual(weights)
    for (const { weightPercent } of constituents) expect(weightPercent).toMatch(/^\d{1,3}\.\d\d$/)
  }
})

test('a price has an exponent if it needs one', () => {
  const broad = knownIndex('CFFBCLDN_RTI_TR')
  const { constituents } = publications.calculation(broad, publications.latest(broad, nowMs, 'PER_SECOND'))
  expect(constituents.find(({ constituent }) => constituent === 'SHIB')?.value).toMatch(/^[1-9](\.\d+)?e-[56]$/)
})

test('an index without that channel has no constituents', () =>
  expect(publications.calculation(knownIndex('BRTI'), { time: nowMs, value: '1.00' })).toEqual({ constituents: [] }))

test('minutes thin a real-time index and leave a daily one unchanged', () => {
  const minutes = publications.minutes(knownIndex('BRTI'), nowMs)
  expect([minutes.length, minutes.at(-1)?.time, minutes[0]?.time]).toEqual([60, nowMs, nowMs - hourMs + 60_000])
  expect(publications.minutes(knownIndex('BRR'), nowMs)).toEqual(
    publications.history(knownIndex('BRR'), nowMs, 'PER_SECOND'),
  )
  expect(publications.minutes(knownIndex('NCI'), nowMs, 24 * hourMs)).toHaveLength(1_440)
})
