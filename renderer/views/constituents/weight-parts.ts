import { compareDecimals, parseDecimal, sumDecimals, toChartNumber } from '../../../core/decimal'
import type { DecimalText } from '../../../core/model'
import type { ConstituentRow } from './constituents'

/** A section of the bar of weights. */
interface WeightPart {
  name: string
  /** The published weight, or the exact sum of several. */
  weightPercent: DecimalText
  /** Share of the bar's length. A float, for drawing only. */
  share: number
}

export interface WeightParts {
  parts: WeightPart[]
  /** Position of 100 % on the bar. 1 unless the weights add up to more. */
  hundredAt: number
}

/**
 * The `maxNamed` greatest weights and the sum of all others. The bar is 100 % long, or longer if the weights add up to more.
 * Weights are not scaled to make 100. A negative weight has no length.
 */
export function weightParts(rows: readonly ConstituentRow[], maxNamed: number): WeightParts {
  const sorted = rows
    .map(({ key, constituent: { weightPercent } }) => ({
      name: key,
      weightPercent,
      number: parseDecimal(weightPercent),
    }))
    .sort((a, b) => (a.number && b.number ? compareDecimals(b.number, a.number) : 0))
  // A single remaining weight is named instead of summed up.
  const named = sorted.length <= maxNamed + 1 ? sorted : sorted.slice(0, maxNamed)
  const others = sorted.slice(named.length)
  const parts: Omit<WeightPart, 'share'>[] = [...named]
  if (others.length > 0) {
    const weightPercent = sumDecimals(others.map((other) => other.weightPercent))
    parts.push({ name: `others (${others.length})`, weightPercent })
  }
  const sizes = parts.map(({ weightPercent }) => Math.max(0, toChartNumber(weightPercent)))
  const length = Math.max(
    100,
    sizes.reduce((sum, size) => sum + size, 0),
  )
  return {
    parts: parts.map(({ name, weightPercent }, at) => ({ name, weightPercent, share: (sizes[at] ?? 0) / length })),
    hundredAt: 100 / length,
  }
}
