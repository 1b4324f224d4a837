import { compareDecimals, parseDecimal } from '../../protocol/decimal'
import type { AlertTerms, AlertView, BandTerms } from '../../protocol/alerts'
import type { DecimalText } from '../../protocol/model'
import { distanceText } from './change'
import { formatValue } from './value'

/** What of an index a distance is told by. */
export interface Seen {
  value?: DecimalText | undefined
  /** How old the value is, in words; asked for only where it is told. */
  age: () => string
}

/**
 * How far a rule is from what it waits for: `376.60 away, 0.55 %` for a level, `2.73 % now` for what is measured
 * otherwise, a dash where it waits for nothing or for what has no size.
 */
export function ruleDistance({ terms, phase, measure }: AlertView, { value, age }: Seen): string {
  if (phase === 'triggered' || phase === 'expired') return '—'
  if (terms.condition === 'noUpdate') return value === undefined ? 'no value yet' : `${age()} now`
  if ('level' in terms) return value === undefined ? 'no value yet' : distanceText(value, terms.level)
  if ('low' in terms) return value === undefined ? 'no value yet' : edgeDistance(terms, value)
  const unit = unitOf(terms)
  if (unit === undefined) return '—'
  return measure === undefined ? 'not known yet' : `${formatValue(measure)}${unit} now`
}

/** The unit of what is measured, with the space before it; absent where nothing is. */
function unitOf(terms: AlertTerms): string | undefined {
  switch (terms.condition) {
    case 'moves':
      return terms.unit === 'percent' ? ' %' : ''
    case 'weightDrift':
      return ' points'
    case 'weightAtOrAbove':
    case 'weightAtOrBelow':
    case 'exchangeShareAtOrBelow':
    case 'continuity':
      return ' %'
    default:
      return undefined
  }
}

/** To the edge that is crossed first: of a band that is left the nearer one. */
function edgeDistance({ low, high }: BandTerms, value: DecimalText): string {
  const at = parseDecimal(value)
  const [bottom, top] = [parseDecimal(low), parseDecimal(high)]
  if (at === undefined || bottom === undefined || top === undefined) return '—'
  if (compareDecimals(at, bottom) < 0) return `below by ${distanceText(value, low).replace(' away', '')}`
  if (compareDecimals(at, top) > 0) return `above by ${distanceText(value, high).replace(' away', '')}`
  return 'inside the band'
}
