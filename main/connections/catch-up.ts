import { isHourlyOrSlower } from '../../core/cadence'
import { merged, type TimeRange } from '../../core/ranges'
import {
  done,
  failure,
  type IndexId,
  type Outcome,
  type Publication,
  type RequestedResolution,
  type Resolution,
} from '../../core/model'
import type { ProblemCode } from '../../core/problems'
import type { Clock } from '../base/clock'
import { periodOf, type RestClient } from '../rest/client'
import type { Urgency } from '../rest/request-budget'
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
import { withoutRest } from './endpoint'
import type { KnownValues } from './known-values'

/** An index whose values must have no gaps. */
export interface WantedIndex {
  id: IndexId
  resolution: Resolution
  maxResolution: RequestedResolution
  isWatchedByRule: boolean
}

/** An answer of the service, or a part of one. It is complete from `fromMs` to `toMs`. */
export interface CaughtUp extends TimeRange {
  id: IndexId
  resolution: Resolution
  publications: Publication[]
  origin: 'catchUp'
}

/** A range for which the service has no values. */
export interface StayedUnknown extends TimeRange {
  id: IndexId
  /** The key is refused. The range is requested again at the next connect. */
  isForNow?: true
}

interface Options {
  /** Undefined if the connection has no REST address. */
  rest: Pick<RestClient, 'values' | 'historyValues'> | undefined
  clock: Clock
  known: KnownValues
  wanted: () => readonly WantedIndex[]
  /** Returns the values that apply now. Values ahead of the service's time are held until then. */
  admit: (id: IndexId, publications: Publication[]) => Publication[]
  onCaughtUp: (caughtUp: CaughtUp) => void
  onStayedUnknown: (range: StayedUnknown) => void
}

const retryMs = 30_000
const minuteMs = 60_000
/**
 * How far back an index is checked at first. A longer range would keep the history busy, and a gap that began earlier
 * is found anyway.
 */
const firstLookBackMs = 7 * 86_400_000
/** An index may publish less often than stated. Up to this many missing values then do not count as a gap. */
const maxQuietValues = 60
/** Storing and judging this many values takes a few milliseconds of a turn. */
const maxValuesOfPart = 4_000
/** Problems that would recur if the request were repeated. */
const finalProblems: ReadonlySet<ProblemCode> = new Set(['badRequest', 'notFound', 'notAuthorised', 'tooLarge'])

/**
 * Finds what the stream did not deliver (the app closed or asleep, the line down, a message lost) and requests it, one
 * request at a time, newest first. What the service does not have is reported as unknown.
 */
export class CatchUp {
  readonly #options: Options
  /** Ids to check: those new here, and after a connect or a gap. */
  readonly #due = new Set<IndexId>()
  readonly #seen = new Set<IndexId>()
  /** Publication time of the newest value from the stream. */
  readonly #newestMs = new Map<IndexId, number>()
  /** A longer time between two values of the stream is a gap. */
  readonly #maxGapsMs = new Map<IndexId, number>()
  /** When the stream broke off. What was missed begins here. */
  readonly #brokenOffMs = new Map<IndexId, number>()
  /** The longest gap in which the service itself had no value. An index may publish less often than stated. */
  readonly #quietMs = new Map<IndexId, number>()
  readonly #withoutValues = new Set<IndexId>()
  readonly #withoutHistory = new Set<IndexId>()
  #questions: CatchUpQuestion[] = []
  /** Start of the oldest gap that could not be requested in this connect. The next connect looks again. */
  readonly #openSinceMs = new Map<IndexId, number>()
  #isKeyRefused = false
  #isRunning = false
  #isDisposed = false
  #cancelRetry: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Call when connecting. Earlier refusals may be retried. */
  forgetRefusals(): void {
    this.#withoutValues.clear()
    this.#withoutHistory.clear()
    this.#isKeyRefused = false
  }

  /** Call when REST refuses the key. Everything missing is unknown for now. */
  keyRefused(): Promise<void> {
    this.#isKeyRefused = true
    // Checks everything again. Without a key that reports each gap as unknown.
    return this.connected()
  }

  /** Call when the stream is live again. Checks everything wanted, except what this connect has refused. */
  connected(): Promise<void> {
    for (const { id } of this.#options.wanted()) this.#look(id, this.#newestMs.get(id))
    return this.#run()
  }

  /** Call when the history becomes readable. Checks everything wanted as at first. */
  lookAgain(): Promise<void> {
    this.#seen.clear()
    return this.connected()
  }

  /** Call when the wanted indices change. Checks the new ones. */
  wantedChanged(): Promise<void> {
    for (const { id, resolution, maxResolution } of this.#options.wanted()) {
      if (this.#seen.has(id)) this.#maxGapsMs.set(id, maxGapMs(resolution, maxResolution))
      else this.#due.add(id)
    }
    return this.#run()
  }

  /** The index is no longer wanted. If it returns, it is checked again. */
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

  /** REST does not know these ids. They are not requested until the next connect. */
  refused(ids: readonly IndexId[]): void {
    for (const id of ids) {
      this.#withoutValues.add(id)
      this.#withoutHistory.add(id)
    }
  }

  /** Call for each value from the stream. A gap of more than twice the frequency is requested from the service. */
  published(id: IndexId, { publishedAtMs }: Publication): void {
    const newestMs = this.#newestMs.get(id) ?? publishedAtMs
    this.#newestMs.set(id, Math.max(newestMs, publishedAtMs))
    const quietMs = 1.5 * (this.#quietMs.get(id) ?? 0)
    if (publishedAtMs - newestMs <= Math.max(this.#maxGapsMs.get(id) ?? Infinity, quietMs)) return
    this.#look(id, newestMs)
    void this.#run()
  }

  /** Requests the values around a past time, for a user who waits. Resolves when they are stored. */
  async fetchAround({ id, resolution }: Pick<WantedIndex, 'id' | 'resolution'>, atMs: number): Promise<Outcome<null>> {
    const { clock } = this.#options
    const askedAtMs = clock.serviceMs()
    const timespan = isHourlyOrSlower(resolution) ? 'YEAR' : 'HOUR'
    const isRecent = atMs >= askedAtMs - valuesSpanMs(resolution) + minuteMs
    const question: CatchUpQuestion = {
      id,
      resolution,
      maxResolution: resolution === 'PER_200MS' ? 'PER_200MS' : 'PER_SECOND',
      isWatchedByRule: false,
      source: isRecent
        ? { kind: 'values' }
        : { kind: 'history', timespan, periodFromMs: periodOf(timespan, atMs).fromMs },
      missed: [],
    }
    const outcome = await this.#answer(question, 'user')
    if (!outcome.ok) return outcome
    if (outcome.value.length === 0) return failure('noValues', 'The provider has no values for this time.')
    if (!this.#isDisposed) await this.#answered(question, outcome.value, askedAtMs)
    return done
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

  /** Finds the gaps of the ids to check, and queues their requests in order. */
  async #plan(): Promise<void> {
    const { clock, wanted, rest, onStayedUnknown } = this.#options
    const due = wanted().filter(({ id }) => this.#due.has(id))
    // Taken before the first await. An index whose stream breaks off during this gets a new start.
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

  /** Returns the time to check from and forgets it: where the stream broke off, or the start of an earlier open gap. */
  #takeStart(id: IndexId): number | undefined {
    const brokenOffMs = this.#seen.has(id) ? this.#brokenOffMs.get(id) : undefined
    const openSinceMs = this.#openSinceMs.get(id) ?? Infinity
    this.#brokenOffMs.delete(id)
    this.#openSinceMs.delete(id)
    return brokenOffMs === undefined ? undefined : Math.min(brokenOffMs, openSinceMs)
  }

  /** The gaps since `startMs`, or without it those of the last days. */
  #missing(
    { id, resolution, maxResolution }: WantedIndex,
    startMs: number | undefined,
    nowMs: number,
  ): Promise<readonly MissingRange[]> {
    // The service's clock may be ahead.
    const toMs = Math.max(nowMs, this.#newestMs.get(id) ?? 0)
    const firstLookMs = nowMs - Math.max(firstLookBackMs, valuesSpanMs(resolution))
    const openMs = this.#questions.flatMap((each) => (each.id === id ? each.missed.map((range) => range.fromMs) : []))
    const fromMs = startMs === undefined ? firstLookMs : Math.min(startMs, ...openMs)
    return this.#options.known.missing(id, { fromMs, toMs }, maxGapMs(resolution, maxResolution))
  }

  /** Returns whether to continue with other requests. */
  async #ask(question: CatchUpQuestion): Promise<boolean> {
    const { clock } = this.#options
    const askedAtMs = clock.serviceMs()
    const outcome = await this.#answer(question, 'background')
    if (this.#isDisposed) return false
    // The index is no longer wanted.
    if (!this.#seen.has(question.id)) return true
    if (outcome.ok) {
      await this.#answered(question, outcome.value, askedAtMs)
      return !this.#isDisposed
    }
    const { code } = outcome.problem
    // If the key is refused for everything, other requests would fail too.
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

  async #answer(
    { id, resolution, maxResolution, source }: CatchUpQuestion,
    urgency: Urgency,
  ): Promise<Outcome<Publication[]>> {
    const { rest } = this.#options
    if (rest === undefined) return withoutRest
    if (source.kind === 'history') return rest.historyValues(id, source.timespan, source.periodFromMs, urgency)
    const isFaster = resolution === 'PER_200MS' && maxResolution === 'PER_200MS'
    return rest.values(id, isFaster ? maxResolution : undefined, urgency)
  }

  /**
   * Reports an answer. A long one is reported in parts, each after the previous one is stored. A day of values at once
   * would block the main loop. If too many values wait, the history drops the oldest.
   */
  async #answered(question: CatchUpQuestion, rows: Publication[], askedAtMs: number): Promise<void> {
    const { id, resolution, maxResolution, source } = question
    // History has every tick, even if only whole seconds are wanted.
    const isThinned = maxResolution === 'PER_SECOND' && source.kind === 'history'
    const wanted = isThinned ? rows.filter(({ publishedAtMs }) => publishedAtMs % 1_000 === 0) : rows
    const publications = this.#options.admit(id, wanted)
    const span = answeredSpan(question, publications, askedAtMs)
    this.#noteQuiet(question, publications)
    // If a whole period has no value, the service does not know the period (protocol, 4.2).
    if (source.kind === 'history' && publications.length === 0) {
      this.#reportUnknown([question])
      return
    }
    for (const part of partsOf(publications, span)) {
      this.#options.onCaughtUp({ id, resolution, origin: 'catchUp', ...part })
      await this.#options.known.recorded(id)
      if (this.#isDisposed) return
    }
  }

  /** If the service has no values in a gap, later gaps of that length are not requested. */
  #noteQuiet({ id, resolution, maxResolution, missed }: CatchUpQuestion, publications: readonly Publication[]): void {
    const cadence = cadenceMs(resolution, maxResolution)
    const newestMs = publications.at(-1)?.publishedAtMs ?? -Infinity
    for (const { fromMs, toMs } of missed) {
      // The provider may be late: it has no newer value yet.
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
    // Other requests of this kind for this index would fail too.
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

/** The parts of an answer, each complete for its own range. Revisions of one time stay together. */
function* partsOf(
  publications: Publication[],
  span: TimeRange,
): Generator<TimeRange & { publications: Publication[] }> {
  let [start, fromMs] = [0, span.fromMs]
  for (let end = 1; end < publications.length; end++) {
    const [lastMs, nextMs] = [publications[end - 1]?.publishedAtMs ?? 0, publications[end]?.publishedAtMs]
    if (end - start < maxValuesOfPart || nextMs === lastMs || lastMs >= span.toMs) continue
    yield { publications: publications.slice(start, end), fromMs, toMs: lastMs }
    start = end
    fromMs = lastMs + 1
  }
  yield { publications: publications.slice(start), fromMs, toMs: span.toMs }
}

/** The range that an answer covers completely. */
function answeredSpan(question: CatchUpQuestion, publications: readonly Publication[], askedAtMs: number): TimeRange {
  const { resolution, maxResolution, source } = question
  if (source.kind === 'history') {
    const { fromMs, toMs } = periodOf(source.timespan, source.periodFromMs)
    return { fromMs, toMs: Math.min(toMs - 1, askedAtMs - historyLateMs) }
  }
  const [oldest, newest] = [publications[0]?.publishedAtMs, publications.at(-1)?.publishedAtMs]
  // The clocks may differ. Values published after the newest one are left to the stream.
  const toMs = newest ?? askedAtMs
  const reachMs = Math.max(toMs, askedAtMs) - valuesSpanMs(resolution) + cadenceMs(resolution, maxResolution)
  return { fromMs: Math.min(oldest ?? toMs, reachMs), toMs }
}
