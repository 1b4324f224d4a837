import { compareDecimals, parseDecimal } from '../../protocol/decimal'
import type { DecimalText, IndexSummary, Publication } from '../../protocol/model'
import { changeTexts, type ChangeTexts } from './change'
import { formatValue } from './value'

/** The last 24 hours in three numbers, ready for the screen. */
export interface DayRange {
  change: ChangeTexts
  low: string
  high: string
  /** When the value was published that the change is counted from. */
  sinceMs: number
}

function isLess(a: DecimalText, b: DecimalText): boolean {
  const [left, right] = [parseDecimal(a), parseDecimal(b)]
  return left !== undefined && right !== undefined && compareDecimals(left, right) === -1
}

/**
 * The 24 hours that the service summed up, up to the value on screen where that is newer: a low above the value shown
 * would be wrong. `undefined` where the service told fewer than two values: there is no change between them.
 */
export function dayRange(summary: IndexSummary, shown: Publication | undefined): DayRange | undefined {
  const [first] = summary.last24Hours
  if (first === undefined || summary.last24Hours.length < 2) return undefined
  const latest = shown !== undefined && shown.publishedAtMs > summary.publishedAtMs ? shown : summary
  const values = [...summary.last24Hours, summary, latest].map(({ value }) => value)
  return {
    change: changeTexts(first.value, latest.value),
    low: formatValue(values.reduce((low, value) => (isLess(value, low) ? value : low))),
    high: formatValue(values.reduce((high, value) => (isLess(high, value) ? value : high))),
    sinceMs: first.publishedAtMs,
  }
}
