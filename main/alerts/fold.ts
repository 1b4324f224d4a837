/** One evaluation step of a rule on a value or an observation. Notifications are decided elsewhere. */
import { evaluate, passes, recall as recallValue } from '../../core/evaluation/evaluate'
import type { Observation, ValueSeen } from '../../core/evaluation/observation'
import {
  isHoldProgress,
  isOfOther,
  newMemory,
  phaseOf,
  stateForSource,
  needsOtherState,
  type RuleMemory,
  type RuleState,
} from '../../core/evaluation/state'
import type { Verdict } from '../../core/evaluation/verdict'
import type { Publication, Resolution } from '../../core/model'
import { noSource, type Source } from '../../core/publication'
import { isAfterEnd, runWith, type Checkpoint, type Memory, type RuleRecord } from './record'
import type { PassedTick, Tick } from './trace'

/** The result of a step. `checkpoint` is to be stored. */
export interface Stepped {
  record: RuleRecord
  verdict: Verdict
  checkpoint?: Checkpoint
}

const minuteMs = 60_000
const maxValuesBetween = 1_000
/** Maximum delay before the progress of a hold is stored. Only for rules that the history cannot recompute. */
const progressSpacingMs = 2_000

/**
 * True if the state changed and a minute has passed since the last stored one, or after a number of values. A firing is
 * stored in any case.
 */
function isToBeKept({ kept, countSinceKept }: Memory, atMs: number, state: RuleState): boolean {
  const isLong = kept === undefined || atMs - kept.atMs >= minuteMs
  return (isLong && kept?.state !== state) || countSinceKept + 1 >= maxValuesBetween
}

/**
 * Fast path for nearly all values: no firing, no new state, nothing to store. Returns false if the value needs `step`.
 * Returns true also for a value that is not newer than the last one, or that is after the rule's end.
 */
export function pass({ run, state, memory }: RuleRecord, tick: Tick): boolean {
  const { publication, cadence, source } = tick
  const { publishedAtMs } = publication
  const { last, leavesLatches } = memory
  if (isAfterEnd(run.rule, publishedAtMs) || (last !== undefined && publishedAtMs <= last.publishedAtMs)) return true
  if (leavesLatches === undefined || needsOtherState(source, state) || isToBeKept(memory, publishedAtMs, state))
    return false
  if (runWith(run, publishedAtMs, cadence) !== run) return false
  if (!passes(run.rule, state, memory.own, tick, leavesLatches)) return false
  notePassed(state, memory, tick)
  memory.countSinceKept++
  return true
}

function notePassed({ isDone }: RuleState, memory: Memory, tick: PassedTick): void {
  const { publication } = tick
  memory.last = publication
  memory.previous = publication
  if (!isDone) memory.own.newest.value = publication.publishedAtMs
  memory.trace.pass(tick)
}

/** Adds skipped values to a rule's memory. `newest` has the last few, oldest first. */
export function noteQuiet(
  { state, memory }: Pick<RuleRecord, 'state' | 'memory'>,
  count: number,
  newest: readonly PassedTick[],
): void {
  for (const tick of newest) notePassed(state, memory, tick)
  memory.countSinceKept += count
}

/** The limits of skipping after `pass`: the number of values, and the published time before which they must be. */
export function quietUntil({ run, state, memory }: RuleRecord): { beforeMs: number; count: number } {
  const { kept, countSinceKept } = memory
  const keepMs = kept?.state === state ? Infinity : (kept?.atMs ?? -Infinity) + minuteMs
  return {
    beforeMs: Math.min(keepMs, run.rule.expiresAt?.atMs ?? Infinity),
    count: maxValuesBetween - 1 - countSinceKept,
  }
}

/** Evaluates a folded rule on the next value. */
export function step(
  record: RuleRecord,
  publication: Publication,
  cadence: Resolution | undefined,
  source: Source = noSource,
): Stepped {
  const { run, memory } = record
  const state = switchTo(record, source)
  const previous = memory.previous && lastOf(memory.previous)
  const seen: ValueSeen = { kind: 'value', publication, previous, cadence }
  const verdict = evaluate(run.rule, state, memory.own, seen)
  memory.last = publication
  memory.previous = publication
  const checkpoint = { atMs: publication.publishedAtMs, state: verdict.state }
  const isKept = verdict.firings.length > 0 || isToBeKept(memory, checkpoint.atMs, checkpoint.state)
  memory.countSinceKept = isKept ? 0 : memory.countSinceKept + 1
  if (isKept) memory.kept = checkpoint
  return { record: { ...record, state: verdict.state }, verdict, ...(isKept && { checkpoint }) }
}

/** Replays a value that the state already includes. Restores the window and the previous value. */
export function recall(record: RuleRecord, publication: Publication, source: Source = noSource): RuleRecord {
  const { run, memory } = record
  memory.last = publication
  const other = record.state.others?.find((each) => each.source.id === source.id)
  if (other !== undefined) {
    recallValue(run.rule, other.state, memoryOf(memory, source), publication)
    return record
  }
  const state = record.state.source === undefined ? switchTo(record, source) : record.state
  recallValue(run.rule, state, memory.own, publication)
  memory.previous = publication
  return { ...record, state }
}

/** Evaluates a rule that is not folded. Such a rule has one checkpoint, the latest. */
export function observe(record: RuleRecord, seen: Observation, nowMs: number, source?: Source): Stepped {
  const { run, memory, state: before } = record
  const state = source === undefined ? before : switchTo(record, source)
  // What was true before this source took over is not new.
  const isFirst = source !== undefined && isOfOther(source, before)
  const rule = isFirst ? { ...run.rule, createdAtMs: nowMs } : run.rule
  const verdict = evaluate(rule, state, memory.own, seen)
  const next = { ...record, state: verdict.state }
  if (verdict.state === before) return { record: next, verdict }
  const isProgress = isHoldProgress(before, verdict.state)
  if (isProgress && nowMs - (memory.kept?.atMs ?? 0) < progressSpacingMs) return { record: next, verdict }
  memory.kept = { atMs: nowMs, state: verdict.state }
  return { record: next, verdict, checkpoint: { atMs: 0, state: verdict.state } }
}

/** The checkpoint to store at the end of the app, so that the next start has nothing to refold. */
export function restOf({ state, memory: { last, kept } }: RuleRecord): Checkpoint | undefined {
  if (last === undefined || (kept?.state === state && kept.atMs === last.publishedAtMs)) return undefined
  return { atMs: last.publishedAtMs, state }
}

/** Adds to the trace the values that took the fast path. They left the state unchanged. */
export function tracePassed({ run, state, memory }: RuleRecord): void {
  for (const { publication, cadence, atMs } of memory.trace.takePassed()) {
    const { value, publishedAtMs } = publication
    const { words } = evaluate(run.rule, state, newMemory(), { kind: 'value', publication, cadence })
    const phase = phaseOf(state)
    memory.trace.note({ atMs, publishedAtMs, value, phaseBefore: phase, phaseAfter: phase, hasFired: false, words })
  }
}

/** Switches the state and the memory to this source. */
function switchTo({ state, memory }: RuleRecord, source: Source): RuleState {
  const { source: from, others } = state
  const next = stateForSource(source, state, memory.previous && lastOf(memory.previous))
  if (from === undefined || next === state) return next
  const { own } = memory
  memory.own = memoryOf(memory, source)
  memory.others?.set(from.id, own)
  memory.previous = others?.find((each) => each.source.id === source.id)?.last
  return next
}

function memoryOf(memory: Memory, { id }: Source): RuleMemory {
  memory.others ??= new Map()
  const own = memory.others.get(id) ?? newMemory()
  memory.others.set(id, own)
  return own
}

function lastOf({ value, publishedAtMs }: Pick<Publication, 'value' | 'publishedAtMs'>) {
  return { value, publishedAtMs }
}
