import type { MarketConditions } from '../../protocol/model'
import { isDecimal, readPublication } from './publication'
import type { PublicationFault, RawPublication } from './publication'

const parts = ['utilizedDepth', 'valueAsk', 'valueBid', 'midPrice'] as const

export type RawConditions = RawPublication & Partial<Record<(typeof parts)[number], unknown>>
export type ConditionsFault = PublicationFault | (typeof parts)[number]

/**
 * Reads the market conditions of an index (wire facts 1.3); its four parts are there where the index has them. Answers
 * the name of the first field that cannot be read.
 */
export function readConditions(raw: RawConditions): MarketConditions | ConditionsFault {
  const conditions: MarketConditions | PublicationFault = readPublication(raw)
  if (typeof conditions === 'string') return conditions
  for (const part of parts) {
    const value = raw[part]
    if (value === undefined) continue
    if (!isDecimal(value)) return part
    conditions[part] = value
  }
  return conditions
}
