import type {
  ConnectionStatus,
  IndexId,
  IndexInfo,
  Problem,
  Publication,
  Resolution,
  WatchlistEntry,
} from '../protocol/model'
import { Backfill } from './app-backfill'
import type { Clock } from './base/clock'
import type { Counters } from './base/counters'
import type { Log } from './base/log'
import { FeedSession } from './feed/session'
import type { History } from './quotes/history'
import type { QuoteStore } from './quotes/quote-store'
import { RestClient } from './rest/client'

/** Which service, and as whom. */
export interface ServiceEndpoint {
  name: string
  isDemo: boolean
  webSocketUrl: string
  restUrl?: string
  keyId: string
  keySecret: string
}

interface Options {
  endpoint: ServiceEndpoint
  clock: Clock
  log: Log
  counters: Counters
  store: QuoteStore
  history: History
  onStatus: () => void
  onCatalogue: () => void
  /** A row's refusal, trend or reference changed. */
  onRow: (id: IndexId) => void
}

/** How long the service may take to say how often its indices publish, before the usual second is assumed. */
const catalogueTimeoutMs = 3_000

/**
 * One service: its stream and its REST interface together. What arrives goes into the store and the history. Knows what
 * else the window shows of a service: its status, its catalogue and which rows it refused.
 */
export class ServiceConnection {
  readonly #options: Options
  readonly #feed: FeedSession
  readonly #rest: RestClient | undefined
  readonly #backfill: Backfill | undefined
  readonly #refusals = new Map<IndexId, string>()
  #catalogue = new Map<IndexId, IndexInfo>()
  /** REST told the catalogue, with names; the stream's own list has none. */
  #isCatalogueNamed = false
  /** Whoever is not in the catalogue by now is taken for an index that publishes each second. */
  #isCatalogueDue = false
  #wanted: readonly WatchlistEntry[] = []
  /** Published before it was known how often they publish. */
  readonly #unplaced = new Set<IndexId>()
  #restProblem: Problem | undefined
  #lostAtMs: number | undefined
  #cancelDue: (() => void) | undefined

  constructor(options: Options) {
    const { endpoint, clock, log, counters } = options
    const { keyId, keySecret, webSocketUrl, restUrl } = endpoint
    const key = { keyId, keySecret }
    this.#options = options
    this.#feed = new FeedSession({ endpoint: { url: webSocketUrl, ...key }, clock, random: Math.random, log, counters })
    if (restUrl !== undefined) {
      this.#rest = new RestClient({ baseUrl: restUrl, ...key, clock, log, counters })
      this.#backfill = this.#createBackfill(this.#rest)
    }
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

  /** Why the service refused this id, in its own words. */
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

  /** Takes all rows of all lists. */
  setWanted(entries: readonly WatchlistEntry[]): void {
    const ids = new Set(entries.map((entry) => entry.id))
    for (const { id } of this.#wanted) {
      if (ids.has(id)) continue
      this.#refusals.delete(id)
      this.#backfill?.forget(id)
    }
    this.#wanted = entries
    this.#feed.setWanted(entries.map((entry) => ({ stream: 'value', ...entry })))
    if (this.#feed.status().state === 'live') void this.#backfill?.restoreMissing()
  }

  /** The user asks again for an id that the service refused. */
  askAgain(id: IndexId): void {
    const entries = this.#wanted
    if (!this.#refusals.has(id)) return
    this.setWanted(entries.filter((entry) => entry.id !== id))
    this.setWanted(entries)
    this.#options.onRow(id)
  }

  dispose(): void {
    this.#cancelDue?.()
    this.#feed.dispose()
    this.#backfill?.dispose()
    this.#rest?.dispose()
  }

  #createBackfill(rest: RestClient): Backfill {
    const { clock, store, onStatus } = this.#options
    return new Backfill({
      rest,
      clock,
      wanted: () => this.#wantedIds().filter((id) => !this.#refusals.has(id)),
      onCatalogue: (indices) => {
        this.#isCatalogueNamed = true
        this.#setCatalogue(indices)
      },
      onLatest: (id, publication) => {
        store.apply(id, publication, 'rest')
      },
      onHistory: (id, publications) => {
        this.#restore(id, publications)
      },
      onProblem: (problem) => {
        this.#restProblem = problem
        onStatus()
      },
    })
  }

  #listen(): void {
    const { clock, store, history, onStatus, onRow } = this.#options
    const { events } = this.#feed
    events.on('published', ({ id, publication }) => {
      store.apply(id, publication, 'stream')
      const resolution = this.resolutionOf(id)
      if (resolution === undefined) this.#unplaced.add(id)
      else history.add(id, publication, resolution)
    })
    events.on('refused', ({ id, reason }) => {
      this.#refusals.set(id, reason)
      onRow(id)
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
    const { clock, onRow } = this.#options
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

  #wantedIds(): IndexId[] {
    return [...new Set(this.#wanted.map((entry) => entry.id))]
  }
}
