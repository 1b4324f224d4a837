import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { findIndex } from './catalogue'
import type { IndexDefinition } from './index-definition'
import { MachineClock, type SimulatorClock } from './clock'
import { Admission, controlsOf, type Refusal } from './faults/controls'
import { ScenarioPlayer } from './faults/player'
import type { ScenarioName } from './faults/scenarios'
import { Gatekeeper, offeredSubprotocols, randomSecret, type Key } from './key'
import { Listener, refuseOnSocket, type RefusalStatus } from './listener'
import { mcpEndpoint, mcpPath } from './mcp/endpoint'
import { Publications, type PublishedValue, type RecordedValues } from './publications'
import { challenge, envelope, restRouter } from './rest/router'
import { isWithin, resolutionOf } from './schedule'
import { openChannels } from './stream/channels'
import { Gateway } from './stream/gateway'
import { Ticker } from './stream/ticker'
import type { Channel } from './stream/channel'
import type { Tamper } from './tamper'

const webSocketPath = '/ws/v4'
const goingAway = 1001
const policyViolation = 1008
const defaultSeed = 1

export interface SimulatorOptions {
  /** Port on 127.0.0.1. Default: a free one. */
  readonly port?: number
  /** Equal seeds give equal markets. */
  readonly seed?: number
  readonly clock?: SimulatorClock
  /** Replaces the market's values of the indices it contains. `clock` must then be a `ReplayClock`. */
  readonly recording?: RecordedValues
  /** Default: the id "demo" and a new random secret. */
  readonly key?: Key
  /** Receives lines for a developer at a terminal. Never contains the key. */
  readonly log?: (line: string) => void
  /** Only for checking the conformance suite itself. */
  readonly tamper?: Tamper
}

/** Counts since the start. */
export interface SimulatorCounts {
  /** WebSocket handshakes, including refused ones. */
  readonly handshakes: number
  readonly refusedHandshakes: number
  /** WebSocket connections open now. */
  readonly connections: number
  /** WebSocket commands received. */
  readonly commands: number
  readonly requests: number
}

/** The embedded index service with WebSocket, REST and MCP on one local port. Start it with `startSimulator`. */
export class Simulator {
  readonly keyId: string
  readonly keySecret: string
  readonly #clock: SimulatorClock
  readonly #log: (line: string) => void
  readonly #gatekeeper: Gatekeeper
  readonly #publications: Publications
  readonly #values: Channel<PublishedValue>
  readonly #ticker: Ticker
  readonly #gateway: Gateway
  readonly #listener: Listener
  readonly #admission = new Admission()
  readonly #player: ScenarioPlayer
  #heldAtMs: number | undefined
  #handshakes = 0
  #refusedHandshakes = 0
  #requests = 0

  constructor(options: SimulatorOptions) {
    const { tamper, seed = defaultSeed } = options
    const key = options.key ?? { id: 'demo', secret: randomSecret() }
    this.keyId = key.id
    this.keySecret = key.secret
    this.#clock = options.clock ?? new MachineClock()
    this.#log = options.log ?? (() => undefined)
    this.#gatekeeper = new Gatekeeper(key)
    this.#publications = new Publications(seed, options.recording)
    const marketMs = () => this.#heldAtMs ?? this.#clock.wallMs()
    const channels = openChannels({ seed, publications: this.#publications, marketMs })
    this.#values = channels.values
    this.#ticker = new Ticker(this.#clock, marketMs, channels.all, options.recording !== undefined)
    this.#gateway = new Gateway({ channels: channels.all, ticker: this.#ticker, log: this.#log, tamper })
    const wallMs = () => this.#clock.wallMs()
    const router = restRouter({
      gatekeeper: this.#gatekeeper,
      publications: this.#publications,
      seed,
      marketMs,
      wallMs,
      log: this.#log,
      tamper,
    })
    const mcp = mcpEndpoint({
      gatekeeper: this.#gatekeeper,
      sources: () => ({ seed, publications: this.#publications, nowMs: marketMs() }),
      port: () => this.port,
      log: this.#log,
      tamper,
    })
    this.#listener = new Listener(options.port ?? 0, {
      onRequest: (request, response) => {
        this.#requests++
        tamper?.request?.(request, key)
        const refusal = this.#admission.requestRefusal?.()
        const target = pathOf(request) === mcpPath ? mcp : router
        if (refusal !== undefined) this.#refuse(response, refusal)
        else target(request, response)
      },
      onUpgrade: (request, tcp, head) => {
        tamper?.request?.(request, key)
        this.#onUpgrade(request, tcp, head)
      },
      onUnreadable: (tcp, status, error) => refuseOnSocket(tcp, status, envelope(wallMs(), { error })),
    })
    const parts = { gateway: this.#gateway, values: channels.values, publications: this.#publications, marketMs }
    const controls = controlsOf({ admission: this.#admission, wallMs, ...parts }, this)
    this.#player = new ScenarioPlayer(this.#clock, controls, this.#log)
  }

  get port(): number {
    return this.#listener.port
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${this.port}${webSocketPath}`
  }

  /** The REST address before `/api/v1`. */
  get restUrl(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get mcpUrl(): string {
    return `${this.restUrl}${mcpPath}`
  }

  get counts(): SimulatorCounts {
    return {
      handshakes: this.#handshakes,
      refusedHandshakes: this.#refusedHandshakes,
      connections: this.#gateway.clients.size,
      commands: this.#gateway.commandCount,
      requests: this.#requests,
    }
  }

  /**
   * Opens the port. After `stop` it is the same port, and the market is where it would have been. Rejects with a
   * `PortError`.
   */
  async start(): Promise<void> {
    await this.#listener.open()
  }

  /** Stops as in a crash: every connection is cut and new ones are refused. */
  async stop(): Promise<void> {
    const closed = this.#listener.close()
    this.dropConnections()
    await closed
  }

  /** Shuts down: closes every connection and frees the port. */
  async close(): Promise<void> {
    this.#player.end()
    this.#ticker.dispose()
    const closed = this.#listener.close()
    for (const client of this.#gateway.clients) client.closeAtOnce(goingAway, 'The service is ending')
    await closed
  }

  /** Cuts every WebSocket connection without a close frame. New ones are accepted. */
  dropConnections(): void {
    for (const client of this.#gateway.clients) client.drop()
  }

  /**
   * Publishes an exact value, in the stream at once and in REST from now on. Replaces a value of the same time, so it
   * also makes amendments. Throws `RangeError` for an unknown id, or for a time between second boundaries if the index
   * has none.
   */
  publish(id: string, published: PublishedValue): void {
    const index = this.#known(id)
    if (resolutionOf(index.schedule) !== 'PER_200MS' && !isWithin(published.time, 'PER_SECOND')) {
      throw new RangeError(`${id} publishes on second boundaries only, not at ${published.time}`)
    }
    this.#publications.putExact(index, published)
    this.#values.publish(index, published)
  }

  /** Stops the market: no index publishes by itself until `releaseMarket`. Connections and REST keep working. */
  holdMarket(): void {
    this.#heldAtMs ??= this.#clock.wallMs()
  }

  /** Restarts the market where it would have been by now. */
  releaseMarket(): void {
    this.#heldAtMs = undefined
  }

  /** Sends a text to every client unchanged, valid or not. */
  sendRaw(text: string): void {
    for (const client of this.#gateway.clients) client.send(text)
  }

  /** Refuses the key from now on and closes its connections. */
  revokeKey(): void {
    this.#gatekeeper.revoke()
    for (const client of this.#gateway.clients) client.close(policyViolation, 'The key was revoked')
  }

  restoreKey(): void {
    this.#gatekeeper.restore()
  }

  /** Plays a fault scenario after `afterMs`, see `faults/scenarios.ts`. */
  playScenario(name: ScenarioName, afterMs = 0): void {
    this.#player.play(name, afterMs)
  }

  /** Ends the scenario and its faults. */
  endScenario(): void {
    this.#player.end()
  }

  #known(id: string): IndexDefinition {
    const index = findIndex(id)
    if (index === undefined) throw new RangeError(`unknown index ${id}`)
    return index
  }

  #onUpgrade(request: IncomingMessage, tcp: Duplex, head: Buffer): void {
    this.#handshakes++
    const refuse = (status: RefusalStatus, error: string, headers?: Record<string, string>) => {
      this.#refusedHandshakes++
      this.#log(`Refused a WebSocket handshake: ${error}`)
      refuseOnSocket(tcp, status, envelope(this.#clock.wallMs(), { error }), headers)
    }
    const decide = () => {
      const { handshakeRefusal } = this.#admission
      if (handshakeRefusal !== undefined) refuse(handshakeRefusal.status, handshakeRefusal.error)
      else if (!this.#gatekeeper.admits(request.headers, offeredSubprotocols(request.headers))) {
        refuse(401, 'Missing or wrong key', challenge)
      } else if (pathOf(request) !== webSocketPath) refuse(404, 'Unknown path')
      else this.#gateway.accept(request, tcp, head)
    }
    const { handshakeDelayMs } = this.#admission
    if (handshakeDelayMs === 0) decide()
    else
      this.#clock.after(handshakeDelayMs, () => {
        if (!tcp.destroyed) decide()
      })
  }

  #refuse(response: ServerResponse, { status, error, headers = {} }: Refusal): void {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(envelope(this.#clock.wallMs(), { error })))
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?')[0] ?? ''
}

/** Starts a simulator and opens its port. Rejects with a `PortError`. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = new Simulator(options)
  await simulator.start()
  return simulator
}
