/**
 * Continuity (alert engine, 18): whether a value follows from its constituents. Holdings are not published, but a
 * weight is a holding's share in the whole. So the value must change by the mean of the constituents' changes. The
 * previous weights are the weights of that mean:
 *
 * expected = previous value × sum(previous weight × price ÷ previous price) ÷ sum(previous weight)
 *
 * The divisor keeps that true across a rebalance. Across a rebalance, only constituents of both calculations count.
 */
import type { ConstituentsPublication } from '../model'
import { condition, ofConstituents } from '../evaluation/condition'
import {
  add,
  compareFractions,
  divide,
  fractionText,
  magnitude,
  multiply,
  readExact,
  sizeOf,
  subtract,
  unitsAt,
  type Exact,
} from '../decimal'
import type { Reading } from '../evaluation/latch'
import { publicationInputs } from '../evaluation/observation'
import { judgeReading, nothing } from '../evaluation/verdict'

/** Decimal places of price changes. Far more than any weight has. */
const ratioPlaces = 40

const zero: Exact = { units: 0n, scale: 0 }
const one: Exact = { units: 1n, scale: 0 }
const hundred: Exact = { units: 100n, scale: 0 }

export const continuity = condition({
  ...ofConstituents,
  fields: { tolerancePercent: 'required' },
  requires: 'divisor',
  sentence: '[differs from its constituents by] {tolerancePercent}',
  samples: [{ tolerancePercent: '0.25' }],
  words: () => 'differs from its constituents by more than',
  amount: ({ tolerancePercent }, number) => `${number(tolerancePercent)} %`,
  past: (_, amount) => `differed from its constituents by more than ${amount}`,
  fired: (_, { value, amount }) =>
    `differs from its constituents by ${value.replace(/^[-\u2212]/, '')} % (tolerance ${amount})`,
  unit: ' %',
  /** Compares each calculation with the previous one since app start. Skips calculations without a divisor. */
  judge(rule, state, seen, memory) {
    const { tolerancePercent } = rule.terms
    const { publication } = seen
    if (publication.divisor === undefined) return nothing(state, 'No divisor to compare.')
    const before = memory.calculation
    memory.calculation = publication
    if (before === undefined) return nothing(state, 'Waiting for a second calculation to compare with.')
    const tolerance = readExact(tolerancePercent)
    const sums = sumsOf(before, publication)
    const [from, to] = [before, publication].map(({ value }) => readExact(value))
    if (tolerance === undefined || sums === undefined || from === undefined || to === undefined) {
      return nothing(state, 'No numbers to compare.')
    }
    // Compares value × weights with previous value × changes, so that nothing is divided before the end.
    const expected = multiply(from, sums.changes)
    if (expected.units === 0n) return nothing(state, 'The constituents add up to zero.')
    const difference = multiply(subtract(multiply(to, sums.weights), expected), hundred)
    const percent = divide(difference, sizeOf(expected))
    const isOff =
      compareFractions({ units: magnitude(percent.units), over: percent.over }, divide(sizeOf(tolerance), one)) > 0
    const text = fractionText(percent, Math.max(2, tolerance.scale))
    const reading: Reading = {
      seen,
      up: { holds: isOff, arms: !isOff },
      atFirst: 'fires',
      inputs: () => ({ ...publicationInputs(publication), value: text }),
      measure: text,
      fact: `${publication.value} differs from its constituents by ${text} %`,
      rearm: `it is within ${tolerancePercent} %`,
    }
    return judgeReading(rule, state, reading)
  },
})

/**
 * The sum of the previous weights, and of those weights times each price's change. Undefined if a number is missing.
 */
function sumsOf(
  before: ConstituentsPublication,
  now: ConstituentsPublication,
): { weights: Exact; changes: Exact } | undefined {
  const prices = new Map(now.constituents.map(({ constituent, value }) => [constituent, value]))
  let weights = zero
  let changes = zero
  for (const { constituent, value, weightPercent } of before.constituents) {
    const text = prices.get(constituent)
    if (text === undefined) continue
    const [weight, from, to] = [weightPercent, value, text].map(readExact)
    if (weight === undefined || from === undefined || to === undefined || from.units === 0n) return undefined
    const { units, over } = divide(to, from)
    const ratio: Exact = { units: (units * unitsAt(one, ratioPlaces)) / over, scale: ratioPlaces }
    weights = add(weights, weight)
    changes = add(changes, multiply(weight, ratio))
  }
  return { weights, changes }
}
