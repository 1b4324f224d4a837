import type { AlertEvent, AlertEventKind, AlertOrigin, Delivery } from '../../core/alert-events'
import type { AlertInputs } from '../../core/alert-inputs'
import { isOutsideHours } from '../../core/alert-hours'
import {
  isJudgedBy,
  type AlertRule,
  type AlertView,
  type HoldBackReason,
  type RuleReach,
  type SnoozeScope,
} from '../../core/alerts'
import { parseDecimal } from '../../core/decimal'
import type { IndexId, Publication, Quote } from '../../core/model'
import type { Source } from '../../core/publication'
import type { Clock } from '../base/clock'
import { ActiveRule } from './active-rule'
import { ActiveRules } from './active-rules'
import { Inbox } from './inbox'
import { hasExpired, withoutEnd } from './policy/expiry'
import { NotificationPolicy, type ForgottenRule, type PolicyEvent } from './policy/notification-policy'
import { covers } from './policy/snoozes'
import type { Kept, KeptRule, Records } from './records'
import { isAfterEnd, isFolded, type Checkpoint, type ChangedRange, type Difference, type Run } from './refold'
import type { FoldedIndex, FoldedRun } from './refold-queue'
import type { Observation } from '../../core/evaluation/observation'
import type { Tick } from './trace'
import { isHoldGoingOn, isOfOther, phaseOf } from '../../core/evaluation/state'
import type { Verdict } from '../../core/evaluation/verdict'

/** What came of something: the events, in order. */
export interface Judgement {
  events: readonly AlertEvent[]
  /** To be shown at once; that a hold goes on need not be. */
  hasChanged: boolean
  isToBeStored: boolean
}

/** What came of one rule after the other. What came of one is whole: after each there may be a pause, and it may be stored. */
export type Judgements = Iterable<Judgement>

type Shown = { verdict: Verdict; checkpoint?: Checkpoint } | undefined
type SeenPublication = (Pick<Publication, 'publishedAtMs'> & Partial<Publication>) | undefined

interface AlertStateOptions {
  clock: Clock
  newId: () => string
  originOf: (id: IndexId) => AlertOrigin
  dayOf?: (ms: number) => string
  records: Records
  kept?: Kept | undefined
}

/** How many rules are shown a value before the turn may end. */
export const passedAtOnce = 250

export const nothingCame: Judgement = { events: [], hasChanged: false, isToBeStored: false }

const differenceWords: Record<Difference['kind'], string> = {
  retracted: 'Re-evaluated: it did not fire.',
  confirmed: 'Re-evaluated: it still fired.',
  late: 'Re-evaluated: it fired late.',
}

/** The next value of an index, and whose it is. */
type SeenValue = Omit<Tick, 'decimal' | 'atMs'>

/** A deleted rule whose deletion can be undone. */
export interface RemovedRule {
  active: ActiveRule
  policy: ForgottenRule
}

/** The rules at work, what the notification policy remembers of them, and the inbox; each change is noted for the tape. */
export class AlertState {
  readonly rules = new ActiveRules()
  readonly policy: NotificationPolicy
  readonly inbox: Inbox
  readonly #options: AlertStateOptions
  readonly #clock: Clock
  readonly #newId: () => string
  readonly #originOf: (id: IndexId) => AlertOrigin
  readonly #records: Records
  /** By how much the published time of the newest value was ahead of the monotonic clock as it came. */
  readonly #aheadMs = new Map<IndexId, number>()
  /** The connection by which the last change of source was said, of each index that had one. */
  readonly #sources = new Map<IndexId, string>()

  constructor(options: AlertStateOptions) {
    const { clock, newId, originOf, dayOf, records, kept } = options
    this.#options = options
    this.policy = new NotificationPolicy(dayOf === undefined ? {} : { dayOf })
    this.#clock = clock
    this.#newId = newId
    this.#originOf = originOf
    this.#records = records
    this.inbox = new Inbox(records, kept)
    if (kept !== undefined) this.policy.restore(kept.policy)
  }

  /** Restores a rule in its saved state. */
  takeUp({ run, position, checkpoint }: KeptRule): ActiveRule {
    const active = new ActiveRule(run, position, checkpoint)
    this.rules.put(active)
    return active
  }

  /** A value has become the latest. */
  noteReceived(id: IndexId, publishedAtMs: number): void {
    this.#aheadMs.set(id, publishedAtMs - this.#clock.monotonicMs())
  }

  /** The rule begins, or begins again in the place of the one with its id. A latest value that was received is its first. */
  begin(rule: AlertRule, first: Run['first'], latest?: Quote): ActiveRule {
    const before = this.rules.get(rule.id)
    const startedAtMs = this.#clock.wallMs()
    if (before !== undefined) this.#records.run(before.ended(startedAtMs))
    const latestMs = latest?.publishedAtMs ?? 0
    const isReceived = latest !== undefined && latest.source !== 'cache'
    const run: Run = {
      number: (before?.run.number ?? 0) + 1,
      rule,
      first,
      startedAtMs,
      sinceMs: Math.max(latestMs, Math.ceil(this.#publishedNowMs(rule.indexId, isReceived)) - 1),
      ...(!isReceived && { keptMs: latestMs }),
    }
    const active = new ActiveRule(run, before?.position ?? this.rules.takePositions(1))
    this.#records.begin(run, active.position)
    this.rules.put(active)
    this.policy.renew(rule)
    return active
  }

  /** A state without rules, in which so many are made beside those of this one; `takeIn` makes them part of it. */
  beside(ruleCount: number): AlertState {
    const made = new AlertState({ ...this.#options, records: this.#records.beside(), kept: undefined })
    made.rules.takePositions(this.rules.takePositions(ruleCount) - 1)
    for (const [id, aheadMs] of this.#aheadMs) made.#aheadMs.set(id, aheadMs)
    return made
  }

  /**
   * Adds the rules of `made` in one step and returns those added. Leaves out expired rules, and rules equal to one that was
   * added in the meantime. A rule that has fired is replaced by an equal one: its event is in the inbox.
   */
  takeIn(made: AlertState): readonly ActiveRule[] {
    const nowMs = this.#clock.wallMs()
    const leftOut = new Set<string>()
    const taken = made.rules.all().filter(({ rule, key }) => {
      const equal = this.rules.findEqual(key)
      if (equal?.state.isDone === false || hasExpired(rule, {}, nowMs)) {
        leftOut.add(rule.id)
        return false
      }
      if (equal !== undefined) this.remove(equal.rule.id)
      return true
    })
    for (const active of taken) this.rules.put(active)
    this.#records.take(made.#records, leftOut)
    return taken
  }

  /** Deletes a rule. Returns what `putBack` needs to undo that, or `undefined` if there is no such rule. */
  remove(ruleId: string): RemovedRule | undefined {
    const active = this.rules.get(ruleId)
    if (active === undefined) return undefined
    this.rules.remove(ruleId)
    this.#records.remove(ruleId)
    return { active, policy: this.policy.forget(ruleId) }
  }

  /** Undoes a deletion: the rule has its version, state, history and place again. */
  putBack({ active, policy }: RemovedRule): void {
    this.#records.begin(active.run, active.position)
    this.rules.put(active)
    this.policy.recall(active.rule.id, policy)
  }

  view(active: ActiveRule): AlertView {
    return active.view(this.policy.of(active.rule.id))
  }

  /** Counted on from the value received last, it is not later than it is. */
  #publishedNowMs(id: IndexId, isReceived: boolean): number {
    if (!isReceived) return this.#clock.serviceMs()
    return (this.#aheadMs.get(id) ?? -Infinity) + this.#clock.monotonicMs()
  }

  /**
   * The ordinary path: shows folded rules the next value. One they have seen, or an older one, is skipped. Answers those to which
   * it is more than one value more: they are to be shown it by `step`.
   */
  pass(rules: readonly ActiveRule[], seen: SeenValue): ActiveRule[] {
    const tick = this.#tickOf(seen)
    return rules.filter((active) => !active.pass(tick))
  }

  /** `pass`, then `step`. The turn may end between parts of `pass`, which takes too long for thousands of rules. */
  *passAndStep(rules: readonly ActiveRule[], seen: SeenValue): Judgements {
    const concerned: ActiveRule[] = []
    for (let at = 0; at < rules.length; at += passedAtOnce) {
      concerned.push(...this.pass(rules.slice(at, at + passedAtOnce), seen))
      yield nothingCame
    }
    if (concerned.length > 0) yield* this.step(concerned, seen)
  }

  /** Shows folded rules the next value. */
  step(rules: readonly ActiveRule[], seen: SeenValue): Judgements {
    const { publication, cadence, source } = seen
    const tick = this.#tickOf(seen)
    const show = (active: ActiveRule) => {
      if (active.note(publication, cadence)) this.#records.run(active.run)
      return active.step(tick)
    }
    return withFirst(this.#noteSource(rules, source), this.#judge(rules, show, publication))
  }

  #tickOf(seen: SeenValue): Tick {
    return { ...seen, decimal: parseDecimal(seen.publication.value), atMs: this.#clock.wallMs() }
  }

  /** Shows any other rules what was observed. One that has expired is skipped. */
  observe(
    rules: readonly ActiveRule[],
    seen: Observation,
    { source, kind }: { source?: Source; kind?: 'lateFromHistory' } = {},
  ): Judgements {
    const nowMs = this.#clock.wallMs()
    const publication = 'publication' in seen ? seen.publication : undefined
    const show = (active: ActiveRule) => {
      if (hasExpired(active.rule, this.policy.of(active.rule.id), nowMs)) return undefined
      return active.observe(seen, nowMs, isJudgedBy(active.rule.terms, 'silence') ? undefined : source)
    }
    const said = source === undefined ? undefined : this.#noteSource(rules, source)
    return withFirst(said, this.#judge(rules, show, publication, kind))
  }

  /** What folding the rules of an index again came to (alerts, 12 and 19). */
  refolded({ due, runs, events: known }: FoldedIndex): Judgement {
    const found = runs.flatMap((each) => each.refolded.differences.map((difference) => ({ ...each, difference })))
    // A difference changes something also where it is counted and not recorded as an event of its own.
    let hasChanged = found.length > 0
    let isToBeStored = found.length > 0
    for (const { active, run, refolded } of runs) {
      // The present one, though it may have another first value or cadence than when the fold began.
      if (run.number !== active.run.number || refolded.settledAtMs !== undefined) continue
      hasChanged ||= active.state !== refolded.fold.state
      active.take(refolded)
    }
    const events = found
      .sort((a, b) => a.difference.firedMs - b.difference.firedMs || a.active.position - b.active.position)
      .flatMap(({ difference, ...of }) => this.#recordDifference(of, difference, due, known))
    // Late firings have their events now.
    for (const { run, refolded } of runs) if (this.#records.refolded(run, refolded)) isToBeStored = true
    return { events, hasChanged, isToBeStored }
  }

  /** What was published in this time stays unknown: one event of an outage, however many indices it concerns. */
  noteUnknown(id: IndexId, { fromMs, toMs }: ChangedRange): Judgement {
    const concerned = this.rules.ofIndex(id).filter(({ rule, state, run }) => {
      return !state.isDone && isFolded(rule.terms) && (run.fromMs ?? Infinity) < toMs && !isAfterEnd(rule, fromMs)
    })
    const [first] = concerned
    if (first === undefined) return nothingCame
    const range = { fromMs: Math.max(fromMs, Math.min(...concerned.map(({ run }) => run.fromMs ?? 0))), toMs }
    const same = this.inbox.newestFirst().find(({ unknown }) => unknown !== undefined && overlaps(unknown, range))
    const { unknown } = same ?? {}
    const indexIds = [...new Set([...(unknown?.indexIds ?? []), id])]
    const all = {
      fromMs: Math.min(unknown?.fromMs ?? Infinity, range.fromMs),
      toMs: Math.max(unknown?.toMs ?? 0, toMs),
      indexIds,
    }
    if (same !== undefined) {
      this.inbox.replace({ ...same, unknown: all })
      return { events: [], hasChanged: true, isToBeStored: true }
    }
    const event = this.#record(first.rule, 'notKnown', {}, { unknown: all, delivery: 'none' })
    return { events: [event], hasChanged: true, isToBeStored: true }
  }

  /** The checkpoints of all rules, as the app ends; answers whether there were any. */
  noteRest(): boolean {
    let hasAny = false
    for (const active of this.rules.all()) {
      const checkpoint = isFolded(active.rule.terms) ? active.rest() : undefined
      if (checkpoint === undefined) continue
      this.#records.checkpoint(active.run, checkpoint)
      hasAny = true
    }
    return hasAny
  }

  /** What time has brought about: cooldowns and snoozes that end, rules that expire. */
  *due(): Generator<Judgement> {
    const nowMs = this.#clock.wallMs()
    const hasEnded = this.policy.endSnoozes(nowMs)
    yield { events: [], hasChanged: hasEnded, isToBeStored: hasEnded }
    for (const rule of this.#rulesWithEnd()) {
      const { events, hasChanged } = this.policy.due(rule, nowMs)
      yield { events: this.#recordPolicyEvents(events), hasChanged, isToBeStored: hasChanged }
    }
  }

  /** The next wall time at which `due` is to be asked. */
  nextDueMs(): number | undefined {
    return this.policy.nextDueMs(this.#rulesWithEnd(), this.#clock.wallMs())
  }

  /** The same for what the rules of an index wait for. */
  nextDueMsOf(id: IndexId): number | undefined {
    return this.policy.nextDueMs(this.rules.ofIndex(id).map(ruleForTime), this.#clock.wallMs())
  }

  /** Recorded as one event where all rules are meant, or all of an index, else as one for each rule. */
  *snooze(scope: SnoozeScope, untilMs: number | null): Generator<Judgement> {
    this.policy.snooze(scope, untilMs)
    yield { events: [], hasChanged: true, isToBeStored: true }
    const concerned = this.rules.all().filter(({ rule, state }) => covers(scope, rule) && !state.isDone)
    const more: Partial<AlertEvent> = { untilMs, delivery: 'none', isRead: true }
    const isOfOne = scope.of === 'all' || scope.of === 'index'
    for (const { rule } of isOfOne ? concerned.slice(0, 1) : concerned) {
      const event = scope.of === 'all' ? this.#recordMute(rule, more) : this.#record(rule, 'snoozed', {}, more)
      yield { events: [event], hasChanged: true, isToBeStored: true }
    }
  }

  /** What stands against that rules can fire. That one cannot any more is an event, once. */
  *noteReaches(found: ReadonlyMap<string, RuleReach | undefined>): Generator<Judgement> {
    for (const [ruleId, reach] of found) yield this.#noteReach(ruleId, reach)
  }

  #noteReach(ruleId: string, reach: RuleReach | undefined): Judgement {
    const rule = this.rules.get(ruleId)?.rule
    const before = this.policy.of(ruleId).reach
    if (rule === undefined) return nothingCame
    this.policy.setReach(ruleId, reach)
    const isLost = typeof reach === 'object' && typeof before !== 'object'
    const events = isLost ? this.#decide(rule, 'cannotFire', {}, { reason: reach.cannotFire }).events : []
    return { events, hasChanged: true, isToBeStored: true }
  }

  /** The fixing that was due at this time has not come: said once, unless the rule is over or outside its hours. */
  *missing(active: ActiveRule, dueMs: number): Generator<Judgement> {
    const { rule, state } = active
    const nowMs = this.#clock.wallMs()
    if (this.rules.get(rule.id) !== active || this.policy.of(rule.id).missedMs === dueMs) return
    const isOver = hasExpired(rule, this.policy.of(rule.id), nowMs)
    this.policy.noteMissed(rule.id, dueMs)
    if (isOver) {
      yield { events: [], hasChanged: false, isToBeStored: true }
      return
    }
    const isOutside = isOutsideHours(rule, nowMs)
    const words = isOutside ? 'No fixing received: outside its hours.' : 'No fixing received: fired.'
    const phase = phaseOf(state)
    const evaluation = { atMs: nowMs, phaseBefore: phase, phaseAfter: phase, hasFired: !isOutside, words }
    active.trace(evaluation)
    const events = isOutside ? [] : this.#decide(rule, 'fired', { dueMs }).events
    yield { events, hasChanged: true, isToBeStored: true }
  }

  /** A rule that is gone by the time it would be its turn is left out. */
  *#judge(
    rules: readonly ActiveRule[],
    show: (active: ActiveRule) => Shown,
    publication: SeenPublication,
    kind: 'fired' | 'lateFromHistory' = 'fired',
  ): Generator<Judgement> {
    for (const active of rules) {
      const { state, rule, run } = active
      const shown = this.rules.get(rule.id) === active ? show(active) : undefined
      if (shown === undefined) continue
      const { verdict, checkpoint } = shown
      this.#traceVerdict(active, phaseOf(state), verdict, publication)
      const events = verdict.firings.flatMap((inputs) => this.#fire(active, kind, inputs))
      if (verdict.recovered !== undefined) events.push(...this.#decide(rule, 'recovered', verdict.recovered).events)
      if (checkpoint !== undefined) this.#records.checkpoint(active.run, checkpoint)
      const hasCome = events.length > 0
      yield {
        events,
        hasChanged: hasCome || (active.state !== state && !isHoldGoingOn(state, active.state)),
        isToBeStored: hasCome || checkpoint !== undefined || active.run !== run,
      }
    }
  }

  /** Another connection answers for the index: one event, however many rules it concerns. */
  #noteSource(rules: readonly ActiveRule[], source: Source): AlertEvent | undefined {
    const isSilence = ({ rule }: ActiveRule) => isJudgedBy(rule.terms, 'silence')
    const concerned = rules.find((active) => isOfOther(source, active.state) && !isSilence(active))
    const from = concerned?.state.source
    if (concerned === undefined || from === undefined) return undefined
    const { indexId } = concerned.rule
    const isSaid = this.#sources.get(indexId) === source.id
    this.#sources.set(indexId, source.id)
    if (isSaid) return undefined
    const sources = { from: from.name, to: source.name }
    return this.#record(concerned.rule, 'sourceChanged', {}, { sources, delivery: 'none', isRead: true })
  }

  #traceVerdict(
    active: ActiveRule,
    phaseBefore: AlertView['phase'],
    { measure, firings, words }: Verdict,
    publication: SeenPublication,
  ): void {
    const value = measure ?? publication?.value
    const evaluation = {
      atMs: this.#clock.wallMs(),
      ...(publication !== undefined && { publishedAtMs: publication.publishedAtMs }),
      ...(value !== undefined && { value }),
      phaseBefore,
      phaseAfter: phaseOf(active.state),
      hasFired: firings.length > 0,
      words,
    }
    active.trace(evaluation, measure)
  }

  #recordDifference(
    { active, run }: Omit<FoldedRun, 'refolded'>,
    difference: Difference,
    { fromMs, cause }: FoldedIndex['due'],
    known: FoldedIndex['events'],
  ): AlertEvent[] {
    const isHistory = cause === 'history'
    const of = difference.kind === 'late' ? difference.firing.inputs : difference.inputs
    const isAmended = of.amendedAtMs !== undefined
    const missed = isHistory && !isAmended ? { missedSinceMs: Math.max(fromMs, run.fromMs ?? 0) } : {}
    const inputs: AlertInputs = { ...of, ...missed }
    this.#traceDifference(active, difference.kind, inputs)
    if (difference.kind === 'late') {
      const { firing } = difference
      const kind = isHistory && !isAmended ? 'lateFromHistory' : 'lateByAmendment'
      const since = kind === 'lateFromHistory' ? whatCameAfter(firing, active.last) : {}
      // In the words of the rule as it was then; whether it is notified is decided as for the rule as it is now.
      const judged = this.#make(run.rule, kind, { ...inputs, ...since })
      const { event, events, isRecorded } = this.#decideOn(active.rule, judged)
      if (isRecorded) firing.eventId = event.id
      return events
    }
    const { kind, eventId: aboutEventId } = difference
    const about = this.inbox.recent(aboutEventId) ?? known.get(aboutEventId)
    // What fired may be of a version before.
    const more =
      about === undefined ? { aboutEventId } : { aboutEventId, terms: about.terms, ruleVersion: about.ruleVersion }
    const isToNotify = kind === 'retracted' && wasDelivered(about)
    if (isToNotify) return this.#decide(active.rule, kind, inputs, more).events
    const event: AlertEvent = { ...this.#make(active.rule, kind, inputs), ...more, delivery: 'none' }
    if (!this.#append(event, this.policy.records(event, event.recordedAtMs))) return []
    return [event]
  }

  #traceDifference(active: ActiveRule, kind: Difference['kind'], { value, publishedAtMs }: AlertInputs): void {
    const phase = phaseOf(active.state)
    const evaluation = {
      atMs: this.#clock.wallMs(),
      ...(publishedAtMs !== undefined && { publishedAtMs }),
      ...(value !== undefined && { value }),
      phaseBefore: phase,
      phaseAfter: phase,
      hasFired: kind === 'late',
      words: differenceWords[kind],
    }
    active.trace(evaluation)
  }

  /** The firing and what it brings about. */
  #fire({ rule, run }: ActiveRule, kind: 'fired' | 'lateFromHistory', inputs: AlertInputs): AlertEvent[] {
    const { event, events, isRecorded } = this.#decide(rule, kind, inputs)
    const { publishedAtMs } = inputs
    if (publishedAtMs !== undefined && isFolded(rule.terms)) {
      this.#records.firing(run, { publishedAtMs, inputs, ...(isRecorded && { eventId: event.id }) })
    }
    return events
  }

  /** Records it, to be notified unless the policy holds it back. The end of a cooldown comes before it, a suspension after. */
  #decide(rule: AlertRule, kind: AlertEventKind, inputs: AlertInputs, more: Partial<AlertEvent> = {}) {
    return this.#decideOn(rule, { ...this.#make(rule, kind, inputs), ...more })
  }

  #decideOn(rule: AlertRule, judged: AlertEvent) {
    const { heldBackBy, events } = this.policy.decide(rule, judged, this.#clock.wallMs())
    const before = this.#recordPolicyEvents(events.filter((each) => each.kind !== 'suspended'))
    const event: AlertEvent = { ...judged, number: this.inbox.lastNumber + 1, ...deliveryOf(heldBackBy) }
    const isRecorded = heldBackBy === undefined || this.policy.records(event, event.recordedAtMs)
    this.#append(event, isRecorded)
    const after = this.#recordPolicyEvents(events.filter((each) => each.kind === 'suspended'))
    return { event, isRecorded, events: [...before, ...(isRecorded ? [event] : []), ...after] }
  }

  /** Adds it to the inbox, or one to the count of the last event of its rule and kind. */
  #append(event: AlertEvent, isRecorded: boolean): boolean {
    if (isRecorded) {
      this.inbox.append(event)
      return true
    }
    const last = this.inbox.newestFirst().find(({ ruleId, kind }) => ruleId === event.ruleId && kind === event.kind)
    if (last !== undefined) this.inbox.replace({ ...last, heldBackCount: (last.heldBackCount ?? 0) + 1 })
    return false
  }

  #recordPolicyEvents(events: readonly PolicyEvent[]): AlertEvent[] {
    return events.flatMap(({ ruleId, kind, heldBackCount = 0, last, reason, heldBackBy }) => {
      const rule = this.rules.get(ruleId)?.rule
      if (rule === undefined) return []
      const more = {
        ...(heldBackCount > 0 && { heldBackCount }),
        ...(reason !== undefined && { reason }),
        ...(kind === 'expiresSoon' && rule.expiresAt !== undefined && { untilMs: rule.expiresAt.atMs }),
      }
      return [this.#record(rule, kind, last?.inputs ?? {}, { ...more, ...deliveryOf(heldBackBy) })]
    })
  }

  #record(rule: AlertRule, kind: AlertEventKind, inputs: AlertInputs, more: Partial<AlertEvent>): AlertEvent {
    const event = { ...this.#make(rule, kind, inputs), ...more }
    this.inbox.append(event)
    return event
  }

  /** The event of no single rule, on which it is kept all the same. */
  #recordMute(rule: AlertRule, more: Partial<AlertEvent>): AlertEvent {
    const event: AlertEvent = { ...this.#make(rule, 'snoozed', {}), ...more, severity: 'info', isMute: true }
    delete event.note
    delete event.hours
    delete event.connection
    this.inbox.append(event)
    return event
  }

  #make(rule: AlertRule, kind: AlertEventKind, inputs: AlertInputs): AlertEvent {
    return {
      id: this.#newId(),
      number: this.inbox.lastNumber + 1,
      kind,
      ruleId: rule.id,
      ruleVersion: rule.version,
      indexId: rule.indexId,
      ...this.#originOf(rule.indexId),
      terms: rule.terms,
      ...(rule.hours !== undefined && { hours: rule.hours }),
      severity: rule.severity,
      ...(rule.note !== undefined && { note: rule.note }),
      recordedAtMs: this.#clock.wallMs(),
      inputs,
      delivery: 'pending',
      isRead: false,
    }
  }

  /** The rules that time can do something to, in their order. */
  #rulesWithEnd(): AlertRule[] {
    return [...new Set([...this.policy.cooling, ...this.rules.expiring])]
      .flatMap((ruleId) => this.rules.get(ruleId) ?? [])
      .sort((a, b) => a.position - b.position)
      .map(ruleForTime)
  }
}

/** A judgement with what happened before it. */
function* withFirst(event: AlertEvent | undefined, judgements: Judgements): Generator<Judgement> {
  if (event !== undefined) yield { events: [event], hasChanged: true, isToBeStored: true }
  yield* judgements
}

/** A rule as time concerns it: one that is done has no end to come, it is over already. */
function ruleForTime({ rule, state }: ActiveRule): AlertRule {
  return state.isDone ? withoutEnd(rule) : rule
}

/** How a condition went on that was found true in history. */
function whatCameAfter(
  { publishedAtMs, over }: { publishedAtMs: number; over?: AlertInputs['over'] },
  last: Publication | undefined,
): AlertInputs {
  return {
    ...(over !== undefined && { over }),
    ...(last !== undefined &&
      last.publishedAtMs > publishedAtMs && { latest: { value: last.value, publishedAtMs: last.publishedAtMs } }),
  }
}

function overlaps(a: ChangedRange, b: ChangedRange): boolean {
  return a.fromMs <= b.toMs && b.fromMs <= a.toMs
}

/** How an event begins: to be notified, or held back. */
function deliveryOf(heldBackBy: HoldBackReason | undefined): Pick<AlertEvent, 'delivery' | 'heldBackBy'> {
  return heldBackBy === undefined ? { delivery: 'pending' } : { delivery: 'heldBack', heldBackBy }
}

/** Where the desktop shows nothing, the window does. */
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
