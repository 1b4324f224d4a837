import type { Worker } from 'node:worker_threads'
import { ok, failure, type IndexId, type Outcome, type Problem, type ServiceKind } from '../../core/model'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import type { Log } from '../base/log'
import { Throttle } from '../base/throttle'
import { decodeValues, type EncodedValues } from './value-rows'
import {
  defaultBounds,
  type Learned,
  type QueryName,
  type Queries,
  type HistoryAccess,
  type CoveredSpan,
  type HistoryBounds,
  type HistoryTrouble,
  type StoredValue,
  type WriteBatch,
} from './contract'
import { HistorySupervisor } from './supervisor'
import { pack, unpacked, valueCount, type QueuedBatch } from './packed-values'
import { historyPath, type ThreadTask } from './thread'
import { unwrittenIn, type Unwritten } from './unwritten'

export interface HistoryStoreEvents {
  /** A sentence to show the user once. */
  notice: string
  /** `unwritten` changed. */
  unwrittenChanged: null
  /** `trouble` changed. */
  troubleChanged: null
  /** The history was missing and had no backup. A new, empty one is in use. */
  lost: null
}

interface Options {
  /** Folder of the profile. */
  folder: string
  clock: Clock
  log: Log
  startThread: (task: ThreadTask) => Worker
}

/**
 * Appended values are written every five seconds, because each commit wakes a thread and the disk. A power cut can lose
 * them, and the next start fetches them again. Alerts are committed immediately, with the values they depend on.
 */
const appendSpacingMs = 5_000
/** With this many values waiting they are written earlier. */
const manyValues = 5_000
/** While the disk fails, new data is tried immediately. Without new data the store retries at this interval. */
const retryMs = 2_000
/**
 * More than three minutes of the busiest stream. Beyond it the oldest values are dropped. They leave a gap that can be
 * filled.
 */
const maxWaitingValues = 50_000
/** Beyond this many unwritten batches their checkpoints are dropped. The engine can do without them. */
const maxWaitingBatches = 1_000

/**
 * The history of the service in use. All data of one turn of the event loop is one transaction, and one transaction
 * runs at a time. Data that could not be written is kept and written with the next.
 */
export class HistoryStore implements HistoryAccess {
  readonly events: Emitter<HistoryStoreEvents>
  readonly #options: Options
  readonly #appends: Throttle
  #supervisor: HistorySupervisor | undefined
  #kind: ServiceKind | undefined
  #bounds: HistoryBounds = defaultBounds
  /** In order. */
  #batches: QueuedBatch[] = []
  #valueCount = 0
  #droppedCount = 0
  /** Indices with dropped values. Their time ranges do not count as answered. */
  readonly #droppedIds = new Set<IndexId>()
  #committers: ((outcome: Outcome<Learned[]>) => void)[] = []
  #isCommitting = false
  #isPlanned = false
  /** Undefined after a successful commit. */
  #problem: Problem | undefined
  #unwritten: Unwritten | undefined
  #cancelRetry: (() => void) | undefined
  /** Queries that wait for data appended before them. */
  #waitingQueries: (() => void)[] = []

  constructor(options: Options) {
    const { clock, log } = options
    this.#options = options
    this.events = new Emitter((error) => log.error('A listener of the history failed', { error: String(error) }))
    this.#appends = new Throttle({
      clock,
      spacingMs: appendSpacingMs,
      first: 'afterSpacing',
      run: () => this.#commit(),
    })
  }

  /** The kind of service whose history is in use. */
  get kind(): ServiceKind | undefined {
    return this.#kind
  }

  /** Path of the history in use. After a query has been answered, the file has everything appended before it. */
  get path(): string | undefined {
    return this.#kind === undefined ? undefined : historyPath(this.#options.folder, this.#kind)
  }

  /**
   * Why the history cannot be read or written. Undefined while it can. The store retries and then writes what was
   * waiting.
   */
  get trouble(): HistoryTrouble | undefined {
    return this.#supervisor?.trouble ?? (this.#problem && { isOpen: true, problem: this.#problem })
  }

  /** Opens the history of this kind of service instead of the current one. Resolves when it can be queried. */
  async use(kind: ServiceKind): Promise<void> {
    if (kind === this.#kind) return
    await this.#leave()
    const { folder, clock, log, startThread } = this.#options
    this.#kind = kind
    const supervisor = new HistorySupervisor({
      path: historyPath(folder, kind),
      clock,
      log,
      bounds: () => this.#bounds,
      startThread,
      onNotice: (message) => this.events.emit('notice', message),
      onChange: () => {
        if (this.#supervisor === supervisor) this.#supervisorChanged()
      },
      onLost: () => this.events.emit('lost', null),
    })
    this.#supervisor = supervisor
    await supervisor.open()
  }

  /** Data that the disk refused and that waits to be written. Undefined if there is none. */
  get unwritten(): Unwritten | undefined {
    return this.#unwritten
  }

  append(values: readonly StoredValue[]): void {
    if (this.#supervisor === undefined || this.#isNewer || values.length === 0) return
    for (const value of values) pack(this.#batches, value)
    this.#valueCount += values.length
    this.#limitWaiting()
    if (this.trouble !== undefined) return
    if (this.#valueCount < manyValues) this.#appends.request()
    else this.#plan()
  }

  commit(batch: WriteBatch): Promise<Outcome<Learned[]>> {
    if (this.#supervisor === undefined) return Promise.resolve(failure('notReady', 'The history is not open yet.'))
    const refusal = this.#supervisor.trouble
    if (!this.#isNewer) {
      this.#batches.push(this.#withoutFalseSpans(batch))
      this.#valueCount += batch.values?.length ?? 0
    }
    if (refusal !== undefined) {
      this.#limitWaiting()
      this.#noteUnwritten(refusal.problem)
      return Promise.resolve({ ok: false, problem: refusal.problem })
    }
    return new Promise((resolve) => {
      this.#committers.push(resolve)
      this.#plan()
    })
  }

  async query<Q extends QueryName>(name: Q, params: Queries[Q]['params']): Promise<Outcome<Queries[Q]['result']>> {
    if (name === 'setBounds') this.#bounds = params as HistoryBounds
    await this.#writePending()
    const supervisor = this.#supervisor
    if (supervisor === undefined) return failure('notReady', 'The history is not open yet.')
    const outcome = await supervisor.ask({ do: 'query', name, params })
    if (name !== 'values' || !outcome.ok) return outcome as Outcome<Queries[Q]['result']>
    const page = decodeValues(outcome.value as EncodedValues, params as Queries['values']['params'])
    return ok(page)
  }

  /** Writes what waits and closes the history. */
  async close(): Promise<void> {
    await this.#leave()
  }

  /** True if a newer version wrote the database. Then nothing may be recorded in it. */
  get #isNewer(): boolean {
    return this.#supervisor?.trouble?.problem.code === 'newerVersion'
  }

  #supervisorChanged(): void {
    if (this.#supervisor?.trouble === undefined && this.#batches.length > 0) this.#plan()
    this.events.emit('troubleChanged', null)
  }

  async #leave(): Promise<void> {
    const supervisor = this.#supervisor
    if (supervisor === undefined) return
    if (this.#batches.length > 0 || this.#isCommitting) await this.commit({})
    this.#cancelRetry?.()
    this.#appends.cancel()
    this.#supervisor = undefined
    this.#kind = undefined
    this.#batches = []
    this.#valueCount = 0
    this.#problem = undefined
    // Emits no `unwrittenChanged`, because the data was not saved.
    this.#unwritten = undefined
    await supervisor.close()
  }

  /** Waits for other data of this turn of the event loop. */
  #plan(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    this.#options.clock.nextTurn(() => {
      this.#isPlanned = false
      this.#commit()
    })
  }

  /** Waits until data appended before the query is on its way. Resolves immediately if nothing waits. */
  #writePending(): Promise<void> {
    const isWaiting = this.#batches.length > 0 || this.#waitingQueries.length > 0
    if (!isWaiting || this.#supervisor?.trouble !== undefined) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waitingQueries.push(resolve)
      this.#plan()
    })
  }

  #commit(): void {
    if (this.#isCommitting) return
    const supervisor = this.#supervisor
    const refusal = supervisor?.trouble
    if (supervisor !== undefined && this.#batches.length > 0) {
      const committers = this.#committers
      this.#committers = []
      if (refusal === undefined) this.#write(supervisor, committers)
      else for (const resolve of committers) resolve({ ok: false, problem: refusal.problem })
    }
    const queries = this.#waitingQueries
    this.#waitingQueries = []
    for (const resolve of queries) resolve()
  }

  #write(supervisor: HistorySupervisor, committers: readonly ((outcome: Outcome<Learned[]>) => void)[]): void {
    const batches = this.#batches
    this.#batches = []
    this.#valueCount = 0
    this.#isCommitting = true
    this.#appends.cancel()
    void supervisor.ask({ do: 'commit', batches, isRepeat: false }).then((outcome) => {
      this.#isCommitting = false
      // A history that is no longer in use keeps nothing.
      if (supervisor === this.#supervisor) this.#committed(batches, outcome as Outcome<Learned[]>)
      for (const resolve of committers) resolve(outcome as Outcome<Learned[]>)
      if (this.#committers.length > 0 || this.#waitingQueries.length > 0) this.#plan()
      else if (this.#batches.length > 0 && outcome.ok) this.#appends.request()
    })
  }

  #committed(batches: readonly QueuedBatch[], outcome: Outcome<Learned[]>): void {
    if (outcome.ok) {
      this.#recovered()
      return
    }
    const { problem } = outcome
    const isOpen = this.#supervisor?.trouble === undefined
    // A batch that the database rejects as invalid is dropped. Keeping it would block all later ones.
    if (isOpen && problem.code === 'internal')
      this.#options.log.error('A batch was not recorded', { problem: problem.message })
    else this.#keep(batches)
    this.#noteUnwritten(problem)
    // The supervisor reopens the database and reports it.
    if (!isOpen) return
    if (this.#problem === undefined) this.events.emit('notice', stoppedNotice(problem))
    this.#problem = problem
    this.events.emit('troubleChanged', null)
    this.#retryLater()
  }

  #noteUnwritten(problem: Problem | undefined): void {
    const wasAny = this.#unwritten !== undefined
    this.#unwritten = problem && unwrittenIn(this.#batches, problem)
    if (wasAny || this.#unwritten !== undefined) this.events.emit('unwrittenChanged', null)
  }

  /** Puts the unwritten batches before newer ones. */
  #keep(batches: readonly QueuedBatch[]): void {
    if (this.#isNewer) return
    this.#batches = [...batches, ...this.#batches]
    this.#valueCount = this.#batches.reduce((sum, batch) => sum + valueCount(batch), 0)
    this.#limitWaiting()
    if (this.#batches.length <= maxWaitingBatches) return
    this.#batches = this.#batches.map((batch) => ({ ...batch, checkpoints: [] }))
  }

  #limitWaiting(): void {
    if (this.#valueCount <= maxWaitingValues) return
    let tooMany = this.#valueCount - maxWaitingValues
    this.#valueCount = maxWaitingValues
    this.#droppedCount += tooMany
    this.#batches = this.#batches.map((batch) => {
      if (tooMany === 0 || valueCount(batch) === 0) return batch
      const { values = [], ...rest } = unpacked(batch)
      const dropped = Math.min(tooMany, values.length)
      tooMany -= dropped
      for (const { id } of values.slice(0, dropped)) this.#droppedIds.add(id)
      return { values: values.slice(dropped), ...rest }
    })
    this.#batches = this.#batches.map((batch) => this.#withoutFalseSpans(batch))
  }

  #withoutFalseSpans(batch: QueuedBatch): QueuedBatch {
    const { spans } = batch
    const isFalse = ({ id, state }: CoveredSpan) => state === 'answered' && this.#droppedIds.has(id)
    return spans?.some(isFalse) === true ? { ...batch, spans: spans.filter((span) => !isFalse(span)) } : batch
  }

  #recovered(): void {
    const wasFailing = this.#problem !== undefined
    this.#problem = undefined
    this.#noteUnwritten(undefined)
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    if (this.#droppedCount > 0) {
      this.#options.log.warn('Values were not recorded', { count: this.#droppedCount })
      this.#droppedCount = 0
    }
    if (this.#batches.length === 0) this.#droppedIds.clear()
    if (!wasFailing) return
    this.events.emit('notice', 'Values and alerts are recorded again.')
    this.events.emit('troubleChanged', null)
  }

  #retryLater(): void {
    this.#cancelRetry?.()
    this.#cancelRetry = this.#options.clock.after(retryMs, () => {
      if (this.#batches.length > 0) this.#commit()
      else this.#retryLater()
    })
  }
}

function stoppedNotice({ code, message }: Problem): string {
  if (code === 'diskFull') {
    return 'Disk full: values and alerts are not recorded. Free some space, and recording resumes automatically. Alerts still notify.'
  }
  return `Values and alerts are not recorded: ${message} Alerts still notify.`
}
