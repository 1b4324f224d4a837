/** Market conditions: the spread between bid and ask, and the utilized depth. */
import { isJudgedBy, type AlertRule, type DepthTerms, type SpreadTerms } from '../alerts'
import { compareDecimals, parseDecimal, subtractDecimals, sumDecimals } from '../decimal'
import type { DecimalText, MarketConditions } from '../model'
import { compareSpread, spreadText } from '../spread'
import { readExact } from './exact'
import type { Reading } from './latch'
import { allowedGapMs, publicationInputs, type ConditionsSeen } from './observation'
import type { RuleMemory, RuleState } from './state'
import { judgeReading, nothing, type Verdict } from './verdict'

/** Passed over are conditions that were carried over, whose value is a zero or none, or no later than ones before. */
export function judgeMarket(
  rule: AlertRule,
  state: RuleState,
  memory: RuleMemory,
  { publication, cadence }: ConditionsSeen,
): Verdict {
  const { terms } = rule
  if (!isJudgedBy(terms, 'marketConditions')) return nothing(state, 'Nothing to compare.')
  const { value, publishedAtMs, isRepeatOfPrevious } = publication
  const beforeMs = memory.newest.conditions
  if (beforeMs !== undefined && publishedAtMs <= beforeMs) {
    return nothing(state, 'Not newer than the previous market conditions: skipped.')
  }
  memory.newest.conditions = publishedAtMs
  if (isRepeatOfPrevious === true) return nothing(state, 'Carried forward: skipped.')
  const sign = parseDecimal(value)?.sign
  if (sign === undefined || sign === 0) return nothing(state, 'No value: skipped.')
  const read = terms.condition === 'spreadAtOrAbove' ? readSpread(terms, publication) : readDepth(terms, publication)
  if (typeof read === 'string') return nothing(state, read)
  const longestMs = allowedGapMs(cadence)
  const isGap = beforeMs !== undefined && publishedAtMs - beforeMs > longestMs
  return judgeReading(rule, state, {
    ...read,
    atFirst: 'asSaid',
    publishedAtMs,
    allowedGapMs: longestMs,
    inputs: () => ({ ...publicationInputs(publication), value: read.measure, ...(isGap && { gapSinceMs: beforeMs }) }),
  })
}

type Measured = Pick<Reading, 'up' | 'down' | 'fact' | 'rearm'> & { measure: DecimalText }

const placeWords = { 0: 'at', 1: 'above', [-1]: 'below' } as const

/** Compared exactly; written with as many decimals as the level has, two at least. */
function readSpread({ spreadBps, rearmBand }: SpreadTerms, conditions: MarketConditions): Measured | string {
  const arming = rearmBand === undefined ? spreadBps : subtractDecimals(spreadBps, rearmBand.size)
  const measure = spreadText(conditions, Math.max(2, readExact(spreadBps)?.scale ?? 0))
  const order = compareSpread(conditions, spreadBps)
  const armingOrder = compareSpread(conditions, arming)
  if (measure === undefined || order === undefined || armingOrder === undefined) return 'No bid and ask to compare.'
  return {
    up: { holds: order >= 0, arms: armingOrder < 0 },
    measure,
    fact: `The bid–ask spread of ${measure} bp is ${placeWords[order]} ${spreadBps} bp`,
    rearm: `it is below ${arming} bp`,
  }
}

/** A depth of zero is one: there is nothing left to trade with. */
function readDepth({ depth: level, rearmBand }: DepthTerms, { utilizedDepth }: MarketConditions): Measured | string {
  const arming = rearmBand === undefined ? level : sumDecimals([level, rearmBand.size])
  const [depth, limit, armingLimit] = [utilizedDepth ?? '', level, arming].map(parseDecimal)
  if (utilizedDepth === undefined || depth === undefined || limit === undefined || armingLimit === undefined) {
    return 'No utilized depth to compare.'
  }
  const order = compareDecimals(depth, limit)
  return {
    down: { holds: order <= 0, arms: compareDecimals(depth, armingLimit) > 0 },
    measure: utilizedDepth,
    fact: `The utilized depth of ${utilizedDepth} is ${placeWords[order]} ${level}`,
    rearm: `it is above ${arming}`,
  }
}
