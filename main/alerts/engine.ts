import type {
  AlertEvaluation,
  AlertEvent,
  AlertOrigin,
  Delivery,
  InboxPage,
  InboxQuery,
  PastExplanation,
} from '../../core/alert-events'
import { draftKey } from '../../core/alert-words'
import {
  dependsOn,
  type AlertDraft,
  type AlertRule,
  type AlertSnooze,
  type AlertView,
  type RuleValidity,
  type SnoozeScope,
} from '../../core/alerts'
import { specOf } from '../../core/conditions/list'
import { parseDecimal } from '../../core/decimal'
import {
  allowedGapMs,
  type ConditionsSeen,
  type ConstituentsSeen,
  type Observation,
} from '../../core/evaluation/observation'
import { isHoldGoingOn, isOfOther, type WhenAlreadyMet } from '../../core/evaluation/state'
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
  type Resolution,
} from '../../core/model'
import { compareVersions, isFarFuture, noSource, publicationOf, type Source } from '../../core/publication'
import type { TimeRange } from '../../core/ranges'
import { maxTimeMs } from '../../core/shapes'
import { covers, running, withoutSnooze, withSnooze } from '../../core/snoozes'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import type { Log } from '../base/log'
import { inTurns, WorkQueue } from '../base/work-queue'
import type { Learned, HistoryAccess } from '../history-store/contract'
import { Agenda } from './agenda'
import { pass, restOf, sayPassed } from './fold'
import { Inbox, inboxCsv } from './inbox'
import { explainPast } from './past'
import { hasExpired, nextDueMs, renewed, utcDay } from './policy/notification-policy'
import { NotificationQueue } from './policy/notification-queue'
import {
  isAfterEnd,
  isFolded,
  lastKnownMs,
  newRecord,
  reachedBack,
  runWith,
  viewOf,
  type Due,
  type RuleRecord,
  type Run,
} from './record'
import { Records } from './records'
import { reduce, ruleForTime, type Input, type Now, type Reduced } from './reduce'
import { RefoldQueue, union, type FoldedIndex } from './refold-queue'
import {
  cannotUndo,
  draftRefusal,
  DraftsCheck,
  newerAlerts,
  notRead,
  notReady,
  putBackRefusal,
  takesPlaceOf,
  unknownRule,
  type Refusal,
} from './refusals'
import { RuleTable, type Place } from './rule-table'
import type { Tick } from './trace'
import { UnreadValues } from './unread-values'

interface AlertEngineEvents {
  changed: null
  /** Emitted after its events are stored. */
  notify: readonly AlertEvent[]
  /** A sentence the user should read once. */
  notice: string
}

interface AlertEngineOptions {
  clock: Clock
  newId: () => string
  log: Log
  history: HistoryAccess
  cadenceOf: (id: IndexId) => Resolution | undefined
  /** Returns the connection that currently supplies an index. */
  originOf: (id: IndexId) => AlertOrigin
  /** The source of the latest value of an index. */
  sourceOf?: (id: IndexId) => Source | undefined
  /** Returns the user's local day of a time, for the daily limit. */
  dayOf?: (ms: number) => string
}

/** Result of one evaluation step. The event loop may run between two steps of one input. */
interface EvaluationResult {
  /** Already recorded, in order. */
  events: readonly AlertEvent[]
  hasChanged: boolean
  isToBeStored: boolean
}

type EvaluationResults = Iterable<EvaluationResult>

/** A value, with its index and source. */
interface Received {
  id: IndexId
  publication: Publication
  source: Source
}

/** A deleted rule whose deletion can be undone. */
interface Removed {
  record: RuleRecord
  snooze: AlertSnooze | undefined
  /** The earliest published time of values that the rule has not judged. */
  missedFromMs: number
}

/** A range to be folded again once its values are in the history. */
interface Learning {
  id: IndexId
  due: Due
  isRefused: boolean
}

/** The result of an event's notification, webhook or second channel. */
type EventOutcome = { delivery: Delivery } | { webhookResult: string } | { secondChannel: string }

const dayMs = 86_400_000
/** Only this many of the newest deletions can be undone. */
const maxUndoable = 100
/** How many rules see a value before the turn may end. */
const passedAtOnce = 250
const noResult: EvaluationResult = { events: [], hasChanged: false, isToBeStored: false }
const changed: EvaluationResult = { events: [], hasChanged: true, isToBeStored: true }

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
  readonly #queue: NotificationQueue
  readonly #agenda: Agenda
  readonly #work: WorkQueue
  readonly #unread = new UnreadValues()
  /** Ids of rules deleted since app start. Their queued notifications are dropped. */
  readonly #removed = new Set<string>()
  /** Values received during `createAll`, one list for each call. */
  readonly #missed = new Set<Received[]>()
  /** Published time of the newest value minus the monotonic clock at its receipt, in ms. */
  readonly #aheadMs = new Map<IndexId, number>()
  /** The connection named by the last `sourceChanged` event of each index. */
  readonly #sources = new Map<IndexId, string>()

  // State of the current history.
  #records: Records
  #rules = new RuleTable()
  #inbox: Inbox
  #snoozes: AlertSnooze[] = []
  #refolds: RefoldQueue
  /** Oldest first. */
  #undoable: Removed[] = []
  /** Values received while their index is refolded. They are evaluated afterwards, in order. */
  #waiting: Received[] = []
  /** Times without known values. Each waits for the next value of its index. */
  #unknown: (TimeRange & { id: IndexId })[] = []
  #learning: Learning[] = []

  /** Why rules cannot be created or changed now. */
  #refusal: Refusal | undefined = notReady
  /** True until the rules are read from the history and evaluated up to its last value. */
  #isReading = true
  #lastCommit: Promise<void> = Promise.resolve()
  /** Results still to be written into their events, oldest first. */
  #outcomes: { eventId: string; change: EventOutcome }[] = []
  #noting: Promise<void> = Promise.resolve()
  #isComingDue = false
  #isPlanned = false
  #hasEnded = false
  #listening: { of?: readonly Place[]; untilMs: number; rules: readonly AlertRule[] } = { untilMs: 0, rules: [] }

  constructor(options: AlertEngineOptions) {
    const { clock, log, cadenceOf, history } = options
    this.#options = options
    this.#clock = clock
    this.#records = new Records(history)
    this.#inbox = new Inbox(this.#records)
    this.#work = new WorkQueue(clock, (error) => log.error('Alerts could not be checked', { error: String(error) }))
    this.events = new Emitter((error) => log.error('A listener of the alerts failed', { error: String(error) }))
    this.#queue = new NotificationQueue({ clock, notify: (events) => this.#notify(events) })
    this.#agenda = new Agenda({
      clock,
      cadenceOf,
      rules: () => this.#rules,
      nextEndMs: () => this.#nextEndMs(this.#rules.timed()),
      onEnd: () => this.#comeDue(),
      onSilent: (place, seen) => this.#observe([place], seen),
      onResumed: (place, publication) => this.#observe([place], { kind: 'resumed', publication }),
      onMissing: (place, dueMs) => void this.#judge(() => this.#applyEach([place], { kind: 'missing', dueMs })),
    })
    this.#refolds = this.#newRefolds()
  }

  /** Stores everything and stops deciding on the current history. Await it before switching to another history. */
  async leave(): Promise<void> {
    this.#refusal = notReady
    this.#isReading = true
    await this.#work.idle()
    this.#refolds.stop()
    this.#storeRest()
    await this.flush()
    // The results of these notifications belong in the inbox of the old history.
    this.#queue.flush()
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
    const records = this.#records
    const kept = await records.read(this.#clock)
    const access = await this.#options.history.commit({})
    // The history was switched in the meantime.
    if (this.#records !== records) return true
    const isNewer = !access.ok && access.problem.code === 'newerVersion'
    this.#refusal = isNewer ? newerAlerts : kept.ok ? notReady : notRead(kept.problem)
    if (!kept.ok || isNewer) return false
    const { due, snoozes, unreadableCount } = kept.value
    const rules = new RuleTable()
    const resumed: Parameters<RefoldQueue['resume']>[0][number][] = []
    await inTurns(this.#clock, kept.value.rules, ({ record, fired }) => {
      resumed.push({ place: rules.put(record), fired })
    })
    if (this.#records !== records) return true
    this.#refusal = undefined
    this.#rules = rules
    this.#snoozes = snoozes
    this.#inbox = new Inbox(records, kept.value)
    this.#isPlanned = false
    if (unreadableCount > 0) this.events.emit('notice', unreadableNotice(unreadableCount))
    // First: `resume` makes further events pending.
    const hasPending = await this.#inbox.endPending()
    await this.#refolds.resume(resumed, due)
    if (this.#records !== records) return true
    this.#isReading = false
    const hasUnread = this.#judgeUnread()
    if (hasUnread || hasPending) await this.#commit([])
    else this.#announce()
    this.#comeDue()
    await this.flush()
    return true
  }

  /** True if the rules of the current history are read and evaluated on new input. */
  get isJudging(): boolean {
    return !this.#isReading
  }

  async create(
    draft: AlertDraft,
    whenAlreadyMet: WhenAlreadyMet,
    latest: Quote | undefined,
  ): Promise<Outcome<AlertView>> {
    const check = new DraftsCheck(this.#rules, this.#clock.wallMs())
    check.look(draft)
    const fault = this.#refusal ?? check.refusal()
    if (fault !== undefined) return fault
    // An equal rule that has finished is already in the inbox. The new rule replaces it.
    const finished = takesPlaceOf(draft, this.#rules)
    if (finished !== undefined) this.#drop(finished)
    return this.#begin(this.#newRule(draft), whenAlreadyMet, latest)
  }

  /**
   * Creates all drafts in order, or none. They take effect and are stored together. A condition that is already true
   * does not fire. `latestOf` returns the latest value of an index, because the next value of a daily index may be the
   * crossing. Returns the first refusal, or the number created. Skips a draft that was created by hand or expired while
   * this ran. Creates none if the limit of rules was reached while this ran.
   */
  async createAll(
    drafts: readonly AlertDraft[],
    latestOf: (id: IndexId) => Quote | undefined,
  ): Promise<Outcome<{ adds: number }>> {
    const records = this.#records
    if (this.#refusal !== undefined) return this.#refusal
    const check = new DraftsCheck(this.#rules, this.#clock.wallMs())
    await inTurns(this.#clock, drafts, (draft) => check.look(draft))
    const fault = check.refusal()
    if (fault !== undefined) return fault
    // The history was switched: the rules would belong to another service.
    if (records !== this.#records) return notReady
    const firstPosition = this.#rules.takePositions(drafts.length)
    const missed: Received[] = []
    this.#missed.add(missed)
    const made: { reduced: Reduced; latest: Quote | undefined }[] = []
    await inTurns(this.#clock, drafts, (draft) => {
      const latest = latestOf(draft.indexId)
      const run = this.#newRun(this.#newRule(draft), 'wait', latest)
      const record = newRecord(run, firstPosition + made.length)
      const isValue = isReceived(latest) && isFolded(draft.terms)
      // A rule that begins with 'wait' does not fire at its first value.
      const reduced = isValue
        ? reduce(
            record,
            { kind: 'value', tick: this.#tickOf(received(latest, this.#sourceOf(latest.id))) },
            this.#now(),
          )
        : { record, events: [], firings: [] }
      made.push({ reduced, latest: isReceived(latest) && !isValue ? latest : undefined })
    })
    let adds: number | undefined
    await this.#judge(() => {
      this.#missed.delete(missed)
      if (records !== this.#records) return []
      const taken = made.flatMap(({ reduced, latest }) => {
        const place = this.#takeIn(reduced)
        return place === undefined ? [] : [{ place, latest }]
      })
      adds = taken.length
      return this.#afterTakingIn(taken, missed)
    })
    return adds === undefined ? notReady : { ok: true, value: { adds } }
  }

  /** Starts the rule again with this draft, so it may fire again. Increments its version. */
  async edit(
    ruleId: string,
    draft: AlertDraft,
    whenAlreadyMet: WhenAlreadyMet,
    latest: Quote | undefined,
  ): Promise<Outcome<AlertView>> {
    const rule = this.#ruleOf(ruleId)
    if (!rule.ok) return rule
    const createdAtMs = this.#clock.wallMs()
    const fault = draftRefusal(draft, this.#rules, createdAtMs, ruleId)
    if (fault !== undefined) return fault
    return this.#begin({ ...draft, id: ruleId, version: rule.value.version + 1, createdAtMs }, whenAlreadyMet, latest)
  }

  /** Like `edit`, but changes only the level. */
  async setLevel(ruleId: string, level: DecimalText, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    const rule = this.#ruleOf(ruleId)
    if (!rule.ok) return rule
    const { terms } = rule.value
    if (!('level' in terms)) return failure('level', 'This alert has no level.')
    return this.edit(ruleId, { ...rule.value, terms: { ...terms, level } }, 'wait', latest)
  }

  /** Re-arms a finished or suspended rule. */
  async arm(ruleId: string, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    const rule = this.#ruleOf(ruleId)
    if (!rule.ok) return rule
    if (hasExpired(rule.value, {}, this.#clock.wallMs())) {
      return failure('expiresAt', 'This alert has expired. Edit it and choose a later expiry, or none.')
    }
    return this.#begin(rule.value, 'wait', latest)
  }

  /** Stores why rules cannot fire. An absent reason means that the rule can fire. */
  async noteReach(found: ReadonlyMap<string, RuleValidity | undefined>): Promise<void> {
    if (this.#refusal !== undefined) return
    await this.#judge(() => this.#reaches(found))
  }

  /**
   * Resolves when all input so far is evaluated. Await it before changing a rule, so that the old version sees that
   * input.
   */
  judged(): Promise<void> {
    return this.#work.idle()
  }

  /** Deletes a rule. From this call on it neither fires nor notifies. */
  async remove(ruleId: string): Promise<Outcome<null>> {
    const place = this.#rules.get(ruleId)
    if (this.#refusal !== undefined || place === undefined) return this.#refusal ?? unknownRule
    this.#removed.add(ruleId)
    const { record } = place
    const { snooze } = this.#drop(record)
    const missedFromMs = Math.min(
      lastKnownMs(record) ?? Infinity,
      this.#dueOf(record.run.rule.indexId)?.fromMs ?? Infinity,
    )
    this.#undoable = [...this.#undoable, { record, snooze, missedFromMs }].slice(-maxUndoable)
    await this.#commit([])
    return done
  }

  /**
   * Undoes `remove`: restores the rule with its id, version, state, history and place. Values received since are
   * evaluated like late ones. Problems: `unknownRule` if the deletion is too old to undo, `duplicate` if an equal rule
   * was created since, `tooManyRules`.
   */
  async putBack(ruleId: string): Promise<Outcome<AlertView>> {
    const removed = this.#undoable.find(({ record }) => record.run.rule.id === ruleId)
    if (this.#refusal !== undefined || removed === undefined) return this.#refusal ?? cannotUndo
    const { record, snooze, missedFromMs } = removed
    const fault = putBackRefusal(record, this.#rules)
    if (fault !== undefined) return fault
    this.#undoable = this.#undoable.filter((each) => each !== removed)
    this.#removed.delete(ruleId)
    record.memory.quiet = undefined
    record.memory.suppressed = undefined
    const place = this.#rules.put(record)
    this.#records.begin(record)
    if (snooze !== undefined) this.#setSnoozes(withSnooze(this.#snoozes, snooze))
    this.#isPlanned = false
    if (missedFromMs < Infinity) {
      this.#learn(record.run.rule.indexId, { fromMs: missedFromMs, toMs: maxTimeMs, cause: 'history' })
    }
    await this.#commit([])
    return { ok: true, value: viewOf(place.record) }
  }

  /**
   * Call once for every value that became the latest, in order. `isBehind`: another source has already published a
   * later value, so this one is not the next of its index.
   */
  consider(previous: Quote | undefined, next: Quote, source: Source = noSource, isBehind = false): void {
    const { id } = next
    if (next.source === 'cache' || this.#postpone(id, [next], source)) return
    this.#agenda.heard(id, next)
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
    if (isAmended || this.#rules.foldedOf(id).some(isKnown)) this.considerPast(id, next, source)
    if (isSameTime && previous.source !== 'cache') return
    this.#observe(this.#rules.observingOf(id), this.#valueSeen(id, next), { source })
    this.#takeNext({ id, publication: next, source })
  }

  /** Call for a value older than the latest one: amended or late. */
  considerPast(id: IndexId, publication: Publication, source: Source = noSource): void {
    if (this.#postpone(id, [publication], source)) return
    const { publishedAtMs, amendedAtMs } = publication
    if (amendedAtMs !== undefined)
      this.#observe(this.#seeingRevisions(id), this.#valueSeen(id, publication), { source })
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
    const lastMs = this.#rules.ofIndex(id).map(({ record }) => record.memory.last?.publishedAtMs ?? 0)
    this.#concludeUnknown(id, Math.max(0, ...lastMs))
  }

  considerConstituents(id: IndexId, publication: ConstituentsPublication, source: Source = noSource): void {
    this.#see(id, { kind: 'constituents', publication }, source)
  }

  considerConditions(id: IndexId, publication: MarketConditions, source: Source = noSource): void {
    this.#see(id, { kind: 'conditions', publication }, source)
  }

  considerCorporateAction(id: IndexId, action: CorporateAction | null, source: Source = noSource): void {
    this.#observe(this.#rules.observingOf(id), { kind: 'corporateAction', action }, { source })
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

  /** All rules in order of creation. Returns the same view object until its rule changes. */
  views(): AlertView[] {
    return this.#rules.all().map(({ record }) => viewOf(record))
  }

  /** The number of rules. */
  get count(): number {
    return this.#rules.size
  }

  /** Undefined if the rule does not exist. */
  view(ruleId: string): AlertView | undefined {
    const place = this.#rules.get(ruleId)
    return place && viewOf(place.record)
  }

  viewsOf(id: IndexId): AlertView[] {
    return this.#rules.ofIndex(id).map(({ record }) => viewOf(record))
  }

  /** The indices that have rules. */
  indexIds(): Iterable<IndexId> {
    return this.#rules.indexIds()
  }

  /** The rule with the same condition as this draft, compared by numeric value. Ignores `exceptRuleId`. */
  equalTo(draft: AlertDraft, exceptRuleId?: string): AlertRule | undefined {
    return this.#rules.findEqual(draftKey(draft), exceptRuleId)?.run.rule
  }

  /**
   * The rules whose index needs values. Includes finished rules, because an amendment may undo their firing. Includes
   * rules that expired less than a day ago, because values from before their end may arrive late. Returns the same list
   * until it changes.
   */
  listening(): readonly AlertRule[] {
    const all = this.#rules.all()
    const nowMs = this.#clock.wallMs()
    if (all === this.#listening.of && nowMs < this.#listening.untilMs) return this.#listening.rules
    let untilMs = Infinity
    const rules: AlertRule[] = []
    for (const { record } of all) {
      const { rule } = record.run
      const overMs = rule.expiresAt === undefined || record.state.isDone ? Infinity : rule.expiresAt.atMs + dayMs
      if (overMs <= nowMs) continue
      untilMs = Math.min(untilMs, overMs)
      rules.push(rule)
    }
    this.#listening = { of: all, untilMs, rules }
    return rules
  }

  snoozes(): AlertSnooze[] {
    return this.#snoozes
  }

  async snooze(scope: SnoozeScope, untilMs: number | null): Promise<Outcome<null>> {
    if (this.#refusal !== undefined) return this.#refusal
    if (untilMs !== null && untilMs <= this.#clock.wallMs()) {
      return failure('snoozeOver', 'Choose a time in the future.')
    }
    await this.#judge(() => this.#beginSnooze(scope, untilMs))
    return done
  }

  async endSnooze(scope: SnoozeScope): Promise<Outcome<null>> {
    if (this.#refusal !== undefined) return this.#refusal
    this.#setSnoozes(withoutSnooze(this.#snoozes, scope))
    await this.#commit([])
    return done
  }

  /** The newest events, newest first. */
  inbox(): AlertEvent[] {
    return this.#inbox.shown()
  }

  page(query: InboxQuery): Promise<Outcome<InboxPage>> {
    return this.#records.events(query)
  }

  /** All events that match the query as CSV, newest first, in chunks. Throws the message of a problem. */
  csv(query: InboxQuery): AsyncGenerator<string, void> {
    return inboxCsv(this.#records.allEvents(query))
  }

  unreadCount(): number {
    return this.#inbox.unreadCount()
  }

  /** Increments when an event that is not in `inbox()` changes. */
  olderEventsVersion(): number {
    return this.#inbox.olderVersion
  }

  markRead(): void {
    if (this.#inbox.markRead()) void this.#commit([])
  }

  /** Writes a result into its event. Results of one turn are written together. */
  noteOutcome(eventId: string, change: EventOutcome): void {
    this.#outcomes.push({ eventId, change })
    if (this.#outcomes.length === 1) this.#noting = this.#noting.then(() => this.#noteOutcomes())
  }

  /** The last evaluations of a rule since app start, newest first. */
  explain(ruleId: string): AlertEvaluation[] {
    const place = this.#rules.get(ruleId)
    if (place === undefined) return []
    sayPassed(place.record)
    return place.record.memory.trace.all()
  }

  /**
   * Explains a rule's state at a past time by refolding its run of that time. Does not check whether the time lies in a
   * gap.
   */
  async explainAt(ruleId: string, atMs: number): Promise<Outcome<PastExplanation>> {
    const rule = this.#ruleOf(ruleId)
    return rule.ok ? explainPast(this.#records, ruleId, atMs) : rule
  }

  /** Resolves when everything is stored, or one more attempt has failed, and every pending event is queued. */
  async flush(): Promise<void> {
    let last: Promise<void>
    do {
      await this.#work.idle()
      await this.#noting
      last = this.#lastCommit
      await last
      await this.#refolds.idle()
    } while (last !== this.#lastCommit || this.#work.isBusy)
  }

  /** Sends all queued notifications. Call `flush` afterwards to store the results. */
  dispose(): void {
    this.#hasEnded = true
    this.#work.finish()
    this.#agenda.clear()
    this.#queue.dispose()
    this.#refolds.stop()
    this.#storeRest()
  }

  // Creating and deleting rules.

  #ruleOf(ruleId: string): Outcome<AlertRule> {
    const place = this.#rules.get(ruleId)
    if (this.#refusal !== undefined || place === undefined) return this.#refusal ?? unknownRule
    return { ok: true, value: place.record.run.rule }
  }

  #newRule(draft: AlertDraft): AlertRule {
    return { ...draft, id: this.#options.newId(), version: 1, createdAtMs: this.#clock.wallMs() }
  }

  #newRun(rule: AlertRule, first: WhenAlreadyMet, latest: Quote | undefined, before?: Run): Run {
    const isOfThisRun = isReceived(latest)
    const latestMs = latest?.publishedAtMs ?? 0
    // Current publication time, extrapolated from the last received value. Never ahead of the real one.
    const publishedNowMs = isOfThisRun
      ? (this.#aheadMs.get(rule.indexId) ?? -Infinity) + this.#clock.monotonicMs()
      : this.#clock.serviceMs()
    return {
      number: (before?.number ?? 0) + 1,
      rule,
      first,
      startedAtMs: this.#clock.wallMs(),
      sinceMs: Math.max(latestMs, Math.ceil(publishedNowMs) - 1),
      ...(!isOfThisRun && { keptMs: latestMs }),
    }
  }

  /** Starts the rule, or restarts the one with its id. A received latest value is its first. */
  async #begin(rule: AlertRule, first: WhenAlreadyMet, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    const before = this.#rules.get(rule.id)?.record
    const run = this.#newRun(rule, first, latest, before?.run)
    const record = newRecord(run, before?.position ?? this.#rules.takePositions(1))
    if (before !== undefined) {
      // The old run ends here and keeps what it has seen.
      this.#records.run({ ...before.run, endedAtMs: this.#clock.wallMs(), toMs: lastKnownMs(before) ?? 0 })
      record.memory.suppressed = before.memory.suppressed
      if (before.run.rule.version === rule.version) record.memory.quiet = before.memory.quiet
    }
    const begun = { ...record, policy: renewed(before?.policy ?? {}) }
    this.#records.begin(begun)
    if (before !== undefined) this.#records.policy(rule.id, begun.policy)
    const place = this.#rules.put(begun)
    this.#isPlanned = false
    const shown = isReceived(latest) ? [...this.#showLatest(place, latest)] : []
    await this.#commit(shown.flatMap(({ events }) => events))
    return { ok: true, value: viewOf(place.record) }
  }

  #showLatest(place: Place, latest: Quote): EvaluationResults {
    const { id } = latest
    const source = this.#sourceOf(id)
    if (isFolded(place.record.run.rule.terms)) return this.#step([place], received(latest, source))
    return this.#observation([place], this.#valueSeen(id, latest), { source })
  }

  /** Deletes a rule. Returns its snooze, if it has one of its own. */
  #drop({ run: { rule } }: RuleRecord): { snooze: AlertSnooze | undefined } {
    const snooze = this.#snoozes.find(({ scope }) => scope.of === 'rule' && scope.ruleId === rule.id)
    this.#rules.remove(rule.id)
    this.#records.remove(rule.id)
    if (snooze !== undefined) this.#setSnoozes(withoutSnooze(this.#snoozes, snooze.scope))
    this.#isPlanned = false
    return { snooze }
  }

  /** Skips a rule that expired or got an equal in the meantime. Replaces an equal rule that has finished. */
  #takeIn({ record, checkpoint }: Reduced): Place | undefined {
    const { rule } = record.run
    const equal = this.#rules.findEqual(draftKey(rule))
    if (equal?.state.isDone === false || hasExpired(rule, {}, this.#clock.wallMs())) return undefined
    if (equal !== undefined) this.#drop(equal)
    this.#records.begin(record)
    if (checkpoint !== undefined) this.#records.checkpoint(record.run, checkpoint)
    this.#isPlanned = false
    return this.#rules.put(record)
  }

  /** Evaluates the new rules on the values received since they were created. */
  *#afterTakingIn(
    taken: readonly { place: Place; latest: Quote | undefined }[],
    missed: readonly Received[],
  ): Generator<EvaluationResult> {
    // Thousands of rules may use up the turn. Judge in the next one.
    yield noResult
    if (taken.length > 0) yield changed
    for (const { place, latest } of taken) if (latest !== undefined) yield* this.#showLatest(place, latest)
    const isTaken = new Set(missed.length === 0 ? [] : taken.map(({ place }) => place))
    for (const value of missed) {
      const folded = this.#rules.foldedOf(value.id).filter((place) => isTaken.has(place))
      yield* this.#step(this.#pass(folded, this.#tickOf(value)), value)
    }
  }

  // Receiving input.

  /** Keeps values until the rules are read. Returns false if the rules are read already. */
  #postpone(id: IndexId, publications: readonly Publication[], source: Source): boolean {
    if (this.#isReading) this.#unread.add(id, publications, source)
    return this.#isReading
  }

  /** Evaluates the kept values with the next successful commit. Returns whether there were any. */
  #judgeUnread(): boolean {
    const all = this.#unread.take().filter(({ id }) => this.#rules.ofIndex(id).length > 0)
    for (const { id, timesMs, due, amended } of all) {
      this.#reachBack(id, timesMs)
      for (const place of this.#seeingRevisions(id))
        for (const { source, publications } of amended) this.#observeMissed(place, publications, source)
      this.#learn(id, due)
    }
    return all.length > 0
  }

  /** Takes constituents or market conditions. Drops one dated too far ahead, because it would hide all that follow. */
  #see(id: IndexId, seen: Omit<ConstituentsSeen, 'cadence'> | Omit<ConditionsSeen, 'cadence'>, source: Source): void {
    if (isFarFuture(seen.publication, this.#clock.serviceMs())) return
    this.#observe(this.#rules.observingOf(id), { ...seen, cadence: this.#options.cadenceOf(id) }, { source })
  }

  /** Evaluates rules that are not folded. */
  #observe(places: readonly Place[], seen: Observation, of: { source?: Source; as?: 'lateFromHistory' } = {}): void {
    if (places.length === 0) return
    this.#comeDueFirst()
    void this.#judge(() => this.#observation(places, seen, of))
  }

  /** Amendments come in order, so only those later than the last known one were missed. */
  #observeMissed(place: Place, publications: readonly Publication[], source: Source): void {
    const { state, run } = place.record
    const known = (state.amendments ?? []).map(({ amendedAtMs }) => amendedAtMs)
    const knownMs = Math.max(run.startedAtMs, ...known)
    const missed = publications.filter(({ amendedAtMs = 0 }) => amendedAtMs > knownMs)
    for (const each of missed.toSorted((a, b) => (a.amendedAtMs ?? 0) - (b.amendedAtMs ?? 0))) {
      this.#observe([place], this.#valueSeen(run.rule.indexId, each), { source, as: 'lateFromHistory' })
    }
  }

  /** Takes the next value of an index, for folded rules. The value waits while the index is refolded. */
  #takeNext(value: Received): void {
    const { id, publication } = value
    const { publishedAtMs } = publication
    this.#aheadMs.set(id, publishedAtMs - this.#clock.monotonicMs())
    for (const removed of this.#undoableOf(id)) {
      const { record } = removed
      removed.record = { ...record, run: runWith(record.run, publishedAtMs, this.#options.cadenceOf(id)) }
      removed.missedFromMs = Math.min(removed.missedFromMs, publishedAtMs)
    }
    for (const missed of this.#missed) missed.push(value)
    if (this.#refolds.isRunning(id)) this.#waiting.push(value)
    else if (!this.#work.isBusy) this.#showNext(value)
    else {
      this.#work.add(() => {
        this.#showNext(value)
        return true
      })
    }
  }

  #showNext(value: Received): void {
    const { id, publication } = value
    const { publishedAtMs, amendedAtMs } = publication
    this.#comeDueFirst()
    if (this.#unknown.length > 0) this.#concludeUnknown(id, publishedAtMs)
    // A new version may begin with a value published before the edit. The old version must see that value too.
    const isEarly = this.#rules.ofIndex(id).some(({ record: { run } }) => {
      return run.number > 1 && run.fromMs === undefined && publishedAtMs <= run.sinceMs
    })
    const folded = this.#rules.foldedOf(id)
    if (folded.length > passedAtOnce) void this.#judge(() => this.#passAndStep(folded, value))
    else if (folded.length > 0) {
      const concerned = this.#pass(folded, this.#tickOf(value))
      if (concerned.length > 0) void this.#judge(() => this.#step(concerned, value))
    }
    if (isEarly) this.#learned(id, [publishedAtMs], amendedAtMs === undefined ? 'history' : 'amendment')
  }

  /** Evaluates the values that waited for the refold of their index. */
  #showWaiting(id: IndexId): void {
    const waiting = this.#waiting.filter((value) => value.id === id)
    this.#waiting = this.#waiting.filter((value) => value.id !== id)
    for (const value of waiting) this.#showNext(value)
  }

  // Evaluating rules.

  #tickOf({ id, publication, source }: Received): Tick {
    const decimal = parseDecimal(publication.value)
    return { publication, decimal, cadence: this.#options.cadenceOf(id), source, atMs: this.#clock.wallMs() }
  }

  /** A value in the form for rules that are not folded. */
  #valueSeen(id: IndexId, value: Publication): Observation {
    return { kind: 'value', publication: publicationOf(value), cadence: this.#options.cadenceOf(id) }
  }

  #sourceOf(id: IndexId): Source {
    return this.#options.sourceOf?.(id) ?? noSource
  }

  /** Shows folded rules the next value on the fast path. Returns the rules that need `#step`. */
  #pass(places: readonly Place[], tick: Tick): Place[] {
    return places.filter(({ record }) => !pass(record, tick))
  }

  /** Ends the turn between chunks of rules, because thousands of rules take too long for one turn. */
  *#passAndStep(places: readonly Place[], value: Received): Generator<EvaluationResult> {
    const concerned: Place[] = []
    const tick = this.#tickOf(value)
    for (let at = 0; at < places.length; at += passedAtOnce) {
      concerned.push(...this.#pass(places.slice(at, at + passedAtOnce), tick))
      yield noResult
    }
    if (concerned.length > 0) yield* this.#step(concerned, value)
  }

  /** Evaluates folded rules on the next value. */
  *#step(places: readonly Place[], value: Received): Generator<EvaluationResult> {
    yield* this.#noteSource(places, value.source)
    yield* this.#applyEach(places, { kind: 'value', tick: this.#tickOf(value) })
  }

  /** Evaluates all other rules on an observation. */
  *#observation(
    places: readonly Place[],
    seen: Observation,
    of: { source?: Source; as?: 'lateFromHistory' },
  ): Generator<EvaluationResult> {
    if (of.source !== undefined) yield* this.#noteSource(places, of.source)
    yield* this.#applyEach(places, { kind: 'seen', seen, ...of })
  }

  /** Records that another connection supplies the index: one event, however many rules are affected. */
  *#noteSource(places: readonly Place[], source: Source): Generator<EvaluationResult> {
    const concerned = places.find(({ record: { state, run } }) => {
      return isOfOther(source, state) && !dependsOn(run.rule.terms, 'silence')
    })
    const from = concerned?.record.state.source
    if (concerned === undefined || from === undefined) return
    const { rule } = concerned.record.run
    const isSaid = this.#sources.get(rule.indexId) === source.id
    this.#sources.set(rule.indexId, source.id)
    if (isSaid) return
    yield this.#recorded({
      ...this.#now().eventOf(rule, 'sourceChanged', {}),
      sources: { from: from.name, to: source.name },
      delivery: 'none',
      isRead: true,
    })
  }

  /** Skips a rule that was deleted or restarted before its turn. */
  *#applyEach(places: readonly Place[], input: Input): Generator<EvaluationResult> {
    for (const place of places) {
      if (this.#rules.get(place.record.run.rule.id) === place) yield this.#apply(place, input)
    }
  }

  /** Applies `reduce` to a rule. Replaces its record and collects the changes for the next commit. */
  #apply(place: Place, input: Input): EvaluationResult {
    const { record: before } = place
    const { record, events, checkpoint, firings } = reduce(before, input, this.#now())
    this.#set(place, record)
    if (checkpoint !== undefined) this.#records.checkpoint(record.run, checkpoint)
    for (const firing of firings) this.#records.firing(record.run, firing)
    const recorded = events.flatMap(({ event, isRecorded }) => {
      if (isRecorded) return this.#inbox.append(event)
      this.#inbox.count(event)
      return []
    })
    const isOther = recorded.length > 0 || record.policy !== before.policy
    return {
      events: recorded,
      hasChanged: isOther || (record.state !== before.state && !isHoldGoingOn(before.state, record.state)),
      isToBeStored: isOther || checkpoint !== undefined || record.run !== before.run,
    }
  }

  #set(place: Place, record: RuleRecord): void {
    const { run, policy } = place.record
    this.#rules.set(place, record)
    if (record.run !== run) this.#records.run(record.run)
    if (record.policy === policy) return
    this.#records.policy(run.rule.id, record.policy)
    this.#isPlanned = false
  }

  #now(): Now {
    const { dayOf = utcDay } = this.#options
    const nowMs = this.#clock.wallMs()
    return {
      nowMs,
      snoozes: this.#snoozes,
      dayOf,
      eventOf: (rule, kind, inputs) => ({
        id: this.#options.newId(),
        number: this.#inbox.lastNumber + 1,
        kind,
        ruleId: rule.id,
        ruleVersion: rule.version,
        indexId: rule.indexId,
        ...this.#options.originOf(rule.indexId),
        terms: rule.terms,
        hours: rule.hours,
        severity: rule.severity,
        note: rule.note,
        recordedAtMs: nowMs,
        inputs,
        delivery: 'pending',
        isRead: false,
      }),
    }
  }

  /** Records an event that no rule produced. */
  #recorded(event: AlertEvent): EvaluationResult {
    return { events: [this.#inbox.append(event)], hasChanged: true, isToBeStored: true }
  }

  *#reaches(found: ReadonlyMap<string, RuleValidity | undefined>): Generator<EvaluationResult> {
    for (const [ruleId, reach] of found) {
      const place = this.#rules.get(ruleId)
      if (place !== undefined) yield this.#apply(place, { kind: 'reach', reach })
    }
  }

  /** Records one event for a snooze of all rules or of an index, else one event for each rule. */
  *#beginSnooze(scope: SnoozeScope, untilMs: number | null): Generator<EvaluationResult> {
    this.#setSnoozes(withSnooze(this.#snoozes, { scope, untilMs }))
    yield changed
    const concerned = this.#rules.all().filter(({ record }) => covers(scope, record.run.rule) && !record.state.isDone)
    const more: Partial<AlertEvent> = { untilMs, delivery: 'none', isRead: true }
    const isOfOne = scope.of === 'all' || scope.of === 'index'
    for (const { record } of isOfOne ? concerned.slice(0, 1) : concerned) {
      const event: AlertEvent = { ...this.#now().eventOf(record.run.rule, 'snoozed', {}), ...more }
      yield this.#recorded(scope.of === 'all' ? ofMute(event) : event)
    }
  }

  #setSnoozes(snoozes: AlertSnooze[]): void {
    this.#snoozes = snoozes
    this.#records.snoozes(snoozes)
    this.#isPlanned = false
  }

  // Late values and refolds.

  /** Rules that see each revision of a value. */
  #seeingRevisions(id: IndexId): Place[] {
    const all = this.#rules.ofIndex(id)
    return all.filter(({ record }) => specOf(record.run.rule.terms.condition).seesRevisions === true)
  }

  #undoableOf(id: IndexId): Removed[] {
    return this.#undoable.filter(({ record }) => record.run.rule.indexId === id)
  }

  /** Tells rules of the published times of late values. One of them may be a rule's first value. */
  #reachBack(id: IndexId, timesMs: readonly number[]): void {
    for (const place of this.#rules.foldedOf(id)) this.#set(place, reachedBack(place.record, timesMs))
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
    this.#reachBack(id, timesMs)
    const fromMs = timesMs.reduce((minMs, atMs) => Math.min(minMs, atMs), Infinity)
    const toMs = timesMs.reduce((maxMs, atMs) => Math.max(maxMs, atMs), 0)
    for (const removed of this.#undoableOf(id)) {
      removed.record = reachedBack(removed.record, timesMs)
      removed.missedFromMs = Math.min(removed.missedFromMs, fromMs)
    }
    const isReached = ({ record: { run } }: Place) => {
      return run.number > 1 || (isFolded(run.rule.terms) && (run.fromMs ?? Infinity) <= toMs)
    }
    if (!this.#rules.ofIndex(id).some(isReached)) return
    const learning = this.#learn(id, { fromMs, toMs, cause }, false)
    const stored = this.#write()
    const refolds = this.#refolds
    this.#lastCommit = Promise.all([this.#lastCommit, stored, committed ?? stored]).then(([, , outcome]) => {
      if (refolds === this.#refolds) this.#refold(learning, outcome)
    })
  }

  /** `isRefused`: the range is refolded after the next successful commit. */
  #learn(id: IndexId, due: Due, isRefused = true): Learning {
    const learning = { id, due, isRefused }
    this.#learning.push(learning)
    this.#noteDue(id)
    return learning
  }

  /** Refolds a range whose values were written. If the write was refused, the next successful commit refolds it. */
  #refold(learning: Learning, outcome: Outcome<Learned[]>): void {
    if (!outcome.ok) {
      learning.isRefused = true
      return
    }
    this.#learning = this.#learning.filter((each) => each !== learning)
    const { id, due, isRefused } = learning
    const learned = outcome.value.find((each) => each.id === id)
    if (isRefused) this.#refolds.add(id, due)
    else if (learned !== undefined) this.#refolds.add(id, { ...due, fromMs: Math.max(due.fromMs, learned.fromMs) })
    else {
      this.#noteDue(id)
      void this.#store([])
    }
  }

  /** Takes over the result of a refold (alert engine, 12 and 19). */
  #folded({ id, due, runs, events: known }: FoldedIndex): void {
    let hasChanged = false
    let isToBeStored = false
    for (const { place, run, refolded } of runs) {
      // Compare run numbers: the current run may have another first value or cadence than when the refold began.
      if (run.number !== place.record.run.number || refolded.settledAtMs !== undefined) continue
      hasChanged ||= place.record.state !== refolded.record.state
      this.#apply(place, { kind: 'refolded', to: refolded.record })
    }
    const differences = runs
      .flatMap((each) => each.refolded.differences.map((difference) => ({ ...each, difference })))
      .sort((a, b) => a.difference.firedMs - b.difference.firedMs || a.place.record.position - b.place.record.position)
    const events: AlertEvent[] = []
    for (const { place, run, difference } of differences) {
      const eventId = difference.kind === 'late' ? '' : difference.eventId
      const about = this.#inbox.recent(eventId) ?? known.get(eventId)
      events.push(...this.#apply(place, { kind: 'difference', run, difference, due, about }).events)
    }
    // After the differences: late firings have their event ids only now.
    for (const { run, refolded } of runs) if (this.#records.refolded(run, refolded)) isToBeStored = true
    // A difference changes a count even if it has no event of its own.
    const hasAny = differences.length > 0
    const hasDue = this.#noteDue(id)
    this.#conclude({ events, hasChanged: hasChanged || hasAny, isToBeStored: isToBeStored || hasAny || hasDue })
    // A rule that had finished may expire again. Checking all rules for each index would be quadratic.
    this.#agenda.bringForward(this.#nextEndMs(this.#rules.ofIndex(id)))
    this.#showWaiting(id)
  }

  /** Reports the gaps before this value. */
  #concludeUnknown(id: IndexId, publishedAtMs: number): void {
    const ended = this.#unknown.filter((range) => range.id === id && range.fromMs < publishedAtMs)
    this.#unknown = this.#unknown.filter((range) => !ended.includes(range))
    for (const { fromMs, toMs } of ended) {
      const untilMs = Math.min(toMs, publishedAtMs)
      const isGap = untilMs - fromMs > allowedGapMs(this.#options.cadenceOf(id))
      if (isGap) this.#conclude(this.#noteUnknown(id, { fromMs, toMs: untilMs }))
    }
  }

  /** Records a gap that cannot be filled: one event for an outage, however many indices are affected. */
  #noteUnknown(id: IndexId, { fromMs, toMs }: TimeRange): EvaluationResult {
    const concerned = this.#rules.foldedOf(id).filter(({ record: { run, state } }) => {
      return !state.isDone && (run.fromMs ?? Infinity) < toMs && !isAfterEnd(run.rule, fromMs)
    })
    const [first] = concerned
    if (first === undefined) return noResult
    const sinceMs = Math.max(fromMs, Math.min(...concerned.map(({ record: { run } }) => run.fromMs ?? 0)))
    const isOfSame = ({ unknown }: AlertEvent) => {
      return unknown !== undefined && unknown.fromMs <= toMs && sinceMs <= unknown.toMs
    }
    const same = this.#inbox.newestFirst().find(isOfSame)
    const { unknown } = same ?? {}
    const all = {
      fromMs: Math.min(unknown?.fromMs ?? Infinity, sinceMs),
      toMs: Math.max(unknown?.toMs ?? 0, toMs),
      indexIds: [...new Set([...(unknown?.indexIds ?? []), id])],
    }
    if (same === undefined) {
      const event = this.#now().eventOf(first.record.run.rule, 'notKnown', {})
      return this.#recorded({ ...event, unknown: all, delivery: 'none' })
    }
    this.#inbox.replace({ ...same, unknown: all })
    return changed
  }

  /** Stores which range of an index is still to be refolded. Returns whether that changed. */
  #noteDue(id: IndexId): boolean {
    return this.#records.due(id, this.#dueOf(id))
  }

  #dueOf(id: IndexId): Due | undefined {
    const all = [this.#refolds.dueOf(id), ...this.#learning.map((each) => (each.id === id ? each.due : undefined))]
    return all.reduce((sum, each) => (sum === undefined ? each : each === undefined ? sum : union(sum, each)))
  }

  // Time.

  /** Handles expiries and ends of cooldowns before a later value is evaluated. */
  #comeDueFirst(): void {
    if (this.#agenda.hasEnd) this.#comeDue()
  }

  #comeDue(): void {
    if (this.#isComingDue) return
    this.#isComingDue = true
    void this.#judge(() => this.#dueNow())
  }

  *#dueNow(): Generator<EvaluationResult> {
    try {
      const left = running(this.#snoozes, this.#clock.wallMs())
      if (left !== this.#snoozes) {
        this.#setSnoozes(left)
        yield changed
      }
      yield* this.#applyEach(this.#rules.timed(), { kind: 'time' })
    } finally {
      this.#isComingDue = false
      this.#isPlanned = false
      this.#plan()
    }
  }

  #nextEndMs(places: readonly Place[]): number {
    const nowMs = this.#clock.wallMs()
    let endMs = Infinity
    for (const { untilMs } of this.#snoozes) endMs = Math.min(endMs, untilMs ?? Infinity)
    for (const { record } of places) endMs = Math.min(endMs, nextDueMs(ruleForTime(record), record.policy, nowMs))
    return endMs
  }

  // Evaluating, then storing, then notifying.

  /** Evaluates after all earlier input. Resolves when the resulting events and states are stored. */
  #judge(begin: () => EvaluationResults): Promise<void> {
    return new Promise((resolve) => {
      const events: AlertEvent[] = []
      let judgements: Iterator<EvaluationResult> | undefined
      this.#work.add((isOver) => {
        judgements ??= begin()[Symbol.iterator]()
        const part = nextPart(judgements, isOver)
        events.push(...part.events)
        if (part.hasChanged) this.#announce()
        // The events of one value share a notification, also after several turns.
        if (part.isLast) resolve(part.isToBeStored || events.length > 0 ? this.#store(events) : undefined)
        else if (part.isToBeStored) void this.#store([])
        return part.isLast
      })
    })
  }

  #conclude({ events, hasChanged, isToBeStored }: EvaluationResult): void {
    if (hasChanged) this.#announce()
    if (isToBeStored) void this.#store(events)
  }

  /** Stores all changes, then notifies of pending events. */
  #commit(events: readonly AlertEvent[]): Promise<void> {
    this.#announce()
    return this.#store(events)
  }

  #announce(): void {
    this.#plan()
    this.events.emit('changed', null)
  }

  #plan(): void {
    if (this.#hasEnded || this.#isPlanned) return
    this.#isPlanned = true
    this.#agenda.plan()
  }

  #store(events: readonly AlertEvent[]): Promise<void> {
    const stored = this.#write()
    this.#lastCommit = Promise.all([this.#lastCommit, stored]).then(([, outcome]) => {
      this.#queue.add(events.filter(({ delivery }) => delivery === 'pending'))
      // This commit also wrote what earlier commits could not write.
      if (outcome.ok)
        for (const each of this.#learning.filter(({ isRefused }) => isRefused)) this.#refold(each, outcome)
    })
    return this.#lastCommit
  }

  async #write(): Promise<Outcome<Learned[]>> {
    if (this.#refusal === newerAlerts) return newerAlerts
    const inbox = this.#inbox
    const { lastNumber } = inbox
    const outcome = await this.#records.commit(this.#clock.wallMs())
    // Events are shown even if they cannot be stored. A notice then says that they were not recorded.
    if (inbox.showThrough(lastNumber)) this.events.emit('changed', null)
    return outcome
  }

  /** Stores the states of all rules, so that the next start has nothing to refold. */
  #storeRest(): void {
    let hasAny = false
    for (const { record } of this.#rules.all()) {
      const checkpoint = isFolded(record.run.rule.terms) ? restOf(record) : undefined
      if (checkpoint === undefined) continue
      this.#records.checkpoint(record.run, checkpoint)
      hasAny = true
    }
    if (hasAny) void this.#store([])
  }

  #notify(queued: readonly AlertEvent[]): void {
    const events = queued.filter(({ ruleId }) => !this.#removed.has(ruleId))
    for (const event of queued) if (!events.includes(event)) this.noteOutcome(event.id, { delivery: 'off' })
    if (events.length > 0) this.events.emit('notify', events)
  }

  async #noteOutcomes(): Promise<void> {
    const inbox = this.#inbox
    const outcomes = this.#outcomes
    this.#outcomes = []
    const changedIds = new Set<string>()
    const note = (event: AlertEvent | undefined, change: EventOutcome) => {
      if (event === undefined || Object.entries(change).every(([name, value]) => Reflect.get(event, name) === value))
        return
      inbox.replace({ ...event, ...change })
      changedIds.add(event.id)
    }
    const older: typeof outcomes = []
    await inTurns(this.#clock, outcomes, (outcome) => {
      const event = inbox.recent(outcome.eventId)
      if (event === undefined) older.push(outcome)
      else note(event, outcome.change)
    })
    for (const { eventId, change } of older) note(await inbox.get(eventId), change)
    if (changedIds.size > 0) await this.#commit([])
  }

  // Switching histories.

  /** Drops all state of the old history. */
  #forget(): void {
    this.#refolds.stop()
    this.#unread.take()
    this.#aheadMs.clear()
    this.#sources.clear()
    this.#records = new Records(this.#options.history)
    this.#rules = new RuleTable()
    this.#inbox = new Inbox(this.#records)
    this.#snoozes = []
    this.#undoable = []
    this.#waiting = []
    this.#unknown = []
    this.#learning = []
    this.#isPlanned = false
    this.#refolds = this.#newRefolds()
  }

  #newRefolds(): RefoldQueue {
    const { cadenceOf } = this.#options
    return new RefoldQueue({
      clock: this.#clock,
      records: this.#records,
      rulesOf: (id) => this.#rules.ofIndex(id),
      cadenceOf,
      eventOf: (id) => this.#inbox.get(id),
      onFolded: (folded) => this.#folded(folded),
      onPostponed: (id) => this.#showWaiting(id),
      isJudging: () => this.#work.isBusy,
      judged: () => this.#work.idle(),
    })
  }
}

/** True if the latest value was received since app start. False for a value from the cache. */
function isReceived(latest: Quote | undefined): latest is Quote {
  return latest !== undefined && latest.source !== 'cache'
}

function received(latest: Quote, source: Source): Received {
  return { id: latest.id, publication: publicationOf(latest), source }
}

/** A mute concerns all rules, but must be stored on one. */
function ofMute(event: AlertEvent): AlertEvent {
  return { ...event, severity: 'info', isMute: true, note: undefined, hours: undefined, connection: undefined }
}

/** Evaluates until all is done or the turn is over. */
function nextPart(
  judgements: Iterator<EvaluationResult>,
  isOver: () => boolean,
): EvaluationResult & { isLast: boolean } {
  const events: AlertEvent[] = []
  const part = { events, hasChanged: false, isToBeStored: false, isLast: false }
  for (let next = judgements.next(); ; next = judgements.next()) {
    if (next.done === true) return { ...part, isLast: true }
    const came = next.value
    events.push(...came.events)
    part.hasChanged ||= came.hasChanged
    part.isToBeStored ||= came.isToBeStored
    if (isOver()) return part
  }
}

function unreadableNotice(count: number): string {
  return `${count} ${count === 1 ? 'alert entry' : 'alert entries'} could not be read and stayed in the history file. Check your alerts.`
}
