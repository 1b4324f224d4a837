import { isRealTimeAsset, type IndexDefinition } from './index-definition'
import { decimalText } from './decimal-text'
import { chanceOf } from './noise'
import type { PublishedValue } from './publications'

/** Market conditions behind a value (wire facts 1.3). */
export interface Conditions {
  readonly utilizedDepth: string
  readonly valueAsk: string
  readonly valueBid: string
  readonly midPrice: string
}

/** Half the spread as a fraction: two to ten basis points. */
const minHalfSpread = 2e-4
const maxHalfSpread = 10e-4

/** Whether an index has market conditions: real-time indices of one asset have. */
export function hasConditions(index: IndexDefinition): boolean {
  return isRealTimeAsset(index)
}

/**
 * The conditions at a value. The bid is never above it and the ask never below, to the last digit; the mid price lies
 * between them, near the value.
 */
export function conditionsAt(seed: number, index: IndexDefinition, { time, value }: PublishedValue): Conditions {
  const level = Number(value)
  const halfSpread = (side: string) =>
    minHalfSpread + (maxHalfSpread - minHalfSpread) * chanceOf(seed, index.id, time, side)
  const unit = 10 ** -index.decimals
  // One unit further out, so that rounding cannot move them past the value.
  const bid = level * (1 - halfSpread('bid')) - unit
  const ask = level * (1 + halfSpread('ask')) + unit
  const finer = { ...index, decimals: index.decimals + 1 }
  return {
    utilizedDepth: (20 + 400 * chanceOf(seed, index.id, Math.floor(time / 10_000), 'depth')).toFixed(1),
    valueAsk: decimalText(ask, index),
    valueBid: decimalText(bid, index),
    midPrice: decimalText((Number(decimalText(bid, index)) + Number(decimalText(ask, index))) / 2, finer),
  }
}
