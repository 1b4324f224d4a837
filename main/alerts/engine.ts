import type {
  AlertEvaluation,
  AlertEvent,
  Delivery,
  InboxPage,
  InboxQuery,
  PastExplanation,
} from '../../core/alert-events'
import { draftKey } from '../../core/alert-words'
import type { AlertDraft, AlertRule, AlertSnooze, AlertView, RuleReach, SnoozeScope } from '../../core/alerts'
import {
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
import type { Emitter } from '../base/emitter'
import { inTurns } from '../base/work-queue'
import { compareVersions, noSource, type Source } from '../../core/publication'
import type { Learned } from '../tape/contract'
import type { ActiveRule } from './active-rule'
import {
  AlertProcessor,
  isReceived,
  waitsForAmendments,
  type AlertEngineEvents,
  type AlertEngineOptions,
} from './alert-processor'
import { explainPast } from './past'
import { inboxCsv } from './inbox-csv'
import { cannotUndo, draftRefusal, DraftsCheck, notReady, putBackRefusal, takesPlaceOf, unknownRule } from './refusals'
import type { ChangedRange } from './refold'
import type { WhenAlreadyMet } from '../../core/evaluation/state'

const dayMs = 86_400_000

/**
 * Owner of the alert rules, of their state and of the inbox, which are on the tape. A firing is on the disk, with the
 * value it was decided on, before anybody hears of it; where the disk fails, it is notified all the same, since an alert
 * lost is worse than one shown twice. Commands take the index's latest value as the app knows it, `latest`; a cached one
 * does not count. Values are handed to the tape before they are handed in here.
 */
export class AlertEngine {
  readonly events: Emitter<AlertEngineEvents>
  readonly #processor: AlertProcessor
  readonly #newId: () => string
  readonly #sourceOf: AlertEngineOptions['sourceOf']
  #listening: { of?: readonly ActiveRule[]; untilMs: number; rules: readonly AlertRule[] } = { untilMs: 0, rules: [] }

  constructor(options: AlertEngineOptions) {
    this.#processor = new AlertProcessor(options)
    this.#newId = options.newId
    this.#sourceOf = options.sourceOf
    this.events = this.#processor.events
  }

  /** Done when all is on the tape in use and nothing is decided on it any more: to be awaited before another is taken up. */
  leave(): Promise<void> {
    return this.#processor.leave()
  }

  /** Reads the rules of the current tape. Returns whether they could be read. Input waits until they are. */
  use(): Promise<boolean> {
    return this.#processor.use()
  }

  /** Tries again to read the rules, where that is still to be done. Answers whether they are read. */
  read(): Promise<boolean> {
    return this.#processor.read()
  }

  /** Whether the rules of the tape in use are read and judge what comes in. */
  get isJudging(): boolean {
    return this.#processor.isJudging
  }

  async create(
    draft: AlertDraft,
    whenAlreadyMet: WhenAlreadyMet,
    latest: Quote | undefined,
  ): Promise<Outcome<AlertView>> {
    const { state, clock, refusal } = this.#processor
    const check = new DraftsCheck(state.rules, clock.wallMs())
    check.look(draft)
    const fault = refusal ?? check.refusal()
    if (fault !== undefined) return fault
    // One that has fired is done and in the inbox: making it again takes its place.
    const done = takesPlaceOf(draft, state.rules)
    if (done !== undefined) state.remove(done.rule.id)
    return this.#begin(this.#newRule(draft), whenAlreadyMet, latest)
  }

  /**
   * All of them, or none and why not; in order. They are at work, and on the tape, from one moment on. They wait where their
   * condition holds already. `latestOf` gives the latest value of an index as the app knows it: of one that publishes once a day
   * the next may be the crossing. `adds` is how many were made: left out is one that its user makes by hand meanwhile, or that
   * expires then, and none because there are too many by then.
   */
  async createAll(
    drafts: readonly AlertDraft[],
    latestOf: (id: IndexId) => Quote | undefined,
  ): Promise<Outcome<{ adds: number }>> {
    const { state, clock, refusal } = this.#processor
    if (refusal !== undefined) return refusal
    const check = new DraftsCheck(state.rules, clock.wallMs())
    await inTurns(clock, drafts, (draft) => check.look(draft))
    const fault = check.refusal()
    if (fault !== undefined) return fault
    // The rules would be of another service now.
    if (state !== this.#processor.state) return notReady
    const adds = await this.#processor.beginAll(drafts, (draft) => [this.#newRule(draft), latestOf(draft.indexId)])
    return adds === undefined ? notReady : { ok: true, value: { adds } }
  }

  /** The rule starts again with this draft and may thus fire again; its version counts up. */
  async edit(
    ruleId: string,
    draft: AlertDraft,
    whenAlreadyMet: WhenAlreadyMet,
    latest: Quote | undefined,
  ): Promise<Outcome<AlertView>> {
    const { state, clock, refusal } = this.#processor
    const active = state.rules.get(ruleId)
    if (refusal !== undefined || active === undefined) return refusal ?? unknownRule
    const fault = draftRefusal(draft, state.rules, clock.wallMs(), ruleId)
    if (fault !== undefined) return fault
    const version = active.rule.version + 1
    return this.#begin({ ...draft, id: ruleId, version, createdAtMs: clock.wallMs() }, whenAlreadyMet, latest)
  }

  /** As `edit`, with another level alone. */
  async setLevel(ruleId: string, level: DecimalText, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    const { state, refusal } = this.#processor
    const active = state.rules.get(ruleId)
    if (refusal !== undefined || active === undefined) return refusal ?? unknownRule
    const { terms } = active.rule
    if (!('level' in terms)) return failure('level', 'This alert has no level.')
    return this.edit(ruleId, { ...active.rule, terms: { ...terms, level } }, 'wait', latest)
  }

  /** A rule that is done or suspended waits for its condition once more. */
  async arm(ruleId: string, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    const { state, clock, refusal } = this.#processor
    const active = state.rules.get(ruleId)
    if (refusal !== undefined || active === undefined) return refusal ?? unknownRule
    const { expiresAt } = active.rule
    if (expiresAt !== undefined && expiresAt.atMs <= clock.wallMs()) {
      return failure('expiresAt', 'This alert has expired. Edit it and choose a later expiry, or none.')
    }
    return this.#begin(active.rule, 'wait', latest)
  }

  /** What stands against that these rules can fire, as it is found out; absent: nothing any more. */
  async noteReach(found: ReadonlyMap<string, RuleReach | undefined>): Promise<void> {
    const { state, refusal } = this.#processor
    if (refusal !== undefined) return
    await this.#processor.judge(() => state.noteReaches(found))
  }

  /** Done when all that was seen is judged. Who changes a rule waits for it: the version before is to have seen all of it. */
  judged(): Promise<void> {
    return this.#processor.judged()
  }

  /** From this call on nothing of the rule fires or is notified. */
  async remove(ruleId: string): Promise<Outcome<null>> {
    const { state, refusal } = this.#processor
    if (refusal !== undefined || state.rules.get(ruleId) === undefined) return refusal ?? unknownRule
    await this.#processor.remove(ruleId)
    return { ok: true, value: null }
  }

  /**
   * Undoes `remove`: the same rule, with its id, version, state, history and place. Problems `unknownRule` where that is too
   * long ago, `duplicate` where an equal rule was made meanwhile, `tooManyRules`.
   */
  async putBack(ruleId: string): Promise<Outcome<AlertView>> {
    const { state, refusal } = this.#processor
    const removed = this.#processor.removedRule(ruleId)
    if (refusal !== undefined || removed === undefined) return refusal ?? cannotUndo
    const fault = putBackRefusal(removed.active, state.rules)
    if (fault !== undefined) return fault
    await this.#processor.putBack(removed)
    return { ok: true, value: state.view(removed.active) }
  }

  /**
   * To be called once for every value that became the latest, in order. `isBehind`: another source has published a later
   * one, so that it is not the next of its index.
   */
  consider(previous: Quote | undefined, next: Quote, source: Source = noSource, isBehind = false): void {
    if (next.source === 'cache' || this.#processor.postpone(next.id, [next], source)) return
    this.#processor.noteActivity(next.id, next)
    if (isBehind) {
      this.considerPast(next.id, next, source)
      return
    }
    const isSameTime = previous?.publishedAtMs === next.publishedAtMs
    // Amended, perhaps while the app was closed, it may undo what fired in an earlier run.
    const isAmended = isSameTime && compareVersions(previous, next) !== 0
    const isKnown = ({ last, start }: ActiveRule) => {
      if (last === undefined) return next.publishedAtMs <= (start?.atMs ?? 0)
      return next.publishedAtMs <= last.publishedAtMs && compareVersions(last, next) !== 0
    }
    if (isAmended || this.#rulesOf(next.id).some(isKnown)) this.considerPast(next.id, next, source)
    if (isSameTime && previous.source !== 'cache') return
    this.#processor.observeValue(next.id, next, source)
    this.#processor.step(next.id, next, source)
  }

  /** A value older than the latest has come: amended, or late. */
  considerPast(id: IndexId, publication: Publication, source: Source = noSource): void {
    if (this.#processor.postpone(id, [publication], source)) return
    const { publishedAtMs, amendedAtMs } = publication
    const waiting = amendedAtMs === undefined ? [] : this.#rulesOf(id).filter(waitsForAmendments)
    if (waiting.length > 0) this.#processor.observe(waiting, this.#processor.valueSeen(id, publication), { source })
    const cause = amendedAtMs === undefined ? 'history' : 'amendment'
    this.#processor.learned(id, [publishedAtMs], cause)
  }

  /**
   * Values that were missed have been learned, in any order. To be called in the turn in which they are handed to the
   * tape, with what the tape will answer.
   */
  learnedLate(
    id: IndexId,
    publications: readonly Publication[],
    committed: Promise<Outcome<Learned[]>>,
    source: Source = noSource,
  ): void {
    if (publications.length === 0 || this.#processor.postpone(id, publications, source)) return
    for (const active of this.#rulesOf(id).filter(waitsForAmendments)) {
      this.#processor.observeMissed(active, publications, source)
    }
    const timesMs = publications.map(({ publishedAtMs }) => publishedAtMs)
    this.#processor.learned(id, timesMs, 'history', committed)
  }

  /** Nobody can say what was published in this time. */
  notKnown(id: IndexId, range: ChangedRange): void {
    this.#processor.noteUnknown(id, range)
  }

  considerConstituents(id: IndexId, publication: ConstituentsPublication, source: Source = noSource): void {
    this.#processor.see(id, { kind: 'constituents', publication }, source)
  }

  considerConditions(id: IndexId, publication: MarketConditions, source: Source = noSource): void {
    this.#processor.see(id, { kind: 'conditions', publication }, source)
  }

  considerCorporateAction(id: IndexId, action: CorporateAction | null, source: Source = noSource): void {
    const rules = this.#processor.state.rules.observingOf(id)
    this.#processor.observe(rules, { kind: 'corporateAction', action }, { source })
  }

  /** The machine woke. */
  woke(): void {
    this.#processor.woke()
  }

  /** The user wants nothing received for now, or does again. */
  setPaused(isPaused: boolean): void {
    this.#processor.setPaused(isPaused)
  }

  /** In the order of creation. A view is the very same object while nothing of its rule has changed. */
  views(): AlertView[] {
    return this.#viewsOf(this.#processor.state.rules.all())
  }

  /** How many rules there are. */
  get count(): number {
    return this.#processor.state.rules.size
  }

  /** Of one rule; `undefined`: it is gone. */
  view(ruleId: string): AlertView | undefined {
    const { state } = this.#processor
    const active = state.rules.get(ruleId)
    return active && state.view(active)
  }

  /** Of the rules of one index. */
  viewsOf(id: IndexId): AlertView[] {
    return this.#viewsOf(this.#rulesOf(id))
  }

  /** The indices that rules are about. */
  indexIds(): Iterable<IndexId> {
    return this.#processor.state.rules.indexIds()
  }

  /** The rule that waits for the same as this draft, however their numbers are written, but for this one. */
  equalTo(draft: AlertDraft, exceptRuleId?: string): AlertRule | undefined {
    return this.#processor.state.rules.findEqual(draftKey(draft), exceptRuleId)?.rule
  }

  /**
   * The rules whose index is to be followed: one that is done as well, since an amendment may undo what it fired, and one
   * that has expired within a day, since what was published before its end may be learned late. The very same list while there
   * are no others.
   */
  listening(): readonly AlertRule[] {
    const { state, clock } = this.#processor
    const all = state.rules.all()
    const nowMs = clock.wallMs()
    if (all === this.#listening.of && nowMs < this.#listening.untilMs) return this.#listening.rules
    let untilMs = Infinity
    const rules: AlertRule[] = []
    for (const { rule, state } of all) {
      const overMs = rule.expiresAt === undefined || state.isDone ? Infinity : rule.expiresAt.atMs + dayMs
      if (overMs <= nowMs) continue
      untilMs = Math.min(untilMs, overMs)
      rules.push(rule)
    }
    this.#listening = { of: all, untilMs, rules }
    return rules
  }

  snoozes(): AlertSnooze[] {
    return this.#processor.state.policy.snoozes()
  }

  async snooze(scope: SnoozeScope, untilMs: number | null): Promise<Outcome<null>> {
    const { state, clock, refusal } = this.#processor
    if (refusal !== undefined) return refusal
    if (untilMs !== null && untilMs <= clock.wallMs()) {
      return failure('snoozeOver', 'Choose a time in the future.')
    }
    await this.#processor.judge(() => state.snooze(scope, untilMs))
    return { ok: true, value: null }
  }

  async endSnooze(scope: SnoozeScope): Promise<Outcome<null>> {
    const { state, refusal } = this.#processor
    if (refusal !== undefined) return refusal
    state.policy.endSnooze(scope)
    await this.#processor.commit([])
    return { ok: true, value: null }
  }

  /** The newest events, newest first. */
  inbox(): AlertEvent[] {
    return this.#processor.state.inbox.shown()
  }

  page(query: InboxQuery): Promise<Outcome<InboxPage>> {
    return this.#processor.state.inbox.page(query)
  }

  /** All events that the query asks for as a table, newest first, in pieces. Throws the message of a problem. */
  csv(query: InboxQuery): AsyncGenerator<string, void> {
    return inboxCsv(this.#processor.state.inbox.all(query))
  }

  /** The last evaluations of a rule in this run, newest first. */
  explain(ruleId: string): AlertEvaluation[] {
    return this.#processor.state.rules.get(ruleId)?.explain() ?? []
  }

  /**
   * Why a rule stood as it did at a time that is over: its run of then is folded again from the tape. The gap that the time
   * may lie in is for the history to say.
   */
  explainAt(ruleId: string, atMs: number): Promise<Outcome<PastExplanation>> {
    const { state, refusal } = this.#processor
    const active = state.rules.get(ruleId)
    if (refusal !== undefined || active === undefined) return Promise.resolve(refusal ?? unknownRule)
    return explainPast(this.#processor.records, ruleId, atMs)
  }

  unreadCount(): number {
    return this.#processor.state.inbox.unreadCount()
  }

  /** Counts up when an event that is not in `inbox()` has changed. */
  olderEventsVersion(): number {
    return this.#processor.state.inbox.olderVersion
  }

  markRead(): void {
    if (this.#processor.state.inbox.markRead()) void this.#processor.commit([])
  }

  noteDelivery(eventId: string, delivery: Delivery): void {
    this.#processor.noteOutcome(eventId, { delivery })
  }

  noteWebhook(eventId: string, result: string): void {
    this.#processor.noteOutcome(eventId, { webhookResult: result })
  }

  noteSecondChannel(eventId: string, result: string): void {
    this.#processor.noteOutcome(eventId, { secondChannel: result })
  }

  /** Done when everything is stored, or one more attempt has failed, and every pending event is queued. */
  flush(): Promise<void> {
    return this.#processor.flush()
  }

  /** What is still queued is notified now; `flush` then stores what became of it. */
  dispose(): void {
    this.#processor.dispose()
  }

  #newRule(draft: AlertDraft): AlertRule {
    return { ...draft, id: this.#newId(), version: 1, createdAtMs: this.#processor.clock.wallMs() }
  }

  async #begin(rule: AlertRule, first: WhenAlreadyMet, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    const { state } = this.#processor
    const active = state.begin(rule, first, latest)
    const source = this.#sourceOf?.(rule.indexId)
    const events = isReceived(latest) ? this.#processor.showLatest(active, latest, source) : []
    await this.#processor.commit(events)
    return { ok: true, value: this.#processor.state.view(active) }
  }

  #viewsOf(rules: readonly ActiveRule[]): AlertView[] {
    const { state } = this.#processor
    return rules.map((active) => state.view(active))
  }

  #rulesOf(id: IndexId): readonly ActiveRule[] {
    return this.#processor.state.rules.ofIndex(id)
  }
}
