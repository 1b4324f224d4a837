import { untrack } from 'svelte'
import type { AlertEvent } from '../../core/alert-events'
import type { Api } from './api'
import {
  maxFollowed,
  type ChartPoint,
  type ChartRange,
  type ChartSeries,
  type ChartSpan,
  type ConnectionView,
} from '../../protocol/responses'
import type { IndexId } from '../../core/model'
import { mergePoints, onSteps, trimPoints, type PlotPoint } from '../format/chart-model'
import type { Mirror } from './mirror.svelte'

type SeriesApi = Pick<Api, 'getChart' | 'getKnownChart' | 'getIndexEvents'>
type ChartApi = SeriesApi & Pick<Api, 'followIndices'>

/**
 * The values of one index over one range: asked for once, then followed; asked for again when points were missed. What is
 * known of them comes first, since the service may take its time.
 */
export class Series {
  readonly indexId: IndexId
  readonly range: ChartRange | ChartSpan
  readonly #api: SeriesApi
  #points = $state.raw<readonly PlotPoint[]>([])
  #events = $state.raw<readonly AlertEvent[]>([])
  #isLoaded = $state(false)
  #gapAfterMs = $state(Infinity)
  #spacingMs = $state<number>()
  #problem = $state<string>()
  #failure = $state<string>()
  #eventsFailure = $state<string>()
  /** What came in while an answer is on its way, which may or may not hold it. */
  #sinceAsked: ChartPoint[] | undefined
  #asked = 0

  constructor(api: SeriesApi, indexId: IndexId, range: ChartRange | ChartSpan) {
    this.#api = api
    this.indexId = indexId
    this.range = range
  }

  /** Ascending, one per publish time. */
  get points(): readonly PlotPoint[] {
    return this.#points
  }

  /** Of alerts: by values among the points when these were asked for, and those seen since; one per id, in any order. */
  get events(): readonly AlertEvent[] {
    return this.#events
  }

  /** Whether there is something to draw, or the service has answered. */
  get isLoaded(): boolean {
    return this.#isLoaded
  }

  /** A longer time between two points is a gap; ms. */
  get gapAfterMs(): number {
    return this.#gapAfterMs
  }

  /** How far apart the points are where not all are drawn; ms. */
  get spacingMs(): number | undefined {
    return this.#spacingMs
  }

  /** Why there is less than was asked for. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Why the last question was not answered. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** Why the alerts that fired are not all known. */
  get eventsFailure(): string | undefined {
    return this.#eventsFailure
  }

  /** Follows the points until the returned function is called; the owner asks first. */
  follow(mirror: Mirror): () => void {
    const stop = mirror.onPoints({
      add: (ticks) =>
        this.#add(
          ticks
            .filter(({ indexId, point }) => indexId === this.indexId && this.#isWithin(point))
            .map(({ point }) => point),
        ),
      askAgain: () => void this.ask(),
    })
    return () => {
      this.#asked++
      stop()
    }
  }

  /**
   * What is on the chart stays until the answer is there; what is known counts until then. An answer that came too late
   * counts for nothing.
   */
  async ask(): Promise<void> {
    const number = ++this.#asked
    const since: ChartPoint[] = []
    this.#sinceAsked = since
    const { indexId, range } = this
    const asked = this.#api.getChart({ indexId, range })
    const known = this.#isLoaded ? undefined : this.#askKnown(number, since)
    const answer = await asked
    if (number !== this.#asked) return
    if (answer.ok) {
      this.#sinceAsked = undefined
      this.#failure = undefined
      this.#problem = answer.value.problem
      await this.#take(answer.value, since, number)
      return
    }
    this.#failure = answer.problem.message
    // It is then all there is.
    await known
    if (number === this.#asked) this.#sinceAsked = undefined
  }

  async #askKnown(number: number, since: readonly ChartPoint[]): Promise<void> {
    const { indexId, range } = this
    const known = await this.#api.getKnownChart({ indexId, range })
    const isAnswered = number !== this.#asked || this.#sinceAsked !== since
    if (!isAnswered && known.ok && known.value.points.length > 0) await this.#take(known.value, since, number)
  }

  async #take(
    { points, gapAfterMs, spacingMs }: ChartSeries,
    since: readonly ChartPoint[],
    number: number,
  ): Promise<void> {
    this.#gapAfterMs = gapAfterMs
    this.#spacingMs = spacingMs
    this.#points = this.#drawn(mergePoints(mergePoints([], points), since))
    this.#isLoaded = true
    const [first, last] = [points[0], points.at(-1)]
    if (first === undefined || last === undefined) return
    const events = await this.#api.getIndexEvents({
      indexId: this.indexId,
      fromMs: first.publishedAtMs,
      toMs: last.publishedAtMs,
    })
    if (number !== this.#asked) return
    this.#eventsFailure = events.ok ? undefined : events.problem.message
    if (events.ok) this.see(events.value)
  }

  /** Keeps what the inbox holds of this index, since it holds the newest events alone. */
  see(events: readonly AlertEvent[]): void {
    const isNew = ({ id }: AlertEvent) => !this.#events.some((seen) => seen.id === id)
    const added = events.filter((event) => event.indexId === this.indexId && isNew(event))
    if (added.length > 0) this.#events = [...this.#events, ...added]
  }

  #add(received: readonly ChartPoint[]): void {
    if (received.length === 0) return
    this.#sinceAsked?.push(...received)
    if (this.#isLoaded) this.#points = this.#drawn(mergePoints(this.#points, received))
  }

  /** What is published now lies in every range up to now, and in a span only before its end. */
  #isWithin({ publishedAtMs }: ChartPoint): boolean {
    const { range } = this
    return typeof range === 'string' || (publishedAtMs >= range.fromMs && publishedAtMs <= range.toMs)
  }

  #drawn(points: readonly PlotPoint[]): readonly PlotPoint[] {
    return trimPoints(this.#spacingMs === undefined ? points : onSteps(points, this.#spacingMs), this.range)
  }
}

/**
 * Asks again when a connection becomes live: what was published without one is only then to be had. Another connection may
 * stay broken, so that all together are not live. Called while a component is made.
 */
export function askWhenLive(connections: () => readonly ConnectionView[], ask: () => void): void {
  const liveIds = $derived(connections().flatMap((each) => (each.state === 'live' ? [each.id] : [])))
  let before = untrack(() => liveIds)
  $effect(() => {
    if (liveIds.some((each) => !before.includes(each))) untrack(ask)
    before = liveIds
  })
}

const rangeKeys = { seldom: 'chart-range-seldom', often: 'chart-range-often' }

/** The series a page looks at, and the range the user chose last for indices that publish often and for the others. */
export class Charts {
  readonly #api: ChartApi
  readonly #mirror: Mirror
  #followed: readonly (readonly IndexId[])[] = []
  #isSending = false

  constructor(api: ChartApi, mirror: Mirror) {
    this.#api = api
    this.#mirror = mirror
  }

  /** A series that follows from now on and asks; `stop` when it is no longer looked at. */
  open(indexId: IndexId, range: ChartRange | ChartSpan): { series: Series; stop: () => void } {
    const series = new Series(this.#api, indexId, range)
    const stop = series.follow(this.#mirror)
    void series.ask()
    return { series, stop }
  }

  /** Has these followed as the open index is, until the returned function is called. */
  follow(indexIds: readonly IndexId[]): () => void {
    const wanted = [...indexIds]
    this.#followed = [...this.#followed, wanted]
    this.#sendFollowed()
    return () => {
      this.#followed = this.#followed.filter((each) => each !== wanted)
      this.#sendFollowed()
    }
  }

  /** Once for all that changes at a time: one view takes the place of another. */
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
