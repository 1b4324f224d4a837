import { isHourlyOrSlower } from '../../core/cadence'
import { rangeMs, type ChartPoint, type ChartRange, type ChartSeries, type ChartSpan } from '../../protocol/responses'
import {
  ok,
  type IndexId,
  type IndexInfo,
  type IndexSummary,
  type Outcome,
  type Publication,
  type Quote,
  type RequestedResolution,
  type Resolution,
} from '../../core/model'
import { arrayEqual } from '../base/array-equal'
import type { Clock } from '../base/clock'
import { KeptAnswers } from '../base/kept-answers'
import { isFarFuture } from '../../core/publication'
import type { HistoryAccess } from '../history-store/contract'
import {
  insertPoint,
  joinPoints,
  onSeconds,
  onSteps,
  pointsBetween,
  gapAfterMs,
  spacingMs,
  spacingOfSpanMs,
} from './chart-series'

/** What is asked of a service's REST interface. */
export interface ChartQuestions {
  index(id: IndexId): Promise<Outcome<IndexInfo>>
  values(id: IndexId, maxResolution?: RequestedResolution): Promise<Outcome<Publication[]>>
  summary(id: IndexId): Promise<Outcome<IndexSummary>>
}

/** The service that answers for an index. */
export interface ChartService {
  /** Absent where the connection has no REST address. */
  readonly rest: ChartQuestions | undefined
  /** `undefined` until the service has said so. */
  resolutionOf(id: IndexId): Resolution | undefined
}

interface Options {
  clock: Clock
  history: Pick<HistoryAccess, 'query'>
  /** `undefined` while there is no connection. */
  service: (id: IndexId) => ChartService | undefined
  /** The latest value as the app knows it; a cached one is left out of every chart. */
  latest: (id: IndexId) => Quote | undefined
  /** Whether the user watches this index at 200 ms. */
  isEveryTick: (id: IndexId) => boolean
  /** Other indices are followed than before. */
  onFollowed?: () => void
}

/** What one chart asks for. */
interface Question {
  id: IndexId
  range: ChartRange
  resolution: Resolution
  isEveryTick: boolean
  asks: Asks
}

/** What one chart is drawn from. */
interface Series extends Question {
  /** From one point to the next where not all are drawn. */
  spacing: number | undefined
}

/** Whether the service is asked and waited for, or what is known has to do. */
type Asks = 'service' | 'nobody'

/** What REST has of the past, and why that is not all or nothing new. */
interface RestPart {
  points: readonly Publication[]
  problem?: string
}

/** What the stream has brought of an index, of one service alone. */
interface Received {
  service: ChartService | undefined
  points: ChartPoint[]
}

/** An hour at 200 ms, five at a second. */
const maxReceived = 18_000

/**
 * The series of an index over a range: what the history has of it, what REST has of the past, and what the stream has brought
 * since. The publications of the open index and of those followed beside it are kept for that as they come, for this run
 * alone. All three know the same values and amendments, so that no seam between them doubles or misses a point. Without
 * the service the history is all.
 */
export class ChartSource {
  readonly #options: Options
  /** Responses of REST while they are young; older ones are kept for when REST does not answer any more. */
  readonly #responses: KeptAnswers<{ points: readonly Publication[]; service: object; epoch: number }>
  /** No response of an earlier one is fresh, nor that to a question already sent. */
  #epoch = 0
  #openId: IndexId | undefined
  #followedIds: readonly IndexId[] = []
  /** Of each index that is followed. */
  #received = new Map<IndexId, Received>()

  constructor(options: Options) {
    this.#options = options
    this.#responses = new KeptAnswers(options.clock, maxResponses)
  }

  /** The page of this index is open from now on, or none. */
  opened(id: IndexId | undefined): void {
    if (id === this.#openId) return
    this.#openId = id
    this.#settle()
  }

  /** These are followed from now on, beside the page that may be open. */
  follow(ids: readonly IndexId[]): void {
    const wanted = [...new Set(ids)]
    if (arrayEqual(wanted, this.#followedIds)) return
    this.#followedIds = wanted
    this.#settle()
    this.#options.onFollowed?.()
  }

  /** Those beside the open page. */
  get followedIds(): readonly IndexId[] {
    return this.#followedIds
  }

  /** Whether the publications of an index are kept and wanted by the window. */
  follows(id: IndexId): boolean {
    return this.#received.has(id)
  }

  /** The stream may have missed something, or was asked for something else: REST is asked again. */
  streamChanged(): void {
    this.#epoch++
  }

  /** Takes every publication and amendment that was received, of whichever index, in any order. */
  record(id: IndexId, publication: Publication): void {
    const points = this.#pointsOf(id)
    if (points === undefined) return
    insertPoint(points, publication)
    if (points.length > maxReceived) points.shift()
  }

  /** The points within the range up to now; where there are fewer than there should be, `problem` says why. */
  series(id: IndexId, range: ChartRange): Promise<ChartSeries> {
    return this.#upToNow(id, range, 'service')
  }

  /** The points between two times: what the history has of them, and REST where it still has them. */
  between(id: IndexId, span: ChartSpan): Promise<ChartSeries> {
    return this.#between(id, span, 'service')
  }

  /** What is known of either without waiting for the service: what is in the history, and what REST answered before. */
  known(id: IndexId, range: ChartRange | ChartSpan): Promise<ChartSeries> {
    return typeof range === 'string' ? this.#upToNow(id, range, 'nobody') : this.#between(id, range, 'nobody')
  }

  async #upToNow(id: IndexId, range: ChartRange, asks: Asks): Promise<ChartSeries> {
    const service = this.#options.service(id)
    const resolution = await this.#resolutionOf(id, service, asks)
    const isEveryTick =
      resolution === 'PER_200MS' && (range === '1m' || range === '5m') && this.#options.isEveryTick(id)
    const question: Question = { id, range, resolution, isEveryTick, asks }
    const asked = this.#ask(service, question)
    const usual = spacingMs(resolution, range)
    const spacing = range === '1y' && usual !== undefined ? await this.#spacingOfYear(question, asked, usual) : usual
    const series: Series = { ...question, spacing }
    const frame = {
      indexId: id,
      range,
      gapAfterMs: spacing === undefined || spacing === usual ? gapAfterMs(resolution, range, isEveryTick) : 4 * spacing,
      spacingMs: spacing,
    }
    const [known, past] = await Promise.all([this.#fromHistory(series), asked])
    // Another service has been chosen meanwhile: its values must not be joined with these.
    if (this.#options.service(id) !== service) return this.#upToNow(id, range, asks)
    const points = this.#within(series, this.#join(series, known, past.points))
    const problem = past.problem ?? this.#lackOf(series, points)
    return { ...frame, points, ...(problem !== undefined && { problem }) }
  }

  /** A year of which a part is known would be a few points far apart: it is drawn as closely as that part would be. */
  async #spacingOfYear(question: Question, asked: Promise<RestPart>, usual: number): Promise<number> {
    const { id, range } = question
    const nowMs = this.#options.clock.serviceMs()
    const [fromHistory, { points }] = await Promise.all([
      this.#options.history.query('valueAt', { id, atMs: nowMs - rangeMs[range] }),
      asked,
    ])
    const [first] = this.#join({ ...question, spacing: undefined }, [], points)
    const fromMs = Math.min(
      (fromHistory.ok ? fromHistory.value.nextPublishedAtMs : undefined) ?? Infinity,
      first?.publishedAtMs ?? Infinity,
    )
    return fromMs === Infinity ? usual : Math.min(usual, spacingOfSpanMs(nowMs - fromMs))
  }

  async #between(id: IndexId, span: ChartSpan, asks: Asks): Promise<ChartSeries> {
    const { fromMs, toMs } = span
    const service = this.#options.service(id)
    const resolution = await this.#resolutionOf(id, service, asks)
    const stepMs = isHourlyOrSlower(resolution) ? 1_000 : spacingOfSpanMs(toMs - fromMs)
    const range = isHourlyOrSlower(resolution) ? '1y' : stepMs === 1_000 ? '1h' : '24h'
    const isRecent = toMs > this.#options.clock.serviceMs() - rangeMs[range]
    const series: Series = { id, range, resolution, isEveryTick: false, asks, spacing: undefined }
    const [known, past]: [Outcome<readonly Publication[]>, RestPart] = await Promise.all([
      this.#options.history.query('samples', { id, fromMs, toMs, stepMs }),
      isRecent ? this.#ask(service, series) : { points: [] },
    ])
    if (this.#options.service(id) !== service) return this.#between(id, span, asks)
    const within = pointsBetween(joinPoints(known.ok ? known.value : [], past.points), fromMs - 1, toMs)
    const points = stepMs === 1_000 ? within : onSteps(within, stepMs)
    const problem =
      past.problem ?? (points.length === 0 ? `The history has no values of ${id} in this range.` : undefined)
    return {
      indexId: id,
      range: span,
      points,
      gapAfterMs: stepMs === 1_000 ? gapAfterMs(resolution, range, false) : 4 * stepMs,
      ...(stepMs !== 1_000 && { spacingMs: stepMs }),
      problem,
    }
  }

  /** Why a chart that was answered has less than its range. */
  #lackOf({ id, range, resolution }: Series, points: readonly ChartPoint[]): string | undefined {
    if (range === '1y' && !isHourlyOrSlower(resolution)) {
      const isWhole = this.#options.clock.serviceMs() - (points[0]?.publishedAtMs ?? Infinity) > 0.99 * rangeMs[range]
      return isWhole ? undefined : noYearOf(resolution)
    }
    return points.length === 0 ? nothingWithin(id, range, resolution) : undefined
  }

  /** What this app has received of the range, in this run or before; nothing where it cannot be read. */
  async #fromHistory({ id, range, isEveryTick, spacing }: Series): Promise<readonly Publication[]> {
    const toMs = this.#options.clock.serviceMs()
    const stepMs = spacing ?? (isEveryTick ? 1 : 1_000)
    const known = await this.#options.history.query('samples', { id, fromMs: toMs - rangeMs[range], toMs, stepMs })
    return known.ok ? known.value : []
  }

  async #resolutionOf(id: IndexId, service: ChartService | undefined, asks: Asks): Promise<Resolution> {
    const known = service?.resolutionOf(id) ?? (asks === 'nobody' ? 'PER_SECOND' : undefined)
    if (known !== undefined) return known
    // Just after the start: which ranges there are, and from where, depends on it.
    const info = await service?.rest?.index(id)
    return info?.ok === true ? info.value.maxResolution : 'PER_SECOND'
  }

  async #ask(service: ChartService | undefined, question: Question): Promise<RestPart> {
    if (service === undefined) return { points: [], problem: notConnected }
    const { rest } = service
    if (rest === undefined) return { points: [], problem: withoutRest }
    const { id, range, resolution, isEveryTick, asks } = question
    const maxResolution = isEveryTick ? 'PER_200MS' : undefined
    const isByMinutes = spacingMs(resolution, range) !== undefined
    const key = isByMinutes ? `summary ${id}` : `values ${id} ${maxResolution ?? ''}`
    const kept = this.#responses.get(key)
    const held = kept?.value.service === service ? kept.value : undefined
    const epoch = this.#epoch
    const known: RestPart = { points: held?.points ?? [] }
    // A response goes on being true only while whatever comes after it is recorded.
    const isFresh = held?.epoch === epoch && (kept?.ageMs ?? Infinity) < freshMs && this.follows(id)
    if (asks === 'nobody' || isFresh) return known
    const response = isByMinutes ? pointsOf(await rest.summary(id)) : await rest.values(id, maxResolution)
    if (!response.ok) return { ...known, problem: restFailed(response.problem.message) }
    const nowMs = this.#options.clock.serviceMs()
    const points = response.value.filter((publication) => !isFarFuture(publication, nowMs))
    this.#responses.keep(key, { points, service, epoch })
    return { points }
  }

  #join(
    { id, resolution, isEveryTick, spacing }: Series,
    known: readonly Publication[],
    past: readonly Publication[],
  ): ChartPoint[] {
    const latest = this.#options.latest(id)
    const joined = joinPoints(
      known,
      past,
      this.#pointsOf(id) ?? [],
      latest === undefined || latest.source === 'cache' ? [] : [latest],
    )
    // One spacing throughout: the part that came by the stream must not look busier than the rest.
    if (spacing !== undefined) return onSteps(joined, spacing)
    return resolution === 'PER_200MS' && !isEveryTick ? onSeconds(joined) : joined
  }

  /** Up to now, or up to the last point where our clock is behind the service's. */
  #within({ range }: Series, points: readonly ChartPoint[]): ChartPoint[] {
    const endMs = Math.max(this.#options.clock.serviceMs(), points.at(-1)?.publishedAtMs ?? 0)
    return pointsBetween(points, endMs - rangeMs[range], endMs)
  }

  /** What was received before of an index that goes on being followed stays. */
  #settle(): void {
    const ids = new Set([...(this.#openId === undefined ? [] : [this.#openId]), ...this.#followedIds])
    if ([...ids].some((id) => !this.follows(id))) this.#epoch++
    this.#received = new Map(
      [...ids].map((id) => [id, this.#received.get(id) ?? { service: this.#options.service(id), points: [] }]),
    )
  }

  /** Received of an index that is followed, ascending, from the service that answers for it now. */
  #pointsOf(id: IndexId): ChartPoint[] | undefined {
    const received = this.#received.get(id)
    const service = this.#options.service(id)
    if (received === undefined || received.service === service) return received?.points
    const points: ChartPoint[] = []
    this.#received.set(id, { service, points })
    return points
  }
}

/** The last 24 hours, and the latest value, which need not be among them yet. */
function pointsOf(response: Outcome<IndexSummary>): Outcome<Publication[]> {
  return response.ok ? ok([...response.value.last24Hours, response.value]) : response
}

// What a chart says where it shows less than was asked for.

const cadences: Readonly<Record<Resolution, string>> = {
  PER_200MS: 'every 200 ms',
  PER_SECOND: 'every second',
  PER_MINUTE: 'every minute',
  PER_HOUR: 'once an hour',
  DAILY: 'once a day',
  BUSINESS_DAYS: 'once on each business day',
}

const spans: Readonly<Record<ChartRange, string>> = {
  '1m': 'minute',
  '5m': '5 minutes',
  '1h': 'hour',
  '24h': '24 hours',
  '1y': 'year',
}

const notConnected = 'Not connected: the chart shows only values received before.'
const withoutRest =
  'This connection has no REST address, so the chart shows only values that this app received. Enter an address in Settings.'

/** `message` says why REST did not respond. */
function restFailed(message: string): string {
  return `${message} The chart shows only values received before.`
}

/** A year of an index of which the service keeps an hour by its own cadence and a day by the minute: the rest is the history's. */
function noYearOf(resolution: Resolution): string {
  const data = resolution === 'PER_200MS' ? '200 ms data' : `data published ${cadences[resolution]}`
  return `The provider keeps 24 hours of ${data}; anything older comes from this app’s own history.`
}

/** The service answered, and nothing lies in the range. */
function nothingWithin(id: IndexId, range: ChartRange, resolution: Resolution): string {
  if (isHourlyOrSlower(resolution) && range !== '1y') {
    const better = resolution === 'PER_HOUR' && range !== '24h' ? '24 h' : '1 y'
    return `${id} publishes ${cadences[resolution]}: choose ${better}.`
  }
  return `${id} published nothing in the last ${spans[range]}.`
}

/**
 * How long a response is good for. Going through the ranges and back asks once; asking again so soon brings nothing, since
 * what is published meanwhile, amendments too, comes by the stream. After that the service is asked again, which heals
 * what the stream may have lost. An hour at 200 ms is a megabyte: not to be asked for lightly.
 */
const freshMs = 10_000
const maxResponses = 8
