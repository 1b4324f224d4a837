import type { Worker } from 'node:worker_threads'
import { failure, type Failure, type Outcome, type Problem, type ServiceKind } from '../../protocol/model'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import type { Log } from '../base/log'
import { Throttle } from '../base/throttle'
import { decodeValues, type EncodedValues } from './value-rows'
import {
  defaultBounds,
  type Learned,
  type QuestionName,
  type Questions,
  type TapeAccess,
  type TapeBounds,
  type TapeValue,
  type Turn,
} from './contract'
import { TapeKeeper } from './keeper'
import { tapePath, type ThreadTask } from './thread'
import { unwrittenIn, type Unwritten } from './unwritten'

export interface TapeEvents {
  /** A sentence the user should read once. */
  notice: string
  /** What waits because the disk refused it is different now. */
  unwrittenChanged: null
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
/** More than three minutes of the busiest stream; of more the oldest are dropped, and are a hole that can be filled. */
const maxWaitingValues = 50_000
/** Checkpoints can be missing; they are dropped where that many turns could not be written. */
const maxWaitingTurns = 1_000

/**
 * The door to the tape of the service in use. Everything of one turn of the event loop is one transaction, and there is
 * one at a time; what could not be written is kept and written with the next.
 */
export class Tape implements TapeAccess {
  readonly events: Emitter<TapeEvents>
  readonly #options: Options
  readonly #appends: Throttle
  #keeper: TapeKeeper | undefined
  #kind: ServiceKind | undefined
  #bounds: TapeBounds = defaultBounds
  /** In their order. */
  #turns: Turn[] = []
  #valueCount = 0
  #droppedCount = 0
  #committers: ((outcome: Outcome<Learned[]>) => void)[] = []
  #isCommitting = false
  #isPlanned = false
  /** Since the last turn that was written. */
  #problem: Problem | undefined
  #unwritten: Unwritten | undefined
  #cancelRetry: (() => void) | undefined
  /** Questions that wait for what was appended before them. */
  #questions: (() => void)[] = []

  constructor(options: Options) {
    const { clock, log } = options
    this.#options = options
    this.events = new Emitter((error) => {
      log.error('A listener of the tape failed', { error: String(error) })
    })
    this.#appends = new Throttle({
      clock,
      spacingMs: appendSpacingMs,
      first: 'afterSpacing',
      run: () => {
        this.#commit()
      },
    })
  }

  /** The kind of service whose tape is in use. */
  get kind(): ServiceKind | undefined {
    return this.#kind
  }

  /** The file of the tape in use. What was appended is in it once a question was answered. */
  get path(): string | undefined {
    return this.#kind === undefined ? undefined : tapePath(this.#options.folder, this.#kind)
  }

  /** Takes up the tape of this kind of service, in place of the one before. Done when it can be asked. */
  async use(kind: ServiceKind): Promise<void> {
    if (kind === this.#kind) return
    await this.#leave()
    const { folder, clock, log, startThread } = this.#options
    this.#kind = kind
    const keeper = new TapeKeeper({
      path: tapePath(folder, kind),
      clock,
      log,
      bounds: () => this.#bounds,
      startThread,
      onNotice: (message) => {
        this.events.emit('notice', message)
      },
    })
    this.#keeper = keeper
    await keeper.open()
  }

  /** What waits to be written since the disk refused it; `undefined` where nothing does. */
  get unwritten(): Unwritten | undefined {
    return this.#unwritten
  }

  append(values: readonly TapeValue[]): void {
    if (!this.#isRecording || values.length === 0) return
    this.#turns.push({ values })
    this.#valueCount += values.length
    this.#limitWaiting()
    if (this.#problem !== undefined) return
    if (this.#valueCount < manyValues) this.#appends.request()
    else this.#plan()
  }

  commit(turn: Turn): Promise<Outcome<Learned[]>> {
    if (this.#keeper === undefined) return Promise.resolve(failure('notReady', 'The history is not open yet.'))
    if (!this.#isRecording) {
      const refused = notRecorded(this.#keeper.readOnly)
      if (this.#keeper.readOnly === 'readOnly') this.#keepReadOnly(turn, refused.problem)
      return Promise.resolve(refused)
    }
    return new Promise((resolve) => {
      this.#turns.push(turn)
      this.#valueCount += turn.values?.length ?? 0
      this.#committers.push(resolve)
      this.#plan()
    })
  }

  async ask<Q extends QuestionName>(
    question: Q,
    asked: Questions[Q]['asked'],
  ): Promise<Outcome<Questions[Q]['answer']>> {
    if (question === 'setBounds') this.#bounds = asked as TapeBounds
    await this.#turnToQuestions()
    const keeper = this.#keeper
    if (keeper === undefined) return failure('notReady', 'The history is not open yet.')
    const outcome = await keeper.ask({ do: 'ask', question, asked })
    if (question !== 'values' || !outcome.ok) return outcome as Outcome<Questions[Q]['answer']>
    const page = decodeValues(outcome.value as EncodedValues, asked as Questions['values']['asked'])
    return { ok: true, value: page }
  }

  /** Writes what waits and closes the tape. */
  async close(): Promise<void> {
    await this.#leave()
  }

  get #isRecording(): boolean {
    return this.#keeper !== undefined && this.#keeper.readOnly === undefined
  }

  async #leave(): Promise<void> {
    const keeper = this.#keeper
    if (keeper === undefined) return
    if (this.#turns.length > 0 || this.#isCommitting) await this.commit({})
    this.#cancelRetry?.()
    this.#appends.cancel()
    this.#keeper = undefined
    this.#kind = undefined
    this.#turns = []
    this.#valueCount = 0
    this.#problem = undefined
    // Nobody is told that it was saved.
    this.#unwritten = undefined
    await keeper.close()
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
    if (this.#turns.length === 0 && this.#questions.length === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#questions.push(resolve)
      this.#plan()
    })
  }

  #commit(): void {
    if (this.#isCommitting) return
    const keeper = this.#keeper
    if (keeper !== undefined && this.#isRecording && this.#turns.length > 0) {
      const turns = this.#turns
      const committers = this.#committers
      this.#turns = []
      this.#committers = []
      this.#valueCount = 0
      this.#isCommitting = true
      this.#appends.cancel()
      void keeper.ask({ do: 'commit', turns, isRepeat: false }).then((outcome) => {
        this.#isCommitting = false
        this.#committed(turns, outcome as Outcome<Learned[]>)
        for (const resolve of committers) resolve(outcome as Outcome<Learned[]>)
        if (this.#committers.length > 0 || this.#questions.length > 0) this.#plan()
        else if (this.#turns.length > 0 && outcome.ok) this.#appends.request()
      })
    }
    const questions = this.#questions
    this.#questions = []
    for (const put of questions) put()
  }

  #committed(turns: readonly Turn[], outcome: Outcome<Learned[]>): void {
    if (outcome.ok) {
      this.#goesOn()
      return
    }
    const { problem } = outcome
    // A turn that the database cannot take at all would keep every later one from being written.
    if (problem.code === 'internal') this.#options.log.error('A turn was not recorded', { problem: problem.message })
    else if (this.#isRecording) this.#keep(turns)
    if (this.#problem === undefined && this.#isRecording) this.events.emit('notice', stoppedNotice(problem))
    this.#problem = problem
    this.#noteUnwritten(problem)
    this.#retryLater()
  }

  #noteUnwritten(problem: Problem | undefined): void {
    const wasAny = this.#unwritten !== undefined
    this.#unwritten = problem && unwrittenIn(this.#turns, problem)
    if (wasAny || this.#unwritten !== undefined) this.events.emit('unwrittenChanged', null)
  }

  /** Nothing can be written for now: what users did, and what fired, waits all the same. */
  #keepReadOnly(turn: Turn, problem: Problem): void {
    if (unwrittenIn([turn], problem) === undefined) return
    this.#turns.push({ ...turn, values: [], checkpoints: [], snapshots: [] })
    this.#noteUnwritten(problem)
  }

  /** What could not be written comes first the next time. */
  #keep(turns: readonly Turn[]): void {
    this.#turns = [...turns, ...this.#turns]
    this.#valueCount = this.#turns.reduce((sum, { values = [] }) => sum + values.length, 0)
    this.#limitWaiting()
    if (this.#turns.length <= maxWaitingTurns) return
    this.#turns = this.#turns.map((turn) => ({ ...turn, checkpoints: [] }))
  }

  #limitWaiting(): void {
    if (this.#valueCount <= maxWaitingValues) return
    let tooMany = this.#valueCount - maxWaitingValues
    this.#valueCount = maxWaitingValues
    this.#droppedCount += tooMany
    this.#turns = this.#turns.map((turn) => {
      const { values = [], ...rest } = turn
      if (tooMany === 0 || values.length === 0) return turn
      const dropped = Math.min(tooMany, values.length)
      tooMany -= dropped
      return { values: values.slice(dropped), ...rest }
    })
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
    if (wasFailing) this.events.emit('notice', 'Values and alerts are recorded again.')
  }

  #retryLater(): void {
    this.#cancelRetry?.()
    this.#cancelRetry = this.#options.clock.after(retryMs, () => {
      if (this.#turns.length > 0) this.#commit()
      else this.#retryLater()
    })
  }
}

function stoppedNotice({ code, message }: Problem): string {
  if (code === 'diskFull') {
    return 'Disk full: values and alerts are not recorded. Free some space; recording goes on by itself. Alerts still notify.'
  }
  return `Values and alerts are not recorded: ${message} Alerts still notify.`
}

function notRecorded(why: 'newer' | 'readOnly' | undefined): Failure {
  if (why === 'newer') return failure('newerVersion', 'The history is of a newer version. Update Indexwatch.')
  return failure('readOnly', 'The history cannot be written to.')
}
