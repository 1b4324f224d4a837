/**
 * When a rule fires. A fold: rule, state, what this run remembers and what is seen give the next state and what fired;
 * nothing else counts, and the same observations give the same answers.
 */
import { hasLevels, isJudgedBy, type AlertRule } from '../alerts'
import type { Decimal } from '../decimal'
import type { Publication } from '../model'
import { confirmHold } from './latch'
import { leavesLatches, readLevels } from './level'
import { judgeMarket } from './market'
import { judgeMove, recallMove } from './move'
import type { Observation, ValueSeen } from './observation'
import { judgeAmended, judgeCorporateAction, judgeFixed, judgeSilence, readCarriedOver } from './plain'
import type { RuleMemory, RuleState } from './state'
import { judgeConstituents } from './structure'
import { judgeReading, nothing, withLatch, type Verdict } from './verdict'

/**
 * Judges what was seen. Not judged are values no later than one before, a zero where the level is another number since
 * feeds send bogus ones, and a value carried over from the day before, which is no evidence (alerts, 11).
 */
export function evaluate(rule: AlertRule, state: RuleState, memory: RuleMemory, seen: Observation): Verdict {
  if (isJudgedBy(rule.terms, 'silence')) return judgeSilence(rule, state, seen)
  if (state.isDone) return nothing(state, 'It has fired once and is finished.')
  switch (seen.kind) {
    case 'value':
      return judgeValue(rule, state, memory, seen)
    case 'constituents':
      return judgeConstituents(rule, state, memory, seen)
    case 'conditions':
      return judgeMarket(rule, state, memory, seen)
    case 'corporateAction':
      if (isJudgedBy(rule.terms, 'corporateActions')) return judgeCorporateAction(rule, state, seen.action)
      return nothing(state, 'Nothing to compare.')
    default:
      return nothing(state, 'Nothing to compare.')
  }
}

/**
 * Judges a value where it comes to nothing, neither a firing nor another state: answers whether it does. No where that
 * takes more than to compare it with levels; then `evaluate` judges. `decimal`: the value that was published.
 */
export function passes(
  { terms, hours }: AlertRule,
  state: RuleState,
  { newest }: RuleMemory,
  { publication, decimal }: { publication: Publication; decimal: Decimal | undefined },
): boolean {
  if (!hasLevels(terms)) return false
  if (state.isDone) return true
  const isUnderWay = state.whenAlreadyMet !== undefined || state.hold !== undefined || state.repeating !== undefined
  if (isUnderWay || hours !== undefined || publication.isRepeatOfPrevious === true || decimal === undefined)
    return false
  if (newest.value !== undefined && publication.publishedAtMs <= newest.value) return false
  if (!leavesLatches(terms, decimal, state)) return false
  newest.value = publication.publishedAtMs
  return true
}

/** Has a rule take up a value of before its state, so that what this run remembers is as if it had judged it. */
export function recall({ terms }: AlertRule, state: RuleState, memory: RuleMemory, publication: Publication): void {
  memory.newest.value = publication.publishedAtMs
  if (terms.condition === 'moves') recallMove(terms, { state, window: memory.window }, publication)
}

function judgeValue(rule: AlertRule, state: RuleState, memory: RuleMemory, seen: ValueSeen): Verdict {
  const { terms } = rule
  if (terms.condition === 'amended') return judgeAmended(rule, state, seen)
  const { publishedAtMs, isRepeatOfPrevious } = seen.publication
  if (memory.newest.value !== undefined && publishedAtMs <= memory.newest.value) {
    return nothing(state, 'Not newer than the previous value: skipped.')
  }
  memory.newest.value = publishedAtMs
  if (terms.condition === 'carriedOver') return judgeReading(rule, state, readCarriedOver(seen))
  if (terms.condition === 'fixed') return judgeFixed(rule, state, seen)
  if (isRepeatOfPrevious === true) return judgeRepeat(rule, state, seen)
  if (!isJudgedBy(terms, 'values')) return nothing(state, 'Nothing to compare.')
  if (terms.condition === 'moves') return judgeMove(rule, terms, { state, window: memory.window }, seen)
  return judgeReading(rule, state, readLevels(terms, seen))
}

/** A value carried over never fires; it confirms a hold where the user lets it. */
function judgeRepeat(rule: AlertRule, state: RuleState, seen: ValueSeen): Verdict {
  const { terms } = rule
  const isCounted = rule.countsRepeats === true && state.hold !== undefined && hasLevels(terms)
  const reading = isCounted ? readLevels(terms, seen) : 'Carried forward: skipped.'
  if (typeof reading === 'string') return nothing(state, reading)
  return withLatch(rule, state, confirmHold(state, reading), reading)
}
