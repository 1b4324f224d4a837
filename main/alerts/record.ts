/** A rule at work: its terms, state, policy and memory in one record. */
import type { AlertInputs } from '../../core/alert-inputs'
import { dependsOn, type AlertRule, type AlertTerms, type AlertView } from '../../core/alerts'
import { specOf } from '../../core/conditions/list'
import type { LeavesLatches } from '../../core/evaluation/condition'
import {
  heldMsOf,
  initialState,
  newMemory,
  phaseOf,
  type AlertPhase,
  type RuleMemory,
  type RuleState,
  type WhenAlreadyMet,
} from '../../core/evaluation/state'
import type { DecimalText, Publication, Resolution } from '../../core/model'
import type { Source } from '../../core/publication'
import type { TimeRange } from '../../core/ranges'
import type { RulePolicyState, SuppressedHour } from './policy/notification-policy'
import { Trace } from './trace'

/** One life of a rule, from being made, edited or armed again to the next of these. Times are published times. */
export interface Run {
  number: number
  /** As it was then. */
  rule: AlertRule
  first: WhenAlreadyMet
  startedAtMs: number
  /** Start of the run. It is judged on values published later, and first on the value in effect at the start. */
  sinceMs: number
  /** Set if nothing was received before the start. Values up to this time are from an earlier run and do not start it. */
  keptMs?: number
  /** The first value: the one in effect at the start, else the next. Absent before the first value. */
  fromMs?: number
  /** End of a run that has ended. It is judged on values up to this time. */
  toMs?: number
  endedAtMs?: number
  /** As last known. */
  cadence?: Resolution
}

/** The state after the value of this published time; of a rule that is not folded, the wall time it was kept at. */
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

/** Values that were learned late and are still to be folded, and how they came. */
export interface Due extends TimeRange {
  cause: 'amendment' | 'history'
}

/** `reduce` returns a new record. Only `memory` is written in place, since most values change nothing else. */
export interface RuleRecord {
  /** Counts up with each rule made: they are shown in this order. */
  readonly position: number
  readonly run: Run
  /** After the last value or observation. */
  readonly state: RuleState
  /** What the notification policy remembers of it. */
  readonly policy: RulePolicyState
  /** What its terms compare, as last seen. */
  readonly measure: DecimalText | undefined
  readonly memory: Memory
}

/** What a record knows in this run of the app. */
export class Memory {
  /** The last value it was shown. */
  last: Publication | undefined = undefined
  /** The last value of the source that `state` belongs to. */
  previous: Pick<Publication, 'value' | 'publishedAtMs'> | undefined = undefined
  /** Of the values of that source. */
  own: RuleMemory = newMemory()
  /** Of those of the other sources, by their ids. */
  others: Map<string, RuleMemory> | undefined = undefined
  /** The state kept last, and how many values came after it. */
  kept: Checkpoint | undefined
  countSinceKept = 0
  readonly leavesLatches: LeavesLatches | undefined
  readonly trace = new Trace()
  suppressed: SuppressedHour | undefined = undefined
  /** Of a rule about silence: since when its silence is counted, by the monotonic clock. */
  quiet: { sinceMs: number; isSilent: boolean } | undefined = undefined
  /** The view, and what it was made of. */
  shown: (Pick<RuleRecord, 'state' | 'policy' | 'measure'> & { view: AlertView }) | undefined = undefined

  constructor(terms: AlertTerms, kept: Checkpoint | undefined) {
    this.leavesLatches = specOf(terms.condition).leavesLatches?.(terms)
    this.kept = kept
  }

  /** From here on it knows the values that were folded again. */
  goOnFrom({ last, previous, own, others, kept }: Memory, state: RuleState): void {
    Object.assign(this, { last, previous, own, others, countSinceKept: 0 })
    this.kept = last === undefined ? kept : { atMs: last.publishedAtMs, state }
  }
}

export function newRecord(run: Run, position = 0, kept?: Checkpoint): RuleRecord {
  return {
    position,
    run,
    state: kept?.state ?? initialState(run.first),
    policy: {},
    measure: undefined,
    memory: new Memory(run.rule.terms, kept),
  }
}

/** True if the rule's state is a fold over published values. Other rules follow observations in the order of receipt. */
export function isFolded(terms: AlertTerms): boolean {
  return dependsOn(terms, 'values') && specOf(terms.condition).seesRevisions !== true
}

/** A rule ignores values published after its end. */
export function isAfterEnd({ expiresAt }: AlertRule, publishedAtMs: number): boolean {
  return expiresAt !== undefined && publishedAtMs >= expiresAt.atMs
}

/** The published time of a run's first value, of those it had (`fromMs`) and these. */
export function firstAmong({ sinceMs, keptMs = 0, fromMs = Infinity }: Run, timesMs: readonly number[]): number {
  const isFirst = (atMs: number, firstMs: number) => {
    return atMs <= sinceMs ? atMs > keptMs && (atMs > firstMs || firstMs > sinceMs) : atMs < firstMs
  }
  return timesMs.reduce((firstMs, atMs) => (isFirst(atMs, firstMs) ? atMs : firstMs), fromMs)
}

/** Takes one of these learned values as the first value if it is one. Returns the same object otherwise. */
export function reachedBack(record: RuleRecord, timesMs: readonly number[]): RuleRecord {
  const fromMs = firstAmong(record.run, timesMs)
  return fromMs === (record.run.fromMs ?? Infinity) ? record : { ...record, run: { ...record.run, fromMs } }
}

/** The run after a value of this time. Returns the same object if nothing changes. */
export function runWith(run: Run, publishedAtMs: number, cadence: Resolution | undefined): Run {
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

/** The published time of the last value it knows. */
export function lastKnownMs({ memory: { last, kept } }: RuleRecord): number | undefined {
  return last?.publishedAtMs ?? kept?.atMs
}

/** A rule with its present state. Returns the same object until something changes. */
export function viewOf({ run, state, policy, measure, memory }: RuleRecord): AlertView {
  const { shown } = memory
  if (shown?.state === state && shown.policy === policy && shown.measure === measure) return shown.view
  const phase = phaseOf(state)
  const { cooldown, suspension, reach } = policy
  const view: AlertView = {
    ...run.rule,
    // Fired-once wins over expired, expired over suspended.
    phase: phase === 'triggered' ? phase : (policyPhase(policy) ?? phase),
    heldMs: heldMsOf(state),
    suspension,
    reach,
    cooldown,
    measure,
  }
  memory.shown = { state, policy, measure, view }
  return view
}

function policyPhase({ isExpired, suspension }: RulePolicyState): AlertPhase | undefined {
  if (isExpired === true) return 'expired'
  return suspension === undefined ? undefined : 'suspended'
}
