import { describe, expect, test } from 'vitest'
import { formatDecimal } from '../../../../core/decimal'
import type { ChartPoint } from '../../../../protocol/responses'
import { mergePoints } from '../../../../renderer/format/chart-model'
import {
  baselineAt,
  boundsAround,
  commonSpan,
  commonStartMs,
  inEffectAt,
  lineOf,
  scaled,
  nearestTime,
  pairedValue,
  pairLine,
  readTimes,
  type ComparedSeries,
} from '../../../../renderer/format/comparison'

const hourMs = 3_600_000

/** Values by their second. */
function seriesOf(id: string, values: Record<number, string>, gapAfterMs = 5_000): ComparedSeries {
  const points = Object.entries(values).map(([second, value]): ChartPoint => {
    return { value, publishedAtMs: hourMs + Number(second) * 1_000 }
  })
  return { id, points: mergePoints([], points), gapAfterMs }
}

const at = (second: number): number => hourMs + second * 1_000
const span = { fromMs: at(0), toMs: at(60) }
const noGap = Infinity

describe('the compared time', () => {
  test('ends with the newest value of any, and a year begins with the first', () => {
    const all = [seriesOf('A', { 0: '1', 10: '1' }), seriesOf('B', { 5: '1', 20: '1' })]
    expect(commonSpan(all, '1h', 0)).toEqual({ fromMs: at(-3_580), toMs: at(20) })
    expect(commonSpan([seriesOf('A', {})], '1h', at(9))).toEqual({ fromMs: at(-3_591), toMs: at(9) })
    const old = seriesOf('C', { [-200 * 86_400]: '1', 0: '1' })
    expect(commonSpan([old, seriesOf('D', { 0: '1' })], '1y', 0)).toEqual({ fromMs: at(-200 * 86_400), toMs: at(0) })
  })

  test('has its baseline where all indices have a value', () => {
    const early = seriesOf('A', { [-2]: '1', 3: '2' })
    expect(commonStartMs([early, seriesOf('B', { 7: '1' })], span)).toBe(at(7))
    expect(commonStartMs([early], span)).toBe(at(0))
    expect(commonStartMs([early, seriesOf('C', {})], span)).toBe(at(0))
    expect(commonStartMs([], span)).toBeUndefined()
  })
})

describe('the value in effect', () => {
  const series = seriesOf('A', { 0: '1.0', 4: '1.4', 20: '2.0' })

  test('is the last one until a gap begins', () => {
    const inEffect = (second: number) => inEffectAt(series, at(second))?.point.value
    expect([-1, 0, 3.9, 4, 9, 9.1, 19, 20, 25].map(inEffect)).toEqual([
      undefined,
      '1.0',
      '1.0',
      '1.4',
      '1.4',
      undefined,
      undefined,
      '2.0',
      '2.0',
    ])
  })

  test('is the baseline of a line, or the next value if there is a gap', () => {
    expect(baselineAt(series, at(6))?.point.value).toBe('1.4')
    expect(baselineAt(series, at(12))?.point.value).toBe('2.0')
    expect(baselineAt(series, at(30))).toBeUndefined()
  })
})

describe('a rebased index', () => {
  test('has exact values with the given decimals', () => {
    expect(scaled('68000.00', '68170.00', 'from100', 4)).toBe('100.2500')
    expect(scaled('3', '4', 'percent', 3)).toBe('33.333')
    expect(scaled('0.00001350', '1.350e-5', 'from100', 2)).toBe('100.00')
    expect(scaled('0.00', '1', 'percent', 2)).toBeUndefined()
    // Floats would say 100.30000000000001.
    expect(scaled('1000', '1003', 'from100', 14)).toBe('100.30000000000000')
  })

  test('has a line with the gaps of its values', () => {
    const series = seriesOf('A', { 0: '200', 1: '202', 20: '198' })
    const line = (scale: 'from100' | 'percent') =>
      lineOf(series, span, series.points[0], scale).map((part) => part.map(({ value }) => value))
    expect(line('from100')).toEqual([[100, 101], [99]])
    expect(line('percent')).toEqual([[0, 1], [-1]])
    const zero = seriesOf('Z', { 0: '0.00', 1: '1' })
    expect(lineOf(zero, span, zero.points[0], 'percent')).toEqual([])
  })
})

describe('a pair', () => {
  test('has an exact difference and ratio', () => {
    expect(pairedValue('68000.10', '67999.999', 'difference')).toBe('0.101')
    expect(pairedValue('1', '3', 'ratio')).toBe('0.33333333')
    expect(pairedValue('1', '0.00', 'ratio')).toBeUndefined()
    // The longest difference of two published values.
    const far = pairedValue('1e64', '1.5e-64', 'difference') ?? ''
    expect(far).toMatch(/^9{64}\.9{63}85$/)
    expect(formatDecimal(far)).toHaveLength(151)
    expect(pairedValue('1e64', '1.5e-64', 'ratio')).toBe(`${'6'.repeat(128)}.66666667`)
  })

  test('has a point at each publication of either index', () => {
    const a = seriesOf('A', { 0: '10', 2: '12' }, noGap)
    const b = seriesOf('B', { 1: '4', 2: '6', 3: '3' }, noGap)
    expect(pairLine(a, b, span, 'difference')).toEqual([
      [
        { atMs: at(1), value: 6 },
        { atMs: at(2), value: 6 },
        { atMs: at(3), value: 9 },
      ],
    ])
    expect(pairLine(a, b, span, 'ratio')[0]?.map(({ value }) => value)).toEqual([2.5, 2, 4])
  })

  test('has a gap where one index has a gap', () => {
    const busy = seriesOf('A', Object.fromEntries(Array.from({ length: 30 }, (_, second) => [second, '10'])))
    const broken = seriesOf('B', { 0: '4', 1: '4', 20: '5', 21: '5' })
    const times = pairLine(busy, broken, span, 'difference').map((part) =>
      part.map(({ atMs }) => (atMs - hourMs) / 1_000),
    )
    expect(times).toEqual([
      [0, 1, 2, 3, 4, 5, 6],
      [20, 21, 22, 23, 24, 25, 26],
    ])
  })

  test('has a gap where both are silent for longer than one of them may be', () => {
    const daily = seriesOf('A', { 0: '10' }, noGap)
    const live = seriesOf('B', { 1: '4', 2: '4', 30: '5' })
    expect(pairLine(daily, live, span, 'ratio').map((part) => part.length)).toEqual([2, 1])
  })

  test('has no ratio at zero, and no points outside the span', () => {
    const a = seriesOf('A', { [-3]: '1', 0: '1', 1: '1', 2: '1' })
    const b = seriesOf('B', { [-3]: '1', 0: '1', 1: '0', 2: '1' })
    expect(pairLine(a, b, span, 'ratio').map((part) => part.map(({ atMs }) => atMs))).toEqual([[at(0)], [at(2)]])
  })
})

describe('reading', () => {
  test('is possible at the times of all publications', () =>
    expect(readTimes([seriesOf('A', { [-1]: '1', 2: '1' }), seriesOf('B', { 1: '1', 2: '1' })], span)).toEqual([
      at(1),
      at(2),
    ]))

  test('takes the nearest time', () => {
    const times = [0, 10, 20, 21]
    expect([-5, 4, 6, 15.1, 20.4, 20.6, 99].map((atMs) => nearestTime(times, atMs))).toEqual([0, 0, 1, 2, 2, 3, 3])
    expect(nearestTime([], 5)).toBe(-1)
  })

  test('has an axis around all lines, or around the middle without any', () => {
    expect(boundsAround([], 100)).toEqual({ min: 99, max: 101 })
    const { min, max } = boundsAround([[[{ atMs: 0, value: 98 }]], [[{ atMs: 0, value: 103 }]]], 100)
    expect([min < 98, max > 103]).toEqual([true, true])
  })
})
