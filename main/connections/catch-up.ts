import { merged, type TimeRange } from '../../core/ranges'
import type { IndexId, Outcome, Publication, RequestedResolution, Resolution } from '../../core/model'
import type { ProblemCode } from '../../core/problems'
import type { Clock } from '../base/clock'
import { periodOf, type RestClient } from '../rest/client'
import {
  byUrgency,
  cadenceMs,
  historyLateMs,
  hoursOf,
  maxGapMs,
  planCatchUp,
  valuesSpanMs,
  type CatchUpQuestion,
  type MissingRange,
} from './catch-up-plan'
import type { KnownValues } from './known-values'

/** An index whose values are wanted without a gap. */
export interface WantedIndex {
  id: IndexId
  resolution: Resolution
  maxResolution: RequestedResolution
  isWatchedByRule: boolean
}

/** What one answer of the service brought: all it has from `fromMs` to `toMs`. */
export interface CaughtUp extends TimeRange {
  id: IndexId
  resolution: Resolution
  publications: Publication[]
  origin: 'catchUp'
}

/** The service cannot say what was published in this time. */
export interface StayedUnknown extends TimeRange {
  id: IndexId
  /** The key is refused: the service is asked with the next connect. */
  isForNow?: true
}

interface Options {
  /** Absent where the connection has no REST address. */
  rest: Pick<RestClient, 'values' | 'historyValues'> | undefined
  clock: Clock
  known: KnownValues
  wanted: () => readonly WantedIndex[]
  /** Those of these values that count now; one dated ahead of the service's time is kept until then. */
  admit: (id: IndexId, publications: Publication[]) => Publication[]
  onCaughtUp: (caughtUp: CaughtUp) => void
  onStayedUnknown: (range: StayedUnknown) => void
}

const retryMs = 30_000
/** Where an index is looked at first: more would keep the history busy, and what began before is found as well. */
const firstLookBackMs = 7 * 86_400_000
/** No longer than this many values are missing where an index publishes more seldom than it says. */
const maxQuietValues = 60
/** The service has answered, and would answer the same again. */
const finalProblems: ReadonlySet<ProblemCode> = new Set(['badRequest', 'notFound', 'notAuthorised', 'tooLarge'])

/**
 * Finds what the stream did not bring (while the app was closed or asleep, the line down, or a message lost) and asks the
 * service for it, one question at a time, the newest first. What the service cannot say is reported as unknown.
 */
export class CatchUp {
  readonly #options: Options
  /** To be looked at: for an index that is new here, after a connect, after a gap. */
  readonly #due = new Set<IndexId>()
  readonly #seen = new Set<IndexId>()
  /** Time of the newest value the stream brought. */
  readonly #newestMs = new Map<IndexId, number>()
  /** A longer time between two values of the stream is a gap. */
  readonly #maxGapsMs = new Map<IndexId, number>()
  /** Where the stream broke off: what was missed begins here. */
  readonly #brokenOffMs = new Map<IndexId, number>()
  /** The longest gap in which the service itself had nothing: an index may publish more seldom than it says. */
  readonly #quietMs = new Map<IndexId, number>()
  readonly #withoutValues = new Set<IndexId>()
  readonly #withoutHistory = new Set<IndexId>()
  #questions: CatchUpQuestion[] = []
  /** From when on something was missed that could not be had in this connect: it is looked for again in the next. */
  readonly #openSinceMs = new Map<IndexId, number>()
  #isKeyRefused = false
  #isRunning = false
  #isDisposed = false
  #cancelRetry: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** A connect begins: what was refused before it may be asked for again. */
  forgetRefusals(): void {
    this.#withoutValues.clear()
    this.#withoutHistory.clear()
    this.#isKeyRefused = false
  }

  /** REST refuses the key, whatever is asked: all that is missing is unknown for now. */
  keyRefused(): Promise<void> {
    this.#isKeyRefused = true
    for (const { id } of this.#options.wanted()) this.#look(id, this.#newestMs.get(id))
    return this.#run()
  }

  /** The stream is live again: everything wanted is looked at, but for what this connect has refused already. */
  connected(): Promise<void> {
    for (const { id } of this.#options.wanted()) this.#look(id, this.#newestMs.get(id))
    return this.#run()
  }

  /** What is known can be read only now: everything wanted is looked at as at first. */
  lookAgain(): Promise<void> {
    this.#seen.clear()
    return this.connected()
  }

  /** More indices are wanted than before: those are looked at. */
  wantedChanged(): Promise<void> {
    for (const { id, resolution, maxResolution } of this.#options.wanted()) {
      if (this.#seen.has(id)) this.#maxGapsMs.set(id, maxGapMs(resolution, maxResolution))
      else this.#due.add(id)
    }
    return this.#run()
  }

  /** The index is not wanted any more; when it comes back it is looked at again. */
  forget(id: IndexId): void {
    this.#seen.delete(id)
    this.#due.delete(id)
    this.#newestMs.delete(id)
    this.#maxGapsMs.delete(id)
    this.#brokenOffMs.delete(id)
    this.#quietMs.delete(id)
    this.#openSinceMs.delete(id)
    this.#questions = this.#questions.filter((question) => question.id !== id)
  }

  /** REST does not know these: nothing is asked for them before the next connect. */
  refused(ids: readonly IndexId[]): void {
    for (const id of ids) {
      this.#withoutValues.add(id)
      this.#withoutHistory.add(id)
    }
  }

  /** The stream brought this value. After a gap longer than twice the cadence the service is asked for what lay in it. */
  published(id: IndexId, { publishedAtMs }: Publication): void {
    const newestMs = this.#newestMs.get(id) ?? publishedAtMs
    this.#newestMs.set(id, Math.max(newestMs, publishedAtMs))
    const quietMs = 1.5 * (this.#quietMs.get(id) ?? 0)
    if (publishedAtMs - newestMs <= Math.max(this.#maxGapsMs.get(id) ?? Infinity, quietMs)) return
    this.#look(id, newestMs)
    void this.#run()
  }

  dispose(): void {
    this.#isDisposed = true
    this.#cancelRetry?.()
  }

  #look(id: IndexId, brokenOffMs: number | undefined): void {
    this.#due.add(id)
    if (brokenOffMs !== undefined && !this.#brokenOffMs.has(id)) this.#brokenOffMs.set(id, brokenOffMs)
  }

  async #run(): Promise<void> {
    if (this.#isRunning || this.#isDisposed) return
    this.#cancelRetry?.()
    this.#isRunning = true
    try {
      let question = await this.#next()
      while (question !== undefined && (await this.#ask(question))) question = await this.#next()
    } finally {
      this.#isRunning = false
    }
  }

  async #next(): Promise<CatchUpQuestion | undefined> {
    while (this.#due.size > 0 && !this.#isDisposed) await this.#plan()
    return this.#isDisposed ? undefined : this.#questions.shift()
  }

  /** Finds what is missing of the indices that are due, and puts the questions where they belong. */
  async #plan(): Promise<void> {
    const { clock, wanted, rest, onStayedUnknown } = this.#options
    const due = wanted().filter(({ id }) => this.#due.has(id))
    // Taken before the first await. An index whose stream breaks off meanwhile gets a new start.
    const fromMs = new Map(due.map(({ id }) => [id, this.#takeStart(id)]))
    this.#due.clear()
    const nowMs = clock.serviceMs()
    const indices = []
    for (const index of due) {
      const hasService = rest !== undefined && !this.#isKeyRefused
      const mayAsk = {
        values: hasService && !this.#withoutValues.has(index.id),
        history: hasService && !this.#withoutHistory.has(index.id),
      }
      indices.push({ ...index, mayAsk, missing: await this.#missing(index, fromMs.get(index.id), nowMs) })
      this.#seen.add(index.id)
      this.#maxGapsMs.set(index.id, maxGapMs(index.resolution, index.maxResolution))
    }
    if (this.#isDisposed) return
    const { questions, unknown } = planCatchUp(indices, nowMs)
    const planned = new Set(due.map(({ id }) => id))
    const others = this.#questions.filter(({ id }) => !planned.has(id))
    this.#questions = [...others, ...questions].sort(byUrgency)
    for (const range of unknown) {
      if (this.#isKeyRefused) this.#leaveOpen(range.id, range)
      onStayedUnknown({ ...range, ...(this.#isKeyRefused && { isForNow: true }) })
    }
  }

  /** Returns the time to look from and forgets it: where the stream broke off, or an earlier open question. */
  #takeStart(id: IndexId): number | undefined {
    const brokenOffMs = this.#seen.has(id) ? this.#brokenOffMs.get(id) : undefined
    const openSinceMs = this.#openSinceMs.get(id) ?? Infinity
    this.#brokenOffMs.delete(id)
    this.#openSinceMs.delete(id)
    return brokenOffMs === undefined ? undefined : Math.min(brokenOffMs, openSinceMs)
  }

  /** The gaps since `startMs`. Without it, those of the last days. */
  #missing(
    { id, resolution, maxResolution }: WantedIndex,
    startMs: number | undefined,
    nowMs: number,
  ): Promise<readonly MissingRange[]> {
    // The clock of the service may be ahead.
    const toMs = Math.max(nowMs, this.#newestMs.get(id) ?? 0)
    const firstLookMs = nowMs - Math.max(firstLookBackMs, valuesSpanMs(resolution))
    const openMs = this.#questions.flatMap((each) => (each.id === id ? each.missed.map((range) => range.fromMs) : []))
    const fromMs = startMs === undefined ? firstLookMs : Math.min(startMs, ...openMs)
    return this.#options.known.missing(id, { fromMs, toMs }, maxGapMs(resolution, maxResolution))
  }

  /** Answers whether to go on with other questions. */
  async #ask(question: CatchUpQuestion): Promise<boolean> {
    const { clock } = this.#options
    const askedAtMs = clock.serviceMs()
    const outcome = await this.#answer(question)
    if (this.#isDisposed) return false
    // It is not wanted any more; when it comes back it is looked at again.
    if (!this.#seen.has(question.id)) return true
    if (outcome.ok) {
      this.#answered(question, outcome.value, askedAtMs)
      // An answer has thousands of values. If too many wait, the history drops the oldest.
      await this.#options.known.recorded(question.id)
      return !this.#isDisposed
    }
    const { code } = outcome.problem
    // A key that is refused for everything does not get better by asking on.
    const isKeyRefused = code === 'notAuthorised' && question.source.kind === 'values'
    if (isKeyRefused || code === 'unreadable') {
      for (const range of question.missed) this.#leaveOpen(question.id, range)
      if (isKeyRefused) void this.keyRefused()
      return true
    }
    if (finalProblems.has(code)) {
      this.#failed(question, code)
      return true
    }
    this.#questions.unshift(question)
    this.#cancelRetry = clock.after(retryMs, () => void this.#run())
    return false
  }

  #answer({ id, resolution, maxResolution, source }: CatchUpQuestion): Promise<Outcome<Publication[]>> {
    const { rest } = this.#options
    if (rest === undefined) throw new Error('a request was planned without a connection')
    if (source.kind === 'history') return rest.historyValues(id, source.timespan, source.periodFromMs, 'background')
    const isFaster = resolution === 'PER_200MS' && maxResolution === 'PER_200MS'
    return rest.values(id, isFaster ? maxResolution : undefined, 'background')
  }

  #answered(question: CatchUpQuestion, rows: Publication[], askedAtMs: number): void {
    const { id, resolution, maxResolution, source } = question
    // History has every tick, also where they are not wanted.
    const isThinned = maxResolution === 'PER_SECOND' && source.kind === 'history'
    const wanted = isThinned ? rows.filter(({ publishedAtMs }) => publishedAtMs % 1_000 === 0) : rows
    const publications = this.#options.admit(id, wanted)
    const span = answeredSpan(question, publications, askedAtMs)
    this.#noteQuiet(question, publications)
    // A whole period without a value is one that the service does not know (wire facts 2.2).
    if (source.kind === 'history' && publications.length === 0) this.#reportUnknown([question])
    else this.#options.onCaughtUp({ id, resolution, publications, origin: 'catchUp', ...span })
  }

  /** Where the service has nothing of a gap either, one like it is nothing to ask about. */
  #noteQuiet({ id, resolution, maxResolution, missed }: CatchUpQuestion, publications: readonly Publication[]): void {
    const cadence = cadenceMs(resolution, maxResolution)
    const newestMs = publications.at(-1)?.publishedAtMs ?? -Infinity
    for (const { fromMs, toMs } of missed) {
      // The provider may only be behind: it has no later value yet.
      if (newestMs < toMs) continue
      const hasSome = publications.some(({ publishedAtMs }) => publishedAtMs > fromMs && publishedAtMs < toMs - cadence)
      const gapMs = Math.min(toMs - fromMs, maxQuietValues * cadence)
      if (!hasSome) this.#quietMs.set(id, Math.max(this.#quietMs.get(id) ?? 0, gapMs))
    }
  }

  #failed(question: CatchUpQuestion, code: ProblemCode): void {
    const { id, source } = question
    if (code === 'tooLarge') {
      const isDay = source.kind === 'history' && source.timespan === 'DAY'
      if (isDay) this.#questions = [...hoursOf(question), ...this.#questions].sort(byUrgency)
      else this.#reportUnknown([question])
      return
    }
    // Nor is there more to hope for from its other questions of this kind.
    const isSame = (other: CatchUpQuestion) => other.id === id && other.source.kind === source.kind
    this.#reportUnknown([question, ...this.#questions.filter(isSame)])
    this.#questions = this.#questions.filter((other) => !isSame(other))
    const refused = source.kind === 'values' ? this.#withoutValues : this.#withoutHistory
    refused.add(id)
  }

  #leaveOpen(id: IndexId, { fromMs }: TimeRange): void {
    this.#openSinceMs.set(id, Math.min(fromMs, this.#openSinceMs.get(id) ?? Infinity))
  }

  #reportUnknown(questions: readonly CatchUpQuestion[]): void {
    const [id] = questions.map((question) => question.id)
    if (id === undefined) return
    const missed = questions.flatMap((question) => question.missed)
    for (const range of merged(missed)) this.#options.onStayedUnknown({ id, ...range })
  }
}

/** The stretch of which an answer has everything. */
function answeredSpan(question: CatchUpQuestion, publications: readonly Publication[], askedAtMs: number): TimeRange {
  const { resolution, maxResolution, source } = question
  if (source.kind === 'history') {
    const { fromMs, toMs } = periodOf(source.timespan, source.periodFromMs)
    return { fromMs, toMs: Math.min(toMs - 1, askedAtMs - historyLateMs) }
  }
  const [oldest, newest] = [publications[0]?.publishedAtMs, publications.at(-1)?.publishedAtMs]
  // The clocks may differ: what may have been published after the newest value is left to the stream.
  const toMs = newest ?? askedAtMs
  const reachMs = Math.max(toMs, askedAtMs) - valuesSpanMs(resolution) + cadenceMs(resolution, maxResolution)
  return { fromMs: Math.min(oldest ?? toMs, reachMs), toMs }
}
