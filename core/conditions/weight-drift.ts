/** Weights compared with those of a baseline (alert engine, 18). Each constituent has its own latches. */
import type { AlertTiming } from '../alert-timing'
import type { AlertInputs } from '../alert-inputs'
import type { Constituent, ConstituentsPublication, DecimalText } from '../model'
import { exactText, isSameDecimal, magnitude, readExact, subtract, unitsAt, type Exact } from '../decimal'
import { judgeLatch, type Reading } from '../evaluation/latch'
import { publicationInputs, type ConstituentsSeen } from '../evaluation/observation'
import { baseOf, withBase, type Base, type Latch, type RuleState } from '../evaluation/state'
import { armed, nothing, type Verdict } from '../evaluation/verdict'
import { condition, ofConstituents } from '../evaluation/condition'
import { ofConstituent } from '../evaluation/percent'

const armedLatch: Latch = { isUpArmed: true, isDownArmed: false }

interface Drift {
  name: string
  /** Percentage points, signed. */
  points: Exact
  reading: Reading
}

/**
 * A weight moved by `points` percentage points up or down from its baseline. The baseline is the creation of the rule
 * or the last change of constituents or divisor. Without `constituent`, any constituent counts.
 */
export const weightDrift = condition({
  ...ofConstituents,
  fields: { constituent: 'optional', points: 'required', base: 'required' },
  sentence: '[has a weight drift of] {points} for {constituent} since {base}',
  samples: [
    { points: '2', base: 'made' },
    { constituent: 'ETH', points: '0.5', base: 'rebalance' },
  ],
  words: ({ constituent }) => `weight of ${constituent ?? 'any constituent'} drifts by`,
  amount: ({ points }, number) => `${number(points)} pp`,
  past: ({ constituent }, amount) => `weight of ${constituent ?? 'a constituent'} drifted by ${amount}`,
  fired: (_, { inputs, value, format }) =>
    `weight${ofConstituent(inputs)} drifted to ${value} %${inputs.before === undefined ? '' : ` from ${format.number(inputs.before)} %`}`,
  unit: ' %',
  measureUnit: () => ' points',
  /**
   * The first weights seen are the baseline. The baseline `rebalance` moves with each change of constituents or
   * divisor.
   */
  judge(rule, state, seen) {
    const { terms } = rule
    const distance = readExact(terms.points)
    const { publication } = seen
    if (distance === undefined || publication.constituents.length === 0) return nothing(state, 'No weights to compare.')
    const { base } = state
    if (base === undefined) {
      return {
        state: withBase(armed(state), publication),
        firings: [],
        words: 'These weights are the baseline: armed.',
      }
    }
    if (terms.base === 'rebalance' && isRebalance(base, publication)) {
      const next = { ...withBase(state, publication), isUpArmed: true }
      delete next.latches
      return { state: next, firings: [], words: 'Rebalanced: these weights are the new baseline, armed.' }
    }
    const weights = new Map(base.weights)
    const drifts = publication.constituents
      .filter(({ constituent }) => terms.constituent === undefined || terms.constituent === constituent)
      .flatMap((constituent) => driftOf(constituent, weights.get(constituent.constituent), distance, seen) ?? [])
    if (drifts.length === 0)
      return nothing(state, `${terms.constituent ?? 'No constituent'} has no weight in the baseline.`)
    return judgeAll(rule, state, drifts)
  },
})

function isRebalance(base: Base, publication: ConstituentsPublication): boolean {
  const now = baseOf(publication)
  const before = new Set(base.weights.map(([name]) => name))
  const isSameSet = now.weights.length === base.weights.length && now.weights.every(([name]) => before.has(name))
  return !isSameSet || !isSameDecimal(base.divisor, now.divisor)
}

function driftOf(
  constituent: Constituent,
  before: DecimalText | undefined,
  distance: Exact,
  seen: ConstituentsSeen,
): Drift | undefined {
  const { constituent: name, weightPercent } = constituent
  const from = before === undefined ? undefined : readExact(before)
  const to = readExact(weightPercent)
  if (before === undefined || from === undefined || to === undefined) return undefined
  const points = subtract(to, from)
  const isFar = isAtLeast(points, distance)
  const text = exactText(points)
  const reading: Reading = {
    seen,
    up: { holds: isFar, arms: !isFar },
    atFirst: 'fires',
    inputs: () => ({
      ...publicationInputs(seen.publication),
      value: weightPercent,
      constituent: name,
      before,
    }),
    measure: text,
    fact: `The weight of ${name} is ${weightPercent} %, ${text} pp from ${before} %`,
    rearm: 'it is back in range',
  }
  return { name, points, reading }
}

function judgeAll(rule: AlertTiming, state: RuleState, drifts: readonly Drift[]): Verdict {
  const latches = new Map(state.latches)
  const firings: AlertInputs[] = []
  let words = ''
  let hasChanged = false
  let largest: Drift | undefined
  for (const drift of drifts) {
    const { name } = drift
    const before = latches.get(name) ?? armedLatch
    const { latch, firing, words: wordsOfThis } = judgeLatch(rule, before, drift.reading)
    if (isPlainlyArmed(latch) ? latches.delete(name) : latch !== before) hasChanged = true
    if (!isPlainlyArmed(latch)) latches.set(name, latch)
    if (firing !== undefined) firings.push(firing)
    if (largest === undefined || !isAtLeast(largest.points, drift.points)) {
      largest = drift
      words = wordsOfThis
    }
  }
  const measure = largest?.reading.measure
  const next = hasChanged ? withLatches(rule, state, latches, { drifts, hasFired: firings.length > 0 }) : state
  return { state: next, firings, ...(measure !== undefined && { measure }), words }
}

function withLatches(
  rule: AlertTiming,
  state: RuleState,
  latches: ReadonlyMap<string, Latch>,
  { drifts, hasFired }: { drifts: readonly Drift[]; hasFired: boolean },
): RuleState {
  const isUpArmed = drifts.some(({ name }) => latches.get(name)?.isUpArmed !== false)
  const next: RuleState = { ...state, isUpArmed, isDone: hasFired && rule.repeat.mode === 'once' }
  delete next.latches
  return latches.size === 0 ? next : { ...next, latches: [...latches] }
}

function isPlainlyArmed({ isUpArmed, hold, repeating }: Latch): boolean {
  return isUpArmed && hold === undefined && repeating === undefined
}

/** Compares sizes, ignoring signs. */
function isAtLeast(a: Exact, b: Exact): boolean {
  const scale = Math.max(a.scale, b.scale)
  return magnitude(unitsAt(a, scale)) >= magnitude(unitsAt(b, scale))
}
