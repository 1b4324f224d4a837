/**
 * When a rule fires. A fold: rule, state and what is seen give the next state and what fired; nothing else counts.
 */
import type { AlertInputs } from '../../../protocol/alert-events'
import type { AlertRule, LevelTerms } from '../../../protocol/alerts'
import { compareDecimals, parseDecimal } from '../../../protocol/decimal'
import { staleAfterMs } from '../../../protocol/freshness'
import type { DecimalText } from '../../../protocol/model'
import type { Observation, ValueSeen } from './observation'
import type { RuleState } from './state'

/** What a rule remembers in this run alone, such as the values of its window; changed by `evaluate`. */
export interface RuleMemory {
  readonly seen: unknown[]
}

export interface Verdict {
  /** The very same object where nothing changed. */
  state: RuleState
  /** In order; a move or a set of constituents may fire several times at once. */
  firings: AlertInputs[]
  /** A silence has ended. */
  recovered?: AlertInputs
  /** What the terms compare, where that is not the value itself. */
  measure?: DecimalText
  /** Why it fired or did not, in plain words. */
  words: string
}

export function newMemory(): RuleMemory {
  return { seen: [] }
}

/**
 * Judges what was seen. A value carried over from the day before is no evidence and is passed over; so is a zero where
 * the level is another number, since feeds send bogus ones.
 */
export function evaluate(rule: AlertRule, state: RuleState, _memory: RuleMemory, seen: Observation): Verdict {
  if (state.isDone) return { state, firings: [], words: 'It has fired once and is done.' }
  if (seen.kind !== 'value' || !('level' in rule.terms)) return { state, firings: [], words: 'Nothing to compare.' }
  if (seen.publication.isRepeatOfPrevious === true) return { state, firings: [], words: 'Carried over.' }
  return judgeLevel(rule, rule.terms, state, seen)
}

function judgeLevel(rule: AlertRule, terms: LevelTerms, state: RuleState, seen: ValueSeen): Verdict {
  const level = parseDecimal(terms.level)
  const value = parseDecimal(seen.publication.value)
  if (level === undefined || value === undefined) return { state, firings: [], words: 'No number.' }
  if (value.sign === 0 && level.sign !== 0) return { state, firings: [], words: 'A zero is passed over.' }
  const order = compareDecimals(value, level)
  const watchesUp = terms.condition !== 'fallsTo' && terms.condition !== 'isBelow'
  const watchesDown = terms.condition !== 'risesTo' && terms.condition !== 'isAbove'
  const isStrict = terms.condition === 'isAbove' || terms.condition === 'isBelow'
  const isUp = watchesUp && (isStrict ? order > 0 : order >= 0)
  const isDown = watchesDown && (isStrict ? order < 0 : order <= 0)
  const fires =
    state.whenAlreadyMet === undefined
      ? (isUp && state.isUpArmed) || (isDown && state.isDownArmed)
      : (isUp || isDown) && state.whenAlreadyMet === 'fire' && terms.condition !== 'crosses'
  const next: RuleState = {
    isUpArmed: watchesUp && !isUp && (order !== 0 || state.isUpArmed),
    isDownArmed: watchesDown && !isDown && (order !== 0 || state.isDownArmed),
    isDone: fires && rule.repeat.mode === 'once',
  }
  const inputs = inputsOf(seen, isUp ? 'up' : 'down')
  return { state: isSame(next, state) ? state : next, firings: fires ? [inputs] : [], words: 'Compared.' }
}

function isSame(a: RuleState, b: RuleState): boolean {
  return (
    b.whenAlreadyMet === undefined &&
    a.isUpArmed === b.isUpArmed &&
    a.isDownArmed === b.isDownArmed &&
    a.isDone === b.isDone
  )
}

function inputsOf({ publication, previous, cadence }: ValueSeen, direction: 'up' | 'down'): AlertInputs {
  const { value, publishedAtMs, amendedAtMs } = publication
  const isGap =
    previous !== undefined && cadence !== undefined && publishedAtMs - previous.publishedAtMs > staleAfterMs(cadence)
  return {
    value,
    publishedAtMs,
    ...(amendedAtMs !== undefined && { amendedAtMs }),
    ...(previous !== undefined && { previous }),
    ...(isGap && { gapSinceMs: previous.publishedAtMs }),
    direction,
  }
}
