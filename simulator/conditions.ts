import { isRealTimeAsset, type IndexDefinition } from './index-definition'
import { decimalText } from './decimal-text'
import { chanceOf } from './noise'
import type { PublishedValue } from './publications'

/** Market conditions behind a value (protocol, 2.8). */
export interface Conditions {
  readonly utilizedDepth: string
  readonly valueAsk: string
  readonly valueBid: string
  readonly midPrice: string
}

/** Half the spread as a fraction: two to three basis points, and six more at the height of a strain. */
const minHalfSpread = 2e-4
const calmHalfSpread = 1e-4
const strainedHalfSpread = 6e-4
/** Most stretches of this length have one strain. It rises for `strainMs` and falls for as long. */
const stretchMs = 5 * 60_000
const strainMs = 40_000
const strainChance = 0.7
/** Share of the depth that remains at the peak of a strain. */
const strainedDepth = 0.1

/** Whether an index has market conditions, as real-time indices of one asset have. */
export function hasConditions(index: IndexDefinition): boolean {
  return isRealTimeAsset(index)
}

/** From 0 in a calm market to 1 at the height of a strain, rising and falling in a straight line. */
function strainAt(seed: number, id: string, time: number): number {
  const stretch = Math.floor(time / stretchMs)
  if (chanceOf(seed, id, stretch, 'strain') >= strainChance) return 0
  const heightMs = strainMs + (stretchMs - 2 * strainMs) * chanceOf(seed, id, stretch, 'height')
  return Math.max(0, 1 - Math.abs(time - stretch * stretchMs - heightMs) / strainMs)
}

/**
 * The conditions at a value. The bid is at or below the value and the ask at or above it, to the last digit. The mid
 * price is between them, near the value.
 */
export function conditionsAt(seed: number, index: IndexDefinition, { time, value }: PublishedValue): Conditions {
  const level = Number(value)
  const strain = strainAt(seed, index.id, time)
  const halfSpread = (side: string) =>
    minHalfSpread + calmHalfSpread * chanceOf(seed, index.id, time, side) + strainedHalfSpread * strain
  const unit = 10 ** -index.decimals
  // One unit further out, so that rounding cannot move them past the value.
  const bid = level * (1 - halfSpread('bid')) - unit
  const ask = level * (1 + halfSpread('ask')) + unit
  const depth = 150 + 250 * chanceOf(seed, index.id, Math.floor(time / 10_000), 'depth')
  const finer = { ...index, decimals: index.decimals + 1 }
  return {
    utilizedDepth: (depth * (1 - (1 - strainedDepth) * strain)).toFixed(1),
    valueAsk: decimalText(ask, index),
    valueBid: decimalText(bid, index),
    midPrice: decimalText((Number(decimalText(bid, index)) + Number(decimalText(ask, index))) / 2, finer),
  }
}
