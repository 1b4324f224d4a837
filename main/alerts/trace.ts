import type { AlertEvaluation } from '../../core/alert-events'
import type { Decimal } from '../../core/decimal'
import type { Publication, Resolution } from '../../core/model'
import type { Source } from '../../core/publication'

const maxKept = 50
/** Of evaluations in a row that changed nothing, this many of the newest are kept. */
const maxUneventful = 3

/** A value as all rules of its index are shown it. */
export interface Tick {
  publication: Publication
  /** The value that was published; absent where it is no decimal. */
  decimal: Decimal | undefined
  cadence: Resolution | undefined
  source: Source
  /** When it came. */
  atMs: number
}

/**
 * How a rule was judged in this run, to say why it fired or did not: its last 50 evaluations. Of a run without change of
 * phase only the newest three stay, so that a quiet hour does not push out what happened before it.
 */
export class Trace {
  readonly #evaluations: AlertEvaluation[] = []
  /** Ticks that came to nothing since the last evaluation, the newest ones; the newest is at `#passedCount` - 1, counted round. */
  readonly #passed: Tick[] = []
  #passedCount = 0

  note(evaluation: AlertEvaluation): void {
    const kept = this.#evaluations
    if (isUneventful(evaluation) && endsUneventful(kept)) kept.splice(-maxUneventful, 1)
    else if (kept.length === maxKept) kept.shift()
    kept.push(evaluation)
  }

  /** Of nearly all ticks that is all: their words are made when somebody asks. */
  pass(tick: Tick): void {
    this.#passed[this.#passedCount++ % maxUneventful] = tick
  }

  /** The ticks that passed, oldest first, as far as they are still to be said; from then on they are not. */
  takePassed(): Tick[] {
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
