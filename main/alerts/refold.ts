/** The fold: what a run comes to over the values of its index, and how that differs from what had fired. */
import { isDeepStrictEqual } from 'node:util'
import type { AlertInputs } from '../../core/alert-inputs'
import { hasLevels, hasWindow } from '../../core/alerts'
import { specOf } from '../../core/conditions/list'
import type { Publication, Resolution } from '../../core/model'
import { isOtherSource, noSource, type Source } from '../../core/publication'
import type { TimeRange } from '../../core/ranges'
import { recall, step } from './fold'
import { isAfterEnd, newRecord, type Checkpoint, type Firing, type RuleRecord, type Run } from './record'

/** The published time of the first value that folding a run from a state needs: of a move with the window before it. */
export function firstToRead({ rule: { terms }, fromMs = 0 }: Run, from: Checkpoint | undefined): number {
  if (from === undefined) return fromMs
  if (!hasWindow(terms) || from.state.isDone) return from.atMs
  const { window, others = [] } = from.state
  const windows = [window, ...others.map(({ state }) => state.window)]
  return Math.max(from.atMs - terms.withinMs, Math.min(from.atMs, ...windows.map((each) => each?.sinceMs ?? from.atMs)))
}

/** What a run comes to when it is folded once more. */
export interface Refolded {
  record: RuleRecord
  /** From this state on; absent: from the beginning of the run. */
  from?: Checkpoint
  /** From this value on all is as it was; absent: the fold went to the last value. */
  settledAtMs?: number
  checkpoints: Checkpoint[]
  differences: Difference[]
  /** All that fire in the range now; what had fired goes. */
  firings: Firing[]
  /** Whether anything was kept in the range, which goes. */
  replaces: { firings: boolean; checkpoints: boolean }
}

/** How what fires now differs from what had fired. Of a retraction the inputs are those of what undid it. */
export type Difference =
  | { kind: 'retracted'; eventId: string; inputs: AlertInputs; firedMs: number }
  | { kind: 'confirmed'; eventId: string; inputs: AlertInputs; firedMs: number }
  | { kind: 'late'; firing: Firing; firedMs: number }

/**
 * Folds a run once more, from a state before what has changed until the state is again the one that was kept. Pure: the
 * values are handed in, oldest first, each in its latest revision.
 */
export class Refold {
  readonly run: Run
  /** The last value it asks for. */
  readonly untilMs: number
  readonly #from: Checkpoint | undefined
  readonly #changed: TimeRange
  /** Kept states from the changed time on, oldest first. */
  readonly #later: readonly Checkpoint[]
  /** What had fired from the changed time on, oldest first. */
  readonly #fired: readonly Firing[]
  readonly #replaces: Refolded['replaces']
  #record: RuleRecord
  readonly #seenMs = new Set<number>()
  readonly #firings: Firing[] = []
  readonly #checkpoints: Checkpoint[] = []
  readonly #amended: Publication[] = []
  #settledAtMs: number | undefined
  #isUnfit = false

  constructor(
    run: Run,
    options: {
      from?: Checkpoint
      changed: TimeRange
      /** Later values are left to the ordinary path. */
      untilMs?: number
      later?: readonly Checkpoint[]
      fired?: readonly Firing[]
    },
  ) {
    const { from, changed, untilMs = Infinity, later = [], fired = [] } = options
    this.run = run
    this.untilMs = run.toMs ?? untilMs
    this.#from = from
    this.#changed = changed
    this.#later = later.filter(({ atMs }) => atMs > changed.toMs)
    this.#fired = fired
    // Without a state to begin from there may be those of when the run had another first value.
    const isWhole = from === undefined
    this.#replaces = { firings: isWhole || fired.length > 0, checkpoints: isWhole || later.length > 0 }
    this.#record = newRecord(run, 0, from)
  }

  /** The first value it asks for: of a move with the window before its state. */
  get fromMs(): number {
    return firstToRead(this.run, this.#from)
  }

  /** The rest is as it was, or cannot be judged: no more values are needed. */
  get isOver(): boolean {
    return this.#settledAtMs !== undefined || this.#isUnfit
  }

  see(publication: Publication, source: Source = noSource, cadence: Resolution | undefined = this.run.cadence): void {
    const { publishedAtMs } = publication
    if (this.isOver || publishedAtMs < this.fromMs || publishedAtMs > this.untilMs) return
    if (isAfterEnd(this.run.rule, publishedAtMs)) return
    if (this.#from !== undefined && publishedAtMs <= this.#from.atMs) {
      this.#record = recall(this.#record, publication, source)
      return
    }
    // The beginning of the run is no longer in the history: nobody knows what it came to.
    if (this.#from === undefined && this.#record.memory.last === undefined && publishedAtMs !== this.run.fromMs) {
      this.#isUnfit = true
      return
    }
    this.#seenMs.add(publishedAtMs)
    const { record, verdict, checkpoint } = step(this.#record, publication, cadence, source)
    this.#record = record
    this.#noteOver(publication, source)
    for (const inputs of verdict.firings) this.#firings.push({ publishedAtMs, inputs, source })
    const isChanged = publishedAtMs >= this.#changed.fromMs && publishedAtMs <= this.#changed.toMs
    if (isChanged && publication.amendedAtMs !== undefined) this.#amended.push(publication)
    this.#settle(publishedAtMs)
    if (checkpoint !== undefined && this.#settledAtMs === undefined) this.#checkpoints.push(checkpoint)
  }

  /** After the last value. `undefined` where it could not be judged. */
  end(): Refolded | undefined {
    if (this.#isUnfit || (this.#from === undefined && this.#record.memory.last === undefined)) return undefined
    const untilMs = this.#settledAtMs ?? Infinity
    // A value that is no longer in the history says nothing against what it fired.
    const { fromMs = 0 } = this.run
    // One from before the first value has another first now: it is judged by what that came to.
    const isJudged = ({ publishedAtMs }: Firing) => publishedAtMs < fromMs || this.#seenMs.has(publishedAtMs)
    const lost = this.#fired.filter((firing) => firing.publishedAtMs <= untilMs && !isJudged(firing))
    const concerned = this.#fired.filter(isJudged)
    const pairs = pairFirings(concerned, this.#firings)
    const differences = concerned.flatMap((old) => this.#differencesOf(old, pairs.get(old)))
    const known = new Set(pairs.values())
    for (const [old, now] of pairs) if (old.eventId !== undefined) now.eventId = old.eventId
    for (const firing of this.#firings) {
      if (!known.has(firing)) differences.push({ kind: 'late', firing, firedMs: firing.publishedAtMs })
    }
    return {
      record: this.#record,
      from: this.#from,
      settledAtMs: this.#settledAtMs,
      checkpoints: this.#checkpoints,
      differences: differences.sort((a, b) => a.firedMs - b.firedMs),
      firings: [...lost, ...this.#firings],
      replaces: this.#replaces,
    }
  }

  #differencesOf(old: Firing, now: Firing | undefined): Difference[] {
    const { eventId, publishedAtMs: firedMs } = old
    if (eventId === undefined) return []
    if (now === undefined) return [{ kind: 'retracted', eventId, firedMs, inputs: this.#undoing(old) }]
    return saysMore(old, now) ? [{ kind: 'confirmed', eventId, firedMs, inputs: now.inputs }] : []
  }

  /** The amendment that undid a firing: its own value's, else the last one before it. */
  #undoing({ publishedAtMs, inputs }: Firing): AlertInputs {
    const { direction, previous } = inputs
    const by =
      this.#amended.findLast((each) => each.publishedAtMs === publishedAtMs) ??
      this.#amended.findLast((each) => each.publishedAtMs < publishedAtMs)
    const at = by ?? { publishedAtMs, value: inputs.value }
    const isOwn = at.publishedAtMs === publishedAtMs
    return { ...at, amendedAtMs: by?.amendedAtMs, previous: isOwn ? previous : undefined, direction }
  }

  /** The first value at which the condition of the last firing was over. */
  #noteOver(publication: Publication, source: Source): void {
    const last = this.#firings.at(-1)
    const { terms } = this.run.rule
    if (
      last === undefined ||
      last.over !== undefined ||
      (last.source !== undefined && isOtherSource(last.source, source)) ||
      !hasLevels(terms)
    )
      return
    if (publication.isRepeatOfPrevious === true) return
    const reading = specOf(terms.condition).read?.(terms, { kind: 'value', publication })
    if (reading === undefined || typeof reading === 'string') return
    const side = 'level' in terms ? (last.inputs.direction ?? 'up') : 'up'
    if (reading[side]?.holds !== false) return
    const { value, publishedAtMs } = publication
    last.over = { value, publishedAtMs }
  }

  /** At a kept state that is the same again, and of a move beyond the window of what changed, nothing later differs. */
  #settle(publishedAtMs: number): void {
    const { terms } = this.run.rule
    const kept = this.#later.find(({ atMs }) => atMs === publishedAtMs)
    if (kept === undefined || !isDeepStrictEqual(kept.state, this.#record.state)) return
    const windowMs = hasWindow(terms) && !kept.state.isDone ? terms.withinMs : 0
    if (publishedAtMs - windowMs > this.#changed.toMs) this.#settledAtMs = publishedAtMs
  }
}

/** Whether the event of a firing no longer says all of it: a confirmation adds the rest. */
function saysMore(before: Firing, after: Firing): boolean {
  const said = ({ inputs: { value, publishedAtMs, amendedAtMs, reference, gapSinceMs } }: Firing) => {
    return { value, publishedAtMs, amendedAtMs, reference, gapSinceMs }
  }
  return !isDeepStrictEqual(said(before), said(after))
}

/**
 * Which of the firings after a change was there before: after by before. One of the same time and direction is the same.
 * One that only came sooner or later counts as the same too, where nothing that stayed lies between, the nearest first:
 * the user was notified once, of something that is true, and to take it back and notify again would be two notifications
 * of no news.
 */
function pairFirings(before: readonly Firing[], after: readonly Firing[]): Map<Firing, Firing> {
  const keyOf = ({ publishedAtMs, inputs }: Firing) => `${publishedAtMs} ${inputs.direction ?? ''}`
  const nowByKey = new Map(after.map((firing) => [keyOf(firing), firing]))
  const pairs = new Map<Firing, Firing>()
  for (const old of before) {
    const now = nowByKey.get(keyOf(old))
    if (now !== undefined) pairs.set(old, now)
  }
  const stayed = [...pairs.keys()].map(({ publishedAtMs }) => publishedAtMs)
  const taken = new Set(pairs.values())
  for (const old of before) {
    if (pairs.has(old)) continue
    const moved = after
      .filter((now) => !taken.has(now) && now.inputs.direction === old.inputs.direction)
      .filter((now) => !stayed.some((time) => isBetween(time, old.publishedAtMs, now.publishedAtMs)))
    const [nearest] = moved.sort((a, b) => distance(a, old) - distance(b, old))
    if (nearest === undefined) continue
    pairs.set(old, nearest)
    taken.add(nearest)
  }
  return pairs
}

function distance(a: Firing, b: Firing): number {
  return Math.abs(a.publishedAtMs - b.publishedAtMs)
}

function isBetween(time: number, a: number, b: number): boolean {
  return time > Math.min(a, b) && time < Math.max(a, b)
}
