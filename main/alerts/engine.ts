import type { AlertEvaluation, AlertEvent, InboxPage, InboxQuery, PastExplanation } from '../../core/alert-events'
import { draftKey } from '../../core/alert-words'
import type { AlertDraft, AlertRule, AlertSnooze, AlertView, RuleValidity, SnoozeScope } from '../../core/alerts'
import { specOf } from '../../core/conditions/list'
import {
  allowedGapMs,
  type ConditionsSeen,
  type ConstituentsSeen,
  type Observation,
} from '../../core/evaluation/observation'
import { isJudged } from '../../core/freshness'
import {
  done,
  failure,
  type ConstituentsPublication,
  type CorporateAction,
  type DecimalText,
  type IndexId,
  type MarketConditions,
  type Outcome,
  type Publication,
  type Quote,
} from '../../core/model'
import { compareVersions, isFarFuture, noSource, type Source } from '../../core/publication'
import type { TimeRange } from '../../core/ranges'
import type { ProgramRecord } from '../../core/records'
import { withoutSnooze } from '../../core/snoozes'
import type { Clock } from '../base/clock'
import { isStandIn } from '../base/stand-in'
import { Emitter } from '../base/emitter'
import type { Log } from '../base/log'
import { inTurns } from '../base/work-queue'
import type { Learned, HistoryAccess } from '../history-store/contract'
import { Agenda } from './agenda'
import { Commits, type EvaluationResult } from './commits'
import { Evaluator, passedAtOnce, type EvaluatorOptions, type Received } from './evaluator'
import { restOf, tracePassed } from './fold'
import { Inbox, inboxRows, type EventOutcome } from './inbox'
import { explainPast } from './past'
import { isFolded, reachedBack, viewOf, type Due } from './record'
import { Records, type Kept } from './records'
import { RefoldQueue, type FoldedIndex } from './refold-queue'
import { newerAlerts, notRead, notReady, unknownRule, type Refusal } from './refusals'
import { RuleChanges } from './rule-changes'
import { RuleTable, type Place } from './rule-table'
import { UnreadValues } from './unread-values'

interface AlertEngineEvents {
  changed: null
  /** The events of one notification. Emitted after they are stored. */
  notify: readonly AlertEvent[]
  /** The user has read these events, or clicked their notification. */
  seen: readonly string[]
  /** A sentence the user should read once. */
  notice: string
}

interface AlertEngineOptions extends EvaluatorOptions {
  log: Log
  history: HistoryAccess
}

/** The parts for one history. */
interface Parts {
  records: Records
  rules: RuleTable
  inbox: Inbox
  evaluator: Evaluator
  refolds: RefoldQueue
  changes: RuleChanges
}

/**
 * Owns the alert rules, their state and the inbox, which are stored in the history. Input is evaluated in order of
 * arrival, in short turns of the event loop. Results are stored first and notified second. A value that thousands of
 * rules see takes several turns. Each turn stores its results in one transaction, and the notification waits for the
 * last one. If the disk fails, the event is notified anyway: a lost alert is worse than one shown twice.
 *
 * Commands take `latest`, the latest value of the index that the app has. A cached one is ignored. Callers pass a value
 * to the history before they pass it to the engine.
 */
export class AlertEngine {
  readonly events: Emitter<AlertEngineEvents>
  readonly #options: AlertEngineOptions
  readonly #clock: Clock
  readonly #agenda: Agenda
  readonly #commits: Commits
  readonly #unread = new UnreadValues()
  #parts: Parts
  /** Values received while their index is refolded. They are evaluated afterwards, in order. */
  #waiting: Received[] = []
  /** Times without known values. Each waits for the next value of its index. */
  #unknown: (TimeRange & { id: IndexId })[] = []
  /** Why commands are refused now, also while the rules are read and writing is allowed. */
  #refusal: Refusal | undefined = notReady
  /** True until the rules are read from the history and evaluated up to its last value. */
  #isReading = true
  #isComingDue = false

  constructor(options: AlertEngineOptions) {
    const { clock, log, cadenceOf, history } = options
    this.#options = options
    this.#clock = clock
    this.events = new Emitter((error) => log.error('A listener of the alerts failed', { error: String(error) }))
    this.#commits = new Commits({
      clock,
      log,
      current: () => this.#parts,
      onChanged: () => this.#announce(),
      onStored: (learned) => this.#parts.refolds.stored(learned),
      onNotify: (events) => this.events.emit('notify', events),
    })
    this.#agenda = new Agenda({
      clock,
      cadenceOf,
      rules: () => this.#parts.rules,
      snoozes: () => this.snoozes(),
      onEnd: () => this.#comeDue(),
      onSilent: (place, seen) => this.#observe([place], seen),
      onResumed: (place, publication) => this.#observe([place], { kind: 'resumed', publication }),
      onMissing: (place, dueMs) => {
        void this.#commits.evaluate(() => this.#parts.evaluator.each([place], { kind: 'missing', dueMs }))
      },
    })
    this.#parts = this.#newParts(new Records(history), new RuleTable())
  }

  /** Stores everything and stops deciding on the current history. Await it before switching to another history. */
  async leave(): Promise<void> {
    this.#refusal = notReady
    this.#isReading = true
    await this.#commits.idle()
    this.#parts.refolds.stop()
    this.#storeRest()
    await this.flush()
    // The results of these notifications belong in the inbox of the old history.
    this.#commits.notifyNow()
    await this.flush()
    this.#agenda.clear()
    this.#forget()
  }

  /** Reads the rules of the current history. Returns whether they could be read. Input is kept until they are. */
  use(): Promise<boolean> {
    this.#refusal = notReady
    this.#isReading = true
    this.#forget()
    return this.read()
  }

  /**
   * Reads the rules unless they are read already. Continues from their stored state and evaluates the values received
   * before the rules were read. Returns whether the rules are read.
   */
  async read(): Promise<boolean> {
    if (this.isJudging) return true
    const { records } = this.#parts
    const kept = await records.read(this.#clock)
    const access = await this.#options.history.commit({})
    const isSwitched = () => this.#parts.records !== records
    if (isSwitched()) return true
    const isNewer = !access.ok && access.problem.code === 'newerVersion'
    records.refusal = isNewer ? newerAlerts : undefined
    this.#refusal = isNewer ? newerAlerts : kept.ok ? notReady : notRead(kept.problem)
    if (!kept.ok || isNewer) return false
    const { due, unreadableCount } = kept.value
    const rules = new RuleTable()
    const resumed: Parameters<RefoldQueue['resume']>[0][number][] = []
    await inTurns(this.#clock, kept.value.rules, ({ record, fired }) => {
      resumed.push({ place: rules.put(record), fired })
    })
    if (isSwitched()) return true
    this.#refusal = undefined
    this.#parts = this.#newParts(records, rules, kept.value)
    const { inbox, refolds } = this.#parts
    this.#agenda.outdate()
    if (unreadableCount > 0) this.events.emit('notice', unreadableNotice(unreadableCount))
    // First: `resume` makes further events pending.
    const hasPending = await inbox.endPending()
    await refolds.resume(resumed, due)
    if (isSwitched()) return true
    this.#isReading = false
    const hasUnread = this.#evaluateUnread()
    if (hasUnread || hasPending) await this.#commits.commit()
    else this.#announce()
    this.#comeDue()
    await this.flush()
    return true
  }

  /** True if the rules of the current history are read and evaluated on new input. */
  get isJudging(): boolean {
    return !this.#isReading
  }

  async create(...args: Parameters<RuleChanges['create']>): Promise<Outcome<AlertView>> {
    return this.#refusal ?? this.#parts.changes.create(...args)
  }

  /**
   * Creates all drafts in order, or none. They take effect and are stored together. A condition that is already true
   * does not fire. `latestOf` returns the latest value of an index, because the next value of a daily index may be the
   * crossing. Returns the first refusal, or the number created. Skips a draft that was created by hand or expired while
   * this ran. Creates none if the limit of rules was reached while this ran.
   */
  async createAll(...args: Parameters<RuleChanges['createAll']>): Promise<Outcome<{ adds: number }>> {
    return this.#refusal ?? this.#parts.changes.createAll(...args)
  }

  /** Starts the rule again with this draft, so it may fire again. Increments its version. */
  async edit(...args: Parameters<RuleChanges['edit']>): Promise<Outcome<AlertView>> {
    return this.#refusal ?? this.#parts.changes.edit(...args)
  }

  /** Judges a rule that was made elsewhere, under its own id and version, in place of the rule with this id. */
  async adopt(rule: AlertRule, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    return this.#refusal ?? this.#parts.changes.adopt(rule, latest)
  }

  /**
   * Records events that were decided elsewhere and notifies of them. An event with a known id is skipped. Resolves when
   * all are on the disk. After a problem, call it again with the same events.
   */
  async receive(events: readonly AlertEvent[]): Promise<Outcome<unknown>> {
    if (this.#refusal !== undefined) return this.#refusal
    const parts = this.#parts
    const received = new Map(events.map((event) => [event.id, event]))
    for (const { id } of events) if ((await parts.inbox.get(id)) !== undefined) received.delete(id)
    if (parts !== this.#parts || this.#isReading) return notReady
    // A rule that was removed here may be the desk's now.
    for (const { ruleId } of events) this.#commits.unmute(ruleId)
    let outcome: Outcome<unknown> = notReady
    await this.#commits.store(
      [...received.values()].flatMap((event) => parts.evaluator.receive(event)),
      (stored) => (outcome = stored),
    )
    return outcome
  }

  /** Like `edit`, but changes only the level. */
  async setLevel(ruleId: string, level: DecimalText, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    return this.#refusal ?? this.#parts.changes.setLevel(ruleId, level, latest)
  }

  /** Re-arms a finished or suspended rule. */
  async arm(ruleId: string, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    return this.#refusal ?? this.#parts.changes.arm(ruleId, latest)
  }

  /** Deletes a rule. From this call on it neither fires nor notifies. */
  async remove(ruleId: string): Promise<Outcome<null>> {
    return this.#refusal ?? this.#parts.changes.remove(ruleId)
  }

  /**
   * Undoes `remove`: restores the rule with its id, version, state, history and place. Values received since are
   * evaluated like late ones. Problems: `unknownRule` if the deletion is too old to undo, `duplicate` if an equal rule
   * was created since, `tooManyRules`.
   */
  async putBack(ruleId: string): Promise<Outcome<AlertView>> {
    return this.#refusal ?? this.#parts.changes.putBack(ruleId)
  }

  /** Stores why rules cannot fire. An absent reason means that the rule can fire. */
  async noteReach(found: ReadonlyMap<string, RuleValidity | undefined>): Promise<void> {
    if (this.#refusal !== undefined) return
    await this.#commits.evaluate(() => this.#parts.evaluator.noteReach(found))
  }

  /**
   * Resolves when all input so far is evaluated. Await it before changing a rule, so that the old version sees that
   * input.
   */
  judged(): Promise<void> {
    return this.#commits.idle()
  }

  /**
   * Call once for every value that became the latest, in order. `isBehind`: another source has already published a
   * later value, so this one is not the next of its index.
   */
  consider(before: Quote | undefined, next: Quote, source: Source = noSource, isBehind = false): void {
    const { id } = next
    const previous = before?.isFilling === true ? undefined : before
    if (!isJudged(next) || this.#postpone(id, [next], source)) return
    this.#agenda.heard(id, next)
    if (!isBehind && this.#passesQuietly(previous, next, source)) return
    if (isBehind) {
      this.considerPast(id, next, source)
      return
    }
    const isSameTime = previous?.publishedAtMs === next.publishedAtMs
    // The amendment may have come while the app was closed. It can undo what fired before the app started.
    const isAmended = isSameTime && compareVersions(previous, next) !== 0
    const isKnown = ({ record: { memory } }: Place) => {
      if (memory.last === undefined) return next.publishedAtMs <= (memory.kept?.atMs ?? 0)
      return next.publishedAtMs <= memory.last.publishedAtMs && compareVersions(memory.last, next) !== 0
    }
    if (isAmended || this.#parts.rules.foldedOf(id).some(isKnown)) this.considerPast(id, next, source)
    if (isSameTime && previous.source !== 'cache') return
    this.#observe(this.#parts.rules.observingOf(id), this.#parts.evaluator.valueSeen(id, next), { source })
    this.#takeNext({ id, publication: next, source })
  }

  /** Call for a value older than the latest one: amended or late. */
  considerPast(id: IndexId, publication: Publication, source: Source = noSource): void {
    if (this.#postpone(id, [publication], source)) return
    const { publishedAtMs, amendedAtMs } = publication
    if (amendedAtMs !== undefined)
      this.#observe(this.#seeingRevisions(id), this.#parts.evaluator.valueSeen(id, publication), { source })
    this.#learned(id, [publishedAtMs], amendedAtMs === undefined ? 'history' : 'amendment')
  }

  /**
   * Call for missed values that were fetched, in any order. Call in the turn in which they are passed to the history.
   * `committed` is the result of that write.
   */
  learnedLate(
    id: IndexId,
    publications: readonly Publication[],
    committed: Promise<Outcome<Learned[]>>,
    source: Source = noSource,
  ): void {
    if (publications.length === 0 || this.#postpone(id, publications, source)) return
    for (const place of this.#seeingRevisions(id)) this.#observeMissed(place, publications, source)
    const timesMs = publications.map(({ publishedAtMs }) => publishedAtMs)
    this.#learned(id, timesMs, 'history', committed)
  }

  /** Call for a time whose values cannot be fetched. Reported once a later value shows that some were missed. */
  notKnown(id: IndexId, range: TimeRange): void {
    this.#unknown.push({ id, ...range })
    const lastMs = this.#parts.rules.ofIndex(id).map(({ record }) => record.memory.last?.publishedAtMs ?? 0)
    this.#concludeUnknown(id, Math.max(0, ...lastMs))
  }

  considerConstituents(id: IndexId, publication: ConstituentsPublication, source: Source = noSource): void {
    this.#see(id, { kind: 'constituents', publication }, source)
  }

  considerConditions(id: IndexId, publication: MarketConditions, source: Source = noSource): void {
    this.#see(id, { kind: 'conditions', publication }, source)
  }

  considerCorporateAction(id: IndexId, action: CorporateAction | null, source: Source = noSource): void {
    this.#observe(this.#parts.rules.observingOf(id), { kind: 'corporateAction', action }, { source })
  }

  /** Call when the machine woke. */
  woke(): void {
    this.#agenda.restart()
    this.#comeDue()
  }

  /** Call when the user disconnected all connections, or reconnected. */
  setPaused(isPaused: boolean): void {
    this.#agenda.setPaused(isPaused)
  }

  /** The user's rules in order of creation. Returns the same view object until its rule changes. */
  views(): AlertView[] {
    return this.#all().filter(({ id }) => !isStandIn(id))
  }

  /** The rules of a desk that are judged here for a while. */
  standIns(): AlertView[] {
    return this.#all().filter(({ id }) => isStandIn(id))
  }

  #all(): AlertView[] {
    return this.#parts.rules.all().map(({ record }) => viewOf(record))
  }

  /** The number of rules. */
  get count(): number {
    return this.#parts.rules.size
  }

  /** Undefined if the rule does not exist. */
  view(ruleId: string): AlertView | undefined {
    const place = this.#parts.rules.get(ruleId)
    return place && viewOf(place.record)
  }

  viewsOf(id: IndexId): AlertView[] {
    return this.#parts.rules.ofIndex(id).map(({ record }) => viewOf(record))
  }

  /** The indices that have rules. */
  indexIds(): Iterable<IndexId> {
    return this.#parts.rules.indexIds()
  }

  /** The rule with the same condition as this draft, compared by numeric value. Ignores `exceptRuleId`. */
  equalTo(draft: AlertDraft, exceptRuleId?: string): AlertRule | undefined {
    return this.#parts.rules.findEqual(draftKey(draft), exceptRuleId)?.run.rule
  }

  /**
   * The rules whose index needs values. Includes finished rules, because an amendment may undo their firing. Includes
   * rules that expired less than a day ago, because values from before their end may arrive late. Returns the same list
   * until it changes.
   */
  listening(): readonly AlertRule[] {
    return this.#parts.rules.listening(this.#clock.wallMs())
  }

  snoozes(): AlertSnooze[] {
    return this.#parts.evaluator.snoozes
  }

  async snooze(scope: SnoozeScope, untilMs: number | null): Promise<Outcome<null>> {
    if (this.#refusal !== undefined) return this.#refusal
    if (untilMs !== null && untilMs <= this.#clock.wallMs()) {
      return failure('snoozeOver', 'Choose a time in the future.')
    }
    await this.#commits.evaluate(() => this.#parts.evaluator.snooze(scope, untilMs))
    return done
  }

  async endSnooze(scope: SnoozeScope): Promise<Outcome<null>> {
    if (this.#refusal !== undefined) return this.#refusal
    this.#parts.evaluator.setSnoozes(withoutSnooze(this.snoozes(), scope))
    await this.#commits.commit()
    return done
  }

  /** The newest events, newest first. */
  inbox(): AlertEvent[] {
    return this.#parts.inbox.shown()
  }

  page(query: InboxQuery): Promise<Outcome<InboxPage>> {
    return this.#parts.records.events(query)
  }

  /** All events that match the query as rows of a table, newest first. Throws the message of a problem. */
  rows(query: InboxQuery): AsyncGenerator<ProgramRecord[], void> {
    return inboxRows(this.#parts.records.allEvents(query))
  }

  unreadCount(): number {
    return this.#parts.inbox.unreadCount()
  }

  /** Increments when an event that is not in `inbox()` changes. */
  olderEventsVersion(): number {
    return this.#parts.inbox.olderVersion
  }

  markRead(): void {
    const read = this.#parts.inbox.markRead()
    if (read === undefined) return
    void this.#commits.commit()
    this.events.emit(
      'seen',
      read.map(({ id }) => id),
    )
  }

  /** Writes a result into its event. Results of one turn are written together. */
  noteOutcome(eventId: string, change: EventOutcome): void {
    this.#commits.noteOutcome(eventId, change)
    if ('delivery' in change && change.delivery === 'clicked') this.events.emit('seen', [eventId])
  }

  /** The last evaluations of a rule since app start, newest first. */
  explain(ruleId: string): AlertEvaluation[] {
    const place = this.#parts.rules.get(ruleId)
    if (place === undefined) return []
    tracePassed(place.record)
    return place.record.memory.trace.all()
  }

  /**
   * Explains a rule's state at a past time by refolding its run of that time. Does not check whether the time lies in a
   * gap.
   */
  async explainAt(ruleId: string, atMs: number): Promise<Outcome<PastExplanation>> {
    const { records, rules } = this.#parts
    return this.#refusal ?? (rules.get(ruleId) === undefined ? unknownRule : explainPast(records, ruleId, atMs))
  }

  /** Resolves when everything is stored, or one more attempt has failed, and every pending event is queued. */
  flush(): Promise<void> {
    return this.#commits.flush(() => this.#parts.refolds.idle())
  }

  /** Sends all queued notifications. Call `flush` afterwards to store the results. */
  dispose(): void {
    this.#commits.dispose()
    this.#agenda.dispose()
    this.#parts.refolds.stop()
    this.#storeRest()
  }

  // Receiving input.

  /** Keeps values until the rules are read. Returns false if the rules are read already. */
  #postpone(id: IndexId, publications: readonly Publication[], source: Source): boolean {
    if (this.#isReading) this.#unread.add(id, publications, source)
    return this.#isReading
  }

  /** Evaluates the kept values with the next successful commit. Returns whether there were any. */
  #evaluateUnread(): boolean {
    const all = this.#unread.take().filter(({ id }) => this.#parts.rules.ofIndex(id).length > 0)
    for (const { id, timesMs, due, amended } of all) {
      this.#reachBack(id, timesMs)
      for (const place of this.#seeingRevisions(id))
        for (const { source, publications } of amended) this.#observeMissed(place, publications, source)
      this.#parts.refolds.addWithNextCommit(id, due)
    }
    return all.length > 0
  }

  /** Takes constituents or market conditions. Drops one dated too far ahead, because it would hide all that follow. */
  #see(id: IndexId, seen: Omit<ConstituentsSeen, 'cadence'> | Omit<ConditionsSeen, 'cadence'>, source: Source): void {
    if (isFarFuture(seen.publication, this.#clock.serviceMs())) return
    this.#observe(this.#parts.rules.observingOf(id), { ...seen, cadence: this.#options.cadenceOf(id) }, { source })
  }

  /** Evaluates rules that are not folded. */
  #observe(places: readonly Place[], seen: Observation, of: { source?: Source; as?: 'lateFromHistory' } = {}): void {
    if (places.length === 0) return
    this.#comeDueFirst()
    void this.#commits.evaluate(() => this.#parts.evaluator.observe(places, seen, of))
  }

  /** Amendments come in order, so only those later than the last known one were missed. */
  #observeMissed(place: Place, publications: readonly Publication[], source: Source): void {
    const { state, run } = place.record
    const known = (state.amendments ?? []).map(({ amendedAtMs }) => amendedAtMs)
    const knownMs = Math.max(run.startedAtMs, ...known)
    const missed = publications.filter(({ amendedAtMs = 0 }) => amendedAtMs > knownMs)
    for (const each of missed.toSorted((a, b) => (a.amendedAtMs ?? 0) - (b.amendedAtMs ?? 0))) {
      this.#observe([place], this.#parts.evaluator.valueSeen(run.rule.indexId, each), { source, as: 'lateFromHistory' })
    }
  }

  /** Skips a value that changes no rule of its index. Returns false if a rule must see it. */
  #passesQuietly(previous: Quote | undefined, next: Quote, source: Source): boolean {
    const { changes, evaluator, refolds } = this.#parts
    const { id } = next
    const isNext = previous?.publishedAtMs !== next.publishedAtMs && this.#unknown.length === 0
    const isItsTurn = isNext && !this.#commits.isBusy && !refolds.isRunning(id) && !this.#agenda.hasEnd
    const value = { id, publication: next, source }
    if (!isItsTurn || !evaluator.passQuietly(value)) return false
    changes.sawNext(value)
    return true
  }

  /** Takes the next value of an index, for folded rules. The value waits while the index is refolded. */
  #takeNext(value: Received): void {
    const { changes, refolds } = this.#parts
    changes.sawNext(value)
    if (refolds.isRunning(value.id)) this.#waiting.push(value)
    else if (!this.#commits.isBusy) this.#showNext(value)
    else {
      this.#commits.add(() => {
        this.#showNext(value)
        return true
      })
    }
  }

  #showNext(value: Received): void {
    const { evaluator, rules } = this.#parts
    const { id, publication } = value
    const { publishedAtMs, amendedAtMs } = publication
    this.#comeDueFirst()
    if (this.#unknown.length > 0) this.#concludeUnknown(id, publishedAtMs)
    if (evaluator.passQuietly(value)) return
    rules.endBand(id)
    // A new version may begin with a value published before the edit. The old version must see that value too.
    const isEarly = rules.ofIndex(id).some(({ record: { run } }) => {
      return run.number > 1 && run.fromMs === undefined && publishedAtMs <= run.sinceMs
    })
    const folded = rules.foldedOf(id)
    if (folded.length > passedAtOnce) void this.#commits.evaluate(() => evaluator.passAndStep(folded, value))
    else {
      const tick = evaluator.tickOf(value)
      const concerned = evaluator.pass(folded, tick)
      if (concerned.length > 0) void this.#commits.evaluate(() => evaluator.step(concerned, value))
      else evaluator.beginQuiet(id, tick)
    }
    if (isEarly) this.#learned(id, [publishedAtMs], amendedAtMs === undefined ? 'history' : 'amendment')
  }

  /** Evaluates the values that waited for the refold of their index. */
  #showWaiting(id: IndexId): void {
    const waiting = this.#waiting.filter((value) => value.id === id)
    this.#waiting = this.#waiting.filter((value) => value.id !== id)
    for (const value of waiting) this.#showNext(value)
  }

  // Late values and refolds.

  /** Rules that see each revision of a value. */
  #seeingRevisions(id: IndexId): Place[] {
    const all = this.#parts.rules.ofIndex(id)
    return all.filter(({ record }) => specOf(record.run.rule.terms.condition).seesRevisions === true)
  }

  /** Tells rules of the published times of late values. One of them may be a rule's first value. */
  #reachBack(id: IndexId, timesMs: readonly number[]): void {
    const { evaluator, rules } = this.#parts
    for (const place of rules.foldedOf(id)) evaluator.set(place, reachedBack(place.record, timesMs))
  }

  /**
   * Takes late or amended values. The caller writes them to the history in this turn. The range to refold is stored in
   * the same transaction, so it survives a crash.
   */
  #learned(
    id: IndexId,
    timesMs: readonly number[],
    cause: Due['cause'],
    committed?: Promise<Outcome<Learned[]>>,
  ): void {
    const { changes, refolds, rules } = this.#parts
    this.#reachBack(id, timesMs)
    changes.sawLate(id, timesMs)
    const fromMs = timesMs.reduce((minMs, atMs) => Math.min(minMs, atMs), Infinity)
    const toMs = timesMs.reduce((maxMs, atMs) => Math.max(maxMs, atMs), 0)
    const isReached = ({ record: { run } }: Place) => {
      return run.number > 1 || (isFolded(run.rule.terms) && (run.fromMs ?? Infinity) <= toMs)
    }
    if (!rules.ofIndex(id).some(isReached)) return
    const onWritten = refolds.addOnceWritten(id, { fromMs, toMs, cause })
    void this.#commits.write(committed, onWritten)
  }

  #onFolded(folded: FoldedIndex): void {
    const { id } = folded
    const { evaluator, rules } = this.#parts
    this.#commits.conclude(evaluator.takeFolded(folded))
    // A rule that had finished may expire again. Checking all rules for each index would be quadratic.
    this.#agenda.bringForward(rules.ofIndex(id))
    this.#showWaiting(id)
  }

  /** Reports the gaps before this value. */
  #concludeUnknown(id: IndexId, publishedAtMs: number): void {
    const ended = this.#unknown.filter((range) => range.id === id && range.fromMs < publishedAtMs)
    this.#unknown = this.#unknown.filter((range) => !ended.includes(range))
    for (const { fromMs, toMs } of ended) {
      const untilMs = Math.min(toMs, publishedAtMs)
      const isGap = untilMs - fromMs > allowedGapMs(this.#options.cadenceOf(id))
      if (isGap) this.#commits.conclude(this.#parts.evaluator.noteNoData(id, { fromMs, toMs: untilMs }))
    }
  }

  // Time.

  /** Handles expiries and ends of cooldowns before a later value is evaluated. */
  #comeDueFirst(): void {
    if (this.#agenda.hasEnd) this.#comeDue()
  }

  #comeDue(): void {
    if (this.#isComingDue) return
    this.#isComingDue = true
    void this.#commits.evaluate(() => this.#dueNow())
  }

  *#dueNow(): Generator<EvaluationResult> {
    try {
      yield* this.#parts.evaluator.comeDue()
    } finally {
      this.#isComingDue = false
      this.#agenda.outdate()
      this.#agenda.plan()
    }
  }

  #announce(): void {
    this.#agenda.plan()
    this.events.emit('changed', null)
  }

  /** Stores the states of all rules, so that the next start has nothing to refold. */
  #storeRest(): void {
    let hasAny = false
    for (const { record } of this.#parts.rules.all()) {
      const checkpoint = isFolded(record.run.rule.terms) ? restOf(record) : undefined
      if (checkpoint === undefined) continue
      this.#parts.records.checkpoint(record.run, checkpoint)
      hasAny = true
    }
    if (hasAny) void this.#commits.store()
  }

  // Switching histories.

  /** Drops all state of the old history. */
  #forget(): void {
    const { refolds, records } = this.#parts
    refolds.stop()
    records.refusal = notReady
    this.#unread.take()
    this.#waiting = []
    this.#unknown = []
    this.#parts = this.#newParts(new Records(this.#options.history), new RuleTable())
    this.#agenda.outdate()
  }

  #newParts(records: Records, rules: RuleTable, kept?: Kept): Parts {
    const inbox = new Inbox(records, kept)
    const shared = { ...this.#options, agenda: this.#agenda, commits: this.#commits, records, rules, inbox }
    const evaluator = new Evaluator(shared, kept?.snoozes ?? [])
    const refolds = new RefoldQueue({
      ...shared,
      onFolded: (folded) => this.#onFolded(folded),
      onPostponed: (id) => this.#showWaiting(id),
    })
    return { records, rules, inbox, evaluator, refolds, changes: new RuleChanges({ ...shared, evaluator, refolds }) }
  }
}

function unreadableNotice(count: number): string {
  return `${count} ${count === 1 ? 'alert entry' : 'alert entries'} could not be read and stayed in the history file. Check your alerts.`
}
