/** The fold: what a run comes to over the values of its index, and how that differs from what had fired. */
import { isDeepStrictEqual } from 'node:util'
import type { AlertInputs } from '../../core/alert-inputs'
import { hasLevels, hasWindow, isJudgedBy, type AlertRule, type AlertTerms } from '../../core/alerts'
import { specOf } from '../../core/conditions/list'
import type { Decimal } from '../../core/decimal'
import type { Publication, Resolution } from '../../core/model'
import { isOtherSource, noSource, type Source } from '../../core/publication'
import type { LeavesLatches } from '../../core/evaluation/condition'
import { evaluate, passes, recall } from '../../core/evaluation/evaluate'
import type { ValueSeen } from '../../core/evaluation/observation'
import {
  initialState,
  newMemory,
  turnedTo,
  type RuleMemory,
  type RuleState,
  type WhenAlreadyMet,
} from '../../core/evaluation/state'
import type { Verdict } from '../../core/evaluation/verdict'

/** One life of a rule, from being made, edited or armed again to the next of these. Times are published times. */
export interface Run {
  number: number
  /** As it was then. */
  rule: AlertRule
  first: WhenAlreadyMet
  startedAtMs: number
  /** When it began: what was published after that is its own, and the value in force then is the first it is shown. */
  sinceMs: number
  /** Where nothing had been received as it began: values up to this one were kept from before and begin no run. */
  keptMs?: number
  /** Its first value: of those known the one in force as it began, else the first after that. Absent before there is one. */
  fromMs?: number
  /** What was published up to then is its own, of a run that has ended. */
  toMs?: number
  endedAtMs?: number
  /** As last known. */
  cadence?: Resolution
}

/** The published time of a run's first value, of those it had (`fromMs`) and these. */
export function firstAmong({ sinceMs, keptMs = 0, fromMs = Infinity }: Run, timesMs: readonly number[]): number {
  const isFirst = (atMs: number, firstMs: number) => {
    return atMs <= sinceMs ? atMs > keptMs && (atMs > firstMs || firstMs > sinceMs) : atMs < firstMs
  }
  return timesMs.reduce((firstMs, atMs) => (isFirst(atMs, firstMs) ? atMs : firstMs), fromMs)
}

/** The state after the value of this published time. */
export interface Checkpoint {
  atMs: number
  state: RuleState
}

/** Its key is run, published time and direction. */
export interface Firing {
  publishedAtMs: number
  inputs: AlertInputs
  /** Absent where it was held back and not recorded. */
  eventId?: string
  /** The first value after it at which the condition was over; found by folding, and not kept. */
  over?: AlertInputs['over']
  /** Whose values it fired on; found by folding, and not kept. */
  source?: Source
}

/** The published times between which something is other than it was. */
export interface ChangedRange {
  fromMs: number
  toMs: number
}

/** Whether the state of a rule is a fold over the published values; that of others follows what was observed, as it came. */
export function isFolded(terms: AlertTerms): boolean {
  return isJudgedBy(terms, 'values') && specOf(terms.condition).seesRevisions !== true
}

/** A rule is shown nothing that was published after its end. */
export function isAfterEnd({ expiresAt }: AlertRule, publishedAtMs: number): boolean {
  return expiresAt !== undefined && publishedAtMs >= expiresAt.atMs
}

const minuteMs = 60_000
const maxValuesBetween = 1_000

/** When a state is to be kept: where it fired, each minute in which it changed, and after so many values. */
export class CheckpointPace {
  #last: Checkpoint | undefined
  #count = 0

  constructor(last?: Checkpoint) {
    this.#last = last
  }

  /** What is to be kept after a value. */
  after(checkpoint: Checkpoint, hasFired: boolean): Checkpoint | undefined {
    if (!hasFired && !this.isDue(checkpoint.atMs, checkpoint.state)) {
      this.skip()
      return undefined
    }
    this.#count = 0
    this.#last = checkpoint
    return checkpoint
  }

  /** Whether the state after the next value is to be kept although that did not fire. */
  isDue(atMs: number, state: RuleState): boolean {
    const last = this.#last
    const isLong = last === undefined || atMs - last.atMs >= minuteMs
    return (isLong && last?.state !== state) || this.#count + 1 >= maxValuesBetween
  }

  /** The state after a value is not kept. */
  skip(): void {
    this.#count++
  }

  /** What is to be kept as the app ends. */
  rest(checkpoint: Checkpoint): Checkpoint | undefined {
    const { state, atMs } = this.#last ?? {}
    return state === checkpoint.state && atMs === checkpoint.atMs ? undefined : checkpoint
  }
}

/** A rule as it stands: shown one value after the other, the ordinary path is one step of it. */
export class Fold {
  readonly rule: AlertRule
  readonly #leavesLatches: LeavesLatches | undefined
  state: RuleState
  memory: RuleMemory = newMemory()
  /** The last value it was shown. */
  last: Publication | undefined
  /** The last one of the source it stands for. */
  #previous: Pick<Publication, 'value' | 'publishedAtMs'> | undefined
  /** Of the other sources, by their ids. */
  #memories: Map<string, RuleMemory> | undefined

  constructor(rule: AlertRule, state: RuleState) {
    this.rule = rule
    this.state = state
    this.#leavesLatches = specOf(rule.terms.condition).leavesLatches?.(rule.terms)
  }

  /** A value that is part of the state already: a window, and the value before the next one, are found again. */
  recall(publication: Publication, source: Source = noSource): void {
    this.last = publication
    const other = this.state.others?.find((each) => each.source.id === source.id)
    if (other !== undefined) {
      recall(this.rule, other.state, this.#memoryOf(source), publication)
      return
    }
    if (this.state.source === undefined) this.turnTo(source)
    recall(this.rule, this.state, this.memory, publication)
    this.#previous = publication
  }

  /** From here on values are of this source. */
  turnTo(source: Source): void {
    const { state, memory } = this
    const { source: from } = state
    this.state = turnedTo(source, state, this.#previous && lastOf(this.#previous))
    if (from === undefined || this.state === state) return
    this.memory = this.#memoryOf(source)
    this.#memories?.set(from.id, memory)
    this.#previous = state.others?.find((each) => each.source.id === source.id)?.last
  }

  #memoryOf({ id }: Source): RuleMemory {
    this.#memories ??= new Map()
    const memory = this.#memories.get(id) ?? newMemory()
    this.#memories.set(id, memory)
    return memory
  }

  /** Shows the next value where it comes to nothing; answers whether it does. */
  pass(publication: Publication, decimal: Decimal | undefined): boolean {
    const leaves = this.#leavesLatches
    if (leaves === undefined || !passes(this.rule, this.state, this.memory, { publication, decimal }, leaves))
      return false
    this.last = publication
    this.#previous = publication
    return true
  }

  /** Shows the next value. */
  step(publication: Publication, cadence: Resolution | undefined, source: Source = noSource): Verdict {
    this.turnTo(source)
    const last = this.#previous
    const seen: ValueSeen = {
      kind: 'value',
      publication,
      ...(last !== undefined && { previous: lastOf(last) }),
      ...(cadence !== undefined && { cadence }),
    }
    const verdict = evaluate(this.rule, this.state, this.memory, seen)
    this.state = verdict.state
    this.last = publication
    this.#previous = publication
    return verdict
  }
}

function lastOf({ value, publishedAtMs }: Pick<Publication, 'value' | 'publishedAtMs'>) {
  return { value, publishedAtMs }
}

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
  fold: Fold
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
  readonly #changed: ChangedRange
  /** Kept states from the changed time on, oldest first. */
  readonly #later: readonly Checkpoint[]
  /** What had fired from the changed time on, oldest first. */
  readonly #fired: readonly Firing[]
  readonly #replaces: Refolded['replaces']
  readonly #fold: Fold
  readonly #pace: CheckpointPace
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
      changed: ChangedRange
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
    this.#fold = new Fold(run.rule, from?.state ?? initialState(run.first))
    this.#pace = new CheckpointPace(from)
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
      this.#fold.recall(publication, source)
      return
    }
    // The beginning of the run is no longer on the tape: nobody knows what it came to.
    if (this.#from === undefined && this.#fold.last === undefined && publishedAtMs !== this.run.fromMs) {
      this.#isUnfit = true
      return
    }
    this.#seenMs.add(publishedAtMs)
    const { firings } = this.#fold.step(publication, cadence, source)
    this.#noteOver(publication, source)
    for (const inputs of firings) this.#firings.push({ publishedAtMs, inputs, source })
    const isChanged = publishedAtMs >= this.#changed.fromMs && publishedAtMs <= this.#changed.toMs
    if (isChanged && publication.amendedAtMs !== undefined) this.#amended.push(publication)
    this.#settle(publishedAtMs)
    const kept = this.#pace.after({ atMs: publishedAtMs, state: this.#fold.state }, firings.length > 0)
    if (kept !== undefined && this.#settledAtMs === undefined) this.#checkpoints.push(kept)
  }

  /** After the last value. `undefined` where it could not be judged. */
  end(): Refolded | undefined {
    if (this.#isUnfit || (this.#from === undefined && this.#fold.last === undefined)) return undefined
    const untilMs = this.#settledAtMs ?? Infinity
    // A value that is no longer on the tape says nothing against what it fired.
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
      fold: this.#fold,
      ...(this.#from !== undefined && { from: this.#from }),
      ...(this.#settledAtMs !== undefined && { settledAtMs: this.#settledAtMs }),
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
    return {
      ...(at.value !== undefined && { value: at.value }),
      publishedAtMs: at.publishedAtMs,
      ...(by?.amendedAtMs !== undefined && { amendedAtMs: by.amendedAtMs }),
      ...(previous !== undefined && at.publishedAtMs === publishedAtMs && { previous }),
      ...(direction !== undefined && { direction }),
    }
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
    if (kept === undefined || !isDeepStrictEqual(kept.state, this.#fold.state)) return
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
