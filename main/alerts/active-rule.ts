import type { AlertEvaluation } from '../../core/alert-events'
import { draftKey } from '../../core/alert-words'
import type { AlertView } from '../../core/alerts'
import type { AlertPhase } from '../../core/evaluation/state'
import type { DecimalText, Publication, Resolution } from '../../core/model'
import type { Source } from '../../core/publication'
import type { RulePolicyState } from './policy/notification-policy'
import { CheckpointPace, firstAmong, Fold, isAfterEnd, type Checkpoint, type Refolded, type Run } from './refold'
import { evaluate } from '../../core/evaluation/evaluate'
import type { Observation } from '../../core/evaluation/observation'
import {
  heldMsOf,
  initialState,
  isHoldGoingOn,
  isOfOther,
  newMemory,
  phaseOf,
  turnsTo,
  type RuleState,
} from '../../core/evaluation/state'
import type { Verdict } from '../../core/evaluation/verdict'
import { Trace, type Tick } from './trace'

/** How long the progress of a hold that no values on the tape can show may wait to be stored, by published time. */
const progressSpacingMs = 2_000

/** A view, and what it was made of. */
interface Shown {
  state: RuleState
  policy: RulePolicyState
  measure: DecimalText | undefined
  view: AlertView
}

/** One rule at work: its present run, and where the fold of it stands. */
export class ActiveRule {
  /** Counts up with each rule made: they are shown in this order. */
  readonly position: number
  #run: Run
  #fold: Fold
  #pace: CheckpointPace
  #stored: Checkpoint | undefined
  readonly #trace = new Trace()
  #measure: DecimalText | undefined
  #key: string | undefined
  #shown: Shown | undefined

  constructor(run: Run, position: number, checkpoint?: Checkpoint) {
    this.position = position
    this.#run = run
    this.#fold = new Fold(run.rule, checkpoint?.state ?? initialState(run.first))
    this.#pace = new CheckpointPace(checkpoint)
    this.#stored = checkpoint
  }

  get rule() {
    return this.#run.rule
  }

  /** The same for rules that wait for the same. */
  get key(): string {
    return (this.#key ??= draftKey(this.rule))
  }

  get run(): Run {
    return this.#run
  }

  get state() {
    return this.#fold.state
  }

  /** The last value it was shown in this run of the app. */
  get last(): Publication | undefined {
    return this.#fold.last
  }

  /** The state read from the tape, before any value was shown. */
  get start(): Checkpoint | undefined {
    return this.#stored
  }

  /** The run as it is when it ends now: what it has seen stays its own. */
  ended(atMs: number): Run {
    return { ...this.#run, endedAtMs: atMs, toMs: this.last?.publishedAtMs ?? this.start?.atMs ?? 0 }
  }

  /** Notes what the run begins with and how often its index publishes, by a value as it comes; answers whether that was news. */
  note({ publishedAtMs }: Publication, cadence: Resolution | undefined): boolean {
    const before = this.#run
    this.#run = runWith(before, publishedAtMs, cadence)
    return this.#run !== before
  }

  /** Values of these times were learned, and one may be its first; answers whether it has another first now. */
  reachBack(timesMs: readonly number[]): boolean {
    const firstMs = firstAmong(this.#run, timesMs)
    if (firstMs === (this.#run.fromMs ?? Infinity)) return false
    this.#run = { ...this.#run, fromMs: firstMs }
    return true
  }

  /**
   * Shows the next value where it comes to nothing, as of nearly all: no firing, no other state, nothing to be stored.
   * Answers whether it does; else it is to be noted and shown in whole. One it has seen, an older one and one after its
   * end come to nothing.
   */
  pass(tick: Tick): boolean {
    const { publication, decimal, cadence, source } = tick
    const { publishedAtMs } = publication
    const { rule, last, state } = this.#fold
    if (isAfterEnd(rule, publishedAtMs) || (last !== undefined && publishedAtMs <= last.publishedAtMs)) return true
    if (turnsTo(source, state)) return false
    if (this.#pace.isDue(publishedAtMs, state)) return false
    if (runWith(this.#run, publishedAtMs, cadence) !== this.#run) return false
    if (!this.#fold.pass(publication, decimal)) return false
    this.#pace.skip()
    this.#trace.pass(tick)
    return true
  }

  /** Shows the next value, of a rule that is folded. */
  step({ publication, cadence, source }: Tick): { verdict: Verdict; checkpoint?: Checkpoint } {
    this.#sayPassed()
    const verdict = this.#fold.step(publication, cadence ?? this.#run.cadence, source)
    const now = { atMs: publication.publishedAtMs, state: this.state }
    const checkpoint = this.#pace.after(now, verdict.firings.length > 0)
    return { verdict, ...(checkpoint !== undefined && { checkpoint }) }
  }

  /** Shows what was observed, of any other rule. Its state cannot be folded again: there is one checkpoint, the latest. */
  observe(seen: Observation, nowMs: number, source?: Source): { verdict: Verdict; checkpoint?: Checkpoint } {
    const fold = this.#fold
    const before = fold.state
    this.#sayPassed()
    const isFirst = source !== undefined && isOfOther(source, before)
    if (source !== undefined) fold.turnTo(source)
    // Of another source nothing is news that was so before it began to answer.
    const rule = isFirst ? { ...fold.rule, createdAtMs: nowMs } : fold.rule
    const verdict = evaluate(rule, fold.state, fold.memory, seen)
    fold.state = verdict.state
    if (verdict.state === before) return { verdict }
    const isProgress = isHoldGoingOn(before, verdict.state)
    if (isProgress && nowMs - (this.#stored?.atMs ?? 0) < progressSpacingMs) return { verdict }
    this.#stored = { atMs: nowMs, state: verdict.state }
    return { verdict, checkpoint: { atMs: 0, state: verdict.state } }
  }

  /** Takes over what folding it again came to. */
  take({ fold }: Refolded): void {
    this.#sayPassed()
    this.#fold = fold
    this.#pace = new CheckpointPace(fold.last && { atMs: fold.last.publishedAtMs, state: fold.state })
  }

  /** Keeps how it was judged. */
  trace(evaluation: AlertEvaluation, measure?: DecimalText): void {
    this.#sayPassed()
    this.#trace.note(evaluation)
    if (measure !== undefined) this.#measure = measure
  }

  /** Its last evaluations in this run of the app, newest first. */
  explain(): AlertEvaluation[] {
    this.#sayPassed()
    return this.#trace.all()
  }

  /** What its terms compare, as last seen. */
  get measure(): DecimalText | undefined {
    return this.#measure
  }

  /** As it is shown: the very same object while nothing of it has changed. */
  view(policy: RulePolicyState): AlertView {
    const shown = this.#shown
    const { state, measure } = this
    if (shown?.state === state && shown.policy === policy && shown.measure === measure) return shown.view
    const view = viewOf(this, policy)
    this.#shown = { state, policy, measure, view }
    return view
  }

  /** What is to be kept as the app ends, so that nothing is to be folded again. */
  rest(): Checkpoint | undefined {
    return this.last && this.#pace.rest({ atMs: this.last.publishedAtMs, state: this.state })
  }

  /** The words for what passed: by its state, which they have left as it was. */
  #sayPassed(): void {
    for (const { publication, cadence, atMs } of this.#trace.takePassed()) {
      const { rule, state } = this.#fold
      const seen = { kind: 'value', publication, ...(cadence !== undefined && { cadence }) } as const
      const { words } = evaluate(rule, state, newMemory(), seen)
      const { value, publishedAtMs } = publication
      const phase = phaseOf(state)
      const evaluation = { atMs, publishedAtMs, value, phaseBefore: phase, phaseAfter: phase, hasFired: false, words }
      this.#trace.note(evaluation)
    }
  }
}

/** What the value of a time makes of a run; the very same object where that is nothing. */
function runWith(run: Run, publishedAtMs: number, cadence: Resolution | undefined): Run {
  const { keptMs, fromMs = publishedAtMs } = run
  const isFirst = run.fromMs === undefined
  // What comes next was published after it began, whatever the clocks say: no rule misses what comes once it is made.
  const isNext = publishedAtMs > fromMs
  const maxSinceMs = isNext ? publishedAtMs - 1 : isFirst && keptMs !== undefined ? publishedAtMs : Infinity
  const sinceMs = Math.min(run.sinceMs, maxSinceMs)
  const isSame = !isFirst && sinceMs === run.sinceMs
  if (isSame && (cadence === undefined || cadence === run.cadence)) return run
  return { ...run, sinceMs, fromMs, ...(cadence !== undefined && { cadence }) }
}

/** A rule with its present state. What it is done with, it stays done with; what ends it counts before what pauses it. */
function viewOf({ rule, state, measure }: ActiveRule, policy: RulePolicyState): AlertView {
  const phase = phaseOf(state)
  const heldMs = heldMsOf(state)
  const { cooldown, suspension, reach } = policy
  return {
    ...rule,
    phase: phase === 'triggered' ? phase : (policyPhase(policy) ?? phase),
    ...(heldMs !== undefined && { heldMs }),
    ...(suspension !== undefined && { suspension }),
    ...(reach !== undefined && { reach }),
    ...(cooldown !== undefined && { cooldown: { untilMs: cooldown.untilMs, heldBack: cooldown.heldBack } }),
    ...(measure !== undefined && { measure }),
  }
}

function policyPhase({ isExpired, suspension }: RulePolicyState): AlertPhase | undefined {
  if (isExpired === true) return 'expired'
  return suspension === undefined ? undefined : 'suspended'
}
