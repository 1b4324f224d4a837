/**
 * One step of one rule. Takes a record, an input and the time, and returns the next record and its events. Pure: the
 * engine stores and notifies.
 */
import type { AlertEvent, AlertEventKind, Delivery } from '../../core/alert-events'
import { isOutsideHours } from '../../core/alert-hours'
import type { AlertInputs } from '../../core/alert-inputs'
import { dependsOn, type AlertRule, type HoldBackReason, type RuleValidity } from '../../core/alerts'
import type { Observation } from '../../core/evaluation/observation'
import { phaseOf, type RuleState } from '../../core/evaluation/state'
import type { Publication } from '../../core/model'
import type { Source } from '../../core/publication'
import { observe, tracePassed, step, type Stepped } from './fold'
import {
  comeDue,
  countSuppressed,
  decide,
  hasExpired,
  withoutEnd,
  type PolicyEvent,
  type PolicyNow,
} from './policy/notification-policy'
import { isFolded, runWith, type Checkpoint, type Due, type Firing, type RuleRecord, type Run } from './record'
import type { Difference } from './refold'
import type { Tick } from './trace'

type FiringKind = 'fired' | 'lateFromHistory'

/** An input to a rule. */
export type Input =
  /** The next value, for a folded rule. */
  | { kind: 'value'; tick: Tick }
  /** An observation, for a rule that is not folded. */
  | { kind: 'seen'; seen: Observation; source?: Source; as?: FiringKind }
  /** The record that a refold resulted in. */
  | { kind: 'refolded'; to: RuleRecord }
  /** A difference that a refold of a run found. `about` is the event to retract or confirm. */
  | { kind: 'difference'; run: Run; difference: Difference; due: Due; about: AlertEvent | undefined }
  /** A cooldown or the rule itself may have ended. */
  | { kind: 'time' }
  /** The fixing due at `dueMs` has not come. */
  | { kind: 'missing'; dueMs: number }
  /** Why the rule cannot fire. Undefined if it can. */
  | { kind: 'reach'; reach: RuleValidity | undefined }

export interface Now extends PolicyNow {
  /** Creates an event of this rule, with an id and not yet numbered. `about` is the event to retract or confirm. */
  eventOf: (rule: AlertRule, kind: AlertEventKind, inputs: AlertInputs, about?: AlertEvent) => AlertEvent
}

/** An event. Beyond a limit, the events of a rule are counted instead of recorded. */
interface ReducedEvent {
  event: AlertEvent
  isRecorded: boolean
}

export interface Reduced {
  record: RuleRecord
  /** In order. */
  events: ReducedEvent[]
  /** To be stored. */
  checkpoint?: Checkpoint
  firings: Firing[]
}

export function reduce(record: RuleRecord, input: Input, now: Now): Reduced {
  const outcome: Reduced = { record, events: [], firings: [] }
  switch (input.kind) {
    case 'value':
      takeValue(outcome, input.tick, now)
      break
    case 'seen':
      takeObservation(outcome, input, now)
      break
    case 'refolded':
      tracePassed(record)
      record.memory.takeOver(input.to.memory, input.to.state)
      outcome.record = { ...record, run: runAfter(record.run, input.to.run), state: input.to.state }
      break
    case 'difference':
      takeDifference(outcome, input, now)
      break
    case 'time': {
      const { policy, events } = comeDue(ruleForTime(record), record.policy, now)
      if (policy !== record.policy) outcome.record = { ...record, policy }
      addPolicyEvents(outcome, events, now)
      break
    }
    case 'missing':
      takeMissing(outcome, input.dueMs, now)
      break
    case 'reach':
      takeReach(outcome, input.reach, now)
      break
  }
  return outcome
}

/** The run after a refold. It starts earlier if a value published before its start was evaluated. */
function runAfter(run: Run, { sinceMs }: Run): Run {
  return sinceMs < run.sinceMs ? { ...run, sinceMs } : run
}

/** The rule as the expiry timer sees it. A finished rule has no expiry. */
export function ruleForTime({ run: { rule }, state }: RuleRecord): AlertRule {
  return state.isDone ? withoutEnd(rule) : rule
}

function takeValue(outcome: Reduced, { publication, cadence, source }: Tick, now: Now): void {
  const { record } = outcome
  tracePassed(record)
  const run = runWith(record.run, publication.publishedAtMs, cadence)
  take(outcome, step({ ...record, run }, publication, cadence ?? run.cadence, source), publication, 'fired', now)
}

/** An expired rule ignores observations. */
function takeObservation(outcome: Reduced, input: Extract<Input, { kind: 'seen' }>, now: Now): void {
  const { seen, source, as = 'fired' } = input
  const { record } = outcome
  const { rule } = record.run
  if (hasExpired(rule, record.policy, now.nowMs)) return
  tracePassed(record)
  const stepped = observe(record, seen, now.nowMs, dependsOn(rule.terms, 'silence') ? undefined : source)
  take(outcome, stepped, 'publication' in seen ? seen.publication : undefined, as, now)
}

/** Takes over a step, with its firings. */
function take(
  outcome: Reduced,
  { record, verdict, checkpoint }: Stepped,
  publication: (Pick<Publication, 'publishedAtMs'> & Partial<Publication>) | undefined,
  kind: FiringKind,
  now: Now,
): void {
  const { state: before } = outcome.record
  const { measure, firings, recovered, words } = verdict
  const inputs = { ...publication, value: measure ?? publication?.value }
  outcome.record = measure === undefined ? record : { ...record, measure }
  if (checkpoint !== undefined) outcome.checkpoint = checkpoint
  trace(outcome.record, { before, inputs, hasFired: firings.length > 0, words }, now)
  for (const fired of firings) {
    const { id, isRecorded } = addDecided(outcome, now.eventOf(record.run.rule, kind, fired), now)
    if (fired.publishedAtMs === undefined || !isFolded(record.run.rule.terms)) continue
    const { publishedAtMs } = fired
    outcome.firings.push({ publishedAtMs, inputs: fired, ...(isRecorded && { eventId: id }) })
  }
  if (recovered !== undefined) addDecided(outcome, now.eventOf(record.run.rule, 'recovered', recovered), now)
}

const differenceWords: Record<Difference['kind'], string> = {
  retracted: 'Re-evaluated: it did not fire.',
  confirmed: 'Re-evaluated: it still fired.',
  late: 'Re-evaluated: it fired late.',
}

function takeDifference(
  outcome: Reduced,
  { run, difference, due, about }: Extract<Input, { kind: 'difference' }>,
  now: Now,
): void {
  const { record } = outcome
  const isHistory = due.cause === 'history'
  const of = difference.kind === 'late' ? difference.firing.inputs : difference.inputs
  const isAmended = of.amendedAtMs !== undefined
  const missed = isHistory && !isAmended ? { missedSinceMs: Math.max(due.fromMs, run.fromMs ?? 0) } : {}
  const inputs: AlertInputs = { ...of, ...missed }
  tracePassed(record)
  const words = differenceWords[difference.kind]
  trace(record, { inputs, hasFired: difference.kind === 'late', words }, now)
  if (difference.kind === 'late') {
    const { firing } = difference
    const kind = isHistory && !isAmended ? 'lateFromHistory' : 'lateByAmendment'
    const since = kind === 'lateFromHistory' ? outcomeSince(firing, record.memory.last) : {}
    // The event describes that run's version of the rule. The policy of the current rule decides on the notification.
    const { id, isRecorded } = addDecided(outcome, now.eventOf(run.rule, kind, { ...inputs, ...since }), now)
    if (isRecorded) firing.eventId = id
    return
  }
  const event: AlertEvent = {
    ...now.eventOf(record.run.rule, difference.kind, inputs, about),
    aboutEventId: difference.eventId,
    // The firing may belong to an earlier version.
    ...(about !== undefined && { terms: about.terms, ruleVersion: about.ruleVersion }),
  }
  if (difference.kind === 'retracted' && wasDelivered(about)) addDecided(outcome, event, now)
  else add(outcome, { ...event, delivery: 'none' }, now)
}

/** Fires once for each missing fixing, unless the rule has expired or is outside its hours. */
function takeMissing(outcome: Reduced, dueMs: number, now: Now): void {
  const { record } = outcome
  const { rule } = record.run
  if (record.policy.missedMs === dueMs) return
  outcome.record = { ...record, policy: { ...record.policy, missedMs: dueMs } }
  if (hasExpired(rule, record.policy, now.nowMs)) return
  const isOutside = isOutsideHours(rule, now.nowMs)
  const words = isOutside ? 'No fixing received: outside its hours.' : 'No fixing received: fired.'
  tracePassed(record)
  trace(record, { inputs: {}, hasFired: !isOutside, words }, now)
  if (!isOutside) addDecided(outcome, now.eventOf(rule, 'fired', { dueMs }), now)
}

/** Adds one event when a rule can no longer fire. */
function takeReach(outcome: Reduced, found: RuleValidity | undefined, now: Now): void {
  const { record } = outcome
  const { reach: before, ...rest } = record.policy
  outcome.record = { ...record, policy: found === undefined ? rest : { ...rest, reach: found } }
  if (typeof found !== 'object' || typeof before === 'object') return
  addDecided(outcome, { ...now.eventOf(record.run.rule, 'cannotFire', {}), reason: found.cannotFire }, now)
}

/**
 * Adds an event that is notified unless the policy suppresses it. The end of a cooldown is added before it, a
 * suspension after it.
 */
function addDecided(outcome: Reduced, event: AlertEvent, now: Now): { id: string; isRecorded: boolean } {
  const { record } = outcome
  const { policy, heldBackBy, events } = decide(record.run.rule, record.policy, event, now)
  outcome.record = { ...record, policy }
  const isSuspension = ({ kind }: PolicyEvent) => kind === 'suspended'
  addPolicyEvents(
    outcome,
    events.filter((each) => !isSuspension(each)),
    now,
  )
  const isRecorded = add(outcome, { ...event, ...deliveryOf(heldBackBy) }, now)
  addPolicyEvents(outcome, events.filter(isSuspension), now)
  return { id: event.id, isRecorded }
}

/** Adds an event. Returns whether it is recorded: the number of suppressed events an hour is limited. */
function add({ record: { memory }, events }: Reduced, event: AlertEvent, { nowMs }: Now): boolean {
  let isRecorded = true
  // A retraction is always recorded. It undoes a recorded event, so its number is limited too.
  if (event.delivery !== 'pending' && event.kind !== 'retracted') {
    // For a backfilled firing the limit counts by published time, as if the values had been received live.
    const atMs = event.kind === 'lateFromHistory' ? (event.inputs.publishedAtMs ?? nowMs) : nowMs
    const { isRecorded: isWithin, ...hour } = countSuppressed(memory.suppressed, atMs)
    memory.suppressed = hour
    isRecorded = isWithin
  }
  events.push({ event, isRecorded })
  return isRecorded
}

function addPolicyEvents({ record, events: all }: Reduced, events: readonly PolicyEvent[], now: Now): void {
  const { rule } = record.run
  for (const { kind, heldBackCount, last, reason, heldBackBy } of events) {
    const event: AlertEvent = {
      ...now.eventOf(rule, kind, last?.inputs ?? {}),
      heldBackCount,
      reason,
      untilMs: kind === 'expiresSoon' ? rule.expiresAt?.atMs : undefined,
      ...deliveryOf(heldBackBy),
    }
    all.push({ event, isRecorded: true })
  }
}

/** The initial delivery of an event: pending or suppressed. */
function deliveryOf(heldBackBy: HoldBackReason | undefined): Pick<AlertEvent, 'delivery' | 'heldBackBy'> {
  return heldBackBy === undefined ? { delivery: 'pending' } : { delivery: 'heldBack', heldBackBy }
}

/** Adds an evaluation to the trace. */
function trace(
  { state, memory }: RuleRecord,
  evaluation: { before?: RuleState; inputs: AlertInputs; hasFired: boolean; words: string },
  { nowMs }: Now,
): void {
  const { before = state, hasFired, words } = evaluation
  const { publishedAtMs, value } = evaluation.inputs
  memory.trace.note({
    atMs: nowMs,
    publishedAtMs,
    value,
    phaseBefore: phaseOf(before),
    phaseAfter: phaseOf(state),
    hasFired,
    words,
  })
}

/** What happened after a backfilled firing. */
function outcomeSince({ publishedAtMs, over }: Firing, last: Publication | undefined): AlertInputs {
  if (last === undefined || last.publishedAtMs <= publishedAtMs) return { over }
  return { over, latest: { value: last.value, publishedAtMs: last.publishedAtMs } }
}

/** Includes `failed`: if the desktop shows nothing, the window does. */
const deliveredStates: ReadonlySet<Delivery> = new Set([
  'pending',
  'shown',
  'clicked',
  'unanswered',
  'unknown',
  'inDigest',
  'failed',
])

/** Whether the user may have seen the notification. */
function wasDelivered(event: AlertEvent | undefined): boolean {
  return event !== undefined && deliveredStates.has(event.delivery)
}
