import type {
  ConnectionStatus,
  IndexId,
  IndexInfo,
  Problem,
  Publication,
  Resolution,
  Subscription,
} from '../protocol/model'
import type { ServiceTools } from '../protocol/desktop'
import type { AlertEngine } from './alerts/engine'
import { Backfill } from './app-backfill'
import { nothingToAsk, type ServiceEndpoint } from './app-endpoint'
import { ListedTools } from './app-tools'
import type { Clock } from './base/clock'
import type { Counters } from './base/counters'
import type { Log } from './base/log'
import { FeedSession } from './feed/session'
import type { IndexPage, IndexSource } from './index-page/index-page'
import { ServiceToolsClient } from './mcp/service-tools'
import type { History } from './quotes/history'
import type { QuoteStore } from './quotes/quote-store'
import { RestClient } from './rest/client'

/** Hears what an index is made of, whichever page is open. */
export type StructureListener = Pick<AlertEngine, 'considerConstituents' | 'considerCorporateAction'>

interface Options {
  endpoint: ServiceEndpoint
  clock: Clock
  log: Log
  counters: Counters
  store: QuoteStore
  history: History
  /** Whether changes are counted from what the last 24 hours tell. */
  needsDay: () => boolean
  /** Hears what its index publishes. */
  page: IndexPage
  /** Rules about constituents and corporate actions hear them, too. */
  rules: StructureListener
  appVersion: string
  onStatus: () => void
  onCatalogue: () => void
  onTools: () => void
  /** A row's refusal, trend or reference changed. */
  onRow: (id: IndexId) => void
}

/** How long the service may take to say how often its indices publish, before the usual second is assumed. */
const catalogueTimeoutMs = 3_000

/**
 * One service: its stream, its REST interface and its assistant tools together. What arrives goes into the store, the
 * history and the open index page. Knows what else the window shows of a service: its status, its catalogue, its tools
 * and which rows it refused.
 */
export class ServiceConnection {
  readonly #options: Options
  readonly #feed: FeedSession
  readonly #rest: RestClient | undefined
  readonly #backfill: Backfill | undefined
  readonly #toolsClient: ServiceToolsClient | undefined
  readonly #tools: ListedTools
  readonly #refusals = new Map<IndexId, string>()
  #catalogue = new Map<IndexId, IndexInfo>()
  /** REST told the catalogue, with names; the stream's own list has none. */
  #isCatalogueNamed = false
  /** Whoever is not in the catalogue by now is taken for an index that publishes each second. */
  #isCatalogueDue = false
  #wanted: readonly Subscription[] = []
  /** Those of them whose value is wanted. */
  #wantedIds: ReadonlySet<IndexId> = new Set()
  /** Published before it was known how often they publish. */
  readonly #unplaced = new Set<IndexId>()
  #restProblem: Problem | undefined
  #lostAtMs: number | undefined
  #cancelDue: (() => void) | undefined

  constructor(options: Options) {
    const { endpoint, clock, log, counters, appVersion, onTools } = options
    const { auth = 'basic', keyId, keySecret, webSocketUrl, restUrl, mcpUrl } = endpoint
    const key = { keyId, keySecret }
    this.#options = options
    const feed = { url: webSocketUrl, auth, ...key }
    this.#feed = new FeedSession({ endpoint: feed, clock, random: Math.random, log, counters })
    if (restUrl !== undefined) {
      this.#rest = new RestClient({ baseUrl: restUrl, ...key, clock, log, counters })
      this.#backfill = this.#createBackfill(this.#rest)
    }
    if (mcpUrl !== undefined)
      this.#toolsClient = new ServiceToolsClient({ url: mcpUrl, ...key, clock, log, appVersion })
    this.#tools = new ListedTools(this.#toolsClient, onTools)
    this.#listen()
  }

  /** As the user sees it. A key refused by both interfaces is one problem: the stream's. */
  get status(): ConnectionStatus {
    const { name, isDemo } = this.#options.endpoint
    const { state, problem = state === 'live' ? this.#restProblem?.message : undefined, ...rest } = this.#feed.status()
    return { state, name, isDemo, ...(problem === undefined ? {} : { problem }), ...rest }
  }

  get catalogue(): IndexInfo[] {
    return [...this.#catalogue.values()]
  }

  /** The service has said which indices it has. */
  get isCatalogueTold(): boolean {
    return this.#catalogue.size > 0
  }

  /** Whether the service says that it has this index. */
  lists(id: IndexId): boolean {
    return this.#catalogue.has(id)
  }

  /** Absent until the service has been asked. */
  get tools(): ServiceTools | undefined {
    return this.#tools.view
  }

  /** Who answers questions about one index. */
  get source(): IndexSource {
    return this.#rest ?? nothingToAsk
  }

  /** Absent where the connection has no REST address. */
  get rest(): RestClient | undefined {
    return this.#rest
  }

  /** Why the service refused the values of this id, in its own words. */
  refusal(id: IndexId): string | undefined {
    return this.#refusals.get(id)
  }

  /** How often the index publishes; `undefined` until the service has told. */
  resolutionOf(id: IndexId): Resolution | undefined {
    return this.#catalogue.get(id)?.maxResolution ?? (this.#isCatalogueDue ? 'PER_SECOND' : undefined)
  }

  start(): void {
    this.#feed.start()
  }

  /** Tries again now: after "not authorised", instead of waiting, or because the line is likely dead. */
  reconnect(): void {
    this.#feed.reconnect()
  }

  /** Takes all that rows, alerts and the open page want. */
  setWanted(subscriptions: readonly Subscription[]): void {
    const before = this.#wantedIds
    this.#wanted = subscriptions
    const ids = new Set(subscriptions.flatMap(({ stream, id }) => (stream === 'value' ? [id] : [])))
    this.#wantedIds = ids
    for (const id of before) {
      if (ids.has(id)) continue
      this.#refusals.delete(id)
      this.#backfill?.forget(id)
    }
    this.#feed.setWanted(subscriptions)
    const hasNew = [...ids].some((id) => !before.has(id))
    if (hasNew && this.#feed.status().state === 'live') void this.#backfill?.restoreMissing()
  }

  /** What changes are counted from is another than before. */
  changeBaseChanged(): void {
    this.#backfill?.forgetDays()
    if (this.#feed.status().state === 'live') void this.#backfill?.restoreMissing()
  }

  /** The user asks again for an id that the service refused. */
  askAgain(id: IndexId): void {
    const subscriptions = this.#wanted
    if (!this.#refusals.has(id)) return
    this.setWanted(subscriptions.filter((each) => each.stream !== 'value' || each.id !== id))
    this.setWanted(subscriptions)
    this.#options.onRow(id)
  }

  dispose(): void {
    this.#cancelDue?.()
    this.#feed.dispose()
    this.#backfill?.dispose()
    this.#rest?.dispose()
    this.#toolsClient?.dispose()
  }

  #createBackfill(rest: RestClient): Backfill {
    const { clock, store, onStatus } = this.#options
    return new Backfill({
      rest,
      clock,
      wanted: () => [...this.#wantedIds].filter((id) => !this.#refusals.has(id)),
      onCatalogue: (indices) => {
        this.#isCatalogueNamed = true
        this.#setCatalogue(indices)
      },
      onLatest: (id, publication) => {
        // Meanwhile another service may answer for it.
        if (this.#wantedIds.has(id)) store.apply(id, publication, 'rest')
      },
      onHistory: (id, publications) => {
        if (this.#wantedIds.has(id)) this.#restore(id, publications)
      },
      needsDay: () => this.#options.needsDay(),
      onDay: (id, publications) => {
        this.#options.history.restoreDay(id, publications)
        this.#options.onRow(id)
      },
      onProblem: (problem) => {
        this.#restProblem = problem
        onStatus()
      },
    })
  }

  #listen(): void {
    const { clock, store, history, page, rules, onStatus, onRow } = this.#options
    const { events } = this.#feed
    events.on('published', ({ id, publication }) => {
      store.apply(id, publication, 'stream')
      const resolution = this.resolutionOf(id)
      if (resolution === undefined) this.#unplaced.add(id)
      else history.add(id, publication, resolution)
    })
    events.on('constituentsPublished', (event) => {
      page.constituentsPublished(event)
      rules.considerConstituents(event.id, event.publication)
    })
    events.on('conditionsPublished', (event) => {
      page.conditionsPublished(event)
    })
    events.on('corporateActionPublished', (event) => {
      page.corporateActionPublished(event)
      rules.considerCorporateAction(event.id, event.action)
    })
    events.on('refused', (refusal) => {
      page.refused(refusal)
      if (refusal.stream !== 'value') return
      this.#refusals.set(refusal.id, refusal.reason)
      onRow(refusal.id)
    })
    events.on('streamsListed', (streams) => {
      if (!this.#isCatalogueNamed) this.#setCatalogue(streams)
    })
    events.on('statusChanged', ({ state }) => {
      if (state !== 'live') this.#lostAtMs ??= clock.monotonicMs()
      onStatus()
    })
    events.on('wentLive', () => {
      this.#onLive()
    })
  }

  #onLive(): void {
    const { clock, page, onRow, onCatalogue } = this.#options
    // The open page may belong to another connection.
    if (this.#wanted.some(({ id }) => id === page.id)) page.connected()
    void this.#tools.connected()
    const refused = [...this.#refusals.keys()]
    this.#refusals.clear()
    for (const id of refused) onRow(id)
    const nowMs = clock.monotonicMs()
    const breakMs = nowMs - (this.#lostAtMs ?? nowMs)
    this.#lostAtMs = undefined
    void this.#backfill?.connected(breakMs)
    this.#cancelDue ??= clock.after(catalogueTimeoutMs, () => {
      this.#isCatalogueDue = true
      this.#placeLatest()
      onCatalogue()
    })
  }

  #setCatalogue(indices: IndexInfo[]): void {
    this.#catalogue = new Map(indices.map((info) => [info.id, info]))
    this.#placeLatest()
    this.#options.onCatalogue()
  }

  #placeLatest(): void {
    const { store, history } = this.#options
    for (const id of this.#unplaced) {
      const resolution = this.resolutionOf(id)
      if (resolution === undefined) continue
      this.#unplaced.delete(id)
      const quote = store.get(id)
      if (quote !== undefined) history.add(id, quote, resolution)
    }
  }

  #restore(id: IndexId, publications: Publication[]): void {
    const resolution = this.resolutionOf(id) ?? 'PER_SECOND'
    this.#options.history.restore(id, publications, resolution)
    this.#options.onRow(id)
  }
}
