import { checkDraft } from '../../protocol/alert-checks'
import { ruleWords } from '../../protocol/alert-words'
import type {
  AlertEvaluation,
  AlertEvent,
  AlertInputs,
  Delivery,
  InboxPage,
  InboxQuery,
} from '../../protocol/alert-events'
import type { AlertDraft, AlertRule, AlertSnooze, AlertView, SnoozeScope } from '../../protocol/alerts'
import { formatDecimal } from '../../protocol/decimal'
import type {
  ConstituentsPublication,
  CorporateAction,
  DecimalText,
  IndexId,
  Outcome,
  Publication,
  Quote,
  Resolution,
} from '../../protocol/model'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import type { JsonFile, JsonRead } from '../base/json-file'
import type { Log } from '../base/log'
import { readAlerts, toDocument } from './alert-document'
import type { AlertRecord } from './alert-document'
import { Inbox } from './inbox'
import { NoticeQueue, type Telling } from './notice-queue'
import { Quieting } from './quieting'
import { newerVersionNotice, readingNotice } from './reading-notice'
import { RuleRun } from './rule-run'
import type { Observation } from './rules/observation'
import { initialState, phaseOf, type WhenAlreadyMet } from './rules/state'
import { Runs } from './runs'
import { SilenceWatch } from './silence-watch'

export interface AlertEngineEvents {
  changed: null
  /** What is to be told by a notice; stored before. */
  told: Telling
  /** A sentence the user should read once. */
  notice: string
}

const mostRules = 2_000
const mostInAnswer = 200

/**
 * Owner of the alert rules, of their state and of the inbox. A firing is in the inbox on the disk before anybody hears
 * of it; where the disk fails, it is told all the same, since an alert lost is worse than one told twice.
 */
export class AlertEngine {
  readonly events: Emitter<AlertEngineEvents>
  #file: JsonFile | undefined
  readonly #clock: Clock
  readonly #newId: () => string
  readonly #cadenceOf: (id: IndexId) => Resolution | undefined
  readonly #runs = new Runs()
  readonly #quieting = new Quieting()
  readonly #queue: NoticeQueue
  readonly #silence: SilenceWatch
  #inbox = new Inbox()
  #setAside: readonly unknown[] = []
  /** Not before the file has been read: what is written would take the place of what stands in it. */
  #isReady = false
  /** The file is not ours to change. */
  #isForeign = false
  #isSaved = true
  #hasSaidNotSaved = false
  #lastSave: Promise<void> = Promise.resolve()

  constructor(options: {
    clock: Clock
    newId: () => string
    log: Log
    cadenceOf: (id: IndexId) => Resolution | undefined
  }) {
    const { clock, newId, log, cadenceOf } = options
    this.#clock = clock
    this.#newId = newId
    this.#cadenceOf = cadenceOf
    this.events = new Emitter((error) => {
      log.error('A listener of the alerts failed', { error: String(error) })
    })
    this.#queue = new NoticeQueue({
      clock,
      tell: (telling) => {
        this.events.emit('told', telling)
      },
    })
    this.#silence = new SilenceWatch({
      clock,
      cadenceOf,
      onSeen: (ruleId, seen) => {
        const run = this.#runs.get(ruleId)
        if (run !== undefined) this.#judge([run], seen)
      },
    })
  }

  /**
   * Reads rules, states and inbox and keeps them in this file from now on; those of the file before stay in theirs. To
   * be awaited before any value is considered. What went wrong comes as a notice.
   */
  async use(file: JsonFile): Promise<JsonRead['kind']> {
    this.#isReady = false
    if (this.#file !== undefined) await this.flush()
    this.#file = file
    this.#forgetAll()
    const read = await file.read()
    // Another file has been taken up meanwhile.
    if (this.#file !== file) return read.kind
    this.#isReady = true
    const found = 'value' in read ? readAlerts(read.value) : undefined
    if (found !== undefined && found.kind !== 'ok') {
      this.#isForeign = true
      this.events.emit('notice', newerVersionNotice(file.name))
    }
    if (found?.kind === 'ok') this.#take(found.record)
    const setAsideCount = found?.kind === 'ok' ? found.setAsideCount : 0
    const notice = readingNotice(read, file.name, setAsideCount)
    if (notice !== undefined) this.events.emit('notice', notice)
    if (setAsideCount > 0) await this.#commit([])
    else this.events.emit('changed', null)
    return read.kind
  }

  /** `latest` is the index's latest value as the app knows it; a cached one does not count. */
  async create(
    draft: AlertDraft,
    whenAlreadyMet: WhenAlreadyMet,
    latest: Quote | undefined,
  ): Promise<Outcome<AlertView>> {
    const refusal = this.#refusalOf(draft)
    if (refusal !== undefined) return refusal
    if (this.#runs.size >= mostRules) {
      return failure('tooManyRules', `There are ${mostRules} alerts already. Delete some first.`)
    }
    const rule: AlertRule = { ...draft, id: this.#newId(), version: 1, createdAtMs: this.#clock.wallMs() }
    return this.#begin(rule, whenAlreadyMet, latest)
  }

  /** All of them, or none and why not; in order. They wait where their condition holds already. */
  async createAll(drafts: readonly AlertDraft[]): Promise<Outcome<{ adds: number }>> {
    const refusal = drafts.map((draft) => this.#refusalOf(draft)).find((each) => each !== undefined)
    if (refusal !== undefined) return refusal
    for (const draft of drafts) {
      const rule: AlertRule = { ...draft, id: this.#newId(), version: 1, createdAtMs: this.#clock.wallMs() }
      this.#runs.put(new RuleRun(rule, initialState('wait')))
    }
    await this.#commit([])
    return { ok: true, value: { adds: drafts.length } }
  }

  /** The rule starts anew with this draft and may thus fire again. `latest` as in `create`. */
  async edit(
    ruleId: string,
    draft: AlertDraft,
    whenAlreadyMet: WhenAlreadyMet,
    latest: Quote | undefined,
  ): Promise<Outcome<AlertView>> {
    const refusal = this.#refusalOf(draft, ruleId)
    if (refusal !== undefined) return refusal
    const run = this.#runs.get(ruleId)
    if (run === undefined) return unknownRule
    const { id, version } = run.rule
    return this.#begin(
      { ...draft, id, version: version + 1, createdAtMs: this.#clock.wallMs() },
      whenAlreadyMet,
      latest,
    )
  }

  /** As `edit`, with another level alone. */
  async setLevel(ruleId: string, level: DecimalText, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    const run = this.#runs.get(ruleId)
    if (run === undefined) return unknownRule
    const draft = draftOf(run.rule)
    if (!('level' in draft.terms)) return failure('level', 'This alert has no level.')
    return this.edit(ruleId, { ...draft, terms: { ...draft.terms, level } }, 'wait', latest)
  }

  /** A rule that is done or suspended waits for its condition once more. `latest` as in `create`. */
  async arm(ruleId: string, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    const run = this.#runs.get(ruleId)
    return run === undefined ? unknownRule : this.#begin(run.rule, 'wait', latest)
  }

  async remove(ruleId: string): Promise<Outcome<null>> {
    if (this.#runs.get(ruleId) === undefined) return unknownRule
    this.#runs.remove(ruleId)
    this.#quieting.forget(ruleId)
    await this.#commit([])
    return { ok: true, value: null }
  }

  /** To be called once for every value that became the latest, in order. */
  consider(previous: Quote | undefined, next: Quote): void {
    if (next.source === 'cache') return
    this.#silence.heard(next.id, next)
    if (previous?.publishedAtMs === next.publishedAtMs && previous.source !== 'cache') this.correct(next.id, next)
    else this.#judge(this.#runs.ofIndex(next.id), this.#valueSeen(previous, next))
  }

  /** A value that had been published was amended. */
  correct(id: IndexId, publication: Publication): void {
    for (const run of this.#runs.ofIndex(id)) run.amend(publication)
  }

  considerConstituents(id: IndexId, publication: ConstituentsPublication): void {
    this.#judge(this.#runs.ofIndex(id), { kind: 'constituents', publication })
  }

  considerCorporateAction(id: IndexId, action: CorporateAction | null): void {
    this.#judge(this.#runs.ofIndex(id), { kind: 'corporateAction', action })
  }

  /** The machine woke. */
  woke(): void {
    this.#silence.restart()
  }

  views(): AlertView[] {
    return this.#runs.all().map(({ rule, state }) => ({ ...rule, phase: phaseOf(rule, state) }))
  }

  snoozes(): AlertSnooze[] {
    return this.#quieting.snoozes()
  }

  async snooze(scope: SnoozeScope, untilMs: number | null): Promise<Outcome<null>> {
    this.#quieting.snooze(scope, untilMs)
    await this.#commit([])
    return { ok: true, value: null }
  }

  async endSnooze(scope: SnoozeScope): Promise<Outcome<null>> {
    this.#quieting.endSnooze(scope)
    await this.#commit([])
    return { ok: true, value: null }
  }

  /** The newest events, newest first. */
  inbox(): AlertEvent[] {
    return this.#inbox.newestFirst(mostInAnswer)
  }

  page(_query: InboxQuery): InboxPage {
    return { events: this.inbox(), hasMore: false }
  }

  /** The last evaluations of a rule in this run, newest first. */
  explain(_ruleId: string): AlertEvaluation[] {
    return []
  }

  unreadCount(): number {
    return this.#inbox.unreadCount()
  }

  markRead(): void {
    if (this.#inbox.markRead()) void this.#commit([])
  }

  noteDelivery(eventId: string, delivery: Delivery): void {
    if (this.#inbox.noteDelivery(eventId, delivery)) void this.#commit([])
  }

  noteWebhook(_eventId: string, _result: string): void {
    void this.#commit([])
  }

  /** Done when everything is stored, or one more attempt has failed, and every firing has been told. */
  async flush(): Promise<void> {
    await this.#lastSave
    if (!this.#isSaved) await this.#commit([])
  }

  dispose(): void {
    this.#silence.dispose()
    this.#queue.dispose()
  }

  async #begin(
    rule: AlertRule,
    whenAlreadyMet: WhenAlreadyMet,
    latest: Quote | undefined,
  ): Promise<Outcome<AlertView>> {
    const run = new RuleRun(rule, initialState(whenAlreadyMet))
    this.#runs.put(run)
    this.#quieting.renew(rule)
    const isReceived = latest !== undefined && latest.source !== 'cache'
    const events = isReceived ? this.#record(run, run.see(this.#valueSeen(undefined, latest)).firings) : []
    await this.#commit(events)
    return { ok: true, value: { ...rule, phase: phaseOf(rule, run.state) } }
  }

  #refusalOf(draft: AlertDraft, exceptRuleId?: string): Outcome<never> | undefined {
    if (!this.#isReady) return failure('notReady', 'The alerts are still being read. Try again in a moment.')
    if (this.#isForeign)
      return failure('newerAlerts', 'The alerts file is of a newer version. Install that to make alerts.')
    const problem = checkDraft(draft, { nowMs: this.#clock.wallMs() })[0]
    if (problem !== undefined) return failure(problem.field, problem.message)
    const equal = this.#runs.findEqual(draft, exceptRuleId)
    if (equal === undefined) return undefined
    return failure('duplicate', `There is already such an alert: ${ruleWords(equal.rule, formatDecimal)}.`)
  }

  #valueSeen(previous: Quote | undefined, next: Quote): Observation {
    const { id, source: _source, ...publication } = next
    const cadence = this.#cadenceOf(id)
    return {
      kind: 'value',
      publication,
      ...(previous !== undefined && { previous: { value: previous.value, publishedAtMs: previous.publishedAtMs } }),
      ...(cadence !== undefined && { cadence }),
    }
  }

  #judge(runs: readonly RuleRun[], seen: Observation): void {
    const before = runs.map((run) => run.state)
    const events = runs.flatMap((run) => this.#record(run, run.see(seen).firings))
    if (runs.some((run, at) => run.state !== before[at])) void this.#commit(events)
  }

  #record({ rule }: RuleRun, firings: readonly AlertInputs[]): AlertEvent[] {
    return firings.map((inputs) => {
      const event: AlertEvent = {
        id: this.#newId(),
        number: this.#inbox.nextNumber,
        kind: 'fired',
        ruleId: rule.id,
        ruleVersion: rule.version,
        indexId: rule.indexId,
        terms: rule.terms,
        severity: rule.severity,
        ...(rule.note !== undefined && { note: rule.note }),
        recordedAtMs: this.#clock.wallMs(),
        inputs,
        delivery: 'pending',
        isRead: false,
      }
      this.#inbox.append(event)
      return event
    })
  }

  #forgetAll(): void {
    this.#runs.clear()
    this.#inbox = new Inbox()
    this.#setAside = []
    this.#isForeign = false
    this.#isSaved = true
    this.#hasSaidNotSaved = false
  }

  #take({ rules, states, fired, quiet, inbox, setAside }: AlertRecord): void {
    for (const rule of rules) {
      this.#runs.put(new RuleRun(rule, states.get(rule.id) ?? initialState('wait'), fired.get(rule.id)))
    }
    this.#quieting.restore(quiet)
    // Whether a pending notice was seen before the app ended, nobody knows. It is in the record and does not fire again.
    this.#inbox = new Inbox(
      inbox.map((event) => (event.delivery === 'pending' ? { ...event, delivery: 'unknown' } : event)),
    )
    this.#setAside = setAside
  }

  /** Stores the present state, then tells of what fired. */
  #commit(fired: readonly AlertEvent[]): Promise<void> {
    this.#silence.rulesChanged(this.#runs.all().map(({ rule }) => rule))
    this.events.emit('changed', null)
    this.#isSaved = false
    this.#lastSave = this.#store().then(() => {
      this.#queue.add(fired)
    })
    return this.#lastSave
  }

  async #store(): Promise<void> {
    if (this.#file === undefined) return
    const all = this.#runs.all()
    const outcome = await this.#file.write(
      toDocument({
        rules: all.map(({ rule }) => rule),
        states: new Map(all.map(({ rule, state }) => [rule.id, state])),
        fired: new Map(all.map(({ rule, fired }) => [rule.id, fired])),
        quiet: this.#quieting.record(),
        inbox: this.#inbox.all(),
        setAside: this.#setAside,
      }),
    )
    this.#isSaved = outcome.ok
    if (!outcome.ok && !this.#hasSaidNotSaved) this.events.emit('notice', `Alerts: ${outcome.problem.message}`)
    this.#hasSaidNotSaved = !outcome.ok
  }
}

/** What the user decided on of a rule. */
function draftOf({ id: _id, version: _version, createdAtMs: _createdAtMs, ...draft }: AlertRule): AlertDraft {
  return draft
}

function failure(code: string, message: string): Outcome<never> {
  return { ok: false, problem: { code, message } }
}

const unknownRule = failure('unknownRule', 'This alert is gone already.')
