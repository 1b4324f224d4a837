import type { AlertEvent } from '../../core/alert-events'
import type { Outcome } from '../../core/model'
import type { Clock } from '../base/clock'
import type { Log } from '../base/log'
import { WorkQueue, type Work } from '../base/work-queue'
import type { Learned } from '../history-store/contract'
import type { EventOutcome, Inbox } from './inbox'
import { NotificationQueue } from './policy/notification-queue'
import type { Records } from './records'

/** Result of one evaluation step. The event loop may run between two steps of one input. */
export interface EvaluationResult {
  /** Already recorded, in order. */
  events: readonly AlertEvent[]
  hasChanged: boolean
  isToBeStored: boolean
}

export type EvaluationResults = Iterable<EvaluationResult>

interface Options {
  clock: Clock
  log: Log
  /** The parts of the current history. */
  current: () => { records: Records; inbox: Inbox }
  onChanged: () => void
  /** Called after each successful commit, which also wrote what earlier commits could not write. */
  onStored: (learned: Outcome<Learned[]>) => void
  onNotify: (events: readonly AlertEvent[]) => void
}

/**
 * Evaluates in order of arrival, then stores, then notifies. The results of one input share a notification, which waits
 * until all of them are stored. If the disk fails, the events are notified anyway.
 */
export class Commits {
  readonly #options: Options
  readonly #work: WorkQueue
  readonly #queue: NotificationQueue
  /** Ids of rules deleted since app start. Their queued notifications are dropped. */
  readonly #deleted = new Set<string>()
  #last: Promise<void> = Promise.resolve()
  /** Results still to be written into their events, oldest first. */
  #outcomes: { eventId: string; change: EventOutcome }[] = []
  #noting: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    const { clock, log } = options
    this.#options = options
    this.#work = new WorkQueue(clock, (error) => log.error('Alerts could not be checked', { error: String(error) }))
    this.#queue = new NotificationQueue({ clock, notify: (events) => this.#notify(events) })
  }

  /** True while input is evaluated. */
  get isBusy(): boolean {
    return this.#work.isBusy
  }

  /** Resolves when all input so far is evaluated. */
  idle(): Promise<void> {
    return this.#work.idle()
  }

  /** Runs after all earlier input. */
  add(work: Work): void {
    this.#work.add(work)
  }

  /** Evaluates after all earlier input. Resolves when the resulting events and states are stored. */
  evaluate(begin: () => EvaluationResults): Promise<void> {
    return new Promise((resolve) => {
      const events: AlertEvent[] = []
      let results: Iterator<EvaluationResult> | undefined
      this.#work.add((isOver) => {
        results ??= begin()[Symbol.iterator]()
        const part = nextPart(results, isOver)
        events.push(...part.events)
        if (part.hasChanged) this.#options.onChanged()
        // The events of one value share a notification, also after several turns.
        if (part.isLast) resolve(part.isToBeStored || events.length > 0 ? this.store(events) : undefined)
        else if (part.isToBeStored) void this.store()
        return part.isLast
      })
    })
  }

  conclude({ events, hasChanged, isToBeStored }: EvaluationResult): void {
    if (hasChanged) this.#options.onChanged()
    if (isToBeStored) void this.store(events)
  }

  /** Stores all changes, then notifies of pending events. */
  commit(events: readonly AlertEvent[] = []): Promise<void> {
    this.#options.onChanged()
    return this.store(events)
  }

  /** As `commit`, for changes that no view shows. */
  store(events: readonly AlertEvent[] = [], then?: (outcome: Outcome<Learned[]>) => void): Promise<void> {
    return this.write(undefined, (outcome) => {
      this.#queue.add(events.filter(({ delivery }) => delivery === 'pending'))
      if (outcome.ok) this.#options.onStored(outcome)
      then?.(outcome)
    })
  }

  /** Stores all changes. Passes on the result of `committed`, or of this write, after all earlier commits. */
  write(
    committed: Promise<Outcome<Learned[]>> | undefined,
    then: (outcome: Outcome<Learned[]>) => void,
  ): Promise<void> {
    const stored = this.#write()
    this.#last = Promise.all([this.#last, stored, committed ?? stored]).then(([, , outcome]) => then(outcome))
    return this.#last
  }

  /** Call when a rule was deleted. Its events are no longer notified. */
  mute(ruleId: string): void {
    this.#deleted.add(ruleId)
  }

  /** Call when a deletion was undone. */
  unmute(ruleId: string): void {
    this.#deleted.delete(ruleId)
  }

  /** Writes a result into its event. Results of one turn are written together. */
  noteOutcome(eventId: string, change: EventOutcome): void {
    this.#outcomes.push({ eventId, change })
    if (this.#outcomes.length > 1) return
    this.#noting = this.#noting.then(async () => {
      const outcomes = this.#outcomes
      this.#outcomes = []
      if (await this.#options.current().inbox.note(this.#options.clock, outcomes)) await this.commit()
    })
  }

  /** Sends collected notifications without waiting. */
  notifyNow(): void {
    this.#queue.flush()
  }

  /**
   * Resolves when everything is stored, or one more attempt has failed, and every pending event is queued. `alsoIdle`
   * waits for work that may lead to further commits.
   */
  async flush(alsoIdle: () => Promise<void>): Promise<void> {
    let last: Promise<void>
    do {
      await this.#work.idle()
      await this.#noting
      last = this.#last
      await last
      await alsoIdle()
    } while (last !== this.#last || this.isBusy)
  }

  /** Evaluates all input and sends all queued notifications. */
  dispose(): void {
    this.#work.finish()
    this.#queue.dispose()
  }

  async #write(): Promise<Outcome<Learned[]>> {
    const { records, inbox } = this.#options.current()
    const { lastNumber } = inbox
    const outcome = await records.commit(this.#options.clock.wallMs())
    // Events are shown even if they cannot be stored. A notice then says that they were not recorded.
    if (inbox.showThrough(lastNumber)) this.#options.onChanged()
    return outcome
  }

  #notify(queued: readonly AlertEvent[]): void {
    const events = queued.filter(({ ruleId }) => !this.#deleted.has(ruleId))
    for (const event of queued) if (!events.includes(event)) this.noteOutcome(event.id, { delivery: 'off' })
    if (events.length > 0) this.#options.onNotify(events)
  }
}

/** Evaluates until all is done or the turn is over. */
function nextPart(results: Iterator<EvaluationResult>, isOver: () => boolean): EvaluationResult & { isLast: boolean } {
  const events: AlertEvent[] = []
  const part = { events, hasChanged: false, isToBeStored: false, isLast: false }
  for (let next = results.next(); ; next = results.next()) {
    if (next.done === true) return { ...part, isLast: true }
    const { value } = next
    events.push(...value.events)
    part.hasChanged ||= value.hasChanged
    part.isToBeStored ||= value.isToBeStored
    if (isOver()) return part
  }
}
