/** What an index can be asked to tell, as far as its id, name and cadence say. */
import type { AlertTerms } from './alerts'
import { family, kind, type Kind } from './families'
import type { IndexInfo, Resolution } from './model'

const second = 1_000
const hour = 3_600 * second
const day = 24 * hour

/**
 * The longest usual time between two publications in milliseconds, as alerts receive them: at most one a second, and
 * over a weekend where business days are kept.
 */
export function longestBetweenMs(cadence: Resolution): number {
  switch (cadence) {
    case 'PER_200MS':
    case 'PER_SECOND':
      return second
    case 'PER_MINUTE':
      return 60 * second
    case 'PER_HOUR':
      return hour
    case 'DAILY':
      return day
    case 'BUSINESS_DAYS':
      return 3 * day
  }
}

/** The longest window of a move in milliseconds: a day, or a year of what is published by the hour or more seldom. */
export function longestWindowMs(cadence: Resolution | undefined): number {
  return cadence === undefined || longestBetweenMs(cadence) >= hour ? 365 * day : day
}

const pricesAndTheLike: ReadonlySet<Kind> = new Set([
  'realTime',
  'referenceRate',
  'basket',
  'stakedReturn',
  'volatility',
  'tokenizedEquity',
])

/** Prices and volatilities are never negative; rates may be. `false` where nothing is known of the index. */
export function isNeverNegative(index: IndexInfo | undefined): boolean {
  return index?.name !== undefined && pricesAndTheLike.has(kind(index))
}

/** Why this index will never tell what the terms wait for; `undefined` where it may. */
export function notTold(terms: AlertTerms, index: IndexInfo | undefined): string | undefined {
  if (index?.name === undefined) return undefined
  switch (terms.condition) {
    case 'weightAtOrAbove':
    case 'weightAtOrBelow':
    case 'weightDrift':
    case 'constituentsChanged':
      return hasNoConstituents(index)
        ? `${index.id} has no constituents. Choose a basket, or another condition.`
        : undefined
    case 'divisorChanged':
    case 'exchangeShareAtOrBelow':
    case 'continuity':
      return isOfCf(index)
        ? `${index.id} has neither a divisor nor exchanges. Choose an index of the exchange family, or another condition.`
        : undefined
    case 'corporateAction':
      return longestBetweenMs(index.maxResolution) > second
        ? `Corporate actions are told of real-time indices alone, and ${index.id} is none. Choose another condition.`
        : undefined
    default:
      return undefined
  }
}

function isOfCf(index: IndexInfo): boolean {
  const found = family(index)
  return found === 'CF' || found === 'CME CF'
}

/** Baskets and the exchange family have constituents; an index of one asset outside that family and a rate have none. */
function hasNoConstituents(index: IndexInfo): boolean {
  if (!isOfCf(index)) return false
  const found = kind(index)
  if (found === 'basket') return false
  return index.base !== undefined || found === 'stakingRate' || found === 'interestRate' || found === 'volatility'
}
