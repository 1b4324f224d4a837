import { expect, test } from 'vitest'
import { columnKeys, layOutColumns, textPx } from '../../../../renderer/format/columns'

const widest = { index: 110, value: 92, change: 96, percent: 58, published: 86 }

function shown(availablePx: number): string[] {
  return [...layOutColumns(availablePx, widest, false).widths.keys()]
}

test('a wide table shows every column and the name takes the rest', () => {
  const { widths, hasShortFlags } = layOutColumns(1084, widest, false)
  expect([...widths.keys()]).toEqual([...columnKeys])
  expect(hasShortFlags).toBe(false)
  expect([...widths.values()].reduce((sum, width) => sum + width, 0)).toBe(1084)
})

test('the name shrinks before a column hides', () => {
  expect(shown(1000)).toEqual([...columnKeys])
})

test('columns hide by weight; index, value, percentage and flags never do', () => {
  expect(shown(850)).not.toContain('trend')
  expect(shown(700)).not.toContain('change')
  expect(shown(100)).toEqual(['index', 'value', 'percent', 'flags'])
})

test('narrow flags are icons', () => {
  expect(layOutColumns(450, widest, false).hasShortFlags).toBe(true)
})

test('a number never gets less room than it needs, however narrow the table', () => {
  const wide = { ...widest, value: textPx('0.000000000000000000013504') }
  for (const availablePx of [2000, 1084, 704, 300]) {
    expect(layOutColumns(availablePx, wide, false).widths.get('value')).toBeGreaterThanOrEqual(wide.value + 16)
  }
})

test('the word cached gets room beside the value', () => {
  const width = (hasCached: boolean) => layOutColumns(1084, widest, hasCached).widths.get('value') ?? 0
  expect(width(true)).toBeGreaterThan(width(false))
})

test('chosen columns stand in their order, the index first and the menu last', () => {
  const { widths } = layOutColumns(2000, widest, false, ['flags', 'resolution', 'value'])
  expect([...widths.keys()]).toEqual(['index', 'flags', 'resolution', 'value', 'menu'])
  expect([...widths.values()].reduce((sum, width) => sum + width, 0)).toBe(2000)
})

test('columns that were not chosen do not come back when room runs out', () => {
  expect([...layOutColumns(50, widest, false, ['value', 'age']).widths.keys()]).toEqual(['index', 'value'])
})

test('marks are narrower than digits, capitals wider', () => {
  expect(textPx('1,1')).toBeLessThan(textPx('111'))
  expect(textPx('USD')).toBeGreaterThan(textPx('111'))
})
