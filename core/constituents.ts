/**
 * What an index is made of, compared over time: what each constituent did to it in points, what it should be by its
 * constituents, and which joined, left or were reweighted. Exact: nothing here is a float.
 */
import { decimalsOf, isSameDecimal, multiplyAndDivide, subtractDecimals, sumDecimals, isLess } from './decimal'
import type { Constituent, ConstituentsPublication, DecimalText } from './model'

/** What changes are counted from: the last close, the constituents when the page was opened, or the user's base. */
export const sinces = ['close', 'opened', 'base'] as const
export type Since = (typeof sinces)[number]

/** A constituent that joined or left, with its weight now or then. */
export interface Member {
  key: string
  weightPercent: DecimalText
}

/** A constituent whose weight is another one, and not by its price alone. */
export interface Reweighted {
  key: string
  before: DecimalText
  after: DecimalText
}

/** Constituents by a key that is unique also where the service names one twice; in its order. */
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

/** As many digits after the point as the index has, two at least. */
export function pointPlaces({ value }: ConstituentsPublication): number {
  return Math.max(2, decimalsOf(value))
}

/**
 * What a constituent did to the index since then: index then × weight then × change of its value, rounded once, half away
 * from zero. Nothing from a value of zero.
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

/** The index' change since then, what its constituents did to it, and what these do not add up to: never hidden. */
export function indexPoints(
  points: readonly (DecimalText | undefined)[],
  now: ConstituentsPublication,
  then: ConstituentsPublication,
): { change: DecimalText; constituents: DecimalText; rest: DecimalText } {
  const change = subtractDecimals(now.value, then.value)
  const constituents = sumDecimals(points.flatMap((each) => each ?? []))
  return { change, constituents, rest: subtractDecimals(change, constituents) }
}

/** Which are in the index now and were not then, and the other way round. */
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

/** Decimal places of a price's change; far beyond those of any weight. */
const ratioPlaces = 40

/** weight × value now ÷ value then; nothing where it was zero. */
function grown({ weightPercent, value }: Constituent, now: Constituent): DecimalText | undefined {
  return multiplyAndDivide([weightPercent, now.value], value, ratioPlaces)
}

/** Less than this much, in percentage points, no weight is said to have changed: it may be rounding. */
const minReweighting = '0.1'

/**
 * Constituents of both calculations whose weight is not what their prices have made of the one before, the greatest
 * difference first. A difference that the rounding of weights could make is none.
 */
export function reweighted(now: ConstituentsPublication, then: ConstituentsPublication): Reweighted[] {
  const present = keyedConstituents(now.constituents)
  const parts = [...keyedConstituents(then.constituents)].map(([key, before]) => {
    const after = present.get(key)
    // What left is taken as it was: its later prices are not known.
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

/** A value computed from the constituents and the divisor, beside the one published. */
export interface Recomputed {
  value: DecimalText
  /** The published value less this one, exact. */
  difference: DecimalText
  /** What the index holds of each follows from this calculation's weights, value and divisor. */
  heldAtMs: number
  /** Decimal places of `value`, and of the weights, by which it is as near as it is. */
  places: number
  weightPlaces: number
}

/**
 * The value of an exchange family from its constituents: what it holds of each × its price, added up ÷ the divisor, rounded
 * once. Holdings are not published; they follow from an earlier calculation, as weight × value × divisor ÷ price, and hold
 * as long as neither the divisor nor a member is another one. Of the earlier calculations the first where they do is taken;
 * `undefined` where none does, or there is no divisor.
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
  // The divisor is the same in both, and goes out of holdings × price ÷ divisor.
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

/** Whether what was held then is held now, as far as divisor and members say. */
function holds(then: ConstituentsPublication, now: ConstituentsPublication): boolean {
  if (then.divisor === undefined || now.divisor === undefined || !isSameDecimal(then.divisor, now.divisor)) return false
  const { joined, left } = memberChanges(now, then)
  return joined.length + left.length === 0 && then.constituents.length > 0
}
