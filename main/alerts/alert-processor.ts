import type { AlertEvent, AlertNotification, AlertOrigin, Delivery } from '../../protocol/alert-events'
import type { IndexId, Outcome, Publication, Quote, Resolution } from '../../protocol/model'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { isFarFuture, publicationOf } from '../base/publication'
import type { Log } from '../base/log'
import type { Learned, TapeAccess } from '../tape/contract'
import type { ActiveRule } from './active-rule'
import type { ActiveRules } from './active-rules'
import { AlertState, type Judgement } from './alert-state'
import { DueTimer } from './due-timer'
import { FixingWatch } from './fixing-watch'
import { NotificationQueue, withoutRules } from './policy/notification-queue'
import { Records, type Due } from './records'
import { isFolded, type ChangedRange } from './refold'
import { RefoldQueue, union, type FoldedIndex } from './refold-queue'
import { newerAlerts, notRead, notReady, type Refusal } from './refusals'
import { UnreadValues } from './unread-values'
import { allowedGapMs, type ConditionsSeen, type ConstituentsSeen, type Observation } from './rules/observation'
import { SilenceWatch } from './silence-watch'

export interface AlertEngineEvents {
  changed: null
  /** What the user is to be notified of; stored before. */
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
  /** Names the day a time belongs to where the user is, for what is limited to so many a day. */
  dayOf?: (ms: number) => string
}

/** The order of things in the alert engine: what is seen is judged, then stored, then notified. */
export class AlertProcessor {
  readonly events: Emitter<AlertEngineEvents>
  readonly clock: Clock
  readonly #options: AlertEngineOptions
  readonly #queue: NotificationQueue
  readonly #silence: SilenceWatch
  readonly #fixings: FixingWatch
  readonly #due: DueTimer
  #records: Records
  #state: AlertState
  #refolds: RefoldQueue
  #refusal: Refusal | undefined = notReady
  /** Until the rules of the tape in use are read and stand where its values end. */
  #isReading = true
  readonly #unread = new UnreadValues()
  /** Rules deleted in this run: what they have fired and is still queued is dropped. */
  readonly #removed = new Set<string>()
  #lastCommit: Promise<void> = Promise.resolve()
  /** Values of an index that is being folded again; they are folded after it, in order. */
  #waiting: { id: IndexId; publication: Publication }[] = []
  /** Stretches that stay unknown, of which no later value has come yet. */
  #unknown: (ChangedRange & { id: IndexId })[] = []
  /** What was learned late and may not be on the tape yet. */
  #learning: { id: IndexId; due: Due; isRefused: boolean }[] = []
  #hasEnded = false
  #followed: { rules: ActiveRules; rulesRevision: number; policyRevision: number } | undefined

  constructor(options: AlertEngineOptions) {
    const { clock, log, cadenceOf, tape } = options
    this.clock = clock
    this.#options = options
    this.#records = new Records(tape)
    this.#state = new AlertState({ ...options, records: this.#records })
    this.#refolds = this.#newRefolds()
    this.events = new Emitter((error) => {
      log.error('A listener of the alerts failed', { error: String(error) })
    })
    this.#queue = new NotificationQueue({
      clock,
      notify: (notification) => {
        this.#notify(notification)
      },
    })
    this.#due = new DueTimer(clock, () => {
      this.#comeDue()
    })
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
        this.#conclude(this.#state.missing(active, dueMs))
      },
    })
  }

  get state(): AlertState {
    return this.#state
  }

  /** What is read from the tape; written to it by this alone. */
  get records(): Records {
    return this.#records
  }

  /** Why nothing can be made or changed now. */
  get refusal(): Refusal | undefined {
    return this.#refusal
  }

  /** Whether values are judged by the rules of the tape in use. */
  get isJudging(): boolean {
    return !this.#isReading
  }

  /** Ends the work on the tape in use: what is decided is stored and notified, and nothing is decided any more. */
  async leave(): Promise<void> {
    this.#refusal = notReady
    this.#isReading = true
    this.#refolds.stop()
    if (this.#state.noteRest()) void this.#store([])
    await this.flush()
    // Still of the service before, whose inbox is to say what becomes of it.
    this.#queue.flush()
    await this.flush()
    this.#silence.reset()
    this.#fixings.reset()
    this.#due.plan(undefined)
    this.#begin()
  }

  /** Takes up the rules of the tape now in use. Answers whether they could be read. */
  use(): Promise<boolean> {
    this.#refusal = notReady
    this.#isReading = true
    this.#begin()
    return this.read()
  }

  /**
   * Reads the rules, where they are not read yet, and judges by them from where they stood. What came in meanwhile is on the
   * tape, or with what waits for it, and is judged with the rest. Answers whether they are read.
   */
  async read(): Promise<boolean> {
    if (this.isJudging) return true
    const { tape } = this.#options
    const records = this.#records
    const kept = await records.read()
    const access = await tape.commit({})
    // Others have been taken up meanwhile.
    if (this.#records !== records) return true
    const isNewer = !access.ok && access.problem.code === 'newerVersion'
    this.#refusal = isNewer ? newerAlerts : kept.ok ? undefined : notRead(kept.problem)
    if (!kept.ok || isNewer) return false
    this.#state = new AlertState({ ...this.#options, records, kept: kept.value })
    const { rules, due, unreadableCount } = kept.value
    if (unreadableCount > 0) this.events.emit('notice', unreadableNotice(unreadableCount))
    // Those of an earlier run, before any of this one.
    const hasPending = this.#state.inbox.endPending()
    const resumed = rules.flatMap(({ run, fired }) => {
      const active = this.#state.rules.get(run.rule.id)
      return active === undefined ? [] : [{ active, fired }]
    })
    await this.#refolds.resume(resumed, due)
    if (this.#records !== records) return true
    this.#isReading = false
    const hasUnread = this.#judgeUnread()
    const come = this.#state.due()
    if (hasUnread || hasPending || come.hasChanged) await this.commit(come.events)
    else this.#announce()
    await this.flush()
    return true
  }

  /** While the rules are not read: notes values that are to be judged then. Answers whether that is so. */
  postpone(id: IndexId, publications: readonly Publication[]): boolean {
    if (this.#isReading) this.#unread.add(id, publications)
    return this.#isReading
  }

  /** Amendments come in the order they are made: those missed are later than the last one known. */
  observeMissed(active: ActiveRule, publications: readonly Publication[]): void {
    const known = (active.state.amendments ?? []).map(({ amendedAtMs }) => amendedAtMs)
    const knownMs = Math.max(active.run.startedAtMs, ...known)
    const missed = publications.filter(({ amendedAtMs = 0 }) => amendedAtMs > knownMs)
    for (const each of missed.toSorted((a, b) => (a.amendedAtMs ?? 0) - (b.amendedAtMs ?? 0))) {
      this.observe([active], this.valueSeen(active.rule.indexId, each), 'lateFromHistory')
    }
  }

  /** Answers whether there was anything: it is folded with the next commit that succeeds. */
  #judgeUnread(): boolean {
    const all = this.#unread.take().filter(({ id }) => this.#state.rules.ofIndex(id).length > 0)
    for (const { id, timesMs, due, amended } of all) {
      for (const active of this.#state.rules.foldedOf(id)) {
        if (active.reachBack(timesMs)) this.#records.run(active.run)
      }
      for (const active of this.#state.rules.ofIndex(id).filter(waitsForAmendments)) this.observeMissed(active, amended)
      this.#learning.push({ id, due, isRefused: true })
      this.#noteDue(id)
    }
    return all.length > 0
  }

  /** What rules that are not folded observe: constituents, corporate actions, silence, amendments as they come. */
  observe(rules: readonly ActiveRule[], seen: Observation, kind?: 'lateFromHistory'): void {
    if (rules.length === 0) return
    this.#comeDueFirst()
    this.#conclude(this.#state.observe(rules, seen, kind))
  }

  /** The next value of an index. While it is being folded again, the value waits for that. */
  step(id: IndexId, publication: Publication): void {
    this.#state.noteReceived(id, publication.publishedAtMs)
    if (this.#refolds.isRunning(id)) this.#waiting.push({ id, publication })
    else this.#step(id, publication)
  }

  #step(id: IndexId, publication: Publication): void {
    const { publishedAtMs, amendedAtMs } = publication
    this.#comeDueFirst()
    if (this.#unknown.length > 0) this.#concludeUnknown(id, publishedAtMs)
    // The first value of a version may have been published before it began: then the version before is to judge it, too.
    const isEarly = this.#state.rules.ofIndex(id).some(({ run: { number, fromMs, sinceMs } }) => {
      return number > 1 && fromMs === undefined && publishedAtMs <= sinceMs
    })
    const rules = this.#state.rules.foldedOf(id)
    if (rules.length > 0) this.#conclude(this.#state.step(rules, publication, this.#options.cadenceOf(id)))
    if (isEarly) this.learned(id, [publishedAtMs], amendedAtMs === undefined ? 'history' : 'amendment')
  }

  /** Shows a new value to the rules that are not folded. */
  observeValue(id: IndexId, value: Publication): void {
    const rules = this.#state.rules.observingOf(id)
    if (rules.length > 0) this.observe(rules, this.valueSeen(id, value))
  }

  /** What rules that are not folded are shown of a value. */
  valueSeen(id: IndexId, value: Publication): Observation {
    const cadence = this.#options.cadenceOf(id)
    return { kind: 'value', publication: publicationOf(value), ...(cadence !== undefined && { cadence }) }
  }

  /** Shows a rule that begins the latest value; answers what comes of it, to be committed with the rule. */
  showLatest(active: ActiveRule, latest: Quote): AlertEvent[] {
    const { id } = latest
    const publication = publicationOf(latest)
    const judgement = isFolded(active.rule.terms)
      ? this.#state.step([active], publication, this.#options.cadenceOf(id))
      : this.#state.observe([active], this.valueSeen(id, publication))
    return judgement.events
  }

  /** What an index publishes beside its value. A time too far ahead to be true would keep out all that follow. */
  see(id: IndexId, seen: Omit<ConstituentsSeen, 'cadence'> | Omit<ConditionsSeen, 'cadence'>): void {
    if (isFarFuture(seen.publication, this.clock.serviceMs())) return
    const cadence = this.#options.cadenceOf(id)
    this.observe(this.#state.rules.observingOf(id), { ...seen, ...(cadence !== undefined && { cadence }) })
  }

  /**
   * Values of these times past have become known or were amended; they are written to the tape in this turn. What is to be
   * folded is noted in the same transaction, so that a crash before it is done forgets nothing.
   */
  learned(id: IndexId, timesMs: readonly number[], cause: Due['cause'], committed?: Promise<Outcome<Learned[]>>): void {
    for (const active of this.#state.rules.foldedOf(id)) {
      if (active.reachBack(timesMs)) this.#records.run(active.run)
    }
    const fromMs = timesMs.reduce((minMs, atMs) => Math.min(minMs, atMs), Infinity)
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

  /** Nobody can say what was published in this time. It counts once a later value shows that something was missed. */
  noteUnknown(id: IndexId, range: ChangedRange): void {
    this.#unknown.push({ id, ...range })
    const lastMs = this.#state.rules.ofIndex(id).map(({ last }) => last?.publishedAtMs ?? 0)
    this.#concludeUnknown(id, Math.max(0, ...lastMs))
  }

  /** A new value has come, so the index is not silent. */
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

  /** The rule is gone; nothing of it is notified any more. */
  remove(ruleId: string): Promise<void> {
    this.#removed.add(ruleId)
    this.#state.remove(ruleId)
    return this.commit([])
  }

  /** Stores what has changed, then notifies of the events that are pending. */
  commit(events: readonly AlertEvent[]): Promise<void> {
    this.#announce()
    return this.#store(events)
  }

  #store(events: readonly AlertEvent[]): Promise<void> {
    const stored = this.#write()
    this.#lastCommit = Promise.all([this.#lastCommit, stored]).then(([, outcome]) => {
      this.#queue.add(events.filter(({ delivery }) => delivery === 'pending'))
      // What could not be written before is on the tape now.
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
    // What cannot be written is shown all the same; a notice says that it is not recorded.
    if (inbox.showThrough(lastNumber)) this.events.emit('changed', null)
    return outcome
  }

  async flush(): Promise<void> {
    let last: Promise<void>
    do {
      last = this.#lastCommit
      await last
      await this.#refolds.idle()
    } while (last !== this.#lastCommit)
  }

  /** Notes what became of a notification. */
  async noteOutcome(
    eventId: string,
    change: { delivery: Delivery } | { webhookResult: string } | { secondChannel: string },
  ): Promise<void> {
    const { inbox } = this.#state
    const event = inbox.recent(eventId) ?? (await inbox.get(eventId))
    if (event === undefined || Object.entries(change).every(([name, value]) => Reflect.get(event, name) === value))
      return
    inbox.replace({ ...event, ...change })
    await this.commit([])
  }

  /** What is still queued is notified now; `flush` then stores what became of it. */
  dispose(): void {
    this.#hasEnded = true
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
      onFolded: (folded) => {
        this.#folded(folded)
      },
      onPostponed: (id) => {
        this.#stepWaiting(id)
      },
    })
  }

  #folded(folded: FoldedIndex): void {
    const { id } = folded
    const { events, hasChanged, isToBeStored } = this.#state.refolded(folded)
    const hasDue = this.#noteDue(id)
    this.#conclude({ events, hasChanged, isToBeStored: isToBeStored || hasDue })
    // A rule that was done may have its end to come again. Going by all rules for each index would be quadratic.
    const dueMs = this.#state.nextDueMsOf(id)
    if (dueMs !== undefined) this.#due.bringForward(dueMs)
    this.#stepWaiting(id)
  }

  /** Judges what came in while the index was being folded again. */
  #stepWaiting(id: IndexId): void {
    const waiting = this.#waiting.filter((value) => value.id === id)
    this.#waiting = this.#waiting.filter((value) => value.id !== id)
    for (const { publication } of waiting) this.#step(id, publication)
  }

  /** What was learned is on the tape, or cannot be written yet: then it is folded once something can. */
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

  /** Outages that this value, or one before it, has ended. */
  #concludeUnknown(id: IndexId, publishedAtMs: number): void {
    const ended = this.#unknown.filter((range) => range.id === id && range.fromMs < publishedAtMs)
    this.#unknown = this.#unknown.filter((range) => !ended.includes(range))
    for (const { fromMs, toMs } of ended) {
      const untilMs = Math.min(toMs, publishedAtMs)
      const isGap = untilMs - fromMs > allowedGapMs(this.#options.cadenceOf(id))
      if (isGap) this.#conclude(this.#state.noteUnknown(id, { fromMs, toMs: untilMs }))
    }
  }

  /** What is still to be folded of an index, for the next run of the app. Answers whether that is news. */
  #noteDue(id: IndexId): boolean {
    const all = [this.#refolds.dueOf(id), ...this.#learning.map((each) => (each.id === id ? each.due : undefined))]
    const due = all.reduce((sum, each) => (sum === undefined ? each : each === undefined ? sum : union(sum, each)))
    return this.#records.due(id, due, this.clock.wallMs())
  }

  /** What came due before this moment comes before what is seen now. */
  #comeDueFirst(): void {
    if (this.#due.isDue) this.#comeDue()
  }

  #comeDue(): void {
    const due = this.#state.due()
    if (due.hasChanged) void this.commit(due.events)
    else this.#plan()
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

  /** What goes by all rules, where there are other rules or the policy has decided something since it last went by them. */
  #follow(): void {
    const { rules, policy } = this.#state
    const before = this.#followed
    this.#followed = { rules, rulesRevision: rules.revision, policyRevision: policy.revision }
    const areOthers = rules !== before?.rules || rules.revision !== before.rulesRevision
    if (areOthers) {
      this.#silence.rulesChanged(rules.all().map(({ rule }) => rule))
      this.#fixings.rulesChanged(rules.all())
    }
    if (areOthers || policy.revision !== before.policyRevision) this.#plan()
  }

  #notify(queued: AlertNotification): void {
    const { notification, dropped } = withoutRules(queued, this.#removed)
    for (const { id } of dropped) void this.noteOutcome(id, { delivery: 'off' })
    if (notification !== undefined) this.events.emit('notify', notification)
  }
}

export function waitsForAmendments({ rule }: ActiveRule): boolean {
  return rule.terms.condition === 'amended'
}

function unreadableNotice(count: number): string {
  return `Entries of the alerts that could not be read: ${count}. They are left in the history file; check your alerts.`
}
