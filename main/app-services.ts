import type { SecretKept } from '../protocol/desktop'
import type { ConnectionProfile, ConnectionStatus, IndexId, Outcome, Subscription } from '../protocol/model'
import { ServiceConnection, type ServiceEndpoint } from './app-connection'
import type { ValueKind, Values } from './app-values'
import type { Clock } from './base/clock'
import type { Counters } from './base/counters'
import type { Log } from './base/log'
import { DemoProcess, type DemoAddress } from './desktop/demo-process'
import type { LaunchOptions } from './desktop/launch-options'
import type { IndexPage } from './index-page/index-page'
import type { Secrets } from './storage/secrets'
import type { SettingsStore } from './storage/settings'

interface Options {
  launch: LaunchOptions
  demoModulePath: string
  clock: Clock
  log: Log
  counters: Counters
  settings: SettingsStore
  secrets: Secrets
  /** Texts the log takes out. */
  hidden: Set<string>
  values: Values
  page: IndexPage
  appVersion: string
  wanted: () => readonly Subscription[]
  /** Another kind of service answers from now on. */
  useValues: (kind: ValueKind) => Promise<void>
  onStatus: () => void
  onCatalogue: () => void
  onTools: () => void
  onRow: (id: IndexId) => void
}

const demoName = 'Demo'

/**
 * Which service answers: `--demo`, else the environment's, else the user's own, else the demo service. One connection at
 * a time; a change ends the old one before the new one starts.
 */
export class Services {
  readonly #options: Options
  #connection: ServiceConnection | undefined
  #demo: DemoProcess | undefined
  /** What the user sees while there is no connection. */
  #idle: ConnectionStatus = { state: 'connecting', name: demoName, isDemo: true, streamCount: 0 }
  #choices = 0

  constructor(options: Options) {
    this.#options = options
  }

  get connection(): ServiceConnection | undefined {
    return this.#connection
  }

  get status(): ConnectionStatus {
    return this.#connection?.status ?? this.#idle
  }

  /** Ends the connection in use and starts the one to be used. */
  async choose(): Promise<void> {
    const choice = ++this.#choices
    this.#leave()
    const endpoint = await this.#ownEndpoint()
    if (choice !== this.#choices) return
    await this.#options.useValues(endpoint === 'demo' ? 'demo' : 'real')
    if (choice !== this.#choices) return
    if (endpoint === 'demo') this.#startDemo()
    else if (endpoint !== 'incomplete') this.#connect(endpoint)
    this.#options.onStatus()
  }

  /** Tries again now. */
  reconnect(): void {
    if (this.#connection === undefined) void this.choose()
    else this.#connection.reconnect()
  }

  /** The rows or the alerts changed. */
  wantedChanged(): void {
    this.#connection?.setWanted(this.#options.wanted())
  }

  /** Problem `secretMissing`: no secret was given and none is kept for this key. */
  async saveProfile(profile: ConnectionProfile, keySecret: string): Promise<Outcome<{ kept: SecretKept }>> {
    const { settings, secrets } = this.#options
    const secret = keySecret === '' ? await secrets.load(profile.keyId) : keySecret
    if (secret === undefined) {
      return { ok: false, problem: { code: 'secretMissing', message: 'Enter the secret that belongs to this key.' } }
    }
    const kept = keySecret === '' ? (secrets.kept() ?? 'session') : await secrets.save(profile.keyId, secret)
    settings.setProfile(profile)
    await this.choose()
    return { ok: true, value: { kept } }
  }

  async removeProfile(profileId: string): Promise<void> {
    this.#options.settings.removeProfile(profileId)
    await this.#options.secrets.forget()
    await this.choose()
  }

  dispose(): void {
    this.#choices++
    this.#leave()
  }

  #leave(): void {
    this.#connection?.dispose()
    this.#connection = undefined
    this.#demo?.dispose()
    this.#demo = undefined
  }

  /** `incomplete`: the user's own connection lacks its secret, and the status says so. */
  async #ownEndpoint(): Promise<ServiceEndpoint | 'demo' | 'incomplete'> {
    const { launch, settings, secrets } = this.#options
    const [profile] = settings.get().profiles
    if (launch.isDemo || (launch.environment === undefined && profile === undefined)) return 'demo'
    if (launch.environment !== undefined) {
      return { ...fromProfile(launch.environment.profile), keySecret: launch.environment.keySecret }
    }
    if (profile === undefined) return 'demo'
    const keySecret = await secrets.load(profile.keyId)
    if (keySecret !== undefined) return { ...fromProfile(profile), keySecret }
    const problem = 'The secret of this key is not kept on this computer. Enter it again in Settings.'
    this.#idle = { state: 'notAuthorised', name: profile.name, isDemo: false, problem, streamCount: 0 }
    return 'incomplete'
  }

  #startDemo(): void {
    const { clock, log, demoModulePath, onStatus } = this.#options
    this.#idle = { state: 'connecting', name: demoName, isDemo: true, streamCount: 0 }
    this.#demo = new DemoProcess({
      modulePath: demoModulePath,
      clock,
      log,
      onListening: (address) => {
        this.#connectDemo(address)
      },
      onGivenUp: () => {
        const problem = 'The demo service does not start. Start Indexwatch again, or enter a connection in Settings.'
        this.#connection?.dispose()
        this.#connection = undefined
        this.#idle = { state: 'offline', name: demoName, isDemo: true, problem, streamCount: 0 }
        onStatus()
      },
    })
    this.#demo.start()
  }

  #connectDemo({ ws, rest, mcp, keyId, keySecret }: DemoAddress): void {
    this.#connection?.dispose()
    const addresses = { webSocketUrl: ws, restUrl: rest, mcpUrl: mcp }
    this.#connect({ name: demoName, isDemo: true, ...addresses, keyId, keySecret })
    this.#options.onStatus()
  }

  #connect(endpoint: ServiceEndpoint): void {
    const { clock, log, counters, settings, hidden, values, page, appVersion } = this.#options
    const { onStatus, onCatalogue, onTools, onRow } = this.#options
    hidden.add(endpoint.keySecret)
    const { store, history } = values
    const needsDay = () => settings.get().changeBase !== 'sessionFirst'
    const parts = { clock, log, counters, store, history, needsDay, page, appVersion }
    this.#connection = new ServiceConnection({ endpoint, ...parts, onStatus, onCatalogue, onTools, onRow })
    this.wantedChanged()
    this.#connection.start()
  }
}

function fromProfile(profile: ConnectionProfile): Omit<ServiceEndpoint, 'keySecret'> {
  return { ...profile, isDemo: false }
}
