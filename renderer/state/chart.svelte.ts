import { createSubscriber } from 'svelte/reactivity'
import type { AlertEvent } from '../../core/alert-events'
import type { Api } from './api'
import {
  maxFollowed,
  type ChartPoint,
  type ChartRange,
  type ChartSeries,
  type ChartSpan,
} from '../../protocol/responses'
import type { IndexId } from '../../core/model'
import { mergePoints, onSteps, trimPoints, type PlotPoint } from '../format/chart-model'
import type { Mirror } from './mirror.svelte'

type SeriesApi = Pick<Api, 'getChart' | 'getKnownChart' | 'getIndexEvents'>
type ChartApi = SeriesApi & Pick<Api, 'followIndices'>

/**
 * The values of one index over one range. Fetched once, then followed, and fetched again if points were missed. Values
 * from the history are drawn while the provider's answer is pending.
 */
export class Series {
  readonly indexId: IndexId
  readonly range: ChartRange | ChartSpan
  readonly #api: SeriesApi
  /** Ascending by publish time, one for each time. */
  points = $state.raw<readonly PlotPoint[]>([])
  /** Alert events about the fetched points, and newer events. One per id, in any order. */
  events = $state.raw<readonly AlertEvent[]>([])
  /** True once there are points to draw, or the provider has answered. */
  isLoaded = $state(false)
  /** A longer time between two points is a gap. In ms. */
  gapAfterMs = $state(Infinity)
  /** The distance between points if not all are drawn. In ms. */
  spacingMs = $state<number>()
  /** Why the answer covers less than the range. */
  problem = $state<string>()
  /** Why the last request failed. */
  failure = $state<string>()
  /** Why alert events may be missing. */
  eventsFailure = $state<string>()
  /** Points received while a request is pending. Its answer may or may not contain them. */
  #sinceRequest: ChartPoint[] | undefined
  #requests = 0

  constructor(api: SeriesApi, indexId: IndexId, range: ChartRange | ChartSpan) {
    this.#api = api
    this.indexId = indexId
    this.range = range
  }

  /** Fetches the values, then follows them until the returned function is called. */
  follow(mirror: Pick<Mirror, 'onPoints' | 'state'>): () => void {
    const stop = mirror.onPoints({
      addPoints: (ticks) =>
        this.#add(
          ticks
            .filter(({ indexId, point }) => indexId === this.indexId && this.#isWithin(point))
            .map(({ point }) => point),
        ),
      refetch: () => void this.fetch(),
      addEvents: (events) => this.addEvents(events),
    })
    this.addEvents(mirror.state?.inbox ?? [])
    void this.fetch()
    return () => {
      this.#requests++
      stop()
    }
  }

  /**
   * Fetches the values. The chart keeps its points until the answer arrives, or draws values from the history if it has
   * none. Ignores the answer to an earlier request.
   */
  async fetch(): Promise<void> {
    const number = ++this.#requests
    const since: ChartPoint[] = []
    this.#sinceRequest = since
    const { indexId, range } = this
    const chart = this.#api.getChart({ indexId, range })
    const known = this.isLoaded ? undefined : this.#fetchHistory(number, since)
    const answer = await chart
    if (number !== this.#requests) return
    if (answer.ok) {
      this.#sinceRequest = undefined
      this.failure = undefined
      this.problem = answer.value.problem
      await this.#take(answer.value, since, number)
      return
    }
    this.failure = answer.problem.message
    // Without an answer, the values from the history are all there is to draw.
    await known
    if (number === this.#requests) this.#sinceRequest = undefined
  }

  async #fetchHistory(number: number, since: readonly ChartPoint[]): Promise<void> {
    const { indexId, range } = this
    const known = await this.#api.getKnownChart({ indexId, range })
    const isAnswered = number !== this.#requests || this.#sinceRequest !== since
    if (!isAnswered && known.ok && known.value.points.length > 0) await this.#take(known.value, since, number)
  }

  async #take(
    { points, gapAfterMs, spacingMs }: ChartSeries,
    since: readonly ChartPoint[],
    number: number,
  ): Promise<void> {
    this.gapAfterMs = gapAfterMs
    this.spacingMs = spacingMs
    this.points = this.#drawn(mergePoints(mergePoints([], points), since))
    this.isLoaded = true
    const [first, last] = [points[0], points.at(-1)]
    if (first === undefined || last === undefined) return
    const events = await this.#api.getIndexEvents({
      indexId: this.indexId,
      fromMs: first.publishedAtMs,
      toMs: last.publishedAtMs,
    })
    if (number !== this.#requests) return
    this.eventsFailure = events.ok ? undefined : events.problem.message
    if (events.ok) this.addEvents(events.value)
  }

  /** Adds the events of this index and keeps them, since the inbox drops older ones. */
  addEvents(events: readonly AlertEvent[]): void {
    const isNew = ({ id }: AlertEvent) => !this.events.some((seen) => seen.id === id)
    const added = events.filter((event) => event.indexId === this.indexId && isNew(event))
    if (added.length > 0) this.events = [...this.events, ...added]
  }

  #add(received: readonly ChartPoint[]): void {
    if (received.length === 0) return
    this.#sinceRequest?.push(...received)
    if (this.isLoaded) this.points = this.#drawn(mergePoints(this.points, received))
  }

  /** A new value is within every named range. A span ends at a fixed time. */
  #isWithin({ publishedAtMs }: ChartPoint): boolean {
    const { range } = this
    return typeof range === 'string' || (publishedAtMs >= range.fromMs && publishedAtMs <= range.toMs)
  }

  #drawn(points: readonly PlotPoint[]): readonly PlotPoint[] {
    return trimPoints(this.spacingMs === undefined ? points : onSteps(points, this.spacingMs), this.range)
  }
}

const rangeKeys = { seldom: 'chart-range-seldom', often: 'chart-range-often' }

/** The series on screen, and the ranges chosen last: one for real-time indices, one for slower ones. */
export class Charts {
  readonly #api: ChartApi
  readonly #mirror: Mirror
  /** By index and range. Parts of the page that need the same series share it. */
  readonly #open: Record<string, { series: Series; watch: () => void }> = {}
  #followed: readonly (readonly IndexId[])[] = []
  #isSending = false

  constructor(api: ChartApi, mirror: Mirror) {
    this.#api = api
    this.#mirror = mirror
  }

  /** The values of an index over a range. Followed as long as a `$derived` that calls this is read. */
  series(indexId: IndexId, range: ChartRange | ChartSpan): Readonly<Series> {
    const key = JSON.stringify([indexId, range])
    let open = this.#open[key]
    if (open === undefined) {
      const series = new Series(this.#api, indexId, range)
      const watch = createSubscriber(() => {
        const stop = series.follow(this.#mirror)
        return () => {
          stop()
          Reflect.deleteProperty(this.#open, key)
        }
      })
      open = { series, watch }
      this.#open[key] = open
    }
    open.watch()
    return open.series
  }

  /** Makes the main process send points of these indices until the returned function is called. */
  follow(indexIds: readonly IndexId[]): () => void {
    const wanted = [...indexIds]
    this.#followed = [...this.#followed, wanted]
    this.#sendFollowed()
    return () => {
      this.#followed = this.#followed.filter((each) => each !== wanted)
      this.#sendFollowed()
    }
  }

  /** Sends one command for all changes of a moment, such as when one view replaces another. */
  #sendFollowed(): void {
    if (this.#isSending) return
    this.#isSending = true
    queueMicrotask(() => {
      this.#isSending = false
      const indexIds = this.#followed.flat().filter((id, at, all) => all.indexOf(id) === at)
      void this.#api.followIndices({ indexIds: indexIds.slice(0, maxFollowed) })
    })
  }

  chosenRange(isSeldom: boolean): string | null {
    return localStorage.getItem(rangeKeys[isSeldom ? 'seldom' : 'often'])
  }

  chooseRange(range: ChartRange, isSeldom: boolean): void {
    localStorage.setItem(rangeKeys[isSeldom ? 'seldom' : 'often'], range)
  }
}
