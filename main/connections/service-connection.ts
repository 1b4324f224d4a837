import type {
  ConnectionStatus,
  IndexId,
  IndexInfo,
  Outcome,
  Problem,
  Publication,
  Resolution,
  Subscription,
} from '../../core/model'
import { Backfill } from './backfill'
import { CatchUp, type WantedIndex } from './catch-up'
import type { ConnectionEvents } from './connection-events'
import { HeldValues } from './held-values'
import type { KnownValues } from './known-values'
import { nothingToAsk, type IndexSource, type ServiceEndpoint } from './endpoint'
import { ServiceTime } from './service-time'
import type { ListedToolsView } from './overall-status'
import type { Clock } from '../base/clock'
import type { Routes } from '../base/routes'
import { isFarFuture, type Source } from '../../core/publication'
import type { Emitter } from '../base/emitter'
import type { Counters, Log } from '../base/log'
import { FeedSession } from '../feed/session'
import { ServiceToolsClient } from '../mcp/service-tools'
import { RestClient } from '../rest/client'

interface Options {
  endpoint: ServiceEndpoint
  clock: Clock
  log: Log
  counters: Counters
  /** Receives everything that this connection reports. */
  events: Emitter<ConnectionEvents>
  known: KnownValues
  watchedByRules: () => ReadonlySet<IndexId>
  appVersion: string
  routes?: Routes | undefined
  onStatus: () => void
  onCatalogue: () => void
}

/** Maximum wait for the catalogue. Then an index counts as one that publishes every second. */
const catalogueTimeoutMs = 3_000

/**
 * One service: its stream, REST interface and assistant tools. Reports what it receives, and has the status, catalogue,
 * tools and refusals of the service.
 */
export class ServiceConnection {
  /** The source with which its values are recorded. */
  readonly origin: Source
  /** Undefined if the connection has no REST address. */
  readonly rest: RestClient | undefined
  /** Undefined if the connection has no MCP address. */
  readonly toolsClient: ServiceToolsClient | undefined
  readonly #options: Options
  readonly #feed: FeedSession
  readonly #backfill: Backfill | undefined
  readonly #catchUp: CatchUp
  #tools: ListedToolsView | undefined
  #isListingTools = false
  readonly #time: ServiceTime
  readonly #held: HeldValues
  #hasSaidHeld = false
  readonly #refusals = new Map<IndexId, string>()
  #catalogue = new Map<IndexId, IndexInfo>()
  /** True if the catalogue came by REST, with names. The stream's list has none. */
  #isCatalogueNamed = false
  /** True when an index that is not in the catalogue counts as publishing every second. */
  #isCatalogueDue = false
  #wanted: readonly Subscription[] = []
  /** Ids whose values are wanted. */
  #wantedIds: ReadonlySet<IndexId> = new Set()
  /** Indices with values before their frequency was known. */
  readonly #unplaced = new Set<IndexId>()
  #restProblem: Problem | undefined
  #lostAtMs: number | undefined
  /** True from a connect until everything has been requested. */
  #isFresh = true
  #cancelDue: (() => void) | undefined

  constructor(options: Options) {
    const { endpoint, clock, log, counters, events, appVersion, routes } = options
    const { auth = 'basic', keyId, keySecret, webSocketUrl, restUrl, mcpUrl } = endpoint
    const key = { keyId, keySecret }
    this.#options = options
    this.origin = { id: endpoint.id ?? endpoint.name, name: endpoint.name }
    const feed = { url: webSocketUrl, auth, ...key, routes }
    this.#feed = new FeedSession({ endpoint: feed, clock, random: Math.random, log, counters })
    this.#time = new ServiceTime({ clock, warn: (message) => events.emit('notice', message) })
    this.#held = new HeldValues({
      clock,
      time: this.#time,
      release: ({ id, publication, source }) => this.#admitted(id, publication, source),
      onHeld: ({ id }, aheadMs) => this.#noteHeld(id, aheadMs),
    })
    const onServerTime = (serverTimeMs: number, roundTripMs: number) => this.#time.answered(serverTimeMs, roundTripMs)
    if (restUrl !== undefined) {
      this.rest = new RestClient({ baseUrl: restUrl, ...key, clock, log, counters, onServerTime, routes })
      this.#backfill = this.#createBackfill(this.rest)
    }
    this.#catchUp = this.#createCatchUp()
    if (mcpUrl !== undefined)
      this.toolsClient = new ServiceToolsClient({ url: mcpUrl, ...key, clock, log, appVersion, routes })
    else this.#tools = { state: 'notOffered' }
    this.#listen()
  }

  /** The user's name for it. */
  get name(): string {
    return this.#options.endpoint.name
  }

  /** True if a value is dated ahead of the service's time and must not be used yet. False if that time is unknown. */
  isAhead(publishedAtMs: number): boolean {
    return this.#time.isAhead(publishedAtMs)
  }

  /** As shown to the user. If stream and REST both refuse the key, only the stream's problem is shown. */
  get status(): ConnectionStatus {
    const { name, isDemo } = this.#options.endpoint
    const { state, problem = state === 'live' ? this.#restProblem?.message : undefined, ...rest } = this.#feed.status()
    return { state, name, isDemo, problem, ...rest }
  }

  get catalogue(): IndexInfo[] {
    return [...this.#catalogue.values()]
  }

  /** True if the service has sent its indices. */
  get isCatalogueKnown(): boolean {
    return this.#catalogue.size > 0
  }

  /** True if the service has this index. */
  lists(id: IndexId): boolean {
    return this.#catalogue.has(id)
  }

  /** What the service listed of an index. */
  infoOf(id: IndexId): IndexInfo | undefined {
    return this.#catalogue.get(id)
  }

  /** Undefined until the service has answered. */
  get tools(): ListedToolsView | undefined {
    return this.#tools
  }

  /** The REST interface for one index. */
  get source(): IndexSource {
    return this.rest ?? nothingToAsk
  }

  /** Why the service refused the values of this id, in its own words. */
  refusal(id: IndexId): string | undefined {
    return this.#refusals.get(id)
  }

  /** How often the index publishes. Undefined until the service has sent it. */
  resolutionOf(id: IndexId): Resolution | undefined {
    return this.#catalogue.get(id)?.maxResolution ?? (this.#isCatalogueDue ? 'PER_SECOND' : undefined)
  }

  /** Fetches and stores the values of any index around a past time. */
  fetchAround(id: IndexId, atMs: number): Promise<Outcome<null>> {
    return this.#catchUp.fetchAround({ id, resolution: this.resolutionOf(id) ?? 'PER_SECOND' }, atMs)
  }

  /** Connects or reconnects now: after "not authorised", instead of waiting, or if the connection is probably dead. */
  connect(): void {
    this.#feed.connect()
  }

  /** Takes everything that rows, alerts and the open page want. */
  setWanted(subscriptions: readonly Subscription[]): void {
    const before = this.#wantedIds
    this.#wanted = subscriptions
    const ids = new Set(subscriptions.flatMap(({ stream, id }) => (stream === 'value' ? [id] : [])))
    this.#wantedIds = ids
    for (const id of before) {
      if (ids.has(id)) continue
      this.#refusals.delete(id)
      this.#backfill?.forget(id)
      this.#catchUp.forget(id)
      this.#held.forget(id)
    }
    this.#feed.setWanted(subscriptions)
    if (this.#feed.status().state !== 'live' || this.#isFresh) return
    const hasNew = [...ids].some((id) => !before.has(id))
    if (hasNew && this.#backfill !== undefined) void this.#backfill.restoreMissing()
    else void this.#catchUp.wantedChanged()
  }

  /** Call when changes are computed from another reference. */
  changeBaseChanged(): void {
    this.#backfill?.forgetDays()
    if (this.#feed.status().state === 'live') void this.#backfill?.restoreMissing()
  }

  /** Call when the history becomes readable. Looks for gaps again. */
  lookAgain(): void {
    if (this.#feed.status().state === 'live' && !this.#isFresh) void this.#catchUp.lookAgain()
  }

  /** Retries an id that the service refused. */
  askAgain(id: IndexId): void {
    const subscriptions = this.#wanted
    if (!this.#refusals.has(id)) return
    this.setWanted(subscriptions.filter((each) => each.stream !== 'value' || each.id !== id))
    this.setWanted(subscriptions)
    this.#options.events.emit('refusalChanged', id)
  }

  dispose(): void {
    this.#cancelDue?.()
    this.#feed.dispose()
    this.#backfill?.dispose()
    this.#catchUp.dispose()
    this.rest?.dispose()
    this.#held.dispose()
    this.#time.dispose()
    this.toolsClient?.dispose()
  }

  #createBackfill(rest: RestClient): Backfill {
    const { clock, events, onStatus } = this.#options
    return new Backfill({
      rest,
      clock,
      wanted: () => [...this.#wantedIds].filter((id) => !this.#refusals.has(id)),
      onCatalogue: (indices) => {
        this.#isCatalogueNamed = true
        this.#setCatalogue(indices)
      },
      onLatest: (id, publication) => {
        // Another service may answer for it by now.
        if (this.#wantedIds.has(id)) this.#receive(id, publication, 'rest')
      },
      onUnknown: (ids) => this.#catchUp.refused(ids),
      onDay: (id, publications) => {
        const past = publications.filter(({ publishedAtMs }) => !this.#time.isAhead(publishedAtMs))
        events.emit('dayFetched', { id, publications: past })
      },
      onProblem: (problem) => {
        this.#restProblem = problem
        onStatus()
      },
      onReady: () => this.#ready(),
      onKeyRefused: () => void this.#catchUp.keyRefused(),
    })
  }

  #createCatchUp(): CatchUp {
    const { clock, events, known } = this.#options
    return new CatchUp({
      rest: this.rest,
      clock,
      known,
      wanted: () => this.#wantedValues(),
      admit: (id, publications) => this.#held.admit(id, publications),
      onCaughtUp: (caughtUp) => events.emit('caughtUp', caughtUp),
      onStayedUnknown: (range) => events.emit('stayedUnknown', range),
    })
  }

  /** Each wanted index once, at the highest wanted resolution. */
  #wantedValues(): WantedIndex[] {
    const indices = new Map<IndexId, WantedIndex>()
    const watched = this.#options.watchedByRules()
    for (const { stream, id, maxResolution = 'PER_SECOND' } of this.#wanted) {
      if (stream !== 'value' || this.#refusals.has(id)) continue
      const known = indices.get(id)
      if (known !== undefined && maxResolution === 'PER_SECOND') continue
      const resolution = this.resolutionOf(id) ?? 'PER_SECOND'
      indices.set(id, { id, resolution, maxResolution, isWatchedByRule: watched.has(id) })
    }
    return [...indices.values()]
  }

  /** The latest values have arrived. The gaps before them are next. */
  #ready(): void {
    void (this.#isFresh ? this.#catchUp.connected() : this.#catchUp.wantedChanged())
    this.#isFresh = false
  }

  #listen(): void {
    const { clock, events, onStatus } = this.#options
    const feed = this.#feed.events
    feed.on('published', ({ id, publication }) => {
      this.#time.published(publication.publishedAtMs)
      // A service that sends values no longer refuses them.
      if (this.#refusals.delete(id)) events.emit('refusalChanged', id)
      this.#receive(id, publication, 'stream')
    })
    for (const name of ['constituentsPublished', 'conditionsPublished', 'corporateActionPublished'] as const) {
      feed.on(name, (event) => events.emit(name, event))
    }
    feed.on('refused', (refusal) => {
      events.emit('refused', refusal)
      if (refusal.stream !== 'value') return
      this.#refusals.set(refusal.id, refusal.reason)
      events.emit('refusalChanged', refusal.id)
    })
    feed.on('streamsListed', (streams) => {
      if (!this.#isCatalogueNamed) this.#setCatalogue(streams)
    })
    feed.on('statusChanged', ({ state }) => {
      if (state !== 'live') this.#lostAtMs ??= clock.monotonicMs()
      onStatus()
    })
    feed.on('wentLive', () => this.#onLive())
  }

  #receive(id: IndexId, publication: Publication, source: 'stream' | 'rest'): void {
    if (!this.#held.take(id, publication, source)) this.#admitted(id, publication, source)
  }

  /** A value that applies now. */
  #admitted(id: IndexId, publication: Publication, source: 'stream' | 'rest'): void {
    const { clock, events } = this.#options
    const resolution = this.resolutionOf(id)
    events.emit('published', { id, publication, source, resolution })
    if (source === 'rest') return
    // A time in the far future would hide all later gaps.
    if (!isFarFuture(publication, clock.serviceMs())) this.#catchUp.published(id, publication)
    if (resolution === undefined) this.#unplaced.add(id)
  }

  #noteHeld(id: IndexId, aheadMs: number): void {
    const { log, counters, events } = this.#options
    counters.add('values.aheadOfTime')
    log.warn('A value came ahead of its time and waits for it', { id, aheadMs: Math.round(aheadMs) })
    if (this.#hasSaidHeld) return
    this.#hasSaidHeld = true
    const seconds = Math.round(aheadMs / 1_000)
    events.emit(
      'notice',
      `${this.name} sent a value of ${id} dated ${seconds} s in the future. It is used once that time is reached.`,
    )
  }

  #onLive(): void {
    const { clock, events, onCatalogue } = this.#options
    events.emit('wentLive', new Set(this.#wanted.map(({ id }) => id)))
    void this.#listTools()
    const refused = [...this.#refusals.keys()]
    this.#refusals.clear()
    for (const id of refused) events.emit('refusalChanged', id)
    const nowMs = clock.monotonicMs()
    const breakMs = nowMs - (this.#lostAtMs ?? nowMs)
    this.#lostAtMs = undefined
    this.#isFresh = true
    this.rest?.forgetMissing()
    this.#catchUp.forgetRefusals()
    if (this.#backfill === undefined) this.#ready()
    else void this.#backfill.connected(breakMs)
    this.#cancelDue ??= clock.after(catalogueTimeoutMs, () => {
      this.#isCatalogueDue = true
      this.#place()
      onCatalogue()
    })
  }

  /** Lists the assistant tools, once. After a failure they are listed again when the stream is live again. */
  async #listTools(): Promise<void> {
    if (this.toolsClient === undefined || this.#isListingTools || this.#tools?.state === 'listed') return
    this.#isListingTools = true
    const listed = await this.toolsClient.list()
    this.#isListingTools = false
    this.#tools = listed.ok
      ? { state: 'listed', tools: listed.value }
      : { state: 'unreachable', message: listed.problem.message }
    this.#options.events.emit('toolsChanged', null)
  }

  #setCatalogue(indices: IndexInfo[]): void {
    this.#catalogue = new Map(indices.map((info) => [info.id, info]))
    this.#place()
    this.#options.onCatalogue()
  }

  /** Reports frequencies that became known after the first values. */
  #place(): void {
    for (const id of this.#unplaced) {
      const resolution = this.resolutionOf(id)
      if (resolution === undefined) continue
      this.#unplaced.delete(id)
      this.#options.events.emit('resolutionKnown', { id, resolution })
    }
  }
}
