import type { ServiceTools } from '../protocol/desktop'
import type { ConnectionView } from '../protocol/answers'
import type { ConnectionStatus, IndexId, IndexInfo, Resolution, Subscription } from '../protocol/model'
import { ServiceConnection, type StructureListener } from './app-connection'
import type { ServiceEndpoint } from './app-endpoint'
import { ConnectionLog } from './app-connection-log'
import { Line, type Demo, type DemoListener } from './app-line'
import { isSamePlan, plannedConnections, type Plan } from './app-plans'
import { IndexRouter, type Candidate } from './app-router'
import { allTools, overallStatus } from './app-status'
import type { ValueKind, Values } from './app-values'
import type { Clock } from './base/clock'
import type { Counters } from './base/counters'
import type { Log } from './base/log'
import type { LaunchOptions } from './desktop/launch-options'
import type { IndexPage, IndexSource } from './index-page/index-page'
import type { SecretKeeper } from './storage/secret-keeper'
import type { SettingsStore } from './storage/settings'

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
  values: Values
  page: IndexPage
  rules: StructureListener
  appVersion: string
  wanted: () => readonly Subscription[]
  /** Another kind of service answers from now on. */
  useValues: (kind: ValueKind) => Promise<void>
  /** Another connection answers for these from now on: what is held of them is of an earlier one. */
  onMoved: (ids: readonly IndexId[]) => void
  onStatus: () => void
  onCatalogue: () => void
  onTools: () => void
  onRow: (id: IndexId) => void
}

/**
 * All connections in use, and which of them answers for which index. A change of the settings ends those that are no
 * longer wanted, starts those that are new and leaves all others alone.
 */
export class Services {
  readonly #options: Options
  readonly log: ConnectionLog
  readonly #router = new IndexRouter()
  #lines: Line[] = []
  #choices = 0
  #kind: ValueKind | undefined
  #pageId: IndexId | undefined
  #pageConnection: ServiceConnection | undefined
  #valuesInUse: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
    this.log = new ConnectionLog(options.clock)
  }

  get status(): ConnectionStatus {
    return overallStatus(this.views)
  }

  /** In the user's order. */
  get views(): ConnectionView[] {
    return this.#lines.map((line) => ({ id: line.plan.id, ...line.status, indexCount: this.#catalogueOf(line).length }))
  }

  /** What any of them has, each index as the one that answers for it describes it. */
  get catalogue(): IndexInfo[] {
    return this.#lines.flatMap((line) => this.#catalogueOf(line))
  }

  get tools(): ServiceTools | undefined {
    return allTools(this.#lines.map(({ connection }) => connection?.tools))
  }

  /** The connection that answers for an index. */
  connectionOf(id: IndexId): ServiceConnection | undefined {
    return this.#lineOf(this.#router.ownerOf(id))?.connection
  }

  /** Why the service refused the values of this id, in its own words. */
  refusal(id: IndexId): string | undefined {
    return this.connectionOf(id)?.refusal(id)
  }

  /** How often the index publishes; `undefined` until its service has told. */
  resolutionOf(id: IndexId): Resolution | undefined {
    return this.connectionOf(id)?.resolutionOf(id)
  }

  /** Who answers questions about this index. */
  sourceOf(id: IndexId): IndexSource | undefined {
    return this.connectionOf(id)?.source
  }

  /** The user asks again for an id that its service refused. */
  askAgain(id: IndexId): void {
    this.connectionOf(id)?.askAgain(id)
  }

  /** Ends the connections that are no longer to be used and starts those that now are. */
  async choose(): Promise<void> {
    const choice = ++this.#choices
    const { launch, settings, secrets } = this.#options
    await secrets.open()
    const plans = await plannedConnections(launch, settings.get().profiles, secrets)
    if (choice !== this.#choices) return
    const kept = this.#keep(plans)
    const kind = plans.some((plan) => plan.kind === 'demo') ? 'demo' : 'real'
    if (kind !== this.#kind) {
      this.#kind = kind
      this.#valuesInUse = this.#options.useValues(kind)
    }
    await this.#valuesInUse
    if (choice !== this.#choices) return
    this.#lines = plans.map((plan) => kept.get(plan.id) ?? this.#newLine(plan))
    for (const line of this.#lines) if (!kept.has(line.plan.id)) line.start()
    this.#linesChanged()
    this.#statusChanged()
  }

  /** Tries again now, each of them. */
  reconnect(): void {
    if (this.#lines.some(({ isBroken, plan }) => isBroken || plan.kind === 'incomplete')) {
      this.#dispose(this.#lines.filter(({ isBroken }) => isBroken))
      void this.choose()
    }
    for (const { connection } of this.#lines) connection?.reconnect()
  }

  /** The rows, the alerts or the open page changed. */
  wantedChanged(): void {
    const { wanted, onMoved } = this.#options
    const subscriptions = wanted()
    const moved = this.#router.assign(new Set(subscriptions.map(({ id }) => id)))
    if (moved.length > 0) onMoved(moved)
    for (const { plan, connection } of this.#lines) {
      connection?.setWanted(subscriptions.filter(({ id }) => this.#router.ownerOf(id) === plan.id))
    }
    for (const id of moved) this.#options.onRow(id)
    this.#followPage()
  }

  /** Changes are counted from another value now. */
  changeBaseChanged(): void {
    for (const { connection } of this.#lines) connection?.changeBaseChanged()
  }

  /** The user wants a connection that does not work to be tried. */
  retry(profileId: string): void {
    const { connection } = this.#lineOf(profileId) ?? {}
    const state = connection?.status.state
    // One that was only now begun is being tried already.
    if (state !== 'live' && state !== 'connecting') connection?.reconnect()
  }

  dispose(): void {
    this.#choices++
    for (const line of this.#lines) line.dispose()
    this.#lines = []
  }

  #lineOf(lineId: string | undefined): Line | undefined {
    return this.#lines.find(({ plan }) => plan.id === lineId)
  }

  #catalogueOf({ plan, connection }: Line): IndexInfo[] {
    return (connection?.catalogue ?? []).filter(({ id }) => this.#router.ownerOf(id) === plan.id)
  }

  /** Ends all lines but those that the plans have too; answers these. */
  #keep(plans: readonly Plan[]): Map<string, Line> {
    const kept = new Map<string, Line>()
    for (const plan of plans) {
      const line = this.#lineOf(plan.id)
      if (line === undefined || !isSamePlan(line.plan, plan)) continue
      line.rename(plan)
      kept.set(plan.id, line)
    }
    this.#dispose(this.#lines.filter((line) => kept.get(line.plan.id) !== line))
    return kept
  }

  #dispose(lines: readonly Line[]): void {
    this.#lines = this.#lines.filter((line) => !lines.includes(line))
    for (const line of lines) line.dispose()
    const left = lines.flatMap(({ plan }) => this.#router.release(plan.id))
    if (left.length > 0) this.#options.onMoved(left)
  }

  #newLine(plan: Plan): Line {
    return new Line(plan, {
      createDemo: this.#options.createDemo,
      connect: (endpoint) => this.#connection(endpoint),
      onChange: () => {
        this.#linesChanged()
        this.#statusChanged()
      },
    })
  }

  #connection(endpoint: ServiceEndpoint): ServiceConnection {
    const { clock, log, counters, settings, hidden, values, page, rules, appVersion, onTools, onRow } = this.#options
    hidden.add(endpoint.keySecret)
    const { store, history } = values
    const needsDay = () => settings.get().changeBase !== 'sessionFirst'
    const parts = { clock, log, counters, store, history, needsDay, page, rules, appVersion }
    const onCatalogue = () => {
      this.wantedChanged()
      this.#options.onCatalogue()
    }
    const onStatus = () => {
      this.#statusChanged()
    }
    return new ServiceConnection({ endpoint, ...parts, onStatus, onCatalogue, onTools, onRow })
  }

  #linesChanged(): void {
    const candidates = this.#lines.flatMap(({ plan: { id }, connection }): Candidate[] => {
      if (connection === undefined) return []
      return [{ id, isTold: () => connection.isCatalogueTold, lists: (index) => connection.lists(index) }]
    })
    this.#router.setCandidates(candidates)
    this.wantedChanged()
    this.#options.onCatalogue()
  }

  /** The index of the open page may have moved to a connection that has been live for long. */
  #followPage(): void {
    const { page } = this.#options
    const connection = page.id === undefined ? undefined : this.connectionOf(page.id)
    const hasMoved = page.id === this.#pageId && connection !== undefined && connection !== this.#pageConnection
    this.#pageId = page.id
    this.#pageConnection = connection ?? this.#pageConnection
    if (!hasMoved) return
    page.serviceChanged()
    if (connection.status.state === 'live') page.connected()
  }

  #statusChanged(): void {
    this.log.note(this.views)
    this.#options.onStatus()
  }
}
