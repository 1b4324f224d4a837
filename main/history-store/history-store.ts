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
import { historyPath, type ThreadTask } from './thread'
import { unwrittenIn, type Unwritten } from './unwritten'

export interface HistoryStoreEvents {
  /** A sentence the user should read once. */
  notice: string
  /** What waits because the disk refused it is different now. */
  unwrittenChanged: null
  /** `trouble` is another. */
  troubleChanged: null
  /** The history in use was gone and had no backup: another one was begun, which is empty. */
  lost: null
}

interface Options {
  /** The profile's. */
  folder: string
  clock: Clock
  log: Log
  startThread: (task: ThreadTask) => Worker
}

/**
 * Values that nobody waits for leave together, once a second: each commit wakes a thread and the disk. What a power cut takes
 * with it is asked for again at the next start; an alert is committed at once, with the values it was decided on.
 */
const appendSpacingMs = 1_000
/** So many leave before the second is over, long before any would be dropped. */
const manyValues = 5_000
/** While the disk fails, something new is tried at once, and else each two seconds. */
const retryMs = 2_000
/** More than three minutes of the busiest stream; of more the oldest are dropped, and are a gap that can be filled. */
const maxWaitingValues = 50_000
/** Checkpoints can be missing; they are dropped where that many turns could not be written. */
const maxWaitingBatches = 1_000

/**
 * The door to the history of the service in use. Everything of one turn of the event loop is one transaction, and there is
 * one at a time; what could not be written is kept and written with the next.
 */
export class HistoryStore implements HistoryAccess {
  readonly events: Emitter<HistoryStoreEvents>
  readonly #options: Options
  readonly #appends: Throttle
  #supervisor: HistorySupervisor | undefined
  #kind: ServiceKind | undefined
  #bounds: HistoryBounds = defaultBounds
  /** In their order. */
  #batches: WriteBatch[] = []
  #valueCount = 0
  #droppedCount = 0
  /** Indices with dropped values. Their time ranges do not count as answered. */
  readonly #droppedIds = new Set<IndexId>()
  #committers: ((outcome: Outcome<Learned[]>) => void)[] = []
  #isCommitting = false
  #isPlanned = false
  /** Since the last turn that was written. */
  #problem: Problem | undefined
  #unwritten: Unwritten | undefined
  #cancelRetry: (() => void) | undefined
  /** Questions that wait for what was appended before them. */
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

  /** The file of the history in use. What was appended is in it once a question was answered. */
  get path(): string | undefined {
    return this.#kind === undefined ? undefined : historyPath(this.#options.folder, this.#kind)
  }

  /**
   * Why the history cannot be read or written; `undefined` while it can. The history retries by itself and then writes what was
   * waiting.
   */
  get trouble(): HistoryTrouble | undefined {
    return this.#supervisor?.trouble ?? (this.#problem && { isOpen: true, problem: this.#problem })
  }

  /** Takes up the history of this kind of service, in place of the one before. Done when it can be asked. */
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

  /** What waits to be written since the disk refused it; `undefined` where nothing does. */
  get unwritten(): Unwritten | undefined {
    return this.#unwritten
  }

  append(values: readonly StoredValue[]): void {
    if (this.#supervisor === undefined || this.#isNewer || values.length === 0) return
    this.#batches.push({ values })
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
    await this.#turnToQuestions()
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

  /** Nothing of what this version records belongs on it. */
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
    // Nobody is told that it was saved.
    this.#unwritten = undefined
    await supervisor.close()
  }

  /** What else comes in this turn of the event loop goes along. */
  #plan(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    this.#options.clock.nextTurn(() => {
      this.#isPlanned = false
      this.#commit()
    })
  }

  /** Questions see everything appended before them; where nothing waits they are put at once. */
  #turnToQuestions(): Promise<void> {
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
    for (const put of queries) put()
  }

  #write(supervisor: HistorySupervisor, committers: readonly ((outcome: Outcome<Learned[]>) => void)[]): void {
    const batches = this.#batches
    this.#batches = []
    this.#valueCount = 0
    this.#isCommitting = true
    this.#appends.cancel()
    void supervisor.ask({ do: 'commit', batches, isRepeat: false }).then((outcome) => {
      this.#isCommitting = false
      // Of a history that is no longer in use nothing is kept.
      if (supervisor === this.#supervisor) this.#committed(batches, outcome as Outcome<Learned[]>)
      for (const resolve of committers) resolve(outcome as Outcome<Learned[]>)
      if (this.#committers.length > 0 || this.#waitingQueries.length > 0) this.#plan()
      else if (this.#batches.length > 0 && outcome.ok) this.#appends.request()
    })
  }

  #committed(batches: readonly WriteBatch[], outcome: Outcome<Learned[]>): void {
    if (outcome.ok) {
      this.#goesOn()
      return
    }
    const { problem } = outcome
    const isOpen = this.#supervisor?.trouble === undefined
    // A turn that the database cannot take at all would keep every later one from being written.
    if (isOpen && problem.code === 'internal')
      this.#options.log.error('A batch was not recorded', { problem: problem.message })
    else this.#keep(batches)
    this.#noteUnwritten(problem)
    // The keeper opens it again, and says so.
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

  /** What could not be written comes first the next time. */
  #keep(batches: readonly WriteBatch[]): void {
    if (this.#isNewer) return
    this.#batches = [...batches, ...this.#batches]
    this.#valueCount = this.#batches.reduce((sum, { values = [] }) => sum + values.length, 0)
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
      const { values = [], ...rest } = batch
      if (tooMany === 0 || values.length === 0) return batch
      const dropped = Math.min(tooMany, values.length)
      tooMany -= dropped
      for (const { id } of values.slice(0, dropped)) this.#droppedIds.add(id)
      return { values: values.slice(dropped), ...rest }
    })
    this.#batches = this.#batches.map((batch) => this.#withoutFalseSpans(batch))
  }

  #withoutFalseSpans(batch: WriteBatch): WriteBatch {
    const { spans } = batch
    const isFalse = ({ id, state }: CoveredSpan) => state === 'answered' && this.#droppedIds.has(id)
    return spans?.some(isFalse) === true ? { ...batch, spans: spans.filter((span) => !isFalse(span)) } : batch
  }

  #goesOn(): void {
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
