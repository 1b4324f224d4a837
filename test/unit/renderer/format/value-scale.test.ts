import { describe, expect, test } from 'vitest'
import { mergePoints, extremesOf } from '../../../../renderer/format/chart-model'
import {
  boundsOf,
  levelNear,
  levelStep,
  roundLevelFrom,
  toText,
  valueTicks,
  withRoomForTicks,
} from '../../../../renderer/format/value-scale'

function boundsFor(...values: string[]): { min: number; max: number } {
  const points = mergePoints(
    [],
    values.map((value, at) => ({ value, publishedAtMs: at })),
  )
  const extremes = extremesOf(points)
  if (extremes === undefined) throw new Error('no values')
  return boundsOf(extremes)
}

describe('ticks', () => {
  test.each([
    [boundsFor('67801.02', '68544.90'), ['67800', '68000', '68200', '68400', '68600']],
    [
      boundsFor('0.000013504', '0.000013610'),
      ['0.00001350', '0.00001352', '0.00001354', '0.00001356', '0.00001358', '0.00001360'],
    ],
    [boundsFor('-0.4', '0.3'), ['-0.4', '-0.2', '0.0', '0.2']],
  ])('of %j are round, with the decimals that distinguish them', (bounds, expected) => {
    const ticks = valueTicks(bounds)
    expect(ticks.map(({ text }) => text)).toEqual(expected)
    for (const { value } of ticks) {
      expect(value).toBeGreaterThanOrEqual(bounds.min)
      expect(value).toBeLessThanOrEqual(bounds.max)
    }
  })

  test('all have the same number of decimals and no negative zero', () =>
    expect(valueTicks({ min: -0.25, max: 0.31 }).map(({ text }) => text)).toEqual([
      '-0.2',
      '-0.1',
      '0.0',
      '0.1',
      '0.2',
      '0.3',
    ]))

  test.each([
    [0, 311],
    [0, 0],
    [4, 900],
    [120, 180],
  ])('of values from %d to %d never go below zero', (low, high) => {
    const wide = boundsOf({ low: { value: low }, high: { value: high } })
    for (const height of [40, 80, 104, 220]) {
      for (const bounds of [wide, { min: 0, max: wide.max }])
        expect(withRoomForTicks(bounds, height).min).toBeGreaterThanOrEqual(0)
    }
  })

  test('a flat line has ticks on both sides', () => {
    for (const value of ['68123.40', '1.35e-5', '-3']) {
      const bounds = boundsFor(value, value)
      expect(bounds.min).toBeLessThan(Number(value))
      expect(bounds.max).toBeGreaterThan(Number(value))
      expect(valueTicks(bounds).length).toBeGreaterThanOrEqual(4)
    }
  })

  test('are at least four and at least 28 pixels apart in any range', () => {
    for (let range = 1; range < 10_000; range *= 1.07) {
      for (let from = 0; from < 1; from += 0.09) {
        const asked = { min: 86_000 + from * range, max: 86_000 + (from + 1) * range }
        const bounds = withRoomForTicks(asked, 120)
        const ticks = valueTicks(bounds)
        const [first, second] = ticks
        const apart = (((second?.value ?? 0) - (first?.value ?? 0)) / (bounds.max - bounds.min)) * 120
        expect(ticks.length).toBeGreaterThanOrEqual(4)
        expect(apart).toBeGreaterThanOrEqual(28)
        expect(bounds.min).toBeLessThanOrEqual(asked.min)
        expect(bounds.max).toBeGreaterThanOrEqual(asked.max)
      }
    }
  })

  test('have the largest step that gives four of them', () =>
    expect(valueTicks({ min: 86_102, max: 86_814 }).map(({ text }) => text)).toEqual([
      '86200',
      '86400',
      '86600',
      '86800',
    ]))
})

describe('levels', () => {
  test('move by a visible step with the decimals of the index', () => {
    const step = levelStep({ min: 67_800, max: 68_550 }, 150, 2)
    expect(step.size).toBe(5)
    expect(levelNear(68_422.7, step, 2)).toBe('68425.00')
  })

  test('never move by less than the index can publish', () => {
    const step = levelStep({ min: 1, max: 1.001 }, 150, 2)
    expect(step.size).toBe(0.01)
    expect(levelNear(1.0149, step, 2)).toBe('1.01')
  })

  test('small values keep every decimal', () => {
    const step = levelStep({ min: 0.0000135, max: 0.0000136 }, 100, 9)
    expect(levelNear(0.0000135432, step, 9)).toBe('0.000013543')
  })

  test('are never a negative zero', () => {
    expect(toText(-0.001, 2)).toBe('0.00')
    expect(toText(-0.01, 2)).toBe('-0.01')
  })
})

describe('the next round level', () => {
  test.each([
    ['68123.40', '68500', '67500'],
    ['3074.91', '3100', '3040'],
    ['99.6', '100.5', '99.0'],
    ['0.000013504', '0.0000136', '0.0000134'],
    ['1.3504e-5', '0.0000136', '0.0000134'],
    ['-17.48', '-17.3', '-17.6'],
    ['0.00', '0.00', '0.00'],
  ])('from %s is at least half a percent away: %s above, %s below', (value, above, below) =>
    expect([roundLevelFrom(value, 'above'), roundLevelFrom(value, 'below')]).toEqual([above, below]),
  )

  test.each([
    ['68123.40', 2, '68500', '67500'],
    ['0.06', 2, '0.07', '0.05'],
    ['1.00', 2, '1.01', '0.99'],
    ['7', 0, '8', '6'],
    ['0.000013504', 9, '0.0000136', '0.0000134'],
  ])('from %s is one that an index of %i decimals can publish: %s above, %s below', (value, decimals, above, below) =>
    expect([roundLevelFrom(value, 'above', decimals), roundLevelFrom(value, 'below', decimals)]).toEqual([
      above,
      below,
    ]),
  )

  test('is never zero: it is the value instead', () => {
    expect(roundLevelFrom('0.01', 'below', 2)).toBe('0.01')
    expect(roundLevelFrom('3e-40', 'below')).toBe('3e-40')
  })
})
