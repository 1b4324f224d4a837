import type { ConnectionState, ConnectionStatus } from '../../core/model'
import type { ServiceConnection } from './service-connection'
import type { ServiceEndpoint } from './endpoint'
import type { ConnectionConfig } from './connection-config'
import type { DemoAddress } from '../desktop/demo-process'

/** The demo service. */
export interface Demo {
  start(): void
  dispose(): void
}

/** Callbacks for the demo service. */
export interface DemoListener {
  /** It listens, at first and after each restart. */
  onListening: (address: DemoAddress) => void
  /** It ended too often to be restarted. */
  onGivenUp: () => void
}

interface Options {
  createDemo: (listener: DemoListener) => Demo
  connect: (endpoint: ServiceEndpoint) => ServiceConnection
  /** Called when the slot gets or loses its connection. */
  onChange: () => void
}

const noDemo = 'The demo service did not start. Restart Indexwatch, or add a connection in Settings.'

const sealed = 'Waiting for the keyring to return the key. If it asks for its password, enter it there.'

const paused = 'Disconnected: no data and no alerts until you reconnect, in the tray menu or with Try now.'

/** One of the connections in use, with the process of the demo service if it is one. */
export class ConnectionSlot {
  /** May only be replaced by a config that leads to the same service. */
  config: ConnectionConfig
  readonly #options: Options
  #connection: ServiceConnection | undefined
  #demo: Demo | undefined
  #hasGivenUp = false
  #isPaused = false

  constructor(config: ConnectionConfig, options: Options) {
    this.config = config
    this.#options = options
  }

  get connection(): ServiceConnection | undefined {
    return this.#connection
  }

  /** True if only a user action can start it again. */
  get isBroken(): boolean {
    return this.#hasGivenUp
  }

  get status(): ConnectionStatus {
    const { name, kind } = this.config
    if (this.#connection !== undefined) return { ...this.#connection.status, name }
    const isDemo = kind === 'demo'
    const idle = (state: ConnectionState, problem?: string) => {
      return { state, name, isDemo, problem, streamCount: 0 }
    }
    if (kind === 'incomplete') return idle('notAuthorised', this.config.problem)
    if (this.#isPaused) return idle('offline', paused)
    if (kind === 'sealed') return idle('connecting', sealed)
    return this.#hasGivenUp ? idle('offline', noDemo) : idle('connecting')
  }

  start(): void {
    this.#isPaused = false
    this.#hasGivenUp = false
    if (this.config.kind === 'service') this.#connect(this.config.endpoint)
    else if (this.config.kind === 'demo') this.#startDemo()
  }

  /** Ends the connection until the next start. */
  pause(): void {
    this.dispose()
    this.#isPaused = true
    this.#options.onChange()
  }

  dispose(): void {
    this.#leave()
    this.#demo?.dispose()
    this.#demo = undefined
  }

  #leave(): void {
    this.#connection?.dispose()
    this.#connection = undefined
  }

  #connect(endpoint: ServiceEndpoint): void {
    this.#leave()
    const connection = this.#options.connect({ ...endpoint, id: this.config.id })
    this.#connection = connection
    this.#options.onChange()
    connection.connect()
  }

  #startDemo(): void {
    const { createDemo, onChange } = this.#options
    this.#demo = createDemo({
      onListening: ({ ws, rest, mcp, keyId, keySecret }) => {
        const addresses = { webSocketUrl: ws, restUrl: rest, mcpUrl: mcp }
        this.#connect({ name: this.config.name, isDemo: true, ...addresses, keyId, keySecret })
      },
      onGivenUp: () => {
        this.#leave()
        this.#hasGivenUp = true
        onChange()
      },
    })
    this.#demo.start()
  }
}
