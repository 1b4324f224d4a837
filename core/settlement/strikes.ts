/** Compares a rounded mean with a strike. Exact: a strike is kept as typed, and only the rounded mean is compared. */
import {
  add,
  ceilingText,
  divideDecimals,
  floorText,
  isAbove,
  isAtLeast,
  isLess,
  multiply,
  multiplyDecimals,
  readExact,
  roundedText,
  subtract,
  subtractDecimals,
  type Exact,
  type Fraction,
} from '../decimal'
import type { DecimalText } from '../model'
import type { BoundMean } from './bound-window'

export const strikeKinds = {
  atLeast: 'at least',
  above: 'above',
  atMost: 'at most',
  below: 'below',
  between: 'between',
}
export type StrikeKind = keyof typeof strikeKinds

export interface Strike {
  kind: StrikeKind
  level: DecimalText
  /** The upper end of `between`. Both ends belong to it. */
  high?: DecimalText
}

/** A bound for the mean of the missing values. */
export interface RestBound {
  side: 'from' | 'above' | 'to' | 'below'
  /** For a mean that is exactly the strike. */
  exact: DecimalText
  /** The same with half a unit of the last place, which is what rounding grants. */
  withRounding: DecimalText
}

export interface StrikeResult {
  isMet: boolean
  /** Rounded mean minus strike. For `between` minus the nearer end. */
  points: DecimalText
  /** The same in basis points of the strike. Undefined for a strike of 0. */
  basisPoints: DecimalText | undefined
  /** What the missing values must average. Empty if none is missing, or if the mean is not a plain one. */
  rest: RestBound[]
}

/** The result for a mean with these decimals. Undefined while there is no mean. Throws if the strike is not a decimal. */
export function strikeResult(
  { kind, level, high = level }: Strike,
  window: Pick<BoundMean, 'mean' | 'sum' | 'counted' | 'expected'>,
  { decimals, isPlainMean }: { decimals: number; isPlainMean: boolean },
): StrikeResult | undefined {
  if (window.mean === undefined) return undefined
  const mean = roundedText(window.mean, decimals)
  const fromHigh = subtractDecimals(mean, high)
  const fromLow = subtractDecimals(mean, level)
  const isNearHigh = kind === 'between' && isLess(fromHigh.replace('-', ''), fromLow.replace('-', ''))
  const [points, nearest] = isNearHigh ? [fromHigh, high] : [fromLow, level]
  const sides: [RestBound['side'], DecimalText][] =
    kind === 'between'
      ? [
          ['from', level],
          ['to', high],
        ]
      : [[sideOf[kind], level]]
  return {
    isMet: sides.every(([side, each]) => meets[side](mean, each)),
    points,
    basisPoints: divideDecimals(multiplyDecimals(points, '10000'), nearest.replace('-', ''), 2),
    rest:
      isPlainMean && window.counted < window.expected
        ? sides.map(([side, each]) => restBound(side, each, window, decimals))
        : [],
  }
}

const sideOf = { atLeast: 'from', above: 'above', atMost: 'to', below: 'below' } as const
const meets = {
  from: isAtLeast,
  above: isAbove,
  to: (mean: DecimalText, level: DecimalText) => isAtLeast(level, mean),
  below: isLess,
} as const satisfies Record<RestBound['side'], (mean: DecimalText, level: DecimalText) => boolean>

/** Means from half a unit below a value to just under half a unit above it round to this value. */
function restBound(
  side: RestBound['side'],
  level: DecimalText,
  window: Pick<BoundMean, 'sum' | 'counted' | 'expected'>,
  decimals: number,
): RestBound {
  const strike = readExact(level) ?? { units: 0n, scale: 0 }
  const isLower = side === 'from' || side === 'above'
  const text = isLower ? ceilingText : floorText
  return {
    side,
    exact: text(restMean(strike, window), decimals),
    withRounding: text(restMean(edgeOf(side, strike, decimals), window), decimals),
  }
}

/** Where the unrounded mean starts or stops to meet the strike. */
function edgeOf(side: RestBound['side'], strike: Exact, decimals: number): Exact {
  const unit: Exact = { units: 1n, scale: decimals }
  const half: Exact = { units: 5n, scale: decimals + 1 }
  const on = (text: DecimalText) => readExact(text) ?? strike
  const whole: Fraction = { units: strike.units, over: 10n ** BigInt(strike.scale) }
  const [floor, ceiling] = [on(floorText(whole, decimals)), on(ceilingText(whole, decimals))]
  switch (side) {
    case 'from':
      return subtract(ceiling, half)
    case 'above':
      return subtract(add(floor, unit), half)
    case 'to':
      return add(floor, half)
    case 'below':
      return add(subtract(ceiling, unit), half)
  }
}

/** The mean that the missing values need so that all have this mean: (N × mean − sum) ÷ (N − n). */
function restMean(mean: Exact, { sum, counted, expected }: Pick<BoundMean, 'sum' | 'counted' | 'expected'>): Fraction {
  const { units, scale } = subtract(multiply(mean, { units: BigInt(expected), scale: 0 }), sum)
  return { units, over: BigInt(expected - counted) * 10n ** BigInt(scale) }
}
