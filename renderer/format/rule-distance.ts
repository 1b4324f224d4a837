import { compareDecimals, parseDecimal, percentChange, type Decimal } from '../../core/decimal'
import { dependsOn, type AlertTerms, type AlertView, type BandTerms } from '../../core/alerts'
import { specOf } from '../../core/conditions/list'
import type { DecimalText } from '../../core/model'
import { distanceText } from './change'
import { formatValue, type DisplayStyle } from './value'

/** What a distance is measured from. */
export interface Seen {
  value?: DecimalText | undefined
  /** How old the value is, in words; asked for only where it is shown. */
  age: () => string
  /** When that was known, in words; absent while it is live. */
  asOf?: string | undefined
}

/**
 * How far a rule is from what it waits for: `376.60 away, 0.55 %` for a level, `2.73 % now` for what is measured
 * otherwise, a dash where it waits for nothing or for what has no size. Without live data each says as of when it is.
 */
export function ruleDistance(
  { terms, phase, measure }: AlertView,
  { value, age, asOf }: Seen,
  style: DisplayStyle,
): string {
  const known = asOf === undefined ? '' : ` as of ${asOf}`
  if (phase === 'triggered' || phase === 'expired') return '—'
  if (dependsOn(terms, 'silence')) return value === undefined ? 'no value yet' : `${age()} now`
  if ('level' in terms) return value === undefined ? 'no value yet' : distanceText(value, terms.level, style) + known
  if ('low' in terms) return value === undefined ? 'no value yet' : edgeDistance(terms, value, style) + known
  const unit = measureUnit(terms)
  if (unit === undefined) return '—'
  return measure === undefined ? 'no data yet' : `${formatValue(measure, style)}${unit}${known === '' ? ' now' : known}`
}

/** The unit of what is measured, with the space before it; absent where nothing is. */
export function measureUnit(terms: AlertTerms): string | undefined {
  const condition = specOf(terms.condition)
  return condition.measureUnit?.(terms) ?? condition.unit
}

/** How far each level or edge lies from the value, in percent of the value. */
export function percentsAway(terms: AlertTerms, value: DecimalText, places: number): Decimal[] {
  const levels = 'level' in terms ? [terms.level] : 'low' in terms ? [terms.low, terms.high] : []
  return levels.flatMap((level) => parseDecimal((percentChange(value, level, places) ?? '').replace('-', '')) ?? [])
}

/** To the edge that is crossed first: of a band that is left the nearer one. */
function edgeDistance({ low, high }: BandTerms, value: DecimalText, style: DisplayStyle): string {
  const at = parseDecimal(value)
  const [bottom, top] = [parseDecimal(low), parseDecimal(high)]
  if (at === undefined || bottom === undefined || top === undefined) return '—'
  if (compareDecimals(at, bottom) < 0) return `below by ${distanceText(value, low, style).replace(' away', '')}`
  if (compareDecimals(at, top) > 0) return `above by ${distanceText(value, high, style).replace(' away', '')}`
  return 'inside the band'
}
