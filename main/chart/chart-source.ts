import type { ChartPoint, ChartRange, ChartSeries } from '../../protocol/answers'
import type {
  IndexId,
  IndexInfo,
  IndexSummary,
  Outcome,
  Publication,
  Quote,
  RequestedResolution,
  Resolution,
} from '../../protocol/model'
import type { Clock } from '../base/clock'
import { isFarFuture } from '../base/far-future'
import { nothingWithin, notConnected, restFailed, withoutRest, yearNotTold } from './chart-problems'
import { insertPoint, joinPoints, onMinutes, onSeconds, pointsBetween } from './chart-series'
import { gapAfterMs, isSlow, rangeMs } from './gaps'
import { KeptAnswers } from './kept-answers'

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
  /** `undefined` until the service has told. */
  resolutionOf(id: IndexId): Resolution | undefined
}

interface Options {
  clock: Clock
  /** `undefined` while there is no connection. */
  service: (id: IndexId) => ChartService | undefined
  /** The latest value as the app knows it; a cached one is left out of every chart. */
  latest: (id: IndexId) => Quote | undefined
  /** Whether the user watches this index at 200 ms. */
  isEveryTick: (id: IndexId) => boolean
}

/** What one chart is drawn from. */
interface Course {
  id: IndexId
  range: ChartRange
  resolution: Resolution
  isEveryTick: boolean
}

/** What REST told, and why that is not all or nothing new. */
interface Told {
  points: readonly Publication[]
  problem?: string
}

/** An hour at 200 ms, five at a second. */
const mostReceived = 18_000

/**
 * Tells the course of an index over a range: what REST tells of the past, joined with what the stream has brought since.
 * The publications of the open index are kept for that as they come, for this run alone. Both know the same values and
 * amendments, so that the seam between them neither doubles nor misses a point.
 */
export class ChartSource {
  readonly #options: Options
  readonly #answers: KeptAnswers
  #openId: IndexId | undefined
  /** Of the open index, ascending, and of this service alone. */
  #received: ChartPoint[] = []
  #receivedFrom: ChartService | undefined

  constructor(options: Options) {
    this.#options = options
    this.#answers = new KeptAnswers(options.clock)
  }

  /** The page of this index is open from now on, or none. */
  opened(id: IndexId | undefined): void {
    if (id === this.#openId) return
    this.#openId = id
    this.#received = []
    this.#answers.outdate()
  }

  /** The stream may have missed something, or was asked for something else: what REST told is asked for anew. */
  streamChanged(): void {
    this.#answers.outdate()
  }

  /** Takes every publication and amendment that was received, of whichever index, in any order. */
  record(id: IndexId, publication: Publication): void {
    if (id !== this.#openId) return
    this.#forgetOtherService(id)
    insertPoint(this.#received, publication)
    if (this.#received.length > mostReceived) this.#received.shift()
  }

  /** The points within the range up to now; where there are fewer than there should be, `problem` says why. */
  async series(id: IndexId, range: ChartRange): Promise<ChartSeries> {
    const service = this.#options.service(id)
    const resolution = await this.#resolutionOf(id, service)
    const isEveryTick =
      resolution === 'PER_200MS' && (range === '1m' || range === '5m') && this.#options.isEveryTick(id)
    const course: Course = { id, range, resolution, isEveryTick }
    const frame = { indexId: id, range, gapAfterMs: gapAfterMs(resolution, range, isEveryTick) }
    if (range === '1y' && !isSlow(resolution)) return { ...frame, points: [], problem: yearNotTold(resolution) }
    const told = await this.#ask(service, course)
    // Another service has been chosen meanwhile: its values must not be joined with these.
    if (this.#options.service(id) !== service) return this.series(id, range)
    const points = this.#within(course, this.#join(course, told.points))
    const problem = told.problem ?? (points.length === 0 ? nothingWithin(id, range, resolution) : undefined)
    return { ...frame, points, ...(problem !== undefined && { problem }) }
  }

  async #resolutionOf(id: IndexId, service: ChartService | undefined): Promise<Resolution> {
    const known = service?.resolutionOf(id)
    if (known !== undefined) return known
    // Just after the start: which range can be told, and by what, depends on it.
    const info = await service?.rest?.index(id)
    return info?.ok === true ? info.value.maxResolution : 'PER_SECOND'
  }

  async #ask(service: ChartService | undefined, course: Course): Promise<Told> {
    if (service === undefined) return { points: [], problem: notConnected }
    const { rest } = service
    if (rest === undefined) return { points: [], problem: withoutRest }
    const { id, range, resolution, isEveryTick } = course
    const maxResolution = isEveryTick ? 'PER_200MS' : undefined
    const isByMinutes = range === '24h' && !isSlow(resolution)
    const question = isByMinutes ? `summary ${id}` : `values ${id} ${maxResolution ?? ''}`
    const held = this.#answers.get(question, service)
    // An answer goes on being true only while whatever comes after it is recorded.
    if (held?.isFresh === true && id === this.#openId) return held
    const keep = this.#answers.begin(question, service)
    const answer = isByMinutes ? pointsOf(await rest.summary(id)) : await rest.values(id, maxResolution)
    if (!answer.ok) return { points: held?.points ?? [], problem: restFailed(answer.problem.message) }
    const wallMs = this.#options.clock.wallMs()
    const points = answer.value.filter((publication) => !isFarFuture(publication, wallMs))
    keep(points)
    return { points }
  }

  #join({ id, range, resolution, isEveryTick }: Course, told: readonly Publication[]): ChartPoint[] {
    this.#forgetOtherService(id)
    const latest = this.#options.latest(id)
    const joined = joinPoints(
      told,
      id === this.#openId ? this.#received : [],
      latest === undefined || latest.source === 'cache' ? [] : [latest],
    )
    // One spacing throughout: the part that came by the stream must not look busier than the rest.
    if (range === '24h' && !isSlow(resolution)) return onMinutes(joined)
    return resolution === 'PER_200MS' && !isEveryTick ? onSeconds(joined) : joined
  }

  /** Up to now, or up to the last point where our clock is behind the service's. */
  #within({ range }: Course, points: readonly ChartPoint[]): ChartPoint[] {
    const endMs = Math.max(this.#options.clock.wallMs(), points.at(-1)?.publishedAtMs ?? 0)
    return pointsBetween(points, endMs - rangeMs[range], endMs)
  }

  #forgetOtherService(id: IndexId): void {
    const service = this.#options.service(id)
    if (id !== this.#openId || service === this.#receivedFrom) return
    this.#receivedFrom = service
    this.#received = []
  }
}

/** The last 24 hours, and the latest value, which need not be among them yet. */
function pointsOf(answer: Outcome<IndexSummary>): Outcome<Publication[]> {
  return answer.ok ? { ok: true, value: [...answer.value.last24Hours, answer.value] } : answer
}
