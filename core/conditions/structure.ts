/** What an index is made of: weights, shares, members and divisor (alerts, 18). */
import type { AlertInputs } from '../alert-events'
import { isJudgedBy, type AlertRule, type ExchangeTerms, type WeightTerms } from '../alerts'
import { compareDecimals, parseDecimal } from '../decimal'
import type { ConstituentsPublication, DecimalText } from '../model'
import { judgeContinuity } from './continuity'
import { judgeDrift } from './drift'
import { sameDecimal } from './exact'
import type { Reading } from './latch'
import { allowedGapMs, publicationInputs, type ConstituentsSeen } from './observation'
import { once } from './once'
import { withBase, type RuleMemory, type RuleState } from './state'
import { armed, fireEvent, judgeReading, nothing, type Verdict } from './verdict'

/** Passed over are calculations that were carried over, whose value is a zero or none, or no later than one before. */
export function judgeConstituents(
  rule: AlertRule,
  state: RuleState,
  memory: RuleMemory,
  seen: ConstituentsSeen,
): Verdict {
  const { value, publishedAtMs, isRepeatOfPrevious } = seen.publication
  if (memory.newest.constituents !== undefined && publishedAtMs <= memory.newest.constituents) {
    return nothing(state, 'Not newer than the previous constituents: skipped.')
  }
  memory.newest.constituents = publishedAtMs
  if (isRepeatOfPrevious === true) return nothing(state, 'Carried forward: skipped.')
  const sign = parseDecimal(value)?.sign
  if (sign === undefined || sign === 0) return nothing(state, 'No value: skipped.')
  const { terms } = rule
  if (!isJudgedBy(terms, 'constituents')) return nothing(state, 'Nothing to compare.')
  switch (terms.condition) {
    case 'weightAtOrAbove':
    case 'weightAtOrBelow':
      return judgeReading(rule, state, readWeight(terms, seen))
    case 'exchangeShareAtOrBelow':
      return judgeReading(rule, state, readShare(terms, seen))
    case 'weightDrift':
      return judgeDrift(rule, terms, state, seen)
    case 'constituentsChanged':
      return judgeMembers(rule, state, seen.publication)
    case 'divisorChanged':
      return judgeDivisor(rule, state, seen.publication)
    case 'continuity':
      return judgeContinuity(rule, terms, { state, memory }, seen)
  }
}

const levelOf = once((terms: WeightTerms | ExchangeTerms) => {
  return parseDecimal('weightPercent' in terms ? terms.weightPercent : terms.sharePercent)
})

function readWeight(terms: WeightTerms, seen: ConstituentsSeen): Reading | string {
  const found = seen.publication.constituents.find(({ constituent }) => constituent === terms.constituent)
  if (found === undefined) return `${terms.constituent} is not a constituent.`
  const isAbove = terms.condition === 'weightAtOrAbove'
  return readPercent(terms, found.weightPercent, { isAbove, level: terms.weightPercent, what: 'The weight' }, seen)
}

function readShare(terms: ExchangeTerms, seen: ConstituentsSeen): Reading | string {
  const found = seen.publication.constituents
    .find(({ constituent }) => constituent === terms.constituent)
    ?.exchanges?.find(({ exchange }) => exchange === terms.exchange)
  if (found === undefined) return `${terms.exchange} has no share in ${terms.constituent}.`
  return readPercent(terms, found.weightPercent, { isAbove: false, level: terms.sharePercent, what: 'The share' }, seen)
}

/** A weight of zero is one: that of an exchange left out. */
function readPercent(
  terms: WeightTerms | ExchangeTerms,
  percent: DecimalText,
  { isAbove, level, what }: { isAbove: boolean; level: DecimalText; what: string },
  { publication, cadence }: ConstituentsSeen,
): Reading | string {
  const limit = levelOf(terms)
  const weight = parseDecimal(percent)
  if (limit === undefined || weight === undefined) return `${what} is not a number.`
  const order = compareDecimals(weight, limit)
  const place = order === 0 ? 'at' : order < 0 ? 'below' : 'above'
  return {
    ...(isAbove ? { up: { holds: order >= 0, arms: order < 0 } } : { down: { holds: order <= 0, arms: order > 0 } }),
    atFirst: 'asSaid',
    publishedAtMs: publication.publishedAtMs,
    allowedGapMs: allowedGapMs(cadence),
    inputs: () => ({ ...publicationInputs(publication), value: percent, constituent: terms.constituent }),
    measure: percent,
    fact: `${what} of ${percent} % is ${place} ${level} %`,
    rearm: `it is ${isAbove ? 'below' : 'above'} ${level} %`,
  }
}

/** The constituents first seen are the base; each set that differs from the one before fires with who joined and left. */
function judgeMembers(rule: AlertRule, state: RuleState, publication: ConstituentsPublication): Verdict {
  if (publication.constituents.length === 0) return nothing(state, 'No constituents: skipped.')
  const { base } = state
  if (base === undefined)
    return { state: withBase(armed(state), publication), firings: [], words: 'First constituents: armed.' }
  const now = new Set(publication.constituents.map(({ constituent }) => constituent))
  const before = new Set(base.weights.map(([name]) => name))
  const joined = [...now].filter((name) => !before.has(name))
  const left = [...before].filter((name) => !now.has(name))
  if (joined.length === 0 && left.length === 0) return nothing(state, 'The constituents did not change.')
  const inputs: AlertInputs = {
    ...publicationInputs(publication),
    ...(joined.length > 0 && { joined }),
    ...(left.length > 0 && { left }),
  }
  const fact = `${joined.length} added, ${left.length} removed`
  return fireEvent(rule, withBase(state, publication), { inputs, atMs: publication.publishedAtMs, fact })
}

/** The divisor first seen is the base; each that differs from the one before by value fires. */
function judgeDivisor(rule: AlertRule, state: RuleState, publication: ConstituentsPublication): Verdict {
  const { divisor } = publication
  if (divisor === undefined || parseDecimal(divisor) === undefined) return nothing(state, 'No divisor.')
  const before = state.base?.divisor
  const next = { ...armed(state), base: { weights: [], divisor } }
  if (before === undefined) return { state: next, firings: [], words: `First divisor ${divisor}: armed.` }
  if (sameDecimal(before, divisor)) return nothing(state, `The divisor is still ${divisor}.`)
  const inputs = { ...publicationInputs(publication), value: divisor, before }
  const fact = `The divisor is ${divisor} and was ${before}`
  return fireEvent(rule, next, { inputs, atMs: publication.publishedAtMs, fact })
}
