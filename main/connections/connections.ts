import type { ServiceTools } from '../../protocol/desktop'
import type { AlertOrigin } from '../../core/alert-events'
import type { ConnectionView } from '../../protocol/responses'
import { formulaResolution } from '../../core/formula'
import { formulaParts, parseFormula, serviceIds } from '../../core/formula-id'
import type { ConnectionStatus, IndexId, IndexInfo, Resolution, ServiceKind, Subscription } from '../../core/model'
import type { CatalogueMemory } from './catalogue-memory'
import { configuredConnections, isSameConfig, type ConnectionConfig } from './connection-config'
import type { KnownValues } from './known-values'
import type { ConnectionEvents } from './connection-events'
import { ConnectionLog } from './connection-log'
import { ConnectionSlot, type Demo, type DemoListener } from './connection-slot'
import type { IndexSource, ServiceEndpoint } from './endpoint'
import { ServiceConnection } from './service-connection'
import { IndexRouter, type Candidate } from './index-router'
import { allTools, overallStatus } from './overall-status'
import type { Clock } from '../base/clock'
import type { Routes } from '../base/routes'
import { Emitter } from '../base/emitter'
import type { Counters, Log } from '../base/log'
import type { ServiceToolsClient } from '../mcp/service-tools'
import type { LaunchOptions } from '../desktop/launch-options'
import type { SecretKeeper } from '../storage/secret-keeper'
import type { SettingsStore } from '../storage/settings'

interface Options {
  launch: LaunchOptions
  createDemo: (listener: DemoListener) => Demo
  clock: Clock
  log: Log
  counters: Counters
  settings: SettingsStore
  secrets: SecretKeeper
  /** Texts that the log removes. */
  hidden: Set<string>
  appVersion: string
  routes?: Routes
  wanted: () => readonly Subscription[]
  known: KnownValues
  watchedByRules: () => ReadonlySet<IndexId>
  /** The lists of indices from earlier runs. */
  memory: CatalogueMemory
  /** Called when another kind of service is used. Resolves when its stored values are read. */
  switchTo: (kind: ServiceKind) => Promise<void>
  onError: (error: unknown) => void
}

/**
 * All connections in use, and which of them answers for which index. A change of the settings ends connections that are
 * no longer wanted, starts new ones and leaves the others alone.
 */
export class Connections {
  readonly events: Emitter<ConnectionEvents>
  readonly #options: Options
  readonly log: ConnectionLog
  readonly #router = new IndexRouter()
  #slots: ConnectionSlot[] = []
  /** The latest configuration. Its slots are created when the history of its kind is in use. */
  #configs: readonly ConnectionConfig[] = []
  #choices = 0
  #kind: ServiceKind | undefined
  #isPaused = false
  #isHeld = false
  /** Cleared when connections, catalogues or wanted indices change. */
  readonly #indexCounts = new Map<ConnectionSlot, number>()
  #switching: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
    this.events = new Emitter(options.onError)
    this.log = new ConnectionLog(options.clock)
  }

  get status(): ConnectionStatus {
    return overallStatus(this.views)
  }

  /** In the user's order. */
  get views(): ConnectionView[] {
    return this.#slots.map((slot) => {
      const { id } = slot.config
      const listedAtMs = this.#options.memory.listedAtMs(id)
      return { id, ...slot.status, indexCount: this.#indexCountOf(slot), listedAtMs }
    })
  }

  /**
   * All indices of all connections, each as described by the connection that answers for it. For a service without an
   * answer yet, its list of an earlier run.
   */
  get catalogue(): IndexInfo[] {
    const known = this.#slots.flatMap((slot) => this.#catalogueOf(slot))
    const ids = new Set(known.map(({ id }) => id))
    for (const index of this.#remembered().flatMap((each) => [...each.values()])) {
      if (ids.has(index.id)) continue
      ids.add(index.id)
      known.push(index)
    }
    return known
  }

  get tools(): ServiceTools | undefined {
    return allTools(
      this.#slots.map(({ config, connection, status }) => ({
        connection: { id: config.id, name: status.name, isDemo: status.isDemo },
        tools: connection?.tools,
      })),
    )
  }

  /** Call with the reference data of indices, so that their codes find them. */
  noteCodes(indices: readonly Pick<IndexInfo, 'id' | 'codes'>[]): void {
    const ownerOf = ({ id }: { id: IndexId }) => this.#router.ownerOf(id)
    const owners = new Set(indices.map(ownerOf).filter((owner) => owner !== undefined))
    const areNew = [...owners].map((owner) =>
      this.#options.memory.noteCodes(
        owner,
        indices.filter((each) => ownerOf(each) === owner),
      ),
    )
    if (areNew.includes(true)) this.events.emit('catalogueChanged', null)
  }

  /** Id of the connection that answers for an index. */
  ownerOf(id: IndexId): string | undefined {
    return this.#router.ownerOf(id)
  }

  /** The client for the tools of a connection. */
  toolsClientOf(connectionId: string): ServiceToolsClient | undefined {
    return this.#slotOf(connectionId)?.connection?.toolsClient
  }

  /** The connection that answers for an index. For a formula, for its first part. */
  connectionOf(id: IndexId): ServiceConnection | undefined {
    return this.#slotOf(this.#ownerOf(id))?.connection
  }

  /** Why the service refused the values of this id, or of a part of this formula, in the service's words. */
  refusal(id: IndexId): string | undefined {
    const parts = formulaParts(id)
    if (parts.length === 0) return this.connectionOf(id)?.refusal(id)
    const refused = parts.find((part) => this.refusal(part) !== undefined)
    return refused && `${refused}: ${this.refusal(refused) ?? ''}`
  }

  /** How often the index publishes. Until its service has sent that, as of an earlier run. */
  resolutionOf(id: IndexId): Resolution | undefined {
    const formula = parseFormula(id)
    if (formula !== undefined) return formulaResolution(formula, (part) => this.resolutionOf(part))
    // Called for thousands of indices at the start, and repeatedly while a service is offline.
    return this.connectionOf(id)?.resolutionOf(id) ?? this.#rememberedInfo(id)?.maxResolution
  }

  /** The decimals of an index in its reference data, of this run or an earlier one. */
  decimalsOf(id: IndexId): number | undefined {
    return (this.connectionOf(id)?.infoOf(id) ?? this.#rememberedInfo(id))?.decimals
  }

  /** The name of the connection from which an index comes. */
  originOf(id: IndexId): AlertOrigin {
    const owner = this.#ownerOf(id)
    const [first] = this.#configs
    const config = this.#configs.length === 1 ? first : this.#configs.find((each) => each.id === owner)
    return { ...(config !== undefined && { connection: config.name }), isDemo: this.#kind === 'demo' }
  }

  /** The REST interface for this index. Undefined for a formula. */
  sourceOf(id: IndexId): IndexSource | undefined {
    return parseFormula(id) === undefined ? this.connectionOf(id)?.source : undefined
  }

  /** Retries an id that its service refused. */
  askAgain(id: IndexId): void {
    for (const each of serviceIds(id)) this.connectionOf(each)?.askAgain(each)
  }

  /** Applies the settings: ends connections that are no longer used and starts new ones. */
  async choose(): Promise<void> {
    const choice = ++this.#choices
    const { launch, settings, secrets } = this.#options
    await secrets.open()
    if (choice !== this.#choices) return
    const configs = configuredConnections(launch, settings.get().profiles, secrets)
    this.#configs = configs
    const kept = this.#keep(configs)
    const kind = configs.some((config) => config.kind === 'demo') ? 'demo' : 'real'
    if (kind !== this.#kind) {
      this.#kind = kind
      this.#switching = this.#options.switchTo(kind).then(async () => {
        await this.#options.memory.load()
      })
    }
    await this.#switching
    if (choice !== this.#choices) return
    this.#slots = configs.map((config) => kept.get(config.id) ?? this.#newSlot(config))
    for (const slot of this.#slots.filter(({ config }) => !kept.has(config.id))) {
      if (this.#isPaused) slot.pause()
      else if (!this.#isHeld) slot.start()
    }
    this.#slotsChanged()
    this.#statusChanged()
    // Not awaited: the keyring may ask its user for a password first.
    for (const config of configs) if (config.kind === 'sealed') void this.#unseal(config)
  }

  /** Connections chosen from now on do not connect until `release`. */
  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    if (!this.#isPaused) this.#startAll()
  }

  /** True if the user has disconnected. */
  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Ends all connections until `resume` or `reconnect`. A restart of the app does not preserve this. */
  pause(): void {
    if (this.#isPaused) return
    this.#isPaused = true
    for (const slot of this.#slots) slot.pause()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#isHeld = false
    this.#startAll()
  }

  /** Retries all connections now. Resumes paused ones. */
  reconnect(): void {
    if (this.#isPaused) {
      this.resume()
      return
    }
    if (this.#slots.some(({ isBroken, config }) => isBroken || config.kind === 'incomplete')) {
      this.#dispose(this.#slots.filter(({ isBroken }) => isBroken))
      this.#options.secrets.retry()
      void this.choose()
    }
    for (const { connection } of this.#slots) connection?.connect()
  }

  /** Call when rows, alerts or the open page change. */
  wantedChanged(): void {
    const subscriptions = this.#options.wanted()
    const moved = this.#router.assign(new Set(subscriptions.map(({ id }) => id)))
    this.#indexCounts.clear()
    if (moved.length > 0) this.events.emit('moved', moved)
    const byOwner = new Map(this.#slots.map(({ config }) => [config.id, [] as Subscription[]]))
    for (const each of subscriptions) byOwner.get(this.#router.ownerOf(each.id) ?? '')?.push(each)
    for (const { config, connection } of this.#slots) connection?.setWanted(byOwner.get(config.id) ?? [])
    for (const id of moved) this.events.emit('refusalChanged', id)
    this.events.emit('assigned', null)
  }

  /** Call when changes are computed from another reference. */
  changeBaseChanged(): void {
    for (const { connection } of this.#slots) connection?.changeBaseChanged()
  }

  /**
   * Call when the history becomes readable. Reads the lists of earlier runs and looks for gaps. Returns whether it
   * could be read.
   */
  async historyOpened(): Promise<boolean> {
    const isRead = await this.#options.memory.load()
    if (!isRead) return false
    for (const { connection } of this.#slots) connection?.lookAgain()
    this.events.emit('catalogueChanged', null)
    return true
  }

  /** Connections whose key is refused, or was not returned by the keyring. */
  get keyFaults(): { name: string; isMissing: boolean }[] {
    return this.#slots.flatMap(({ config, status: { state, name } }) =>
      state === 'notAuthorised' ? [{ name, isMissing: config.kind === 'incomplete' }] : [],
    )
  }

  /** Retries a connection that is not live. */
  retry(profileId: string): void {
    const { connection } = this.#slotOf(profileId) ?? {}
    const state = connection?.status.state
    // One that was just started is already connecting.
    if (state !== 'live' && state !== 'connecting') connection?.connect()
  }

  dispose(): void {
    this.#choices++
    for (const slot of this.#slots) slot.dispose()
    this.#slots = []
  }

  #startAll(): void {
    for (const slot of this.#slots) slot.start()
    this.#statusChanged()
  }

  #ownerOf(id: IndexId): string | undefined {
    return this.#router.ownerOf(formulaParts(id)[0] ?? id)
  }

  #slotOf(configId: string | undefined): ConnectionSlot | undefined {
    for (const slot of this.#slots) if (slot.config.id === configId) return slot
    return undefined
  }

  /** The lists of earlier runs, for services that have not sent theirs yet. */
  #remembered(): ReadonlyMap<IndexId, IndexInfo>[] {
    return this.#slots
      .filter(({ connection }) => connection?.isCatalogueKnown !== true)
      .map(({ config }) => this.#options.memory.get(config.id))
  }

  #rememberedInfo(id: IndexId): IndexInfo | undefined {
    return this.#remembered()
      .find((each) => each.has(id))
      ?.get(id)
  }

  /** Cached, because a service that refuses thousands of indices changes its status thousands of times. */
  #indexCountOf(slot: ConnectionSlot): number {
    const count = this.#indexCounts.get(slot) ?? this.#catalogueOf(slot).length
    this.#indexCounts.set(slot, count)
    return count
  }

  #catalogueOf({ config, connection }: ConnectionSlot): IndexInfo[] {
    const own = (connection?.catalogue ?? []).filter(({ id }) => this.#router.ownerOf(id) === config.id)
    return this.#options.memory.withCodes(config.id, own)
  }

  /** Ends all slots that are not in these configs. Returns the others by id. */
  #keep(configs: readonly ConnectionConfig[]): Map<string, ConnectionSlot> {
    const kept = new Map<string, ConnectionSlot>()
    for (const config of configs) {
      const slot = this.#slotOf(config.id)
      if (slot === undefined || !isSameConfig(slot.config, config)) continue
      slot.config = config
      kept.set(config.id, slot)
    }
    this.#dispose(this.#slots.filter((slot) => kept.get(slot.config.id) !== slot))
    return kept
  }

  #dispose(slots: readonly ConnectionSlot[]): void {
    this.#slots = this.#slots.filter((slot) => !slots.includes(slot))
    for (const slot of slots) slot.dispose()
    const released = slots.flatMap(({ config }) => this.#router.release(config.id))
    if (released.length > 0) this.events.emit('moved', released)
  }

  async #unseal({ id, use }: { id: string; use: string }): Promise<void> {
    await this.#options.secrets.load(id, use)
    if (this.#slotOf(id)?.config.kind === 'sealed') await this.choose()
  }

  #newSlot(config: ConnectionConfig): ConnectionSlot {
    return new ConnectionSlot(config, {
      createDemo: this.#options.createDemo,
      connect: (endpoint) => this.#connection(endpoint),
      onChange: () => {
        this.#slotsChanged()
        this.#statusChanged()
      },
    })
  }

  #connection(endpoint: ServiceEndpoint): ServiceConnection {
    const { clock, log, counters, hidden, known, watchedByRules, appVersion, routes } = this.#options
    hidden.add(endpoint.keySecret)
    const connection: ServiceConnection = new ServiceConnection({
      endpoint,
      clock,
      log,
      counters,
      events: this.events,
      known,
      watchedByRules,
      appVersion,
      routes,
      onStatus: () => this.#statusChanged(),
      onCatalogue: () => {
        const slot = this.#slots.find((each) => each.connection === connection)
        if (slot !== undefined && connection.isCatalogueKnown) {
          this.#options.memory.note(slot.config.id, connection.catalogue)
        }
        this.wantedChanged()
        this.events.emit('catalogueChanged', null)
      },
    })
    return connection
  }

  #slotsChanged(): void {
    const candidates = this.#slots.flatMap(({ config: { id }, connection }): Candidate[] => {
      if (connection === undefined) return []
      return [{ id, isKnown: () => connection.isCatalogueKnown, lists: (index) => connection.lists(index) }]
    })
    this.#router.setCandidates(candidates)
    this.wantedChanged()
    this.events.emit('catalogueChanged', null)
  }

  #statusChanged(): void {
    this.log.note(this.views)
    this.events.emit('statusChanged', null)
  }
}
