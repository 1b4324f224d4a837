import type { AlertEvent, AlertNotification, AlertOrigin, Delivery } from '../../core/alert-events'
import { maxTimeMs } from '../../core/shapes'
import type { AlertDraft, AlertRule } from '../../core/alerts'
import { specOf } from '../../core/conditions/list'
import type { IndexId, Outcome, Publication, Quote, Resolution } from '../../core/model'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { inTurns, WorkQueue } from '../base/work-queue'
import { isFarFuture, noSource, publicationOf, type Source } from '../../core/publication'
import type { Log } from '../base/log'
import type { Learned, TapeAccess } from '../tape/contract'
import type { ActiveRule } from './active-rule'
import type { ActiveRules } from './active-rules'
import { AlertState, nothingCame, passedAtOnce, type Judgement, type Judgements, type RemovedRule } from './alert-state'
import { DueTimer } from './due-timer'
import { FixingWatch } from './fixing-watch'
import { NotificationQueue, withoutRules } from './policy/notification-queue'
import { Records, type Due, type KeptRule } from './records'
import { isFolded, type ChangedRange } from './refold'
import { RefoldQueue, union, type FoldedIndex } from './refold-queue'
import { newerAlerts, notRead, notReady, type Refusal } from './refusals'
import { UnreadValues } from './unread-values'
import {
  allowedGapMs,
  type ConditionsSeen,
  type ConstituentsSeen,
  type Observation,
} from '../../core/evaluation/observation'
import { SilenceWatch } from './silence-watch'

interface Received {
  id: IndexId
  publication: Publication
  source: Source
}

/** Whether the latest value came in this run. A value from the cache does not count. */
export function isReceived(latest: Quote | undefined): latest is Quote {
  return latest !== undefined && latest.source !== 'cache'
}

export interface AlertEngineEvents {
  changed: null
  /** Emitted after its events are stored. */
  notify: AlertNotification
  /** A sentence the user should read once. */
  notice: string
}

export interface AlertEngineOptions {
  clock: Clock
  newId: () => string
  log: Log
  tape: TapeAccess
  cadenceOf: (id: IndexId) => Resolution | undefined
  /** Which connection answers for an index. */
  originOf: (id: IndexId) => AlertOrigin
  /** The source of the latest value of an index. */
  sourceOf?: (id: IndexId) => Source | undefined
  /** The user's local day of a time, for the daily limit. */
  dayOf?: (ms: number) => string
}

/** The newest deletions that can be undone. */
const maxUndoable = 100

interface Undoable extends RemovedRule {
  /** The earliest published time of values that the rule has not judged. */
  missedFromMs: number
}

/** The result of an event's notification, webhook or second channel. */
type EventOutcome = { delivery: Delivery } | { webhookResult: string } | { secondChannel: string }

/**
 * Judges input, stores the result, then notifies. Input is judged in the order in which it came, in short turns of the event
 * loop. A value that thousands of rules see takes several turns. Each turn stores its results in one transaction. The
 * notification waits until all of them are stored.
 */
export class AlertProcessor {
  readonly events: Emitter<AlertEngineEvents>
  readonly clock: Clock
  readonly #options: AlertEngineOptions
  readonly #queue: NotificationQueue
  readonly #silence: SilenceWatch
  readonly #fixings: FixingWatch
  readonly #due: DueTimer
  readonly #work: WorkQueue
  #records: Records
  #state: AlertState
  #refolds: RefoldQueue
  #refusal: Refusal | undefined = notReady
  /** True until the rules are read from the tape and have judged its last values. */
  #isReading = true
  readonly #unread = new UnreadValues()
  /** Ids of rules deleted in this run. Their queued notifications are dropped. */
  readonly #removed = new Set<string>()
  /** Oldest first. */
  #undoable: Undoable[] = []
  #lastCommit: Promise<void> = Promise.resolve()
  /** Values that came while their index is folded again. They are judged after that, in order. */
  #waiting: Received[] = []
  /** Values that came during `beginAll`, one list for each call. */
  readonly #missed = new Set<Received[]>()
  /** Times without known values. Each waits for the next value of its index. */
  #unknown: (ChangedRange & { id: IndexId })[] = []
  /** Ranges to be folded again once their values are on the tape. */
  #learning: { id: IndexId; due: Due; isRefused: boolean }[] = []
  /** Results still to be written into their events, oldest first. */
  #outcomes: { eventId: string; change: EventOutcome }[] = []
  #noting: Promise<void> = Promise.resolve()
  #isComingDue = false
  #hasEnded = false
  #followed: { rules: ActiveRules; rulesRevision: number; policyRevision: number } | undefined

  constructor(options: AlertEngineOptions) {
    const { clock, log, cadenceOf, tape } = options
    this.clock = clock
    this.#options = options
    this.#records = new Records(tape)
    this.#state = new AlertState({ ...options, records: this.#records })
    this.#work = new WorkQueue(clock, (error) => log.error('Alerts could not be checked', { error: String(error) }))
    this.#refolds = this.#newRefolds()
    this.events = new Emitter((error) => log.error('A listener of the alerts failed', { error: String(error) }))
    this.#queue = new NotificationQueue({
      clock,
      notify: (notification) => this.#notify(notification),
    })
    this.#due = new DueTimer(clock, () => this.#comeDue())
    this.#silence = new SilenceWatch({
      clock,
      cadenceOf,
      onSeen: (ruleId, seen) => {
        const active = this.#state.rules.get(ruleId)
        if (active !== undefined) this.observe([active], seen)
      },
    })
    this.#fixings = new FixingWatch({
      clock,
      cadenceOf,
      saidMs: ({ rule }) => this.#state.policy.of(rule.id).missedMs,
      onMissing: (active, dueMs) => {
        void this.judge(() => this.#state.missing(active, dueMs))
      },
    })
  }

  get state(): AlertState {
    return this.#state
  }

  /** For reading. Only this class writes. */
  get records(): Records {
    return this.#records
  }

  /** Why rules cannot be created or changed now. */
  get refusal(): Refusal | undefined {
    return this.#refusal
  }

  get isJudging(): boolean {
    return !this.#isReading
  }

  /** Stops judging by the tape in use. Resolves when all results are stored and notified. */
  async leave(): Promise<void> {
    this.#refusal = notReady
    this.#isReading = true
    await this.#work.idle()
    this.#refolds.stop()
    if (this.#state.noteRest()) void this.#store([])
    await this.flush()
    // The results of these notifications belong in the inbox of this tape.
    this.#queue.flush()
    await this.flush()
    this.#silence.reset()
    this.#fixings.reset()
    this.#due.plan(undefined)
    this.#begin()
  }

  /** Reads the rules of the tape now in use. Answers whether they could be read. */
  use(): Promise<boolean> {
    this.#refusal = notReady
    this.#isReading = true
    this.#begin()
    return this.read()
  }

  /**
   * Reads the rules unless they are read already. Judges from their stored state on, including the values that came before
   * the rules were read. Answers whether the rules are read.
   */
  async read(): Promise<boolean> {
    if (this.isJudging) return true
    const { tape } = this.#options
    const records = this.#records
    const kept = await records.read(this.clock)
    const access = await tape.commit({})
    // Another tape is in use now.
    if (this.#records !== records) return true
    const isNewer = !access.ok && access.problem.code === 'newerVersion'
    this.#refusal = isNewer ? newerAlerts : kept.ok ? notReady : notRead(kept.problem)
    if (!kept.ok || isNewer) return false
    const { rules, due, unreadableCount } = kept.value
    const state = new AlertState({ ...this.#options, records, kept: kept.value })
    const resumed: { active: ActiveRule; fired: KeptRule['fired'] }[] = []
    await inTurns(this.clock, rules, (rule) => resumed.push({ active: state.takeUp(rule), fired: rule.fired }))
    if (this.#records !== records) return true
    this.#refusal = undefined
    this.#state = state
    if (unreadableCount > 0) this.events.emit('notice', unreadableNotice(unreadableCount))
    // First: `resume` makes further events pending.
    const hasPending = await this.#state.inbox.endPending()
    await this.#refolds.resume(resumed, due)
    if (this.#records !== records) return true
    this.#isReading = false
    const hasUnread = this.#judgeUnread()
    if (hasUnread || hasPending) await this.commit([])
    else this.#announce()
    this.#comeDue()
    await this.flush()
    return true
  }

  /** Keeps values until the rules are read. Answers `false` if the rules are read already. */
  postpone(id: IndexId, publications: readonly Publication[], source: Source): boolean {
    if (this.#isReading) this.#unread.add(id, publications, source)
    return this.#isReading
  }

  /** Amendments come in order, so only those later than the last known one were missed. */
  observeMissed(active: ActiveRule, publications: readonly Publication[], source: Source): void {
    const known = (active.state.amendments ?? []).map(({ amendedAtMs }) => amendedAtMs)
    const knownMs = Math.max(active.run.startedAtMs, ...known)
    const missed = publications.filter(({ amendedAtMs = 0 }) => amendedAtMs > knownMs)
    for (const each of missed.toSorted((a, b) => (a.amendedAtMs ?? 0) - (b.amendedAtMs ?? 0))) {
      this.observe([active], this.valueSeen(active.rule.indexId, each), { source, kind: 'lateFromHistory' })
    }
  }

  /** Queues the kept values for the next successful commit. Answers whether there were any. */
  #judgeUnread(): boolean {
    const all = this.#unread.take().filter(({ id }) => this.#state.rules.ofIndex(id).length > 0)
    for (const { id, timesMs, due, amended } of all) {
      for (const active of this.#state.rules.foldedOf(id)) {
        if (active.reachBack(timesMs)) this.#records.run(active.run)
      }
      for (const active of this.#state.rules.ofIndex(id).filter(waitsForAmendments))
        for (const { source, publications } of amended) this.observeMissed(active, publications, source)
      this.#learning.push({ id, due, isRefused: true })
      this.#noteDue(id)
    }
    return all.length > 0
  }

  /** For rules that are not folded: constituents, corporate actions, silence and amendments. */
  observe(
    rules: readonly ActiveRule[],
    seen: Observation,
    of: { source?: Source; kind?: 'lateFromHistory' } = {},
  ): void {
    if (rules.length === 0) return
    this.#comeDueFirst()
    void this.judge(() => this.#state.observe(rules, seen, of))
  }

  /** The next value of an index. It waits while the index is folded again. */
  step(id: IndexId, publication: Publication, source: Source): void {
    this.#state.noteReceived(id, publication.publishedAtMs)
    for (const removed of this.#undoableOf(id)) {
      removed.active.note(publication, this.#options.cadenceOf(id))
      removed.missedFromMs = Math.min(removed.missedFromMs, publication.publishedAtMs)
    }
    for (const missed of this.#missed) missed.push({ id, publication, source })
    if (this.#refolds.isRunning(id)) this.#waiting.push({ id, publication, source })
    else if (this.#work.isBusy) {
      this.#work.add(() => {
        this.#step(id, publication, source)
        return true
      })
    } else this.#step(id, publication, source)
  }

  #step(id: IndexId, publication: Publication, source: Source): void {
    const { publishedAtMs, amendedAtMs } = publication
    this.#comeDueFirst()
    if (this.#unknown.length > 0) this.#concludeUnknown(id, publishedAtMs)
    // A version may begin with a value published earlier. The version before must judge that value, too.
    const isEarly = this.#state.rules.ofIndex(id).some(({ run: { number, fromMs, sinceMs } }) => {
      return number > 1 && fromMs === undefined && publishedAtMs <= sinceMs
    })
    const seen = { publication, cadence: this.#options.cadenceOf(id), source }
    const folded = this.#state.rules.foldedOf(id)
    if (folded.length > passedAtOnce) void this.judge(() => this.#state.passAndStep(folded, seen))
    else {
      const concerned = this.#state.pass(folded, seen)
      if (concerned.length > 0) void this.judge(() => this.#state.step(concerned, seen))
    }
    if (isEarly) this.learned(id, [publishedAtMs], amendedAtMs === undefined ? 'history' : 'amendment')
  }

  /** For rules that are not folded. */
  observeValue(id: IndexId, value: Publication, source: Source): void {
    const rules = this.#state.rules.observingOf(id)
    if (rules.length > 0) this.observe(rules, this.valueSeen(id, value), { source })
  }

  /** A value as rules that are not folded see it. */
  valueSeen(id: IndexId, value: Publication): Observation {
    const cadence = this.#options.cadenceOf(id)
    return { kind: 'value', publication: publicationOf(value), ...(cadence !== undefined && { cadence }) }
  }

  /**
   * Creates rules over several turns of the event loop, then adds all of them at once and stores them in one transaction.
   * The new rules then judge the values that came in between. Answers how many rules were added, or `undefined` if another
   * tape is in use by then.
   */
  async beginAll(
    drafts: readonly AlertDraft[],
    make: (draft: AlertDraft) => [rule: AlertRule, latest: Quote | undefined],
  ): Promise<number | undefined> {
    const state = this.#state
    const made = state.beside(drafts.length)
    const missed: Received[] = []
    this.#missed.add(missed)
    const latests = new Map<ActiveRule, Quote>()
    await inTurns(this.clock, drafts, (draft) => {
      const [rule, latest] = make(draft)
      const active = made.begin(rule, 'wait', latest)
      if (!isReceived(latest)) return
      if (!isFolded(rule.terms)) latests.set(active, latest)
      // A rule that begins with 'wait' does not fire at its first value.
      else {
        const cadence = this.#options.cadenceOf(latest.id)
        const seen = { publication: publicationOf(latest), cadence, source: this.#sourceOf(latest.id) }
        Array.from(made.step([active], seen))
      }
    })
    let taken: readonly ActiveRule[] | undefined
    const takeIn = () => {
      this.#missed.delete(missed)
      if (state === this.#state) taken = state.takeIn(made)
      return taken ?? []
    }
    await this.judge(() => this.#takenIn(takeIn, latests, missed))
    return taken?.length
  }

  *#takenIn(
    takeIn: () => readonly ActiveRule[],
    latests: ReadonlyMap<ActiveRule, Quote>,
    missed: readonly Received[],
  ): Generator<Judgement> {
    const taken = takeIn()
    // Thousands of rules take longer than a part of a turn: what follows from them goes on in the next one.
    yield nothingCame
    const hasAny = taken.length > 0
    yield { events: [], hasChanged: hasAny, isToBeStored: hasAny }
    for (const active of taken) {
      const latest = latests.get(active)
      if (latest === undefined) continue
      const seen = this.valueSeen(latest.id, publicationOf(latest))
      yield* this.#state.observe([active], seen, { source: this.#sourceOf(latest.id) })
    }
    const isTaken = new Set(missed.length === 0 ? [] : taken)
    for (const { id, publication, source } of missed) {
      const seen = { publication, cadence: this.#options.cadenceOf(id), source }
      const folded = this.#state.rules.foldedOf(id).filter((active) => isTaken.has(active))
      yield* this.#state.step(this.#state.pass(folded, seen), seen)
    }
  }

  #sourceOf(id: IndexId): Source {
    return this.#options.sourceOf?.(id) ?? noSource
  }

  /** Shows a new rule the latest value. The caller commits the events with the rule. */
  showLatest(active: ActiveRule, latest: Quote, source: Source = noSource): AlertEvent[] {
    const { id } = latest
    const publication = publicationOf(latest)
    const judgements = isFolded(active.rule.terms)
      ? this.#state.step([active], { publication, cadence: this.#options.cadenceOf(id), source })
      : this.#state.observe([active], this.valueSeen(id, publication), { source })
    return [...judgements].flatMap(({ events }) => events)
  }

  /** Constituents or market conditions. One dated too far ahead is dropped: it would block all that follow. */
  see(id: IndexId, seen: Omit<ConstituentsSeen, 'cadence'> | Omit<ConditionsSeen, 'cadence'>, source: Source): void {
    if (isFarFuture(seen.publication, this.clock.serviceMs())) return
    const cadence = this.#options.cadenceOf(id)
    this.observe(this.#state.rules.observingOf(id), { ...seen, ...(cadence !== undefined && { cadence }) }, { source })
  }

  /**
   * Earlier values were learned or amended. The caller writes them to the tape in this turn. The range to be folded is stored
   * in the same transaction, so that it survives a crash.
   */
  learned(id: IndexId, timesMs: readonly number[], cause: Due['cause'], committed?: Promise<Outcome<Learned[]>>): void {
    for (const active of this.#state.rules.foldedOf(id)) {
      if (active.reachBack(timesMs)) this.#records.run(active.run)
    }
    const fromMs = timesMs.reduce((minMs, atMs) => Math.min(minMs, atMs), Infinity)
    for (const removed of this.#undoableOf(id)) {
      removed.active.reachBack(timesMs)
      removed.missedFromMs = Math.min(removed.missedFromMs, fromMs)
    }
    const toMs = timesMs.reduce((maxMs, atMs) => Math.max(maxMs, atMs), 0)
    const due = { fromMs, toMs, cause }
    const reaches = ({ rule, run }: ActiveRule) => {
      return run.number > 1 || (isFolded(rule.terms) && (run.fromMs ?? Infinity) <= due.toMs)
    }
    if (!this.#state.rules.ofIndex(id).some(reaches)) return
    const learning = { id, due, isRefused: false }
    this.#learning.push(learning)
    this.#noteDue(id)
    const stored = this.#write()
    const refolds = this.#refolds
    this.#lastCommit = Promise.all([this.#lastCommit, stored, committed ?? stored]).then(([, , outcome]) => {
      if (refolds === this.#refolds) this.#refold(learning, outcome)
    })
  }

  /** The values of this time cannot be had. Reported once a later value shows that some were missed. */
  noteUnknown(id: IndexId, range: ChangedRange): void {
    this.#unknown.push({ id, ...range })
    const lastMs = this.#state.rules.ofIndex(id).map(({ last }) => last?.publishedAtMs ?? 0)
    this.#concludeUnknown(id, Math.max(0, ...lastMs))
  }

  noteActivity(id: IndexId, publication: Publication): void {
    this.#silence.noteActivity(id, publication)
  }

  woke(): void {
    this.#silence.restart()
    this.#fixings.restart()
    this.#comeDue()
  }

  setPaused(isPaused: boolean): void {
    this.#silence.setPaused(isPaused)
    this.#fixings.setPaused(isPaused)
  }

  /** Nothing of the rule is notified after this call. */
  remove(ruleId: string): Promise<void> {
    this.#removed.add(ruleId)
    const removed = this.#state.remove(ruleId)
    if (removed !== undefined) {
      const { active } = removed
      const lastMs = active.last?.publishedAtMs ?? active.start?.atMs ?? Infinity
      const missedFromMs = Math.min(lastMs, this.#dueOf(active.rule.indexId)?.fromMs ?? Infinity)
      this.#undoable = [...this.#undoable, { ...removed, missedFromMs }].slice(-maxUndoable)
    }
    return this.commit([])
  }

  /** `undefined` if the deletion cannot be undone. */
  removedRule(ruleId: string): Undoable | undefined {
    return this.#undoable.find(({ active }) => active.rule.id === ruleId)
  }

  /** Values that came since the deletion are judged as learned late. */
  putBack(removed: Undoable): Promise<void> {
    const { id, indexId } = removed.active.rule
    this.#undoable = this.#undoable.filter((each) => each !== removed)
    this.#removed.delete(id)
    this.#state.putBack(removed)
    if (removed.missedFromMs < Infinity) {
      const due = { fromMs: removed.missedFromMs, toMs: maxTimeMs, cause: 'history' } as const
      this.#learning.push({ id: indexId, due, isRefused: true })
      this.#noteDue(indexId)
    }
    return this.commit([])
  }

  #undoableOf(id: IndexId): Undoable[] {
    return this.#undoable.filter(({ active }) => active.rule.indexId === id)
  }

  /** Resolves when all earlier input is judged. */
  judged(): Promise<void> {
    return this.#work.idle()
  }

  /** Judges after all earlier input. Resolves when the resulting events and states are stored. */
  judge(begin: () => Judgements): Promise<void> {
    return new Promise((resolve) => {
      const events: AlertEvent[] = []
      let judgements: Iterator<Judgement> | undefined
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

  /** Stores all changes, then notifies of pending events. */
  commit(events: readonly AlertEvent[]): Promise<void> {
    this.#announce()
    return this.#store(events)
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
    const { inbox, policy } = this.#state
    const { lastNumber } = inbox
    const outcome = await this.#records.commit(policy.takeChanges(), this.clock.wallMs())
    // Events are shown even if they cannot be stored. A notice then says that they are not recorded.
    if (inbox.showThrough(lastNumber)) this.events.emit('changed', null)
    return outcome
  }

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

  /** Writes a result into its event. Results that come together are written together. */
  noteOutcome(eventId: string, change: EventOutcome): void {
    this.#outcomes.push({ eventId, change })
    if (this.#outcomes.length === 1) this.#noting = this.#noting.then(() => this.#noteOutcomes())
  }

  async #noteOutcomes(): Promise<void> {
    const { inbox } = this.#state
    const outcomes = this.#outcomes
    this.#outcomes = []
    const changed = new Set<string>()
    const note = (event: AlertEvent | undefined, change: EventOutcome) => {
      if (event === undefined || Object.entries(change).every(([name, value]) => Reflect.get(event, name) === value))
        return
      inbox.replace({ ...event, ...change })
      changed.add(event.id)
    }
    const older: typeof outcomes = []
    await inTurns(this.clock, outcomes, (outcome) => {
      const event = inbox.recent(outcome.eventId)
      if (event === undefined) older.push(outcome)
      else note(event, outcome.change)
    })
    for (const { eventId, change } of older) note(await inbox.get(eventId), change)
    if (changed.size > 0) await this.commit([])
  }

  /** Sends queued notifications at once. Call `flush` afterwards to store their results. */
  dispose(): void {
    this.#hasEnded = true
    this.#work.finish()
    this.#due.plan(undefined)
    this.#silence.dispose()
    this.#fixings.reset()
    this.#queue.dispose()
    this.#refolds.stop()
    if (this.#state.noteRest()) void this.#store([])
  }

  #begin(): void {
    this.#refolds.stop()
    this.#waiting = []
    this.#learning = []
    this.#unknown = []
    this.#undoable = []
    this.#unread.take()
    this.#records = new Records(this.#options.tape)
    this.#state = new AlertState({ ...this.#options, records: this.#records })
    this.#refolds = this.#newRefolds()
  }

  #newRefolds(): RefoldQueue {
    const { clock, cadenceOf } = this.#options
    return new RefoldQueue({
      clock,
      records: this.#records,
      rulesOf: (id) => this.#state.rules.ofIndex(id),
      cadenceOf,
      eventOf: (id) => this.#state.inbox.get(id),
      onFolded: (folded) => this.#folded(folded),
      onPostponed: (id) => this.#stepWaiting(id),
      isJudging: () => this.#work.isBusy,
      judged: () => this.#work.idle(),
    })
  }

  #folded(folded: FoldedIndex): void {
    const { id } = folded
    const { events, hasChanged, isToBeStored } = this.#state.refolded(folded)
    const hasDue = this.#noteDue(id)
    this.#conclude({ events, hasChanged, isToBeStored: isToBeStored || hasDue })
    // A rule that had finished may expire again. To look at all rules for each index would be quadratic.
    const dueMs = this.#state.nextDueMsOf(id)
    if (dueMs !== undefined) this.#due.bringForward(dueMs)
    this.#stepWaiting(id)
  }

  /** Judges the values that waited while the index was folded again. */
  #stepWaiting(id: IndexId): void {
    const waiting = this.#waiting.filter((value) => value.id === id)
    this.#waiting = this.#waiting.filter((value) => value.id !== id)
    for (const { publication, source } of waiting) this.#step(id, publication, source)
  }

  /** Folds a range whose values were written. If they were refused, the next successful commit folds it. */
  #refold(learning: { id: IndexId; due: Due; isRefused: boolean }, outcome: Outcome<Learned[]>): void {
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

  /** Reports the times without known values before this value. */
  #concludeUnknown(id: IndexId, publishedAtMs: number): void {
    const ended = this.#unknown.filter((range) => range.id === id && range.fromMs < publishedAtMs)
    this.#unknown = this.#unknown.filter((range) => !ended.includes(range))
    for (const { fromMs, toMs } of ended) {
      const untilMs = Math.min(toMs, publishedAtMs)
      const isGap = untilMs - fromMs > allowedGapMs(this.#options.cadenceOf(id))
      if (isGap) this.#conclude(this.#state.noteUnknown(id, { fromMs, toMs: untilMs }))
    }
  }

  /** Stores which range of an index is still to be folded. Answers whether that changed. */
  #noteDue(id: IndexId): boolean {
    return this.#records.due(id, this.#dueOf(id), this.clock.wallMs())
  }

  #dueOf(id: IndexId): Due | undefined {
    const all = [this.#refolds.dueOf(id), ...this.#learning.map((each) => (each.id === id ? each.due : undefined))]
    return all.reduce((sum, each) => (sum === undefined ? each : each === undefined ? sum : union(sum, each)))
  }

  /** An expiry or the end of a cooldown comes before a later value. */
  #comeDueFirst(): void {
    if (this.#due.isDue) this.#comeDue()
  }

  #comeDue(): void {
    if (this.#isComingDue) return
    this.#isComingDue = true
    void this.judge(() => this.#dueNow())
  }

  *#dueNow(): Generator<Judgement> {
    try {
      yield* this.#state.due()
    } finally {
      this.#isComingDue = false
      this.#plan()
    }
  }

  #conclude({ events, hasChanged, isToBeStored }: Judgement): void {
    if (hasChanged) this.#announce()
    if (isToBeStored) void this.#store(events)
  }

  #plan(): void {
    this.#due.plan(this.#state.nextDueMs())
  }

  #announce(): void {
    if (!this.#hasEnded) this.#follow()
    this.events.emit('changed', null)
  }

  /** Informs the watches that look at all rules, if rules or policy changed since the last call. */
  #follow(): void {
    const { rules, policy } = this.#state
    const before = this.#followed
    this.#followed = { rules, rulesRevision: rules.revision, policyRevision: policy.revision }
    const areOthers = rules !== before?.rules || rules.revision !== before.rulesRevision
    if (areOthers) {
      this.#silence.rulesChanged(rules.watched('silence'))
      this.#fixings.rulesChanged(rules.watched('fixing'))
    }
    if (areOthers || policy.revision !== before.policyRevision) this.#plan()
  }

  #notify(queued: AlertNotification): void {
    const { notification, dropped } = withoutRules(queued, this.#removed)
    for (const { id } of dropped) this.noteOutcome(id, { delivery: 'off' })
    if (notification !== undefined) this.events.emit('notify', notification)
  }
}

export function waitsForAmendments({ rule }: ActiveRule): boolean {
  return specOf(rule.terms.condition).seesRevisions === true
}

/** Judges until nothing is left or the turn is over. */
function nextPart(judgements: Iterator<Judgement>, isOver: () => boolean): Judgement & { isLast: boolean } {
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
