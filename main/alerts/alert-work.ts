import type { AlertEvent, Telling } from '../../protocol/alert-events'
import type { ConstituentsPublication, IndexId, Publication, Quote, Resolution } from '../../protocol/model'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { isFarFuture } from '../base/far-future'
import type { JsonRead } from '../base/json-file'
import type { Log } from '../base/log'
import { AlertBook, type Judgement } from './book'
import { DueTimer } from './due-timer'
import type { TailSize } from './inbox'
import { NoticeQueue } from './notice-queue'
import { RecordKeeper, type AlertFiles } from './record-keeper'
import { newerAlerts, notReady, type Refusal } from './refusals'
import type { RuleRun } from './rule-run'
import type { Observation, ValueSeen } from './rules/observation'
import { SilenceWatch } from './silence-watch'
import { wantedTelling } from './wanted-telling'

export interface AlertEngineEvents {
  changed: null
  /** What is to be told by a notice; stored before. */
  told: Telling
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

/** The order of things in the alert engine: what is seen is judged, then stored, then told. */
export class AlertWork {
  readonly events: Emitter<AlertEngineEvents>
  readonly clock: Clock
  readonly #options: AlertEngineOptions
  readonly #queue: NoticeQueue
  readonly #silence: SilenceWatch
  readonly #due: DueTimer
  #book: AlertBook
  #keeper: RecordKeeper | undefined
  #refusal: Refusal | undefined = notReady
  /** Rules deleted in this run: what they have fired and is not yet told stays untold. */
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
    this.#book = new AlertBook(options)
    this.events = new Emitter((error) => {
      log.error('A listener of the alerts failed', { error: String(error) })
    })
    this.#queue = new NoticeQueue({
      clock,
      tell: (telling) => {
        this.#tell(telling)
      },
    })
    this.#due = new DueTimer(clock, () => {
      this.#comeDue()
    })
    this.#silence = new SilenceWatch({
      clock,
      cadenceOf,
      onSeen: (ruleId, seen) => {
        const run = this.#book.runs.get(ruleId)
        if (run !== undefined) this.see([run], seen)
      },
    })
  }

  get book(): AlertBook {
    return this.#book
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
    this.#silence.beginAnew()
    const keeper = new RecordKeeper(files, (problem) => {
      this.events.emit('notice', `Alerts: ${problem.message}`)
    })
    this.#keeper = keeper
    this.#book = new AlertBook(this.#options)
    const found = await keeper.read()
    // Others have been taken up meanwhile.
    if (this.#keeper !== keeper) return found.kind
    this.#refusal = found.isForeign ? newerAlerts : undefined
    this.#book = new AlertBook({ ...this.#options, ...found })
    if (!found.isForeign) keeper.keep(this.#book)
    for (const notice of found.notices) this.events.emit('notice', notice)
    const due = this.#book.due()
    if (found.isToBeStored || due.hasChanged) await this.commit(due.events)
    else this.#announce()
    return found.kind
  }

  see(runs: readonly RuleRun[], seen: Observation): void {
    this.#catchUp()
    this.#conclude(this.#book.see(runs, seen))
  }

  /** A time too far ahead to be true would keep out all that follows. */
  seeConstituents(id: IndexId, publication: ConstituentsPublication): void {
    if (isFarFuture(publication, this.clock.wallMs())) return
    const cadence = this.#options.cadenceOf(id)
    this.see(this.#book.runs.ofIndex(id), {
      kind: 'constituents',
      publication,
      ...(cadence !== undefined && { cadence }),
    })
  }

  amend(id: IndexId, publication: Publication): void {
    this.#catchUp()
    const runs = this.#book.runs.ofIndex(id)
    this.#conclude(this.#book.amend(runs, publicationOf(publication), this.#options.cadenceOf(id)))
  }

  /** A new value has come, so the index is not silent. */
  heard(id: IndexId, publication: Publication): void {
    this.#silence.heard(id, publication)
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

  /** The rule is gone, and nothing of it is told any more. */
  remove(ruleId: string): Promise<void> {
    this.#removed.add(ruleId)
    this.#book.remove(ruleId)
    return this.commit([])
  }

  /** Stores the present state, then tells of what is to be told. */
  commit(events: readonly AlertEvent[]): Promise<void> {
    this.#announce()
    return this.#store(events)
  }

  #store(events: readonly AlertEvent[]): Promise<void> {
    this.#cancelProgress?.()
    this.#cancelProgress = undefined
    const stored = this.#keeper?.save() ?? Promise.resolve()
    this.#lastCommit = stored.then(() => {
      this.#queue.add(events.filter(({ delivery }) => delivery === 'pending'))
    })
    return this.#lastCommit
  }

  async flush(): Promise<void> {
    await this.#lastCommit
    if (this.#keeper?.isSaved === false) await this.#store([])
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
    const due = this.#book.due()
    if (due.hasChanged) void this.commit(due.events)
    else this.#plan()
  }

  #conclude({ events, hasChanged, hasProgressed }: Judgement): void {
    if (hasChanged) void this.commit(events)
    else if (hasProgressed) this.#storeSoon()
  }

  #storeSoon(): void {
    this.#keeper?.noteProgress()
    this.#cancelProgress ??= this.clock.after(progressSpacingMs, () => void this.#store([]))
  }

  #plan(): void {
    this.#due.plan(this.#book.nextDueMs())
  }

  #announce(): void {
    if (!this.#hasEnded) {
      this.#silence.rulesChanged(this.#book.runs.all().map(({ rule }) => rule))
      this.#plan()
    }
    this.events.emit('changed', null)
  }

  /** Of a rule deleted meanwhile nobody wants to hear. */
  #tell(telling: Telling): void {
    const { telling: wanted, unwanted } = wantedTelling(telling, this.#removed)
    for (const { id } of unwanted) this.#book.inbox.noteDelivery(id, 'off')
    if (unwanted.length > 0) void this.commit([])
    if (wanted !== undefined) this.events.emit('told', wanted)
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
