import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { findIndex } from './catalogue'
import type { IndexDefinition } from './index-definition'
import { openChannels } from './channels'
import { MachineClock, type SimulatorClock } from './clock'
import { FrontDoor, type DoorRefusal } from './faults/front-door'
import { ScenarioPlayer } from './faults/player'
import type { ScenarioName } from './faults/scenarios'
import { stageOf } from './faults/stage'
import { Gatekeeper, offeredSubprotocols, randomSecret, type Key } from './key'
import { Listener, refuseHandshake } from './listener'
import { McpEndpoint, mcpPath } from './mcp/endpoint'
import { Publications, type PublishedValue } from './publications'
import { endpoints } from './rest/endpoints'
import { challenge, envelope, Router } from './rest/router'
import { isWithin, resolutionOf } from './schedule'
import { Gateway } from './stream/gateway'
import { Ticker } from './stream/ticker'
import type { PublicationChannel } from './stream/publication-channel'
import type { Tamper } from './tamper'

const webSocketPath = '/ws/v4'
const goingAway = 1001
const policyViolation = 1008
const defaultSeed = 1

export interface SimulatorOptions {
  /** Port on 127.0.0.1; a free one by default. */
  readonly port?: number
  /** The same seed is the same market. */
  readonly seed?: number
  readonly clock?: SimulatorClock
  /** By default the id is "demo" and the secret made up at each start. */
  readonly key?: Key
  /** Told what a developer at a terminal would want to know; never the key. */
  readonly log?: (line: string) => void
  /** For the conformance suite's own check alone. */
  readonly tamper?: Tamper
}

/** What happened since the start. */
export interface SimulatorCounts {
  /** WebSocket handshakes, the refused ones included. */
  readonly handshakes: number
  readonly refusedHandshakes: number
  /** WebSocket connections open now. */
  readonly connections: number
  /** WebSocket commands read. */
  readonly commands: number
  readonly requests: number
}

/** The embedded index service: WebSocket, REST and MCP on one port of this machine. Start it with `startSimulator`. */
export class Simulator {
  readonly keyId: string
  readonly keySecret: string
  readonly #clock: SimulatorClock
  readonly #log: (line: string) => void
  readonly #gatekeeper: Gatekeeper
  readonly #publications: Publications
  readonly #values: PublicationChannel
  readonly #ticker: Ticker
  readonly #gateway: Gateway
  readonly #listener: Listener
  readonly #door = new FrontDoor()
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
    this.#publications = new Publications(seed)
    const marketMs = () => this.#heldAtMs ?? this.#clock.wallMs()
    const channels = openChannels({ seed, publications: this.#publications, marketMs })
    this.#values = channels.values
    this.#ticker = new Ticker(this.#clock, marketMs, channels.all)
    this.#gateway = new Gateway({ channels: channels.all, ticker: this.#ticker, log: this.#log, tamper })
    const wallMs = () => this.#clock.wallMs()
    const router = new Router({
      endpoints,
      gatekeeper: this.#gatekeeper,
      publications: this.#publications,
      seed,
      marketMs,
      wallMs,
      log: this.#log,
      tamper,
    })
    const mcp = new McpEndpoint({
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
        const refusal = this.#door.requestRefusal?.()
        const asked = pathOf(request) === mcpPath ? mcp : router
        if (refusal !== undefined) this.#turnAway(response, refusal)
        else asked.serve(request, response)
      },
      onUpgrade: (request, line, head) => {
        tamper?.request?.(request, key)
        this.#onUpgrade(request, line, head)
      },
    })
    const parts = { gateway: this.#gateway, values: channels.values, publications: this.#publications, marketMs }
    const stage = stageOf({ door: this.#door, wallMs, ...parts }, this)
    this.#player = new ScenarioPlayer(this.#clock, stage, this.#log)
  }

  get port(): number {
    return this.#listener.port
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${this.port}${webSocketPath}`
  }

  /** What comes before `/api/v1`. */
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

  /** Opens the port; after `stop` the same one again, with the market where it would have been. Rejects `PortError`. */
  async start(): Promise<void> {
    await this.#listener.open()
  }

  /** Vanishes as after a crash: every line is cut, further connections are refused. */
  async stop(): Promise<void> {
    const closed = this.#listener.close()
    this.dropConnections()
    await closed
  }

  /** Ends for good: says goodbye to every client and frees the port. */
  async close(): Promise<void> {
    this.#player.end()
    this.#ticker.dispose()
    const closed = this.#listener.close()
    for (const client of this.#gateway.clients) client.leave(goingAway, 'The service is ending')
    await closed
  }

  /** Cuts every WebSocket connection without a word; new ones are welcome. */
  dropConnections(): void {
    for (const client of this.#gateway.clients) client.drop()
  }

  /**
   * Publishes an exact value, in the stream at once and in REST from now on. A value of the same time is replaced, so
   * this also amends. Throws `RangeError` for an unknown id, and for a time between second boundaries where the index
   * has none.
   */
  publish(id: string, published: PublishedValue): void {
    const index = this.#known(id)
    if (resolutionOf(index.schedule) !== 'PER_200MS' && !isWithin(published.time, 'PER_SECOND')) {
      throw new RangeError(`${id} publishes on second boundaries only, not at ${published.time}`)
    }
    this.#publications.putExact(index, published)
    this.#values.announce(index, published)
  }

  /** Stops the market: no index publishes by itself until `releaseMarket`. Connections and REST go on. */
  holdMarket(): void {
    this.#heldAtMs ??= this.#clock.wallMs()
  }

  /** Lets the market go on, where it would have been by now. */
  releaseMarket(): void {
    this.#heldAtMs = undefined
  }

  /** Sends a text to every client as it is, whether it makes sense or not. */
  sendRaw(text: string): void {
    for (const client of this.#gateway.clients) client.send(text)
  }

  /** The key is good for nothing from now on, and who used it is sent away. */
  revokeKey(): void {
    this.#gatekeeper.revoke()
    for (const client of this.#gateway.clients) client.close(policyViolation, 'The key was revoked')
  }

  restoreKey(): void {
    this.#gatekeeper.restore()
  }

  /** Lets something go wrong on purpose, again and again, from `afterMs` from now on; see `faults/scenarios.ts`. */
  playScenario(name: ScenarioName, afterMs = 0): void {
    this.#player.play(name, afterMs)
  }

  /** All is well from now on. */
  endScenario(): void {
    this.#player.end()
  }

  #known(id: string): IndexDefinition {
    const index = findIndex(id)
    if (index === undefined) throw new RangeError(`unknown index ${id}`)
    return index
  }

  #onUpgrade(request: IncomingMessage, line: Duplex, head: Buffer): void {
    this.#handshakes++
    const refuse = (status: number, error: string, headers?: Record<string, string>) => {
      this.#refusedHandshakes++
      this.#log(`refused a WebSocket handshake: ${error}`)
      refuseHandshake(line, status, envelope(this.#clock.wallMs(), { error }), headers)
    }
    const judge = () => {
      const { handshakeRefusal } = this.#door
      if (handshakeRefusal !== undefined) refuse(handshakeRefusal.status, handshakeRefusal.error)
      else if (!this.#gatekeeper.admits(request.headers, offeredSubprotocols(request.headers))) {
        refuse(401, 'Missing or wrong key', challenge)
      } else if (pathOf(request) !== webSocketPath) refuse(404, 'Unknown path')
      else this.#gateway.accept(request, line, head)
    }
    const { handshakeDelayMs } = this.#door
    if (handshakeDelayMs === 0) judge()
    else
      this.#clock.after(handshakeDelayMs, () => {
        if (!line.destroyed) judge()
      })
  }

  #turnAway(response: ServerResponse, { status, error, headers = {} }: DoorRefusal): void {
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
