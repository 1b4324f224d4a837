/** The history of market conditions for drawing and in words. */
import { toChartNumber } from '../../../core/decimal'
import type { DecimalText, MarketConditions } from '../../../core/model'
import { conditionsPoint, type ConditionsPoint } from '../../../core/spread'
import type { TimeSpan } from '../../format/chart-model'
import type { ComparedSeries } from '../../format/comparison'
import { formatValue, type DisplayStyle } from '../../format/value'

const hourMs = 3_600_000
/** A longer time without a point is a gap. There is one point a minute. */
const gapAfterMs = 150_000

export type MarketMeasure = 'spreadBps' | 'utilizedDepth'

/** Appends the newest conditions to the history. */
export function withNewest(
  history: readonly ConditionsPoint[] | undefined,
  conditions: MarketConditions,
): readonly ConditionsPoint[] {
  const known = history ?? []
  const newest = conditionsPoint(conditions)
  return newest === undefined || (known.at(-1)?.publishedAtMs ?? 0) >= newest.publishedAtMs ? known : [...known, newest]
}

/** The hour up to now. Without data in it, the hour up to the last point. */
export function marketSpan(points: readonly ConditionsPoint[], nowMs: number): TimeSpan {
  const lastMs = points.at(-1)?.publishedAtMs ?? nowMs
  const toMs = lastMs > nowMs - hourMs ? Math.max(lastMs, nowMs) : lastMs
  return { fromMs: toMs - hourMs, toMs }
}

/** One measure of the points in the span. Points without it leave a gap. */
export function marketSeries(
  points: readonly ConditionsPoint[],
  measure: MarketMeasure,
  { fromMs, toMs }: TimeSpan,
): ComparedSeries {
  const within = points.filter(({ publishedAtMs }) => publishedAtMs >= fromMs && publishedAtMs <= toMs)
  return {
    id: measure,
    gapAfterMs,
    points: within.flatMap(({ publishedAtMs, [measure]: value }) =>
      value === undefined
        ? []
        : [{ atMs: publishedAtMs, value: toChartNumber(value), point: { publishedAtMs, value } }],
    ),
  }
}

/** `19.23 bp`, `311.0`. */
export function marketText(value: DecimalText, measure: MarketMeasure, style: DisplayStyle): string {
  return `${formatValue(value, style)}${measure === 'spreadBps' ? ' bp' : ''}`
}
