/** What an index can publish, according to its id, name and cadence. */
import { cadencesMs, isHourlyOrSlower, isRealTime } from './cadence'
import type { Condition } from './evaluation/condition'
import { family, kind, type Kind } from './families'
import { fixingTime } from './fixings'
import { parseFormula } from './formula-id'
import type { IndexInfo, Resolution } from './model'

const second = 1_000
const day = 24 * 3_600 * second

/**
 * The longest usual time between two publications in milliseconds, at least a second. For business days it includes a
 * weekend, but no holiday.
 */
export function maxGapMs(cadence: Resolution): number {
  return cadence === 'BUSINESS_DAYS' ? 3 * day : Math.max(second, cadencesMs[cadence])
}

/** The longest window of a move in milliseconds. A day, or a year for an index that publishes hourly or less often. */
export function maxWindowMs(cadence: Resolution | undefined): number {
  return cadence === undefined || isHourlyOrSlower(cadence) ? 365 * day : day
}

const pricesAndTheLike: ReadonlySet<Kind> = new Set([
  'realTime',
  'referenceRate',
  'basket',
  'stakedReturn',
  'volatility',
  'tokenizedEquity',
])

/** Prices and volatilities are never negative, rates may be. False if nothing is known about the index. */
export function isNeverNegative(index: IndexInfo | undefined): boolean {
  return index?.name !== undefined && parseFormula(index.id) === undefined && pricesAndTheLike.has(kind(index))
}

/** Why this index never publishes what a condition needs. Undefined if it may. */
export function missingFor(requires: Condition['requires'], index: IndexInfo | undefined): string | undefined {
  if (requires === undefined || index?.name === undefined) return undefined
  if (parseFormula(index.id) === undefined) return missing[requires](index)
  return `${index.id} is a formula, which has values only. Choose an index, or another condition.`
}

const missing: Record<NonNullable<Condition['requires']>, (index: IndexInfo) => string | undefined> = {
  constituents: (index) =>
    hasNoConstituents(index) ? `${index.id} has no constituents. Choose a basket, or another condition.` : undefined,
  divisor: (index) =>
    isOfCf(index)
      ? `${index.id} has neither a divisor nor exchanges. Choose an index of the exchange family, or another condition.`
      : undefined,
  realTime: (index) => tooSlowFor('corporate actions', index),
  marketConditions: (index) => tooSlowFor('market conditions', index),
  fixing: ({ id }) =>
    fixingTime(id) === undefined
      ? `${id} has no known fixing time. Choose a reference rate such as BRR, or another condition.`
      : undefined,
}

function tooSlowFor(data: string, { id, maxResolution }: IndexInfo): string | undefined {
  if (isRealTime(maxResolution)) return undefined
  return `Only real-time indices have ${data}, and ${id} is published less often. Choose another condition.`
}

function isOfCf(index: IndexInfo): boolean {
  const found = family(index)
  return found === 'CF' || found === 'CME CF'
}

/**
 * True for a rate, and for an index of one asset outside the exchange family. Baskets and the exchange family have
 * constituents.
 */
export function hasNoConstituents(index: IndexInfo): boolean {
  if (!isOfCf(index)) return false
  const found = kind(index)
  if (found === 'basket') return false
  return index.base !== undefined || found === 'stakingRate' || found === 'interestRate' || found === 'volatility'
}
