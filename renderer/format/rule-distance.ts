import { compareDecimals, isLess, parseDecimal, percentChange } from '../../core/decimal'
import { dependsOn, isMean, type AlertTerms, type AlertView, type BandTerms } from '../../core/alerts'
import { specOf } from '../../core/conditions/list'
import type { DecimalText } from '../../core/model'
import { distanceText } from './change'
import { formatValue, type DisplayStyle } from './value'

/** The value from which a distance is measured. */
export interface Seen {
  value?: DecimalText | undefined
  /** The age of the value in words. Called only if it is shown. */
  age: () => string
  /** The time of the value in words. Undefined while it is live. */
  asOf?: string | undefined
}

/**
 * The distance of a rule from firing: `376.60 away, 0.55 %` for a level, `2.73 % now` for other measures. A dash if there is
 * no distance. Without live data the time of the value follows.
 */
export function ruleDistance(
  { terms, phase, measure }: AlertView,
  { value, age, asOf }: Seen,
  style: DisplayStyle,
): string {
  const known = asOf === undefined ? '' : ` as of ${asOf}`
  if (phase === 'triggered' || phase === 'expired') return '—'
  if (dependsOn(terms, 'silence')) return value === undefined ? 'no value yet' : `${age()} now`
  const compared = comparedOf({ terms, measure }, value)
  if ('level' in terms)
    return compared === undefined ? 'no value yet' : distanceText(compared, terms.level, style) + known
  if ('low' in terms) return value === undefined ? 'no value yet' : edgeDistance(terms, value, style) + known
  const unit = measureUnit(terms)
  if (unit === undefined) return '—'
  return measure === undefined ? 'no data yet' : `${formatValue(measure, style)}${unit}${known === '' ? ' now' : known}`
}

/** What a rule compares with its level: the value, or the mean of its window. Undefined if it is not known yet. */
export function comparedOf(
  { terms, measure }: Pick<AlertView, 'terms' | 'measure'>,
  value: DecimalText | undefined,
): DecimalText | undefined {
  return isMean(terms) ? measure : value
}

/** The unit of the measured value, with a leading space. Undefined if nothing is measured. */
export function measureUnit(terms: AlertTerms): string | undefined {
  const condition = specOf(terms.condition)
  return condition.measureUnit?.(terms) ?? condition.unit
}

/** The distance of the nearest level or edge from the value, in percent of the value. Undefined if there is none. */
export function percentAway(terms: AlertTerms, value: DecimalText, places: number): DecimalText | undefined {
  const levels = 'level' in terms ? [terms.level] : 'low' in terms ? [terms.low, terms.high] : []
  return levels
    .flatMap((level) => percentChange(value, level, places)?.replace('-', '') ?? [])
    .reduce<DecimalText | undefined>((nearest, each) => {
      return nearest === undefined || isLess(each, nearest) ? each : nearest
    }, undefined)
}

/** The distance to the edge that is crossed first. Inside a band, to the nearer edge. */
function edgeDistance({ low, high }: BandTerms, value: DecimalText, style: DisplayStyle): string {
  const at = parseDecimal(value)
  const [bottom, top] = [parseDecimal(low), parseDecimal(high)]
  if (at === undefined || bottom === undefined || top === undefined) return '—'
  if (compareDecimals(at, bottom) < 0) return `below by ${distanceText(value, low, style).replace(' away', '')}`
  if (compareDecimals(at, top) > 0) return `above by ${distanceText(value, high, style).replace(' away', '')}`
  return 'inside the band'
}
