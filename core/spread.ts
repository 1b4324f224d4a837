/** The bid–ask spread, exact. Rules compare the same number that the window shows. */
import { compareDecimals, divideCut, multiplyDecimals, parseDecimal, subtractDecimals, sumDecimals } from './decimal'
import type { DecimalText, MarketConditions } from './model'

type BidAndAsk = Pick<MarketConditions, 'valueBid' | 'valueAsk'>

const twiceTenThousand = '20000'

/**
 * In basis points of the middle between bid and ask, as a fraction. Undefined if one is missing or zero, or if ask is
 * below bid.
 */
function spreadOf({ valueBid, valueAsk }: BidAndAsk): { over: DecimalText; under: DecimalText } | undefined {
  if (valueBid === undefined || valueAsk === undefined) return undefined
  const [bid, ask] = [parseDecimal(valueBid), parseDecimal(valueAsk)]
  if (bid === undefined || ask === undefined || bid.sign <= 0 || compareDecimals(bid, ask) > 0) return undefined
  return {
    over: multiplyDecimals(subtractDecimals(valueAsk, valueBid), twiceTenThousand),
    under: sumDecimals([valueBid, valueAsk]),
  }
}

/** The spread in basis points of the middle between bid and ask, truncated to `places`. Undefined if there is none. */
export function spreadText(conditions: BidAndAsk, places = 2): DecimalText | undefined {
  const spread = spreadOf(conditions)
  return spread && divideCut(spread.over, spread.under, places)
}

/** Negative, 0 or positive if the exact spread is narrower than, equal to or wider than `basisPoints`. */
export function compareSpread(conditions: BidAndAsk, basisPoints: DecimalText): -1 | 0 | 1 | undefined {
  const spread = spreadOf(conditions)
  if (spread === undefined) return undefined
  const [wide, limit] = [spread.over, multiplyDecimals(basisPoints, spread.under)].map(parseDecimal)
  return wide === undefined || limit === undefined ? undefined : compareDecimals(wide, limit)
}

/** Market conditions at one time. The spread is in basis points. */
export interface ConditionsPoint {
  publishedAtMs: number
  spreadBps?: DecimalText
  utilizedDepth?: DecimalText
}

/** Undefined if there is neither a spread nor a depth. */
export function conditionsPoint(conditions: MarketConditions): ConditionsPoint | undefined {
  const { publishedAtMs, utilizedDepth } = conditions
  const spreadBps = spreadText(conditions)
  if (spreadBps === undefined && utilizedDepth === undefined) return undefined
  return {
    publishedAtMs,
    ...(spreadBps !== undefined && { spreadBps }),
    ...(utilizedDepth !== undefined && { utilizedDepth }),
  }
}
