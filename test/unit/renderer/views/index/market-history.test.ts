import { describe, expect, test } from 'vitest'
import type { ConditionsPoint } from '../../../../../core/spread'
import { segmentsOf } from '../../../../../renderer/format/chart-model'
import { inEffectAt } from '../../../../../renderer/format/comparison'
import { marketSeries, marketSpan, withNewest } from '../../../../../renderer/views/index/market-history'

const minute = 60_000
const nowMs = Date.UTC(2023, 10, 1, 12)
const ago = (minutes: number, more: Partial<ConditionsPoint> = { spreadBps: '5.00' }): ConditionsPoint => ({
  publishedAtMs: nowMs - minutes * minute,
  ...more,
})
const hour = { fromMs: nowMs - 60 * minute, toMs: nowMs }

describe('the history', () => {
  const newest = { value: '100', publishedAtMs: nowMs, valueBid: '99.95', valueAsk: '100.05' }

  test('ends with the newest conditions once, unless they are empty', () => {
    const history = [ago(2), ago(1)]
    expect(withNewest(history, newest)).toEqual([...history, ago(0, { spreadBps: '10.00' })])
    expect(withNewest([...history, ago(0)], newest)).toEqual([...history, ago(0)])
    expect(withNewest(history, { ...newest, valueBid: '101' })).toEqual(history)
    expect(withNewest(undefined, newest)).toHaveLength(1)
  })

  test('covers the hour up to now, or up to its end if it is older', () => {
    expect(marketSpan([ago(59)], nowMs)).toEqual(hour)
    expect(marketSpan([ago(-0.5)], nowMs).toMs).toBe(nowMs + minute / 2)
    expect(marketSpan([ago(600)], nowMs)).toEqual({ fromMs: nowMs - 660 * minute, toMs: nowMs - 600 * minute })
    expect(marketSpan([], nowMs)).toEqual(hour)
  })

  test('has a gap where no point or no value of the measure arrived', () => {
    const points = [ago(61), ago(60), ago(59), ago(58, { utilizedDepth: '1' }), ago(57), ago(54), ago(53)]
    const series = marketSeries(points, 'spreadBps', hour)
    const minutes = segmentsOf(series.points, series.gapAfterMs).map((segment) =>
      segment.map(({ atMs }) => (nowMs - atMs) / minute),
    )
    expect(minutes).toEqual([
      [60, 59, 57],
      [54, 53],
    ])
    expect(inEffectAt(series, nowMs - 54.4 * minute)).toBeUndefined()
    expect(inEffectAt(series, nowMs - 56 * minute)?.point.value).toBe('5.00')
    expect(marketSeries(points, 'utilizedDepth', hour).points.map(({ point }) => point.value)).toEqual(['1'])
  })
})
