/** The refold: evaluates a run again over the values of its index and compares what fires with what had fired. */
import { isDeepStrictEqual } from 'node:util'
import type { AlertInputs } from '../../core/alert-inputs'
import { hasLevels, hasWindow } from '../../core/alerts'
import { specOf } from '../../core/conditions/list'
import type { Publication, Resolution } from '../../core/model'
import { isOtherSource, noSource, type Source } from '../../core/publication'
import type { TimeRange } from '../../core/ranges'
import { recall, step } from './fold'
import { isAfterEnd, newRecord, runWith, type Checkpoint, type Firing, type RuleRecord, type Run } from './record'

/**
 * The published time of the first value needed to refold a run from a state. For a move, that includes the window
 * before the state.
 */
export function firstToRead({ rule: { terms }, fromMs = 0 }: Run, from: Checkpoint | undefined): number {
  if (from === undefined) return fromMs
  if (!hasWindow(terms) || from.state.isDone) return from.atMs
  const { window, others = [] } = from.state
  const windows = [window, ...others.map(({ state }) => state.window)]
  return Math.max(from.atMs - terms.withinMs, Math.min(from.atMs, ...windows.map((each) => each?.sinceMs ?? from.atMs)))
}

/** The result of a refold of one run. */
export interface Refolded {
  record: RuleRecord
  /** The state from which the refold began. Undefined if it began with the run. */
  from?: Checkpoint
  /** From this value on nothing differs. Undefined if the refold went to the last value. */
  settledAtMs?: number
  checkpoints: Checkpoint[]
  differences: Difference[]
  /** All firings of the range. They replace the stored ones. */
  firings: Firing[]
  /** Whether the range had stored entries, which are to be deleted. */
  replaces: { firings: boolean; checkpoints: boolean }
}

/**
 * A difference between what fires and what had fired. The inputs of a retraction are those of the value that undid it.
 */
export type Difference =
  | { kind: 'retracted'; eventId: string; inputs: AlertInputs; firedMs: number }
  | { kind: 'confirmed'; eventId: string; inputs: AlertInputs; firedMs: number }
  | { kind: 'late'; firing: Firing; firedMs: number }

/**
 * Refolds a run. Starts at a stored state before the change and ends when a stored state comes out the same again.
 * Pure: the caller passes the values, oldest first, each in its latest revision.
 */
export class Refold {
  readonly run: Run
  /** Published time of the last value needed. */
  readonly untilMs: number
  readonly #from: Checkpoint | undefined
  readonly #changed: TimeRange
  /** Stored states after the change, oldest first. */
  readonly #later: readonly Checkpoint[]
  /** Stored firings from the change on, oldest first. */
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
      /** Later values are evaluated as live values. */
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
    // If the refold begins with the run, states of an earlier first value may be stored.
    const isWhole = from === undefined
    this.#replaces = { firings: isWhole || fired.length > 0, checkpoints: isWhole || later.length > 0 }
    this.#record = newRecord(run, 0, from)
  }

  /** Published time of the first value needed. For a move, that includes the window before the state. */
  get fromMs(): number {
    return firstToRead(this.run, this.#from)
  }

  /** True if no more values are needed: nothing later differs, or the run cannot be evaluated. */
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
    // The beginning of the run is no longer in the history, so its result is unknown.
    if (this.#from === undefined && this.#record.memory.last === undefined && publishedAtMs !== this.run.fromMs) {
      this.#isUnfit = true
      return
    }
    this.#seenMs.add(publishedAtMs)
    const { record, verdict, checkpoint } = step(this.#record, publication, cadence, source)
    // The run now starts before this value, as with a live one. Otherwise the value could later count as the first one,
    // and its firing would be retracted.
    this.#record = { ...record, run: runWith(record.run, publishedAtMs, undefined) }
    this.#noteOver(publication, source)
    for (const inputs of verdict.firings) this.#firings.push({ publishedAtMs, inputs, source })
    const isChanged = publishedAtMs >= this.#changed.fromMs && publishedAtMs <= this.#changed.toMs
    if (isChanged && publication.amendedAtMs !== undefined) this.#amended.push(publication)
    this.#settle(publishedAtMs)
    if (checkpoint !== undefined && this.#settledAtMs === undefined) this.#checkpoints.push(checkpoint)
  }

  /** Call after the last value. Returns undefined if the run could not be evaluated. */
  end(): Refolded | undefined {
    if (this.#isUnfit || (this.#from === undefined && this.#record.memory.last === undefined)) return undefined
    const untilMs = this.#settledAtMs ?? Infinity
    // A firing whose value is no longer in the history stays as it is.
    const { fromMs = 0 } = this.run
    // A firing from before the present first value is compared too.
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

  /** The amendment that undid a firing: that of its own value, else the last one before it. */
  #undoing({ publishedAtMs, inputs }: Firing): AlertInputs {
    const { direction, previous } = inputs
    const by =
      this.#amended.findLast((each) => each.publishedAtMs === publishedAtMs) ??
      this.#amended.findLast((each) => each.publishedAtMs < publishedAtMs)
    const at = by ?? { publishedAtMs, value: inputs.value }
    const isOwn = at.publishedAtMs === publishedAtMs
    return { ...at, amendedAtMs: by?.amendedAtMs, previous: isOwn ? previous : undefined, direction }
  }

  /** Notes the first value at which the condition of the last firing had ended. */
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

  /**
   * Ends the refold at a stored state that came out the same, because nothing later differs. For a move, the state must
   * lie more than a window after the change.
   */
  #settle(publishedAtMs: number): void {
    const { terms } = this.run.rule
    const kept = this.#later.find(({ atMs }) => atMs === publishedAtMs)
    if (kept === undefined || !isDeepStrictEqual(kept.state, this.#record.state)) return
    const windowMs = hasWindow(terms) && !kept.state.isDone ? terms.withinMs : 0
    if (publishedAtMs - windowMs > this.#changed.toMs) this.#settledAtMs = publishedAtMs
  }
}

/** True if a confirmation has to add to the event of a firing. */
function saysMore(before: Firing, after: Firing): boolean {
  const said = ({ inputs: { value, publishedAtMs, amendedAtMs, reference, gapSinceMs } }: Firing) => {
    return { value, publishedAtMs, amendedAtMs, reference, gapSinceMs }
  }
  return !isDeepStrictEqual(said(before), said(after))
}

/**
 * Pairs the firings before and after a change, by the firing before. Firings of the same time and direction are one. A
 * firing that moved in time is also paired, with the nearest one, unless an unchanged firing lies between. The user was
 * notified of something true. To retract it and notify again would be two notifications without news.
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
