import { expect, test } from 'vitest'
import { gapAt, placeForGap, scrollTopFor, windowOf } from '../../../../renderer/ui/row-window'

const items = Array.from({ length: 1_000 }, (_, at) => `r${at}`)
const seen = (scrollTop: number) => ({ scrollTop, height: 600, rowHeight: 30 })

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

test('a drop goes to the nearest gap, and gives the new number of the row', () => {
  expect([-50, 14, 16, 44, 10_000].map((y) => gapAt(y, 10, 30))).toEqual([0, 0, 1, 1, 10])
  expect(placeForGap(2, 0)).toBe(0)
  expect(placeForGap(2, 2)).toBe(2)
  expect(placeForGap(2, 3)).toBe(2)
  expect(placeForGap(2, 5)).toBe(4)
})
