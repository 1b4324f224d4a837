/**
 * Compares the constituents of an index over time: contributions in points, the recalculated value, additions, removals
 * and reweighting. All arithmetic is exact.
 */
import { decimalsOf, isSameDecimal, multiplyAndDivide, subtractDecimals, sumDecimals, isLess } from './decimal'
import type { Constituent, ConstituentsPublication, DecimalText } from './model'

/** The baseline of contributions: the last UTC midnight, the opening of the page, or one that the user set. */
export const sinces = ['close', 'opened', 'base'] as const
export type Since = (typeof sinces)[number]

/** A constituent that was added or removed, with its weight then. */
export interface Member {
  key: string
  weightPercent: DecimalText
}

/** A constituent whose weight changed by more than its price explains. */
export interface Reweighted {
  key: string
  before: DecimalText
  after: DecimalText
}

/** Constituents by a unique key, in the service's order. The service may name one twice. */
export function keyedConstituents(constituents: readonly Constituent[]): Map<string, Constituent> {
  const found = new Map<string, Constituent>()
  for (const constituent of constituents) {
    const name = constituent.constituent
    let key = name
    for (let count = 2; found.has(key); count++) key = `${name} (${count})`
    found.set(key, constituent)
  }
  return found
}

/** The decimals of the index, but at least two. */
export function pointPlaces({ value }: ConstituentsPublication): number {
  return Math.max(2, decimalsOf(value))
}

/**
 * The contribution of a constituent: baseline index × baseline weight × its return. Rounded once, half away from zero.
 * Undefined from a value of zero.
 */
export function pointsOf(
  { value }: Constituent,
  before: Constituent,
  then: ConstituentsPublication,
  places: number,
): DecimalText | undefined {
  const moved = subtractDecimals(value, before.value)
  return multiplyAndDivide([then.value, before.weightPercent, moved, '0.01'], before.value, places)
}

/** The index change since the baseline, the sum of contributions, and the residual. */
export function indexPoints(
  points: readonly (DecimalText | undefined)[],
  now: ConstituentsPublication,
  then: ConstituentsPublication,
): { change: DecimalText; constituents: DecimalText; rest: DecimalText } {
  const change = subtractDecimals(now.value, then.value)
  const constituents = sumDecimals(points.flatMap((each) => each ?? []))
  return { change, constituents, rest: subtractDecimals(change, constituents) }
}

/** Additions and removals since the baseline. */
export function memberChanges(
  now: ConstituentsPublication,
  then: ConstituentsPublication,
): { joined: Member[]; left: Member[] } {
  const present = keyedConstituents(now.constituents)
  const before = keyedConstituents(then.constituents)
  return { joined: membersMissingIn(before, present), left: membersMissingIn(present, before) }
}

function membersMissingIn(there: ReadonlyMap<string, Constituent>, all: ReadonlyMap<string, Constituent>): Member[] {
  return [...all].filter(([key]) => !there.has(key)).map(([key, { weightPercent }]) => ({ key, weightPercent }))
}

/** Decimal places of a price's change. Far more than any weight has. */
const ratioPlaces = 40

/** weight × value ÷ baseline value. Undefined from zero. */
function grown({ weightPercent, value }: Constituent, now: Constituent): DecimalText | undefined {
  return multiplyAndDivide([weightPercent, now.value], value, ratioPlaces)
}

/** Percentage points. A smaller change of a weight may be rounding and is not reported. */
const minReweighting = '0.1'

/**
 * Constituents of both calculations whose weight differs from what price changes explain, largest difference first.
 * Ignores differences that rounding of weights could cause.
 */
export function reweighted(now: ConstituentsPublication, then: ConstituentsPublication): Reweighted[] {
  const present = keyedConstituents(now.constituents)
  const parts = [...keyedConstituents(then.constituents)].map(([key, before]) => {
    const after = present.get(key)
    // A removed constituent keeps its old weight, because its later prices are unknown.
    return { key, before, after, grown: (after && grown(before, after)) ?? before.weightPercent }
  })
  const total = sumDecimals(parts.map(({ before }) => before.weightPercent))
  const grownTotal = sumDecimals(parts.map((part) => part.grown))
  const weights = [...now.constituents, ...then.constituents].map(({ weightPercent }) => weightPercent)
  const fiveUnits = `5e-${Math.max(...weights.map(decimalsOf))}`
  const minimum = isLess(minReweighting, fiveUnits) ? fiveUnits : minReweighting
  return parts
    .flatMap(({ key, before, after, grown: each }) => {
      const expected = multiplyAndDivide([each, total], grownTotal, ratioPlaces)
      if (after === undefined || expected === undefined) return []
      const size = subtractDecimals(after.weightPercent, expected).replace('-', '')
      return isLess(minimum, size)
        ? [{ size, changed: { key, before: before.weightPercent, after: after.weightPercent } }]
        : []
    })
    .sort((a, b) => (isLess(a.size, b.size) ? 1 : -1))
    .map(({ changed }) => changed)
}

/** A value recalculated from constituents and divisor, for comparison with the published one. */
export interface Recomputed {
  value: DecimalText
  /** The published value minus this one, exact. */
  difference: DecimalText
  /** The time of the calculation from which the holdings are derived. */
  heldAtMs: number
  /** Decimal places to which `value` and the weights are meaningful. */
  places: number
  weightPlaces: number
}

/**
 * Recalculates the value of an exchange-family index: the sum of holding × price, divided by the divisor, rounded once.
 * Holdings are not published. They follow from an earlier calculation as weight × value × divisor ÷ price, and stay
 * valid while divisor and constituents are unchanged. Uses the first earlier calculation for which that is so.
 * Undefined if there is none, or no divisor.
 */
export function recomputed(
  now: ConstituentsPublication,
  earlier: readonly (ConstituentsPublication | undefined)[],
): Recomputed | undefined {
  const then = earlier.find((each) => each !== undefined && each.publishedAtMs < now.publishedAtMs && holds(each, now))
  if (then === undefined) return undefined
  const present = keyedConstituents(now.constituents)
  const parts = [...keyedConstituents(then.constituents)].map(([key, before]) => {
    const after = present.get(key)
    return after && grown(before, after)
  })
  const worths = parts.flatMap((part) => part ?? [])
  const places = pointPlaces(now)
  const weights = then.constituents.map(({ weightPercent }) => weightPercent)
  // Both calculations have the same divisor, so it cancels out.
  const value = multiplyAndDivide([then.value, sumDecimals(worths)], sumDecimals(weights), places)
  if (value === undefined || worths.length < parts.length) return undefined
  return {
    value,
    difference: subtractDecimals(now.value, value),
    heldAtMs: then.publishedAtMs,
    places,
    weightPlaces: Math.max(...weights.map(decimalsOf)),
  }
}

/** Whether the holdings are unchanged, according to divisor and constituents. */
function holds(then: ConstituentsPublication, now: ConstituentsPublication): boolean {
  if (then.divisor === undefined || now.divisor === undefined || !isSameDecimal(then.divisor, now.divisor)) return false
  const { joined, left } = memberChanges(now, then)
  return joined.length + left.length === 0 && then.constituents.length > 0
}
