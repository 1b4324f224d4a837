import { expect, test } from 'vitest'
import { constituentRows } from '../../../../../renderer/views/constituents/constituents'
import { weightParts } from '../../../../../renderer/views/constituents/weight-parts'

function rowsOf(...weights: string[]) {
  const constituents = weights.map((weightPercent, at) => ({ constituent: `M${at}`, value: '1', weightPercent }))
  return constituentRows({ value: '1', publishedAtMs: 0, constituents }, undefined)
}

test('the greatest weights come first, then the exact sum of the others', () => {
  const { parts } = weightParts(rowsOf('0.1', '50', '0.2', '30.00', '0.3'), 2)
  expect(parts.map(({ name, weightPercent }) => [name, weightPercent])).toEqual([
    ['M1', '50'],
    ['M3', '30.00'],
    ['others (3)', '0.6'],
  ])
})

test('a single remaining weight is named instead of summed up', () =>
  expect(weightParts(rowsOf('50', '30', '20'), 2).parts.map(({ name }) => name)).toEqual(['M0', 'M1', 'M2']))

test('weights are drawn as published, with the position of 100 % if they exceed it', () => {
  const below = weightParts(rowsOf('50', '30'), 5)
  expect(below.parts.map(({ share }) => share)).toEqual([0.5, 0.3])
  expect(below.hundredAt).toBe(1)
  const above = weightParts(rowsOf('75', '50'), 5)
  expect(above.parts.map(({ weightPercent, share }) => [weightPercent, share])).toEqual([
    ['75', 0.6],
    ['50', 0.4],
  ])
  expect(above.hundredAt).toBe(0.8)
})

test('a negative weight has no length and keeps its number', () =>
  expect(weightParts(rowsOf('100', '-5'), 5).parts[1]).toEqual({ name: 'M1', weightPercent: '-5', share: 0 }))
