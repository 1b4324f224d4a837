/** One active rule: its terms, state, policy state and memory in one record. */
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

/** One run of a rule: from its creation, edit or re-arming to the next. Times are published times. */
export interface Run {
  number: number
  /** The version of the rule in this run. */
  rule: AlertRule
  first: WhenAlreadyMet
  startedAtMs: number
  /** Start of the run. It is evaluated on values published later, and first on the value in effect at the start. */
  sinceMs: number
  /** Set if nothing was received before the start. Values up to this time are from an earlier run and do not start it. */
  keptMs?: number
  /** The first value: the one in effect at the start, else the next. Absent before the first value. */
  fromMs?: number
  /** End of a run that has ended. It is evaluated on values up to this time. */
  toMs?: number
  endedAtMs?: number
  /** The last known cadence of the index. */
  cadence?: Resolution
}

/** The state after the value published at `atMs`. For a rule that is not folded, `atMs` is the wall time of storing. */
export interface Checkpoint {
  atMs: number
  state: RuleState
}

/** A firing. Its key is run, published time and direction. */
export interface Firing {
  publishedAtMs: number
  inputs: AlertInputs
  /** Undefined if the firing was suppressed and not recorded. */
  eventId?: string
  /** The first later value at which the condition had ended. Found by a refold. Not stored. */
  over?: AlertInputs['over']
  /** The source of the value that fired. Found by a refold. Not stored. */
  source?: Source
}

/** A range with late or amended values that is still to be refolded, and how its values arrived. */
export interface Due extends TimeRange {
  cause: 'amendment' | 'history'
}

/** `reduce` returns a new record. Only `memory` is changed in place, because most values change nothing else. */
export interface RuleRecord {
  /** Increments with each new rule. Rules are shown in this order. */
  readonly position: number
  readonly run: Run
  /** The state after the last value or observation. */
  readonly state: RuleState
  /** What the notification policy remembers of the rule. */
  readonly policy: RulePolicyState
  /** The measured number that the terms compare, as last seen. */
  readonly measure: DecimalText | undefined
  readonly memory: Memory
}

/** What a record remembers until the app ends. */
export class Memory {
  /** The last value that the rule saw. */
  last: Publication | undefined = undefined
  /** The last value of the source of `state`. */
  previous: Pick<Publication, 'value' | 'publishedAtMs'> | undefined = undefined
  /** Memory of the source of `state`. */
  own: RuleMemory = newMemory()
  /** Memories of the other sources, by their ids. */
  others: Map<string, RuleMemory> | undefined = undefined
  /** The last stored state. `countSinceKept` is the number of values since. */
  kept: Checkpoint | undefined
  countSinceKept = 0
  readonly leavesLatches: LeavesLatches | undefined
  /** The numbers with which `leavesLatches` compares, as floating-point numbers. */
  readonly edges: readonly number[]
  trace = new Trace()
  suppressed: SuppressedHour | undefined = undefined
  /** For a rule on silence: when its silence began, on the monotonic clock. */
  quiet: { sinceMs: number; isSilent: boolean } | undefined = undefined
  /** The cached view, and what it was made from. */
  shown: (Pick<RuleRecord, 'state' | 'policy' | 'measure'> & { view: AlertView }) | undefined = undefined

  constructor(terms: AlertTerms, kept: Checkpoint | undefined) {
    const spec = specOf(terms.condition)
    this.leavesLatches = spec.leavesLatches?.(terms)
    this.edges = spec.edges?.(terms) ?? []
    this.kept = kept
  }

  /** Takes over the memory of a refold. */
  takeOver({ last, previous, own, others, kept }: Memory, state: RuleState): void {
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

/** True if the rule's state is a fold over published values. Other rules follow observations in order of receipt. */
export function isFolded(terms: AlertTerms): boolean {
  return dependsOn(terms, 'values') && specOf(terms.condition).seesRevisions !== true
}

/** A rule ignores values published after its end. */
export function isAfterEnd({ expiresAt }: AlertRule, publishedAtMs: number): boolean {
  return expiresAt !== undefined && publishedAtMs >= expiresAt.atMs
}

/** The published time of a run's first value, given its present one (`fromMs`) and these late values. */
export function firstAmong({ sinceMs, keptMs = 0, fromMs = Infinity }: Run, timesMs: readonly number[]): number {
  const isFirst = (atMs: number, firstMs: number) => {
    return atMs <= sinceMs ? atMs > keptMs && (atMs > firstMs || firstMs > sinceMs) : atMs < firstMs
  }
  return timesMs.reduce((firstMs, atMs) => (isFirst(atMs, firstMs) ? atMs : firstMs), fromMs)
}

/** Takes one of these late values as the run's first if it is. Returns the same object otherwise. */
export function reachedBack(record: RuleRecord, timesMs: readonly number[]): RuleRecord {
  const fromMs = firstAmong(record.run, timesMs)
  return fromMs === (record.run.fromMs ?? Infinity) ? record : { ...record, run: { ...record.run, fromMs } }
}

/** The run after a value of this time. Returns the same object if nothing changes. */
export function runWith(run: Run, publishedAtMs: number, cadence: Resolution | undefined): Run {
  const { keptMs, fromMs = publishedAtMs } = run
  const isFirst = run.fromMs === undefined
  // The next value always counts as published after the start of the run. So a wrong clock cannot hide it.
  const isNext = publishedAtMs > fromMs
  const maxSinceMs = isNext ? publishedAtMs - 1 : isFirst && keptMs !== undefined ? publishedAtMs : Infinity
  const sinceMs = Math.min(run.sinceMs, maxSinceMs)
  const isSame = !isFirst && sinceMs === run.sinceMs
  if (isSame && (cadence === undefined || cadence === run.cadence)) return run
  return { ...run, sinceMs, fromMs, ...(cadence !== undefined && { cadence }) }
}

/** The published time of the last value that the record includes. */
export function lastKnownMs({ memory: { last, kept } }: RuleRecord): number | undefined {
  return last?.publishedAtMs ?? kept?.atMs
}

/** A rule with its current state. Returns the same object until something changes. */
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
