import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import { catalogue } from '../catalogue'
import { keySubprotocol } from '../key'
import { resolutionOf } from '../schedule'
import { TamperedClient, type Tamper } from '../tamper'
import type { Channel, ChannelRefusal } from './channel'
import { Client, type Delivery } from './client'
import { failureFrame, readCommand, type Command } from './command'
import type { Ticker } from './ticker'

/** Much more than any command needs. */
const maxCommandBytes = 16 * 1024
const unsupportedData = 1003
const unreadableData = 1007

/** Why a command is refused (protocol, 2.6). */
type CommandRefusal = ChannelRefusal | 'Unrecognised stream' | 'Unrecognised type'

interface Options {
  channels: readonly Channel[]
  ticker: Ticker
  log: (line: string) => void
  /** Used only to check the conformance suite. */
  tamper: Tamper | undefined
}

/** The WebSocket interface after the key was accepted: connections and their commands (protocol, 4.1). */
export class Gateway {
  readonly #channels: ReadonlyMap<string, Channel>
  readonly #options: Options
  readonly #clients = new Set<Client>()
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxCommandBytes,
    handleProtocols: (offered) => (offered.has(keySubprotocol) ? keySubprotocol : false),
  })
  #commandCount = 0
  #newDelivery: (() => Delivery) | undefined

  constructor(options: Options) {
    this.#options = options
    this.#channels = new Map(options.channels.map((channel) => [channel.stream, channel]))
  }

  get clients(): ReadonlySet<Client> {
    return this.#clients
  }

  /** Commands received since the start, on all connections. */
  get commandCount(): number {
    return this.#commandCount
  }

  /** Sets how updates reach each current and future client. Default: unchanged. */
  deliverBy(newDelivery?: () => Delivery): void {
    this.#newDelivery = newDelivery
    for (const client of this.#clients) client.deliverBy(newDelivery?.())
  }

  /** Completes a handshake. */
  accept(request: IncomingMessage, tcp: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, tcp, head, (socket) => this.#add(socket, tcp))
  }

  #add(socket: WebSocket, tcp: Duplex): void {
    const { log, ticker } = this.#options
    const tamper = this.#options.tamper?.connection?.()
    const client = tamper === undefined ? new Client(socket, tcp, log) : new TamperedClient(socket, tcp, log, tamper)
    client.deliverBy(this.#newDelivery?.())
    this.#clients.add(client)
    socket.on('message', (data, isBinary) => this.#onMessage(client, data, isBinary))
    socket.on('error', ({ message }) => log(`A connection broke: ${message}`))
    socket.on('close', () => {
      this.#clients.delete(client)
      for (const channel of this.#channels.values()) channel.forget(client)
      ticker.run()
    })
  }

  #onMessage(client: Client, data: RawData, isBinary: boolean): void {
    if (isBinary) {
      client.close(unsupportedData, 'Messages are text')
      return
    }
    const command = readCommand((data as Buffer).toString('utf8'))
    if (command === undefined) {
      client.close(unreadableData, 'Messages are JSON objects with a type')
      return
    }
    this.#commandCount++
    // Sends due messages before subscriptions change, so that no client gets the latest value twice.
    this.#options.ticker.run()
    const executed = client instanceof TamperedClient ? client.receive(command) : command
    const reason = executed && this.#execute(client, executed)
    if (reason !== undefined) client.send(failureFrame(command, reason))
    this.#options.ticker.run()
  }

  #execute(client: Client, command: Command): CommandRefusal | undefined {
    switch (command.type) {
      case 'info':
        client.send(infoFrame())
        return undefined
      case 'subscribe':
      case 'unsubscribe': {
        const channel = typeof command.stream === 'string' ? this.#channels.get(command.stream) : undefined
        return channel === undefined ? 'Unrecognised stream' : channel[command.type](client, command)
      }
      default:
        return 'Unrecognised type'
    }
  }
}

/** Every index the key may use, with its publication frequency (protocol, 4.1). */
function infoFrame(): string {
  const streams = catalogue.map(({ id, schedule }) => ({ id, maxResolution: resolutionOf(schedule) }))
  return JSON.stringify({ type: 'info', streams })
}
