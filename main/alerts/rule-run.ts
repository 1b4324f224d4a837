import * as v from 'valibot'
import type { AlertInputs } from '../../protocol/alert-events'
import type { AlertRule } from '../../protocol/alerts'
import type { Publication } from '../../protocol/model'
import { evaluate, newMemory, type RuleMemory, type Verdict } from './rules/evaluate'
import type { Observation } from './rules/observation'
import type { RuleState } from './rules/state'
import { stateSchema } from './rules/state'

/** What a firing was judged by, kept so that an amendment can have it judged anew, also after a restart. */
export interface FiredStep {
  eventId: string
  publication: Publication
  before: RuleState
}

export const firedStepSchema: v.GenericSchema<unknown, FiredStep> = v.object({
  eventId: v.string(),
  publication: v.object({
    value: v.string(),
    publishedAtMs: v.number(),
    amendedAtMs: v.exactOptional(v.number()),
    isRepeatOfPrevious: v.exactOptional(v.literal(true)),
  }),
  before: stateSchema,
})

/** What an amendment does to what fired, or did not. */
export type Correction =
  | { kind: 'retracted' | 'confirmed'; eventId: string; inputs: AlertInputs }
  | { kind: 'lateByAmendment'; inputs: AlertInputs }

/**
 * One rule at work: its state, what it remembers in this run, and enough of what it has seen to judge anew when a value
 * is amended (alerts, 12).
 */
export class RuleRun {
  readonly rule: AlertRule
  #state: RuleState
  #fired: readonly FiredStep[]
  readonly #memory: RuleMemory = newMemory()

  constructor(rule: AlertRule, state: RuleState, fired: readonly FiredStep[] = []) {
    this.rule = rule
    this.#state = state
    this.#fired = fired
  }

  get state(): RuleState {
    return this.#state
  }

  /** The last firings, oldest first; to be kept with the state. */
  get fired(): readonly FiredStep[] {
    return this.#fired
  }

  see(seen: Observation): Verdict {
    const verdict = evaluate(this.rule, this.#state, this.#memory, seen)
    this.#state = verdict.state
    return verdict
  }

  /** The event that a firing of the publication at this time has become. */
  noteEvent(_eventId: string, _publishedAtMs: number): void {
    this.#fired = [...this.#fired]
  }

  /** A value seen before, or one between two that were, has been amended. */
  amend(_publication: Publication): Correction[] {
    return []
  }
}
