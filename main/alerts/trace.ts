import type { AlertEvaluation } from '../../protocol/alert-events'
import type { DecimalText } from '../../protocol/model'

const maxKept = 50
/** Of evaluations in a row that changed nothing, this many of the newest are kept. */
const maxUneventful = 3

/**
 * How rules were judged in this run, to say why one fired or did not: the last 50 evaluations of each. Of a run without
 * change of phase only the newest three stay, so that a quiet hour does not push out what happened before it.
 */
export class Trace {
  readonly #evaluations = new Map<string, AlertEvaluation[]>()
  readonly #measures = new Map<string, DecimalText>()

  note(ruleId: string, evaluation: AlertEvaluation, measure: DecimalText | undefined): void {
    if (measure !== undefined) this.#measures.set(ruleId, measure)
    const kept = this.#evaluations.get(ruleId) ?? []
    this.#evaluations.set(ruleId, kept)
    if (isUneventful(evaluation) && endsUneventful(kept)) kept.splice(-maxUneventful, 1)
    else if (kept.length === maxKept) kept.shift()
    kept.push(evaluation)
  }

  /** Newest first. */
  of(ruleId: string): AlertEvaluation[] {
    return (this.#evaluations.get(ruleId) ?? []).toReversed()
  }

  /** What the terms of the rule compare, as last seen. */
  measureOf(ruleId: string): DecimalText | undefined {
    return this.#measures.get(ruleId)
  }

  /** The rule is gone or begins again. */
  forget(ruleId: string): void {
    this.#evaluations.delete(ruleId)
    this.#measures.delete(ruleId)
  }
}

/** Whether the last so many changed nothing. */
function endsUneventful(kept: readonly AlertEvaluation[]): boolean {
  for (let back = 1; back <= maxUneventful; back++) {
    const evaluation = kept.at(-back)
    if (evaluation === undefined || !isUneventful(evaluation)) return false
  }
  return true
}

function isUneventful({ phaseBefore, phaseAfter, hasFired }: AlertEvaluation): boolean {
  return phaseBefore === phaseAfter && !hasFired
}
