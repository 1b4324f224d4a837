/** What a rule remembers over restarts. */
import * as v from 'valibot'
import type { AlertPhase, AlertRule } from '../../../protocol/alerts'

/** What to do when the condition holds at the first value the rule sees. */
export type WhenAlreadyMet = 'wait' | 'fire'

export interface RuleState {
  /** Only while nothing has been seen. */
  whenAlreadyMet?: WhenAlreadyMet
  /** The latches: armed for a crossing upwards, downwards. */
  isUpArmed: boolean
  isDownArmed: boolean
  /** Fired once and done. */
  isDone: boolean
}

export const stateSchema: v.GenericSchema<unknown, RuleState> = v.object({
  whenAlreadyMet: v.exactOptional(v.picklist(['wait', 'fire'])),
  isUpArmed: v.boolean(),
  isDownArmed: v.boolean(),
  isDone: v.boolean(),
})

/** A rule that has seen nothing yet. */
export function initialState(whenAlreadyMet: WhenAlreadyMet): RuleState {
  return { whenAlreadyMet, isUpArmed: false, isDownArmed: false, isDone: false }
}

/** The phase a state stands for; what silences or ends a rule from outside is not part of it. */
export function phaseOf(_rule: AlertRule, state: RuleState): Exclude<AlertPhase, 'suspended' | 'expired'> {
  if (state.isDone) return 'triggered'
  if (state.whenAlreadyMet !== undefined) return 'waiting'
  return state.isUpArmed || state.isDownArmed ? 'armed' : 'disarmed'
}
