/**
 * Decides when a rule fires. Pure: rule, state, memory and observation give the next state and the firings. The same
 * observations give the same results.
 */
import { hasLevels, type AlertRule } from '../alerts'
import { specOf } from '../conditions/list'
import { parseDecimal, type Decimal } from '../decimal'
import type { Publication } from '../model'
import type { ConditionSource, LeavesLatches } from './condition'
import { confirmHold } from './latch'
import type { ConditionsSeen, ConstituentsSeen, Observation, ValueSeen } from './observation'
import type { RuleMemory, RuleState } from './state'
import { judgeReading, nothing, withLatch, type Verdict } from './verdict'

const sourceOf: Readonly<Record<Observation['kind'], ConditionSource>> = {
  value: 'values',
  constituents: 'constituents',
  conditions: 'marketConditions',
  corporateAction: 'corporateActions',
  silent: 'silence',
  resumed: 'silence',
}

/**
 * Evaluates an observation. Skips a value that is not newer than the last one, a zero that feeds send by mistake, and a
 * value carried forward (alert engine, 11).
 */
export function evaluate(rule: AlertRule, state: RuleState, memory: RuleMemory, seen: Observation): Verdict {
  const { source } = specOf(rule.terms.condition)
  if (source === 'silence') return judgeBy(rule, state, memory, seen)
  if (state.isDone) return nothing(state, 'It has fired once and is finished.')
  if (source !== sourceOf[seen.kind]) return nothing(state, 'Nothing to compare.')
  switch (seen.kind) {
    case 'value':
      return judgeValue(rule, state, memory, seen)
    case 'constituents':
    case 'conditions':
      return judgeCalculation(rule, state, memory, seen)
    default:
      return judgeBy(rule, state, memory, seen)
  }
}

/**
 * Fast path, because hundreds of rules see each tick and nearly always nothing changes. Compares the value with the
 * levels and notes its time. Returns false if the value may fire or change the state. Then call `evaluate`. The caller
 * looks `leavesLatches` up once for the rule's terms.
 */
export function passes(
  { hours }: AlertRule,
  state: RuleState,
  { newest }: RuleMemory,
  { publication, decimal }: { publication: Publication; decimal: Decimal | undefined },
  leavesLatches: LeavesLatches,
): boolean {
  if (state.isDone) return true
  const isUnderWay = state.whenAlreadyMet !== undefined || state.hold !== undefined || state.repeating !== undefined
  if (isUnderWay || hours !== undefined || publication.isRepeatOfPrevious === true || decimal === undefined)
    return false
  if (newest.value !== undefined && publication.publishedAtMs <= newest.value) return false
  return leavesLatches(decimal, state)
}

/** Adds a value that the stored state already includes to the memory, as if it had been evaluated. */
export function recall({ terms }: AlertRule, state: RuleState, memory: RuleMemory, publication: Publication): void {
  memory.newest.value = publication.publishedAtMs
  specOf(terms.condition).recall?.(terms, state, memory, publication)
}

function judgeBy(rule: AlertRule, state: RuleState, memory: RuleMemory, seen: Observation): Verdict {
  const condition = specOf(rule.terms.condition)
  if (condition.judge !== undefined) return condition.judge(rule, state, seen, memory)
  return judgeReading(rule, state, condition.read(rule.terms, seen))
}

function judgeValue(rule: AlertRule, state: RuleState, memory: RuleMemory, seen: ValueSeen): Verdict {
  const { seesRevisions, seesRepeats } = specOf(rule.terms.condition)
  if (seesRevisions === true) return judgeBy(rule, state, memory, seen)
  const { publishedAtMs, isRepeatOfPrevious } = seen.publication
  if (memory.newest.value !== undefined && publishedAtMs <= memory.newest.value) {
    return nothing(state, 'Not newer than the previous value: skipped.')
  }
  memory.newest.value = publishedAtMs
  if (isRepeatOfPrevious === true && seesRepeats !== true) return judgeRepeat(rule, state, seen)
  return judgeBy(rule, state, memory, seen)
}

/** A value carried forward never fires. It confirms a hold if the user allows that. */
function judgeRepeat(rule: AlertRule, state: RuleState, seen: ValueSeen): Verdict {
  const { terms } = rule
  const isCounted = rule.countsRepeats === true && state.hold !== undefined && hasLevels(terms)
  const reading = (isCounted ? specOf(terms.condition).read?.(terms, seen) : undefined) ?? 'Carried forward: skipped.'
  if (typeof reading === 'string') return nothing(state, reading)
  return withLatch(rule, state, confirmHold(state, reading), reading)
}

const newerThan = { constituents: 'constituents', conditions: 'market conditions' } as const
type CalculationSeen = ConstituentsSeen | ConditionsSeen

/** Skips a calculation that is carried forward, has no value or a zero, or is not newer than the last one. */
function judgeCalculation(rule: AlertRule, state: RuleState, memory: RuleMemory, seen: CalculationSeen): Verdict {
  const { publishedAtMs } = seen.publication
  const beforeMs = memory.newest[seen.kind]
  if (beforeMs !== undefined && publishedAtMs <= beforeMs) {
    return nothing(state, `Not newer than the previous ${newerThan[seen.kind]}: skipped.`)
  }
  const words = emptyWords(seen.publication)
  const verdict = words === undefined ? judgeBy(rule, state, memory, seen) : nothing(state, words)
  memory.newest[seen.kind] = publishedAtMs
  return verdict
}

function emptyWords({ value, isRepeatOfPrevious }: Publication): string | undefined {
  if (isRepeatOfPrevious === true) return 'Carried forward: skipped.'
  return (parseDecimal(value)?.sign ?? 0) === 0 ? 'No value: skipped.' : undefined
}
