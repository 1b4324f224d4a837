import type { AlertEvaluation, AlertEvent, Delivery, InboxPage, InboxQuery } from '../../protocol/alert-events'
import type { AlertDraft, AlertRule, AlertSnooze, AlertView, SnoozeScope } from '../../protocol/alerts'
import type {
  ConstituentsPublication,
  CorporateAction,
  DecimalText,
  IndexId,
  Outcome,
  Publication,
  Quote,
} from '../../protocol/model'
import type { Emitter } from '../base/emitter'
import type { JsonRead } from '../base/json-file'
import { AlertWork, type AlertEngineEvents, type AlertEngineOptions } from './alert-work'
import { inboxCsv } from './inbox-csv'
import type { AlertFiles } from './record-keeper'
import { failure } from './refusals'
import { RuleCommands } from './rule-commands'
import type { WhenAlreadyMet } from './rules/state'

const mostInAnswer = 200

/**
 * Owner of the alert rules, of their state and of the inbox. A firing is in the inbox on the disk before anybody hears
 * of it; where the disk fails, it is told all the same, since an alert lost is worse than one told twice.
 */
export class AlertEngine {
  readonly events: Emitter<AlertEngineEvents>
  readonly #work: AlertWork
  readonly #commands: RuleCommands

  constructor(options: AlertEngineOptions) {
    this.#work = new AlertWork(options)
    this.#commands = new RuleCommands(this.#work, options.newId)
    this.events = this.#work.events
  }

  /**
   * Reads rules, states and inbox and keeps them in these files from now on; those of the files before stay in theirs.
   * To be awaited before any value is considered. What went wrong comes as a notice.
   */
  use(files: AlertFiles): Promise<JsonRead['kind']> {
    return this.#work.use(files)
  }

  /** `latest` is the index's latest value as the app knows it; a cached one does not count. */
  create(draft: AlertDraft, whenAlreadyMet: WhenAlreadyMet, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    return this.#commands.create(draft, whenAlreadyMet, latest)
  }

  /**
   * All of them, or none and why not; in order. They wait where their condition holds already. `latestOf` gives the
   * latest value of an index as the app knows it: of one that publishes once a day the next may be the crossing.
   */
  createAll(
    drafts: readonly AlertDraft[],
    latestOf: (id: IndexId) => Quote | undefined,
  ): Promise<Outcome<{ adds: number }>> {
    return this.#commands.createAll(drafts, latestOf)
  }

  /** The rule starts anew with this draft and may thus fire again; its version counts up. `latest` as in `create`. */
  edit(
    ruleId: string,
    draft: AlertDraft,
    whenAlreadyMet: WhenAlreadyMet,
    latest: Quote | undefined,
  ): Promise<Outcome<AlertView>> {
    return this.#commands.edit(ruleId, draft, whenAlreadyMet, latest)
  }

  /** As `edit`, with another level alone. */
  setLevel(ruleId: string, level: DecimalText, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    return this.#commands.setLevel(ruleId, level, latest)
  }

  /** A rule that is done or suspended waits for its condition once more. `latest` as in `create`. */
  arm(ruleId: string, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    return this.#commands.arm(ruleId, latest)
  }

  /** From this call on nothing of the rule fires or is told. */
  remove(ruleId: string): Promise<Outcome<null>> {
    return this.#commands.remove(ruleId)
  }

  /** To be called once for every value that became the latest, in order. */
  consider(previous: Quote | undefined, next: Quote): void {
    if (next.source === 'cache') return
    this.#work.heard(next.id, next)
    const isSameTime = previous?.publishedAtMs === next.publishedAtMs
    // Amended while the app was closed, it may undo what fired in an earlier run.
    if (isSameTime) this.correct(next.id, next)
    const runs = this.#work.book.runs.ofIndex(next.id)
    if (runs.length > 0 && (!isSameTime || previous.source === 'cache')) {
      this.#work.see(runs, this.#work.valueSeen(previous, next))
    }
  }

  /** A value that had been published was amended. */
  correct(id: IndexId, publication: Publication): void {
    this.#work.amend(id, publication)
  }

  considerConstituents(id: IndexId, publication: ConstituentsPublication): void {
    this.#work.seeConstituents(id, publication)
  }

  considerCorporateAction(id: IndexId, action: CorporateAction | null): void {
    this.#work.see(this.#work.book.runs.ofIndex(id), { kind: 'corporateAction', action })
  }

  /** The machine woke. */
  woke(): void {
    this.#work.woke()
  }

  /** In the order of creation. A view is the very same object while nothing of its rule has changed. */
  views(): AlertView[] {
    const { book } = this.#work
    return book.runs.all().map((run) => book.view(run))
  }

  /** The rules that need to hear of their index: one that is done as well, since an amendment may undo what it told. */
  listening(): AlertRule[] {
    const { book } = this.#work
    return book.runs.all().flatMap((run) => (book.view(run).phase === 'expired' ? [] : [run.rule]))
  }

  snoozes(): AlertSnooze[] {
    return this.#work.book.quieting.snoozes()
  }

  async snooze(scope: SnoozeScope, untilMs: number | null): Promise<Outcome<null>> {
    const { book, clock, refusal } = this.#work
    if (refusal !== undefined) return refusal
    if (untilMs !== null && untilMs <= clock.wallMs()) {
      return failure('snoozeOver', 'Choose a time that is still to come.')
    }
    await this.#work.commit(book.snooze(scope, untilMs).events)
    return { ok: true, value: null }
  }

  async endSnooze(scope: SnoozeScope): Promise<Outcome<null>> {
    const { book, refusal } = this.#work
    if (refusal !== undefined) return refusal
    book.quieting.endSnooze(scope)
    await this.#work.commit([])
    return { ok: true, value: null }
  }

  /** The newest events, newest first. */
  inbox(): AlertEvent[] {
    return this.#work.book.inbox.newestFirst(mostInAnswer)
  }

  page(query: InboxQuery): InboxPage {
    return this.#work.book.inbox.page(query)
  }

  /** All events at hand that the query asks for, as a table, newest first. */
  csv(query: InboxQuery): string {
    return inboxCsv(this.#work.book.inbox.find(query))
  }

  /** The last evaluations of a rule in this run, newest first. */
  explain(ruleId: string): AlertEvaluation[] {
    return this.#work.book.explain(ruleId)
  }

  unreadCount(): number {
    return this.#work.book.inbox.unreadCount()
  }

  markRead(): void {
    if (this.#work.book.inbox.markRead()) void this.#work.commit([])
  }

  noteDelivery(eventId: string, delivery: Delivery): void {
    if (this.#work.book.inbox.noteDelivery(eventId, delivery)) void this.#work.commit([])
  }

  noteWebhook(eventId: string, result: string): void {
    if (this.#work.book.inbox.noteWebhook(eventId, result)) void this.#work.commit([])
  }

  /** Done when everything is stored, or one more attempt has failed, and every firing has been told. */
  flush(): Promise<void> {
    return this.#work.flush()
  }

  /** What still waits to be told is told now; `flush` then stores what became of it. */
  dispose(): void {
    this.#work.dispose()
  }
}
