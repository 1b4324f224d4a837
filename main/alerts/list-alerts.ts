import * as v from 'valibot'
import { draftOf } from '../../core/alert-schema'
import { draftKey, ruleWords } from '../../core/alert-words'
import type { AlertDraft, AlertRule, AlertView, RuleDraft } from '../../core/alerts'
import { formatDecimal } from '../../core/decimal'
import {
  draftFor,
  listAlertSchema,
  listedAt,
  targetKey,
  viewOfListAlert,
  type ListAlert,
  type ListTarget,
} from '../../core/list-alerts'
import {
  done,
  failure,
  ok,
  type Failure,
  type IndexId,
  type Outcome,
  type Quote,
  type Watchlist,
} from '../../core/model'
import { isSame } from '../../core/same'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { parseJson } from '../base/sanitize'
import type { HistoryAccess } from '../history-store/contract'
import type { AlertEngine } from './engine'
import { cannotUndo, notReady } from './refusals'

interface ListAlertEvents {
  changed: null
  /** A sentence the user should read once. */
  notice: string
}

interface Options {
  clock: Pick<Clock, 'wallMs' | 'monotonicMs'>
  newId: () => string
  history: Pick<HistoryAccess, 'query' | 'commit'>
  engine: Pick<AlertEngine, 'isJudging' | 'judged' | 'views' | 'createAll' | 'edit' | 'remove' | 'putBack'>
  watchlists: () => readonly Watchlist[]
  /** False while the lists in use are not those that the user saved. */
  areListsKnown: () => boolean
  /** Returns a check of drafts against what the services offer now. */
  checker: () => (draft: AlertDraft) => Failure | undefined
  latestOf: (id: IndexId) => Quote | undefined
  onError: (error: unknown) => void
}

const keyStart = 'list-alert:'
/** An index that returns to its list within this time continues with the state that its rule had. */
const returnMs = 60_000

const unknownList = failure('unknownList', 'That watchlist or section no longer exists. Choose another.')

/**
 * Owns the alerts that follow a list. Each keeps one rule for each index of its list. The rule is created when the index is
 * added, is edited with the alert, and is deleted when the index is removed. The engine judges these rules like any
 * other. An index that cannot have the condition gets no rule. If this turns out before its first value, the rule is
 * deleted without a message. The alerts are stored in the history, beside the rules.
 */
export class ListAlerts {
  readonly events: Emitter<ListAlertEvents>
  readonly #options: Options
  /** By id. Replaced when the history is switched, which ends work on the old one. */
  #held = new Map<string, ListAlert>()
  #isRead = false
  /** Deleted alerts whose deletion can be undone. */
  readonly #deleted = new Map<string, ListAlert>()
  /** The deleted rules, by alert and index. `atMs` is monotonic. It is infinite if the alert was deleted. */
  readonly #removed = new Map<string, { ruleId: string; atMs: number }>()
  /** The lists at the last comparison. */
  #seen: readonly Watchlist[] | undefined
  #last: Promise<Outcome<unknown>> = Promise.resolve(done)

  constructor(options: Options) {
    this.#options = options
    this.events = new Emitter(options.onError)
  }

  /** In the order of creation. */
  all(): ListAlert[] {
    return [...this.#held.values()]
  }

  get(id: string): ListAlert | undefined {
    return this.#held.get(id)
  }

  /** Call when lists or rules changed. Does nothing if the rules fit the lists. */
  check(): void {
    const lists = this.#options.watchlists()
    if (!this.#canFollow || lists === this.#seen) return
    void this.#follow().then((followed) => {
      if (!followed.ok && followed.problem.code !== 'notReady') this.events.emit('notice', followed.problem.message)
    })
  }

  /** Call when the services offer other indices. */
  offersChanged(): void {
    this.#seen = undefined
    this.check()
  }

  /** Resolves when the rules fit the lists, or cannot. */
  async settled(): Promise<void> {
    await this.#last
  }

  /** Call before another history is used. */
  leave(): void {
    this.#held = new Map()
    this.#isRead = false
    this.#seen = undefined
    this.#deleted.clear()
    this.#removed.clear()
    this.events.emit('changed', null)
  }

  /** A condition that is already true does not fire. Refused if no index of the list can have the draft. */
  create(draft: AlertDraft, target: ListTarget): Promise<Outcome<AlertView>> {
    const { newId, clock } = this.#options
    return this.#put({ id: newId(), target, name: '', draft, createdAtMs: clock.wallMs() })
  }

  /** Each index starts again with the draft. Keeps the list without `target`. */
  async edit(id: string, draft: AlertDraft, target?: ListTarget): Promise<Outcome<AlertView>> {
    const alert = this.#held.get(id)
    return alert === undefined ? notReady : this.#put({ ...alert, draft, ...(target !== undefined && { target }) })
  }

  /** Deletes the alert with its rules. */
  async remove(id: string): Promise<Outcome<null>> {
    const alert = this.#held.get(id)
    if (alert === undefined) return notReady
    this.#deleted.set(id, alert)
    this.#drop(id)
    const followed = await this.#follow()
    return followed.ok ? done : followed
  }

  /** Undoes `remove`: each rule continues with the state that it had. */
  async putBack(id: string): Promise<Outcome<AlertView>> {
    const alert = this.#deleted.get(id)
    if (alert === undefined) return cannotUndo
    this.#hold(alert)
    const followed = await this.#follow()
    return followed.ok ? ok(viewOfListAlert(alert, this.#options.watchlists())) : followed
  }

  /** Whether `putBack` can restore it. */
  wasRemoved(id: string): boolean {
    return this.#deleted.has(id)
  }

  async #put(unnamed: ListAlert): Promise<Outcome<AlertView>> {
    const listed = listedAt(this.#options.watchlists(), unnamed.target)
    if (listed === undefined) return unknownList
    if (!this.#isRead) return notReady
    const alert = { ...unnamed, name: listed.name }
    const refusal = this.#duplicate(alert) ?? this.#faultOfAll(alert, listed.ids)
    if (refusal !== undefined) return refusal
    const before = this.#held.get(alert.id)
    this.#hold(alert)
    const followed = await this.#follow()
    if (followed.ok) return ok(viewOfListAlert(alert, this.#options.watchlists()))
    if (before === undefined) this.#drop(alert.id)
    else this.#hold(before)
    await this.#follow()
    return followed
  }

  #duplicate(alert: ListAlert): Failure | undefined {
    const keyOf = ({ draft, target }: ListAlert) => draftKey({ ...draft, indexId: targetKey(target) })
    const equal = this.all().find((each) => each.id !== alert.id && keyOf(each) === keyOf(alert))
    if (equal === undefined) return undefined
    const words = ruleWords(viewOfListAlert(equal, this.#options.watchlists()), formatDecimal)
    return failure('duplicate', `You already have this alert: ${words}.`)
  }

  /** The first fault if each index has one. */
  #faultOfAll(alert: ListAlert, ids: readonly IndexId[]): Failure | undefined {
    const check = this.#options.checker()
    const faults = ids.map((id) => check(draftFor(alert, id)))
    return faults.includes(undefined) ? undefined : faults[0]
  }

  #hold(alert: ListAlert): void {
    this.#held.set(alert.id, alert)
    const document = { key: keyStart + alert.id, atMs: alert.createdAtMs, document: JSON.stringify(alert) }
    // A batch that fails is written later, like the rules.
    void this.#options.history.commit({ documents: [document] })
    this.events.emit('changed', null)
  }

  #drop(id: string): void {
    this.#held.delete(id)
    void this.#options.history.commit({ removedDocuments: [keyStart + id] })
    this.events.emit('changed', null)
  }

  get #canFollow(): boolean {
    return this.#options.engine.isJudging && this.#options.areListsKnown()
  }

  /** One comparison at a time. */
  #follow(): Promise<Outcome<unknown>> {
    this.#seen = this.#options.watchlists()
    const followed = this.#last.then(async () => {
      const compared = await this.#compare(this.#held)
      if (!compared.ok && compared.problem.code === 'notReady') this.#seen = undefined
      return compared
    })
    this.#last = followed
    return followed
  }

  /** Makes the rules fit the lists. */
  async #compare(held: ReadonlyMap<string, ListAlert>): Promise<Outcome<unknown>> {
    const { engine, latestOf, checker } = this.#options
    if (!this.#canFollow) return notReady
    if (!this.#isRead) {
      const read = await this.#read()
      if (!read.ok) return read
    }
    await engine.judged()
    const wanted = this.#wanted(held)
    const before = this.#members()
    const absent = [...wanted.keys()].filter((key) => !before.has(key))
    await Promise.all(absent.map((key) => this.#putBackRule(key)))
    const members = this.#members()
    const check = checker()
    await Promise.all(
      [...members].map(async ([key, rule]) => {
        const draft = wanted.get(key)
        if (draft === undefined) await this.#removeRule(key, rule, held)
        else if (rule.phase === 'waiting' && isUnfit(check(draft))) await engine.remove(rule.id)
        else if (!isSame(draftOf(rule), draftOf(draft))) {
          await engine.edit(rule.id, draft, 'wait', latestOf(rule.indexId))
        }
      }),
    )
    const added = [...wanted].flatMap(([key, draft]) => (members.has(key) || check(draft) !== undefined ? [] : [draft]))
    if (held !== this.#held) return notReady
    return added.length === 0 ? done : engine.createAll(added, latestOf)
  }

  async #read(): Promise<Outcome<null>> {
    const held = this.#held
    const found = await this.#options.history.query('documents', { prefix: keyStart })
    if (!found.ok) return found
    if (held !== this.#held) return notReady
    for (const { document } of found.value.toSorted((a, b) => a.atMs - b.atMs)) {
      const read = v.safeParse(listAlertSchema, parseJson(document))
      if (read.success) held.set(read.output.id, read.output)
    }
    const bad = found.value.length - held.size
    if (bad > 0) this.events.emit('notice', `${bad} alerts on lists could not be read. Create them again.`)
    this.#isRead = true
    this.events.emit('changed', null)
    return done
  }

  /** The draft of each rule that the lists ask for, by alert and index. */
  #wanted(held: ReadonlyMap<string, ListAlert>): Map<string, RuleDraft> {
    const lists = this.#options.watchlists()
    return new Map(
      [...held.values()].flatMap((alert) =>
        (listedAt(lists, alert.target)?.ids ?? []).map((indexId) => {
          return [memberKey(alert.id, indexId), { ...draftFor(alert, indexId), follows: alert.id }] as const
        }),
      ),
    )
  }

  #members(): Map<string, AlertView> {
    const { engine } = this.#options
    return new Map(
      engine
        .views()
        .flatMap((rule) => (rule.follows === undefined ? [] : [[memberKey(rule.follows, rule.indexId), rule]])),
    )
  }

  async #removeRule(key: string, { id, follows = '' }: AlertRule, held: ReadonlyMap<string, ListAlert>): Promise<void> {
    const { engine, clock } = this.#options
    this.#removed.set(key, { ruleId: id, atMs: held.has(follows) ? clock.monotonicMs() : Infinity })
    await engine.remove(id)
  }

  async #putBackRule(key: string): Promise<void> {
    const removed = this.#removed.get(key)
    this.#removed.delete(key)
    const { engine, clock } = this.#options
    if (removed !== undefined && clock.monotonicMs() - removed.atMs <= returnMs) await engine.putBack(removed.ruleId)
  }
}

/** True for an index that cannot have the condition. A rule that is only too late is kept and expires. */
function isUnfit(fault: Failure | undefined): boolean {
  return fault !== undefined && fault.problem.code !== 'expiresAt'
}

function memberKey(alertId: string, indexId: IndexId): string {
  return `${alertId} ${indexId}`
}
