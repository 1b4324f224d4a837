import { isHourlyOrSlower } from '../../core/cadence'
import {
  isOverDay,
  rangeMs,
  type ChartPoint,
  type ChartRange,
  type ChartSeries,
  type ChartSpan,
} from '../../protocol/responses'
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
import { AnswerCache } from '../base/answer-cache'
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

/** The REST requests of a chart. */
export interface ChartRest {
  index(id: IndexId): Promise<Outcome<IndexInfo>>
  values(id: IndexId, maxResolution?: RequestedResolution): Promise<Outcome<Publication[]>>
  summary(id: IndexId): Promise<Outcome<IndexSummary>>
}

/** The service that provides an index. */
export interface ChartService {
  /** Undefined if the connection has no REST address. */
  readonly rest: ChartRest | undefined
}

interface Options {
  clock: Clock
  history: Pick<HistoryAccess, 'query'>
  /** Undefined if there is no connection. */
  service: (id: IndexId) => ChartService | undefined
  /** As the service sent it, in this run or an earlier one. */
  resolutionOf: (id: IndexId) => Resolution | undefined
  /** The latest value. A cached one is left out of charts. */
  latest: (id: IndexId) => Quote | undefined
  /** True if the user watches this index at 200 ms. */
  isEveryTick: (id: IndexId) => boolean
  /** Called when the set of followed indices has changed. */
  onFollowed?: () => void
}

/** The request for one chart. */
interface ChartRequest {
  id: IndexId
  range: ChartRange
  resolution: Resolution
  isEveryTick: boolean
  sources: Sources
}

/** The data source of one chart. */
interface Series extends ChartRequest {
  /** Distance between drawn points. Undefined if all are drawn. */
  spacing: number | undefined
}

/** `all`: wait for REST. `known`: use only what is on this computer. */
type Sources = 'all' | 'known'

/** Points from REST, and the problem if they are incomplete or old. */
interface RestPart {
  points: readonly Publication[]
  problem?: string
}

/** Values of an index received by stream from one service. */
interface Received {
  service: ChartService | undefined
  points: ChartPoint[]
}

/** Names the main window. */
export const mainWindow = 'main'

/** An hour at 200 ms, or five hours at one second. */
const maxReceived = 18_000
/** Up to this length a span has every 200 ms value, if a watchlist requests the index at 200 ms. */
const maxTickSpanMs = 5 * 60_000

/**
 * Provides the series of an index over a range, joined from the history, REST and the stream. Values of the open index
 * and of followed indices are kept in memory as they arrive. All three sources have the same values and amendments, so
 * no point is doubled or missed where they meet. Without the service only the history is used.
 */
export class ChartSource {
  readonly #options: Options
  /** REST responses. Young ones are used directly, older ones if REST fails. */
  readonly #responses: AnswerCache<{ points: readonly Publication[]; service: object; epoch: number }>
  /** Incremented when earlier responses, and those still pending, no longer count as fresh. */
  #epoch = 0
  /** By window: the index of its open page, and those it follows in addition. */
  readonly #openIds = new Map<string, IndexId>()
  readonly #followedIds = new Map<string, readonly IndexId[]>()
  /** By index, for followed indices. */
  #received = new Map<IndexId, Received>()

  constructor(options: Options) {
    this.#options = options
    this.#responses = new AnswerCache(options.clock, maxResponses)
  }

  /** The open page of a window. Undefined if none is open. */
  opened(id: IndexId | undefined, inWindow: string = mainWindow): void {
    if (id === this.#openIds.get(inWindow)) return
    if (id === undefined) this.#openIds.delete(inWindow)
    else this.#openIds.set(inWindow, id)
    this.#settle()
  }

  /** Sets the indices that a window follows in addition to its open page. */
  follow(ids: readonly IndexId[], inWindow: string = mainWindow): void {
    const wanted = [...new Set(ids)]
    if (arrayEqual(wanted, this.#followedIds.get(inWindow) ?? [])) return
    this.#followedIds.set(inWindow, wanted)
    this.#settle()
    this.#options.onFollowed?.()
  }

  /** The indices followed in addition to open pages, in all windows. */
  get followedIds(): readonly IndexId[] {
    return [...new Set([...this.#followedIds.values()].flat())]
  }

  /** True if values of the index are kept and sent to this window. */
  follows(id: IndexId, inWindow: string = mainWindow): boolean {
    return this.#openIds.get(inWindow) === id || this.#followedIds.get(inWindow)?.includes(id) === true
  }

  /** The stream may have missed values or was subscribed differently, so REST is queried again. */
  streamChanged(): void {
    this.#epoch++
  }

  /** Takes every received publication, of any index and in any order. */
  record(id: IndexId, publication: Publication): void {
    const points = this.#pointsOf(id)
    if (points === undefined) return
    insertPoint(points, publication)
    if (points.length > maxReceived) points.shift()
  }

  /**
   * The points of a range up to now, or between two times. `problem` says why there are fewer than expected. With
   * `known` it does not wait for the service: it uses the history and earlier REST responses.
   */
  series(id: IndexId, range: ChartRange | ChartSpan, sources: Sources = 'all'): Promise<ChartSeries> {
    return typeof range === 'string' ? this.#upToNow(id, range, sources) : this.#between(id, range, sources)
  }

  async #upToNow(id: IndexId, range: ChartRange, sources: Sources): Promise<ChartSeries> {
    const service = this.#options.service(id)
    const resolution = await this.#resolutionOf(id, service, sources)
    const request: ChartRequest = { id, range, resolution, isEveryTick: false, sources }
    const asked = this.#ask(service, request)
    const usual = spacingMs(resolution, range)
    const spacing = isOverDay(range) && usual !== undefined ? await this.#spacingOfPart(request, asked, usual) : usual
    const series: Series = { ...request, spacing }
    const frame = { indexId: id, range, gapAfterMs: gapAfterMs(resolution, false, spacing), spacingMs: spacing }
    const [known, past] = await Promise.all([this.#fromHistory(series), asked])
    // Another service was chosen during the queries. Its values must not be joined with these.
    if (this.#options.service(id) !== service) return this.#upToNow(id, range, sources)
    const points = this.#within(series, this.#join(series, known, past.points))
    const problem = past.problem ?? this.#reasonIncomplete(series, points)
    return { ...frame, points, ...(problem !== undefined && { problem }) }
  }

  /**
   * If only part of a range is known, it is drawn with the spacing of that part. With the spacing of the range it would
   * be a few points.
   */
  async #spacingOfPart(request: ChartRequest, asked: Promise<RestPart>, usual: number): Promise<number> {
    const { id, range } = request
    const nowMs = this.#options.clock.serviceMs()
    const [fromHistory, { points }] = await Promise.all([
      this.#options.history.query('valueAt', { id, atMs: nowMs - rangeMs[range] }),
      asked,
    ])
    const [first] = this.#join({ ...request, spacing: undefined }, [], points)
    const fromMs = Math.min(
      (fromHistory.ok ? fromHistory.value.nextPublishedAtMs : undefined) ?? Infinity,
      first?.publishedAtMs ?? Infinity,
    )
    return fromMs === Infinity ? usual : Math.min(usual, spacingOfSpanMs(nowMs - fromMs))
  }

  /** From the history and, as far back as it goes, from REST. */
  async #between(id: IndexId, span: ChartSpan, sources: Sources): Promise<ChartSeries> {
    const { fromMs, toMs } = span
    const service = this.#options.service(id)
    const resolution = await this.#resolutionOf(id, service, sources)
    const isEveryTick = resolution === 'PER_200MS' && toMs - fromMs <= maxTickSpanMs && this.#options.isEveryTick(id)
    const stepMs = isEveryTick ? 1 : isHourlyOrSlower(resolution) ? 1_000 : spacingOfSpanMs(toMs - fromMs)
    const spacing = stepMs > 1_000 ? stepMs : undefined
    const range = isHourlyOrSlower(resolution) ? '1y' : spacing === undefined ? '1h' : '24h'
    const isRecent = toMs > this.#options.clock.serviceMs() - rangeMs[range]
    const request: ChartRequest = { id, range, resolution, isEveryTick, sources }
    const [known, past]: [Outcome<readonly Publication[]>, RestPart] = await Promise.all([
      this.#options.history.query('samples', { id, fromMs, toMs, stepMs }),
      isRecent ? this.#ask(service, request) : { points: [] },
    ])
    if (this.#options.service(id) !== service) return this.#between(id, span, sources)
    const within = pointsBetween(joinPoints(known.ok ? known.value : [], past.points), fromMs - 1, toMs)
    const points = spacing === undefined ? within : onSteps(within, spacing)
    const problem =
      past.problem ?? (points.length === 0 ? `The history has no values of ${id} in this range.` : undefined)
    return {
      indexId: id,
      range: span,
      points,
      gapAfterMs: gapAfterMs(resolution, isEveryTick, spacing),
      ...(spacing !== undefined && { spacingMs: spacing }),
      problem,
    }
  }

  /** Why a chart is incomplete although REST answered. */
  #reasonIncomplete({ id, range, resolution }: Series, points: readonly ChartPoint[]): string | undefined {
    if (isOverDay(range) && !isHourlyOrSlower(resolution)) {
      const isWhole = this.#options.clock.serviceMs() - (points[0]?.publishedAtMs ?? Infinity) > 0.99 * rangeMs[range]
      return isWhole ? undefined : incompleteRange(resolution)
    }
    return points.length === 0 ? emptyRange(id, range, resolution) : undefined
  }

  /** Values of the range in the history. Empty if it cannot be read. */
  async #fromHistory({ id, range, spacing }: Series): Promise<readonly Publication[]> {
    const toMs = this.#options.clock.serviceMs()
    const fromMs = toMs - rangeMs[range]
    const known = await this.#options.history.query('samples', { id, fromMs, toMs, stepMs: spacing ?? 1_000 })
    return known.ok ? known.value : []
  }

  async #resolutionOf(id: IndexId, service: ChartService | undefined, sources: Sources): Promise<Resolution> {
    const known = this.#options.resolutionOf(id) ?? (sources === 'known' ? 'PER_SECOND' : undefined)
    if (known !== undefined) return known
    // Just after the start the frequency may be unknown. The available ranges depend on it.
    const info = await service?.rest?.index(id)
    return info?.ok === true ? info.value.maxResolution : 'PER_SECOND'
  }

  async #ask(service: ChartService | undefined, request: ChartRequest): Promise<RestPart> {
    if (service === undefined) return { points: [], problem: notConnected }
    const { rest } = service
    if (rest === undefined) return { points: [], problem: withoutRest }
    const { id, range, resolution, isEveryTick, sources } = request
    const maxResolution = isEveryTick ? 'PER_200MS' : undefined
    const isByMinutes = spacingMs(resolution, range) !== undefined
    const key = isByMinutes ? `summary ${id}` : `values ${id} ${maxResolution ?? ''}`
    const kept = this.#responses.get(key)
    const held = kept?.value.service === service ? kept.value : undefined
    const epoch = this.#epoch
    const known: RestPart = { points: held?.points ?? [] }
    // A response stays valid only while later values are recorded.
    const isFresh = held?.epoch === epoch && (kept?.ageMs ?? Infinity) < freshMs && this.#received.has(id)
    if (sources === 'known' || isFresh) return known
    const response = isByMinutes ? pointsOf(await rest.summary(id)) : await rest.values(id, maxResolution)
    if (!response.ok) return { ...known, problem: restFailed(response.problem.message) }
    const nowMs = this.#options.clock.serviceMs()
    const points = response.value.filter((publication) => !isFarFuture(publication, nowMs))
    this.#responses.keep(key, { points, service, epoch })
    return { points }
  }

  #join(
    { id, resolution, spacing }: Series,
    known: readonly Publication[],
    past: readonly Publication[],
  ): ChartPoint[] {
    const latest = this.#options.latest(id)
    const joined = joinPoints(
      known,
      past,
      this.#pointsOf(id) ?? [],
      latest === undefined || latest.source === 'cache' || latest.isFilling === true ? [] : [latest],
    )
    // Streamed values get the same spacing as the rest.
    if (spacing !== undefined) return onSteps(joined, spacing)
    return resolution === 'PER_200MS' ? onSeconds(joined) : joined
  }

  /** The range ends now, or at the last point if our clock is behind the service's. */
  #within({ range }: Series, points: readonly ChartPoint[]): ChartPoint[] {
    const endMs = Math.max(this.#options.clock.serviceMs(), points.at(-1)?.publishedAtMs ?? 0)
    return pointsBetween(points, endMs - rangeMs[range], endMs)
  }

  /** Keeps received values of indices that are still followed. */
  #settle(): void {
    const ids = new Set([...this.#openIds.values(), ...this.followedIds])
    if ([...ids].some((id) => !this.#received.has(id))) this.#epoch++
    this.#received = new Map(
      [...ids].map((id) => [id, this.#received.get(id) ?? { service: this.#options.service(id), points: [] }]),
    )
  }

  /** Values received for a followed index from its current service, ascending. */
  #pointsOf(id: IndexId): ChartPoint[] | undefined {
    const received = this.#received.get(id)
    const service = this.#options.service(id)
    if (received === undefined || received.service === service) return received?.points
    const points: ChartPoint[] = []
    this.#received.set(id, { service, points })
    return points
  }
}

/** The last 24 hours, and the latest value, which may be newer. */
function pointsOf(response: Outcome<IndexSummary>): Outcome<Publication[]> {
  return response.ok ? ok([...response.value.last24Hours, response.value]) : response
}

// Words for the messages about incomplete charts.

const cadences: Readonly<Record<Resolution, string>> = {
  PER_200MS: 'every 200 ms',
  PER_SECOND: 'every second',
  PER_MINUTE: 'every minute',
  PER_HOUR: 'once an hour',
  DAILY: 'once a day',
  BUSINESS_DAYS: 'once on each business day',
}

const spans: Readonly<Record<ChartRange, string>> = {
  '1h': 'hour',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '1y': 'year',
}

const notConnected = 'Not connected: the chart shows only values received before.'
const withoutRest =
  'This connection has no REST address, so the chart shows only values that this app received. Enter an address in Settings.'

/** `message` says why REST failed. */
function restFailed(message: string): string {
  return `${message} The chart shows only values received before.`
}

/** The service keeps an hour of such an index at its own frequency, and a day by minutes. */
function incompleteRange(resolution: Resolution): string {
  const data = resolution === 'PER_200MS' ? '200 ms data' : `data published ${cadences[resolution]}`
  return `The provider keeps 24 hours of ${data}; anything older comes from this app’s own history.`
}

/** The service answered, but the range is empty. */
function emptyRange(id: IndexId, range: ChartRange, resolution: Resolution): string {
  if (isHourlyOrSlower(resolution) && !isOverDay(range)) {
    const better = resolution === 'PER_HOUR' && range !== '24h' ? '24 h' : '7 d'
    return `${id} publishes ${cadences[resolution]}: choose ${better}.`
  }
  return `${id} published nothing in the last ${spans[range]}.`
}

/**
 * How long a response counts as fresh. Later values and amendments arrive by stream, so a shorter time would bring
 * nothing. After it REST is queried again, which repairs losses of the stream. An hour at 200 ms is a megabyte.
 */
const freshMs = 10_000
const maxResponses = 8
