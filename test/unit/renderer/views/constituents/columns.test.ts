import fc from 'fast-check'
import { expect, test } from 'vitest'
import { layOutConstituents } from '../../../../../renderer/views/constituents/columns'

const widest = { constituent: 30, value: 75, change: 60, points: 40, drift: 50, weight: 45 }
const heads = { constituent: 60, value: 30, change: 86, points: 60, drift: 46, weight: 64 }
const total = (widths: ReadonlyMap<string, number>) => [...widths.values()].reduce((sum, width) => sum + width, 0)

test('the columns fill the panel, and the bar has its room beside the weight', () => {
  const { widths, hasBars } = layOutConstituents(545, widest, heads)
  expect(hasBars).toBe(true)
  expect([...widths.keys()]).toEqual(['constituent', 'value', 'change', 'points', 'weight'])
  expect(total(widths)).toBe(545)
  expect(widths.get('weight')).toBeGreaterThan(widest.weight + 40)
})

test('a bar too short to be read is left out', () => {
  expect(layOutConstituents(480, widest, heads).hasBars).toBe(true)
  expect(layOutConstituents(404, { ...widest, weight: 140, value: 150 }, heads).hasBars).toBe(false)
})

test('the change gives way before a number is cut', () => {
  const { widths } = layOutConstituents(400, { ...widest, value: 190 }, heads)
  expect(widths.has('change')).toBe(false)
  expect(widths.get('value')).toBeGreaterThan(190)
  expect(total(widths)).toBe(400)
})

test('beside a base first the bars give way, then the points, the change and the drift, never the value and the weight', () => {
  const columnsAt = (px: number) => [...layOutConstituents(px, widest, heads, true).widths.keys()]
  expect(layOutConstituents(596, widest, heads, true).hasBars).toBe(true)
  expect(layOutConstituents(522, widest, heads, true).hasBars).toBe(false)
  expect(columnsAt(522)).toEqual(['constituent', 'value', 'change', 'points', 'drift', 'weight'])
  expect(columnsAt(446)).toEqual(['constituent', 'value', 'change', 'drift', 'weight'])
  expect(columnsAt(400)).toEqual(['constituent', 'value', 'drift', 'weight'])
  expect(columnsAt(320)).toEqual(['constituent', 'value', 'weight'])
})

test('no number has less than its room, whatever the width', () => {
  const px = fc.integer({ min: 0, max: 900 })
  fc.assert(
    fc.property(
      px,
      fc.boolean(),
      fc.record({ constituent: px, value: px, change: px, points: px, drift: px, weight: px }),
      (available, hasDrift, texts) => {
        const { widths } = layOutConstituents(available, texts, heads, hasDrift)
        for (const column of ['value', 'change', 'points', 'drift', 'weight'] as const) {
          expect(widths.get(column) ?? Infinity).toBeGreaterThanOrEqual(texts[column] + 16)
        }
        expect(total(widths)).toBeGreaterThanOrEqual(available)
      },
    ),
  )
})
