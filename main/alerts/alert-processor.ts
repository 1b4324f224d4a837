import type { AlertEvent, AlertNotification } from '../../protocol/alert-events'
import type { ConstituentsPublication, IndexId, Publication, Quote, Resolution } from '../../protocol/model'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { isFarFuture } from '../base/publication'
import type { JsonRead } from '../base/json-file'
import type { Log } from '../base/log'
import type { ActiveRule } from './active-rule'
import { AlertRepository, type AlertFiles } from './alert-repository'
import { AlertState, type Judgement } from './alert-state'
import type { TailSize } from './inbox'
import { NotificationQueue, withoutRules } from './policy/notification-queue'
import { newerAlerts, notReady, type Refusal } from './refusals'
import type { Observation, ValueSeen } from './rules/observation'
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
  cadenceOf: (id: IndexId) => Resolution | undefined
  /** How many events stay with the rules before they go to the archive. */
  tailSize?: TailSize
  /** Names the day a time belongs to where the user is, for what is limited to so many a day. */
  dayOf?: (ms: number) => string
}

/**
 * How long the progress of a hold may wait to be stored. After a kill the hold goes on from so much earlier: never too
 * soon, and to the same end where the app is back before the gap is longer than the hold bears, which is ten seconds.
 */
const progressSpacingMs = 2_000

/** The order of things in the alert engine: what is seen is judged, then stored, then notified. */
export class AlertProcessor {
  readonly events: Emitter<AlertEngineEvents>
  readonly clock: Clock
  readonly #options: AlertEngineOptions
  readonly #queue: NotificationQueue
  readonly #silence: SilenceWatch
  readonly #due: DueTimer
  #state: AlertState
  #repository: AlertRepository | undefined
  #refusal: Refusal | undefined = notReady
  /** Rules deleted in this run: what they have fired and is still queued is dropped. */
  readonly #removed = new Set<string>()
  #lastCommit: Promise<void> = Promise.resolve()
  /** What rules were shown last, by index. */
  readonly #latest = new Map<IndexId, Publication>()
  #cancelProgress: (() => void) | undefined
  #hasEnded = false

  constructor(options: AlertEngineOptions) {
    const { clock, log, cadenceOf } = options
    this.clock = clock
    this.#options = options
    this.#state = new AlertState(options)
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
        if (active !== undefined) this.see([active], seen)
      },
    })
  }

  get state(): AlertState {
    return this.#state
  }

  /** Why nothing can be made or changed now. */
  get refusal(): Refusal | undefined {
    return this.#refusal
  }

  async use(files: AlertFiles): Promise<JsonRead['kind']> {
    this.#refusal = notReady
    await this.flush()
    // Still of the service before, whose inbox is to say what becomes of it.
    this.#queue.flush()
    this.#silence.reset()
    const repository = new AlertRepository(files, (problem) => {
      this.events.emit('notice', `Alerts: ${problem.message}`)
    })
    this.#repository = repository
    this.#state = new AlertState(this.#options)
    const found = await repository.read()
    // Others have been taken up meanwhile.
    if (this.#repository !== repository) return found.kind
    this.#refusal = found.isForeign ? newerAlerts : undefined
    this.#state = new AlertState({ ...this.#options, ...found })
    if (!found.isForeign) repository.keep(this.#state)
    for (const notice of found.notices) this.events.emit('notice', notice)
    const due = this.#state.due()
    if (found.isToBeStored || due.hasChanged) await this.commit(due.events)
    else this.#announce()
    return found.kind
  }

  see(rules: readonly ActiveRule[], seen: Observation): void {
    this.#catchUp()
    this.#conclude(this.#state.see(rules, seen))
  }

  /** A time too far ahead to be true would keep out all that follows. */
  seeConstituents(id: IndexId, publication: ConstituentsPublication): void {
    if (isFarFuture(publication, this.clock.wallMs())) return
    const cadence = this.#options.cadenceOf(id)
    this.see(this.#state.rules.ofIndex(id), {
      kind: 'constituents',
      publication,
      ...(cadence !== undefined && { cadence }),
    })
  }

  amend(id: IndexId, publication: Publication): void {
    this.#catchUp()
    const rules = this.#state.rules.ofIndex(id)
    this.#conclude(this.#state.amend(rules, publicationOf(publication), this.#options.cadenceOf(id)))
  }

  /** A new value has come, so the index is not silent. */
  noteActivity(id: IndexId, publication: Publication): void {
    this.#silence.noteActivity(id, publication)
  }

  /** What rules are shown of a value. */
  valueSeen(previous: Quote | undefined, next: Quote): Observation {
    const cadence = this.#options.cadenceOf(next.id)
    const publication = publicationOf(next)
    const before = previous === undefined ? undefined : this.#previousOf(next.id, previous)
    this.#latest.set(next.id, publication)
    return {
      kind: 'value',
      publication,
      ...(before !== undefined && { previous: before }),
      ...(cadence !== undefined && { cadence }),
    }
  }

  /** What rules were shown last, where it says just this: thousands of values are kept, and each twice would be dear. */
  #previousOf(id: IndexId, { value, publishedAtMs }: Quote): ValueSeen['previous'] {
    const latest = this.#latest.get(id)
    const isShown = latest?.value === value && latest.publishedAtMs === publishedAtMs
    return isShown && Object.keys(latest).length === 2 ? latest : { value, publishedAtMs }
  }

  woke(): void {
    this.#silence.restart()
    this.#comeDue()
  }

  /** The rule is gone; nothing of it is notified any more. */
  remove(ruleId: string): Promise<void> {
    this.#removed.add(ruleId)
    this.#state.remove(ruleId)
    return this.commit([])
  }

  /** Stores the present state, then notifies of the events that are pending. */
  commit(events: readonly AlertEvent[]): Promise<void> {
    this.#announce()
    return this.#store(events)
  }

  #store(events: readonly AlertEvent[]): Promise<void> {
    this.#cancelProgress?.()
    this.#cancelProgress = undefined
    const stored = this.#repository?.save() ?? Promise.resolve()
    this.#lastCommit = stored.then(() => {
      this.#queue.add(events.filter(({ delivery }) => delivery === 'pending'))
    })
    return this.#lastCommit
  }

  async flush(): Promise<void> {
    await this.#lastCommit
    if (this.#repository?.isSaved === false) await this.#store([])
  }

  dispose(): void {
    this.#hasEnded = true
    this.#cancelProgress?.()
    this.#due.plan(undefined)
    this.#silence.dispose()
    this.#queue.dispose()
  }

  /** What came due before this moment comes before what is seen now. */
  #catchUp(): void {
    if (this.#due.isDue) this.#comeDue()
  }

  #comeDue(): void {
    const due = this.#state.due()
    if (due.hasChanged) void this.commit(due.events)
    else this.#plan()
  }

  #conclude({ events, hasChanged, hasProgressed }: Judgement): void {
    if (hasChanged) void this.commit(events)
    else if (hasProgressed) this.#storeSoon()
  }

  #storeSoon(): void {
    this.#repository?.noteProgress()
    this.#cancelProgress ??= this.clock.after(progressSpacingMs, () => void this.#store([]))
  }

  #plan(): void {
    this.#due.plan(this.#state.nextDueMs())
  }

  #announce(): void {
    if (!this.#hasEnded) {
      this.#silence.rulesChanged(this.#state.rules.all().map(({ rule }) => rule))
      this.#plan()
    }
    this.events.emit('changed', null)
  }

  #notify(queued: AlertNotification): void {
    const { notification, dropped } = withoutRules(queued, this.#removed)
    for (const { id } of dropped) this.#state.inbox.noteDelivery(id, 'off')
    if (dropped.length > 0) void this.commit([])
    if (notification !== undefined) this.events.emit('notify', notification)
  }
}

/** The publication alone, of a quote too. */
function publicationOf({ value, publishedAtMs, amendedAtMs, isRepeatOfPrevious }: Publication): Publication {
  return {
    value,
    publishedAtMs,
    ...(amendedAtMs !== undefined && { amendedAtMs }),
    ...(isRepeatOfPrevious !== undefined && { isRepeatOfPrevious }),
  }
}

/** The longest a clock can wait at once. */
const maxDelayMs = 24 * 86_400_000
/** Where something should have come due and has not, as after the wall clock was set back. */
const retryMs = 1_000

/** Runs something at a wall time that is planned again as things change. */
class DueTimer {
  readonly #clock: Clock
  readonly #run: () => void
  #atMs: number | undefined
  #cancel: (() => void) | undefined

  constructor(clock: Clock, run: () => void) {
    this.#clock = clock
    this.#run = run
  }

  /** Whether the time has come, also where the timer is late, as it is after the machine slept. */
  get isDue(): boolean {
    return this.#atMs !== undefined && this.#atMs <= this.#clock.wallMs()
  }

  /** The wall time; `undefined` for never. */
  plan(atMs: number | undefined): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#atMs = atMs
    if (atMs === undefined) return
    const delayMs = atMs - this.#clock.wallMs()
    this.#cancel = this.#clock.after(delayMs > 0 ? Math.min(delayMs, maxDelayMs) : retryMs, this.#run)
  }
}
