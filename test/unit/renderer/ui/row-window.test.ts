import { expect, test } from 'vitest'
import { scrollTopFor, topOf, windowOf } from '../../../../renderer/ui/row-window'

const items = Array.from({ length: 1_000 }, (_, at) => `r${at}`)
const seen = (scrollTop: number) => ({ scrollTop, height: 600, rowHeight: 30, dividers: [] })

/** Rows in the page and those left out add up to the list, in order. */
function expectWhole(scrollTop: number, kept?: string): string[] {
  const { rows, skippedAfter } = windowOf(items, kept, seen(scrollTop))
  const skipped = rows.reduce((sum, each) => sum + each.skipped, 0)
  expect(skipped + rows.length + skippedAfter).toBe(items.length)
  for (const { item, at } of rows) expect(items[at]).toBe(item)
  return rows.map(({ item }) => item)
}

test('the visible rows and few others are in the page', () => {
  for (const scrollTop of [0, 15, 3_000, 29_400]) {
    const rows = expectWhole(scrollTop)
    const first = Math.floor(scrollTop / 30)
    for (let at = first; at < first + 20; at++) expect(rows).toContain(`r${at}`)
    expect(rows.length).toBeLessThanOrEqual(34)
  }
})

test('the selected row stays in the page above and below the visible ones', () => {
  expect(expectWhole(15_000, 'r3')[0]).toBe('r3')
  expect(expectWhole(15_000, 'r900').at(-1)).toBe('r900')
  expect(expectWhole(15_000, 'r505').filter((id) => id === 'r505')).toHaveLength(1)
  expect(expectWhole(15_000, 'gone')).not.toContain('gone')
})

test('a scroll position from a longer list shows the end', () => {
  const { rows, skippedAfter } = windowOf(items.slice(0, 5), undefined, seen(9_000))
  expect(rows.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4])
  expect(skippedAfter).toBe(0)
  expect(windowOf([], undefined, seen(0))).toEqual({ rows: [], skippedAfter: 0 })
})

test('scrolling goes just far enough to show a row', () => {
  expect(scrollTopFor(5, seen(0))).toBe(0)
  expect(scrollTopFor(20, seen(0))).toBe(30)
  expect(scrollTopFor(5, seen(300))).toBe(150)
})

test('dividers count with their height, above the first row, between rows and at the end', () => {
  const withDividers = (scrollTop: number) => ({ ...seen(scrollTop), dividers: [0, 10, 10, 1_000] })
  expect([0, 1, 10, 11, 1_000].map((at) => topOf(at, withDividers(0)))).toEqual([0, 58, 328, 414, 30_084])
  const { rows, skippedAfter } = windowOf(items, undefined, withDividers(3_084))
  expect([rows[6]?.item, rows[0]?.skipped]).toEqual(['r100', 94])
  expect(rows.length + skippedAfter).toBe(906)
  // Scrolling up to the first row of a section shows the section too.
  expect(scrollTopFor(10, withDividers(600))).toBe(328)
  expect(scrollTopFor(30, withDividers(0))).toBe(30 * 30 + 30 + 84 - 600)
})
