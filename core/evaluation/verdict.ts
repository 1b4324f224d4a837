import type { AlertInputs } from '../alert-inputs'
import type { AlertTiming } from '../alert-timing'
import type { DecimalText } from '../model'
import { judgeLatch, type LatchVerdict, type Reading } from './latch'
import { isOutsideHours } from '../alert-hours'
import type { RuleState } from './state'

export interface Verdict {
  /** The same object if nothing changed. */
  state: RuleState
  /** In order. Weights of several constituents may fire together. */
  firings: AlertInputs[]
  /** It would have fired, but is outside the rule's hours. */
  isOutsideHours?: true
  /** Set if a silence has ended. */
  recovered?: AlertInputs
  /** The number that the terms compare, unless it is the value itself. */
  measure?: DecimalText
  /** Why it fired or did not, in plain words. */
  words: string
}

export function nothing(state: RuleState, words: string): Verdict {
  return { state, firings: [], words }
}

/** The state of a rule on events. It is armed after the first observation. */
export function armed(state: RuleState): RuleState {
  if (state.whenAlreadyMet === undefined) return state
  const next = { ...state, isUpArmed: true }
  delete next.whenAlreadyMet
  return next
}

/** Fires for an event, which has no latch, hold or repeat. `fact` says what happened, `atMs` when. */
export function fireEvent(
  rule: AlertTiming,
  state: RuleState,
  { inputs, atMs, fact }: { inputs: AlertInputs; atMs: number; fact: string },
): Verdict {
  if (isOutsideHours(rule, atMs)) {
    return { state, firings: [], isOutsideHours: true, words: `${fact}: outside its hours.` }
  }
  const next = rule.repeat.mode === 'once' ? { ...state, isDone: true } : state
  return { state: next, firings: [inputs], words: `${fact}: fired.` }
}

/** Evaluates a reading by the rule's own latch. A string instead of a reading says why there is nothing to compare. */
export function judgeReading(rule: AlertTiming, state: RuleState, reading: Reading | string): Verdict {
  if (typeof reading === 'string') return nothing(state, reading)
  return withLatch(rule, state, judgeLatch(rule, state, reading), reading)
}

/** The verdict after the rule's latches were evaluated. */
export function withLatch(
  { repeat }: AlertTiming,
  state: RuleState,
  { latch, firing, isOutsideHours, words }: LatchVerdict,
  { measure }: Reading,
): Verdict {
  const isDone = state.isDone || (firing !== undefined && repeat.mode === 'once')
  const isSame = latch === state && isDone === state.isDone
  return {
    state: isSame ? state : { ...withoutLatch(state), ...latch, isDone },
    firings: firing === undefined ? [] : [firing],
    ...(isOutsideHours && { isOutsideHours }),
    ...(measure !== undefined && { measure }),
    words,
  }
}

function withoutLatch(state: RuleState): RuleState {
  const rest = { ...state }
  delete rest.whenAlreadyMet
  delete rest.hold
  delete rest.repeating
  return rest
}
