import type { AlertEvaluation } from '../../core/alert-events'
import type { Decimal } from '../../core/decimal'
import type { Publication, Resolution } from '../../core/model'
import type { Source } from '../../core/publication'

const maxKept = 50
/** Of consecutive evaluations without a change, only this many are kept. */
export const maxUneventful = 3

/** A value in the form in which all rules of its index see it. */
export interface Tick {
  publication: Publication
  /** The published value. Undefined if it is not a decimal. */
  decimal: Decimal | undefined
  cadence: Resolution | undefined
  source: Source
  /** Wall time of receipt. */
  atMs: number
}

/** The part of a tick that explains a value on the fast path. */
export type PassedTick = Pick<Tick, 'publication' | 'cadence' | 'atMs'>

/**
 * The last 50 evaluations of a rule since app start, to explain why it fired or did not. Of consecutive evaluations
 * without a change, only the newest three are kept, so that a quiet hour does not push out earlier ones.
 */
export class Trace {
  readonly #evaluations: AlertEvaluation[] = []
  /**
   * Ring buffer of the newest ticks on the fast path since the last evaluation. The newest is at `#passedCount` - 1,
   * modulo the size.
   */
  readonly #passed: PassedTick[] = []
  #passedCount = 0

  note(evaluation: AlertEvaluation): void {
    const kept = this.#evaluations
    if (isUneventful(evaluation) && endsUneventful(kept)) kept.splice(-maxUneventful, 1)
    else if (kept.length === maxKept) kept.shift()
    kept.push(evaluation)
  }

  /** Notes a tick on the fast path. Its words are made on demand. */
  pass(tick: PassedTick): void {
    this.#passed[this.#passedCount++ % maxUneventful] = tick
  }

  /** The last noted tick. Undefined after an evaluation. */
  get newestPassed(): PassedTick | undefined {
    return this.#passedCount === 0 ? undefined : this.#passed[(this.#passedCount - 1) % maxUneventful]
  }

  /** Returns the noted ticks, oldest first, and clears them. */
  takePassed(): PassedTick[] {
    const passed = this.#passed
    const count = this.#passedCount
    this.#passedCount = 0
    if (count === 0) return []
    const start = count % maxUneventful
    return count < maxUneventful ? passed.slice(0, count) : [...passed.slice(start), ...passed.slice(0, start)]
  }

  /** Newest first. */
  all(): AlertEvaluation[] {
    return this.#evaluations.toReversed()
  }
}

/** True if the last `maxUneventful` evaluations changed nothing. */
function endsUneventful(kept: readonly AlertEvaluation[]): boolean {
  return kept.length >= maxUneventful && kept.slice(-maxUneventful).every(isUneventful)
}

function isUneventful({ phaseBefore, phaseAfter, hasFired }: AlertEvaluation): boolean {
  return phaseBefore === phaseAfter && !hasFired
}
