import type { Publication, Resolution } from '../../protocol/model'
import { CheckpointPace, firstAmong, Fold, type Checkpoint, type Refolded, type Run } from './refold'
import { evaluate } from './rules/evaluate'
import type { Observation } from './rules/observation'
import { initialState, isHoldGoingOn } from './rules/state'
import type { Verdict } from './rules/verdict'

/** How long the progress of a hold that no values on the tape can show may wait to be stored, by published time. */
const progressSpacingMs = 2_000

/** One rule at work: its present run, and where the fold of it stands. */
export class ActiveRule {
  /** Counts up with each rule made: they are shown in this order. */
  readonly position: number
  #run: Run
  #fold: Fold
  #pace: CheckpointPace
  #stored: Checkpoint | undefined

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
    const { keptMs, fromMs = publishedAtMs, cadence: known } = this.#run
    const isFirst = this.#run.fromMs === undefined
    // What comes next was published after it began, whatever the clocks say: no rule misses what comes once it is made.
    const isNext = publishedAtMs > fromMs
    const maxSinceMs = isNext ? publishedAtMs - 1 : isFirst && keptMs !== undefined ? publishedAtMs : Infinity
    const sinceMs = Math.min(this.#run.sinceMs, maxSinceMs)
    const isSame = !isFirst && sinceMs === this.#run.sinceMs
    if (isSame && (cadence === undefined || cadence === known)) return false
    this.#run = { ...this.#run, sinceMs, fromMs, ...(cadence !== undefined && { cadence }) }
    return true
  }

  /** Values of these times were learned, and one may be its first; answers whether it has another first now. */
  reachBack(timesMs: readonly number[]): boolean {
    const firstMs = firstAmong(this.#run, timesMs)
    if (firstMs === (this.#run.fromMs ?? Infinity)) return false
    this.#run = { ...this.#run, fromMs: firstMs }
    return true
  }

  /** Shows the next value, of a rule that is folded. */
  step(publication: Publication, cadence: Resolution | undefined): { verdict: Verdict; checkpoint?: Checkpoint } {
    const verdict = this.#fold.step(publication, cadence ?? this.#run.cadence)
    const now = { atMs: publication.publishedAtMs, state: this.state }
    const checkpoint = this.#pace.after(now, verdict.firings.length > 0)
    return { verdict, ...(checkpoint !== undefined && { checkpoint }) }
  }

  /** Shows what was observed, of any other rule. Its state cannot be folded again: there is one checkpoint, the latest. */
  observe(seen: Observation, nowMs: number): { verdict: Verdict; checkpoint?: Checkpoint } {
    const fold = this.#fold
    const before = fold.state
    const verdict = evaluate(fold.rule, before, fold.memory, seen)
    fold.state = verdict.state
    if (verdict.state === before) return { verdict }
    const isProgress = isHoldGoingOn(before, verdict.state)
    if (isProgress && nowMs - (this.#stored?.atMs ?? 0) < progressSpacingMs) return { verdict }
    this.#stored = { atMs: nowMs, state: verdict.state }
    return { verdict, checkpoint: { atMs: 0, state: verdict.state } }
  }

  /** Takes over what folding it again came to. */
  take({ fold }: Refolded): void {
    this.#fold = fold
    this.#pace = new CheckpointPace(fold.last && { atMs: fold.last.publishedAtMs, state: fold.state })
  }

  /** What is to be kept as the app ends, so that nothing is to be folded again. */
  rest(): Checkpoint | undefined {
    return this.last && this.#pace.rest({ atMs: this.last.publishedAtMs, state: this.state })
  }
}
