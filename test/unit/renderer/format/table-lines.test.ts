import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineWindow, tableLines } from '../../../../renderer/format/table-lines'

test('the exchanges of a row that is unfolded come after it', () => {
  const exchanges = ['Coinbase', 'Kraken'].map((exchange) => ({ exchange, weightPercent: '50' }))
  const rows = ['BTC', 'ETH'].map((key) => ({
    key,
    constituent: { constituent: key, value: '1', weightPercent: '50', exchanges },
    bar: 1,
  }))
  const keysOf = (unfolded: string) =>
    tableLines(rows, (key) => key === unfolded).map(({ row, exchangeAt }) => `${row.key} ${exchangeAt ?? ''}`.trim())
  expect(keysOf('BTC')).toEqual(['BTC', 'BTC 0', 'BTC 1', 'ETH'])
  expect(keysOf('')).toEqual(['BTC', 'ETH'])
})

test('a short table is drawn whole, a long one in part', () => {
  const place = { topPx: 300, visiblePx: 800, linePx: 30 }
  expect(lineWindow(60, place)).toEqual({ from: 0, to: 60 })
  expect(lineWindow(500, place).to).toBeLessThan(60)
})

test('every line on screen is drawn, wherever the table is scrolled to, and never many more', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 61, max: 5_000 }),
      fc.integer({ min: -200_000, max: 2_000 }),
      fc.integer({ min: 100, max: 2_000 }),
      fc.constantFrom(30, 38),
      (count, topPx, visiblePx, linePx) => {
        const { from, to } = lineWindow(count, { topPx, visiblePx, linePx })
        expect(to - from).toBeLessThanOrEqual(visiblePx / linePx + 26)
        for (let line = 0; line < count; line++) {
          const isOnScreen = topPx + (line + 1) * linePx > 0 && topPx + line * linePx < visiblePx
          if (isOnScreen) expect(line >= from && line < to).toBe(true)
        }
      },
    ),
    { numRuns: 50 },
  )
})
