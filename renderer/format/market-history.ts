/** The history of market conditions as it is drawn and read. */
import { toChartNumber } from '../../core/decimal'
import type { DecimalText, MarketConditions } from '../../core/model'
import { conditionsPoint, type ConditionsPoint } from '../../core/spread'
import type { TimeSpan } from './chart-model'
import type { ComparedSeries } from './comparison'
import { formatValue, type DisplayStyle } from './value'

const hourMs = 3_600_000
/** There is one point a minute; a longer time without one is a gap. */
const gapAfterMs = 150_000

export type MarketMeasure = 'spreadBps' | 'utilizedDepth'

/** The history with the newest conditions at its end. */
export function withNewest(
  history: readonly ConditionsPoint[] | undefined,
  conditions: MarketConditions,
): readonly ConditionsPoint[] {
  const known = history ?? []
  const newest = conditionsPoint(conditions)
  return newest === undefined || (known.at(-1)?.publishedAtMs ?? 0) >= newest.publishedAtMs ? known : [...known, newest]
}

/** The hour up to now; where nothing of that is known, the hour up to the last point. */
export function marketSpan(points: readonly ConditionsPoint[], nowMs: number): TimeSpan {
  const lastMs = points.at(-1)?.publishedAtMs ?? nowMs
  const toMs = lastMs > nowMs - hourMs ? Math.max(lastMs, nowMs) : lastMs
  return { fromMs: toMs - hourMs, toMs }
}

/** One measure of the points within the span; those that have none of it leave a gap. */
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
