import { compareDecimals, parseDecimal, sumDecimals, toChartNumber } from '../../core/decimal'
import type { DecimalText } from '../../core/model'
import type { ConstituentRow } from './constituents'

/** A stretch of the bar of weights. */
interface WeightPart {
  name: string
  /** As published, or the exact sum of what was published. */
  weightPercent: DecimalText
  /** Of the bar's length; a float, for drawing alone. */
  share: number
}

export interface WeightParts {
  parts: WeightPart[]
  /** Where 100 % lies on the bar: 1 unless the weights come to more. */
  hundredAt: number
}

/**
 * The `maxNamed` greatest weights and the sum of all others. The bar is 100 % long, or as long as the weights where they come
 * to more: nothing is scaled to make 100. What is negative has no length.
 */
export function weightParts(rows: readonly ConstituentRow[], maxNamed: number): WeightParts {
  const sorted = rows
    .map(({ key, constituent: { weightPercent } }) => ({
      name: key,
      weightPercent,
      number: parseDecimal(weightPercent),
    }))
    .sort((a, b) => (a.number && b.number ? compareDecimals(b.number, a.number) : 0))
  // One that is left over is named rather than counted.
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
