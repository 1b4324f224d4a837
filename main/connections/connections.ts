import type { ServiceTools } from '../../protocol/desktop'
import type { AlertOrigin } from '../../core/alert-events'
import type { ConnectionView } from '../../protocol/responses'
import { fasterOf } from '../../core/formula'
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
  /** Texts the log takes out. */
  hidden: Set<string>
  appVersion: string
  routes?: Routes
  wanted: () => readonly Subscription[]
  known: KnownValues
  watchedByRules: () => ReadonlySet<IndexId>
  /** What the services said in earlier runs. */
  memory: CatalogueMemory
  /** Another kind of service answers from now on: done when its values have been read. */
  switchTo: (kind: ServiceKind) => Promise<void>
  onError: (error: unknown) => void
}

/**
 * All connections in use, and which of them answers for which index. A change of the settings ends those that are no
 * longer wanted, starts those that are new and leaves all others alone.
 */
export class Connections {
  readonly events: Emitter<ConnectionEvents>
  readonly #options: Options
  readonly log: ConnectionLog
  readonly #router = new IndexRouter()
  #slots: ConnectionSlot[] = []
  /** What was chosen last; its slots follow once the history of its kind is in use. */
  #configs: readonly ConnectionConfig[] = []
  #choices = 0
  #kind: ServiceKind | undefined
  #isPaused = false
  #isHeld = false
  /** Until connections, catalogues or what is wanted are others. */
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
   * What any of them has, each index as the one that answers for it describes it; of a service that has not answered yet,
   * what it had in an earlier run.
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

  /** Which connection answers for an index. */
  ownerOf(id: IndexId): string | undefined {
    return this.#router.ownerOf(id)
  }

  /** Who runs the tools of a connection. */
  toolsClientOf(connectionId: string): ServiceToolsClient | undefined {
    return this.#slotOf(connectionId)?.connection?.toolsClient
  }

  /** The connection that answers for an index; of a formula, for its first part. */
  connectionOf(id: IndexId): ServiceConnection | undefined {
    return this.#slotOf(this.#ownerOf(id))?.connection
  }

  /** Why the service refused the values of this id, or of a part of this formula, in its own words. */
  refusal(id: IndexId): string | undefined {
    const parts = formulaParts(id)
    if (parts.length === 0) return this.connectionOf(id)?.refusal(id)
    const refused = parts.find((part) => this.refusal(part) !== undefined)
    return refused && `${refused}: ${this.refusal(refused) ?? ''}`
  }

  /** How often the index publishes; until its service has said so, what it said the last time. */
  resolutionOf(id: IndexId): Resolution | undefined {
    const parts = formulaParts(id)
    if (parts.length > 0) return fasterOf(parts.map((part) => this.resolutionOf(part)))
    // Asked for thousands of indices at a start, and of each again and again while a service is away.
    return (
      this.connectionOf(id)?.resolutionOf(id) ??
      this.#remembered()
        .find((each) => each.has(id))
        ?.get(id)?.maxResolution
    )
  }

  /** Which connection an index comes from, by the name that the user gave it. */
  originOf(id: IndexId): AlertOrigin {
    const owner = this.#ownerOf(id)
    const [first] = this.#configs
    const config = this.#configs.length === 1 ? first : this.#configs.find((each) => each.id === owner)
    return { ...(config !== undefined && { connection: config.name }), isDemo: this.#kind === 'demo' }
  }

  /** Who answers questions about this index; nobody about a formula. */
  sourceOf(id: IndexId): IndexSource | undefined {
    return parseFormula(id) === undefined ? this.connectionOf(id)?.source : undefined
  }

  /** The user asks again for an id that its service refused. */
  askAgain(id: IndexId): void {
    for (const each of serviceIds(id)) this.connectionOf(each)?.askAgain(each)
  }

  /** Ends the connections that are no longer to be used and starts those that now are. */
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
    // Not waited for: the keyring may ask its user for a password first.
    for (const config of configs) if (config.kind === 'sealed') void this.#unseal(config)
  }

  /** What is chosen from now on is known, and connects no sooner than with `release`. */
  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    if (!this.#isPaused) this.#startAll()
  }

  /** The user wants nothing received for now. */
  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Ends all connections until `resume` or `reconnect`; a restart of the app does not know of it. */
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

  /** Tries again now, each of them; paused ones go on. */
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
    for (const { connection } of this.#slots) connection?.reconnect()
  }

  /** The rows, the alerts or the open page changed. */
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

  /** Changes are counted from another value now. */
  changeBaseChanged(): void {
    for (const { connection } of this.#slots) connection?.changeBaseChanged()
  }

  /**
   * The history can be read from now on: it has the names of earlier runs, and what was missed is looked for. Answers whether it
   * could be read.
   */
  async historyOpened(): Promise<boolean> {
    const isRead = await this.#options.memory.load()
    if (!isRead) return false
    for (const { connection } of this.#slots) connection?.lookAgain()
    this.events.emit('catalogueChanged', null)
    return true
  }

  /** The connections whose key is refused, or not given by the keyring. */
  get keyFaults(): { name: string; isMissing: boolean }[] {
    return this.#slots.flatMap(({ config, status: { state, name } }) =>
      state === 'notAuthorised' ? [{ name, isMissing: config.kind === 'incomplete' }] : [],
    )
  }

  /** The user wants a connection that does not work to be tried. */
  retry(profileId: string): void {
    const { connection } = this.#slotOf(profileId) ?? {}
    const state = connection?.status.state
    // One that was only now begun is being tried already.
    if (state !== 'live' && state !== 'connecting') connection?.reconnect()
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
    return this.#router.ownerOf(serviceIds(id)[0] ?? id)
  }

  #slotOf(configId: string | undefined): ConnectionSlot | undefined {
    return this.#slots.find(({ config }) => config.id === configId)
  }

  /** What services that have not listed their indices yet listed the last time. */
  #remembered(): ReadonlyMap<IndexId, IndexInfo>[] {
    return this.#slots
      .filter(({ connection }) => connection?.isCatalogueKnown !== true)
      .map(({ config }) => this.#options.memory.get(config.id))
  }

  /** Counted once for all changes of a status: a service that refuses thousands of indices changes it thousands of times. */
  #indexCountOf(slot: ConnectionSlot): number {
    const count = this.#indexCounts.get(slot) ?? this.#catalogueOf(slot).length
    this.#indexCounts.set(slot, count)
    return count
  }

  #catalogueOf({ config, connection }: ConnectionSlot): IndexInfo[] {
    return (connection?.catalogue ?? []).filter(({ id }) => this.#router.ownerOf(id) === config.id)
  }

  /** Ends all slots but those that these configs have too; answers the kept ones by id. */
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
