import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import { catalogue } from '../catalogue'
import { keySubprotocol } from '../key'
import { resolutionOf } from '../schedule'
import { TamperedClient, type Tamper } from '../tamper'
import type { Channel } from './channel'
import { Client, type Delivery } from './client'
import { failureFrame, readCommand, type Command } from './command'
import type { Ticker } from './ticker'

/** Commands are small; nobody needs more. */
const mostCommandBytes = 16 * 1024
const unsupportedData = 1003
const unreadableData = 1007

interface Options {
  channels: readonly Channel[]
  ticker: Ticker
  log: (line: string) => void
  /** Never in the product. */
  tamper: Tamper | undefined
}

/** The WebSocket interface once the key has been accepted: connections and their commands (spec 4.1). */
export class Gateway {
  readonly #channels: ReadonlyMap<string, Channel>
  readonly #ticker: Ticker
  readonly #log: (line: string) => void
  readonly #tamper: Tamper | undefined
  readonly #clients = new Set<Client>()
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: mostCommandBytes,
    handleProtocols: (offered) => (offered.has(keySubprotocol) ? keySubprotocol : false),
  })
  #commandCount = 0
  #newDelivery: (() => Delivery) | undefined

  constructor({ channels, ticker, log, tamper }: Options) {
    this.#channels = new Map(channels.map((channel) => [channel.stream, channel]))
    this.#ticker = ticker
    this.#log = log
    this.#tamper = tamper
  }

  get clients(): ReadonlySet<Client> {
    return this.#clients
  }

  /** Commands read since the start, on all connections. */
  get commandCount(): number {
    return this.#commandCount
  }

  /** How updates go to each client from now on, those to come included; faithfully when nothing is given. */
  deliverBy(newDelivery?: () => Delivery): void {
    this.#newDelivery = newDelivery
    for (const client of this.#clients) client.deliverBy(newDelivery?.())
  }

  /** Completes a handshake. */
  accept(request: IncomingMessage, line: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, line, head, (socket) => {
      this.#attend(socket, line)
    })
  }

  #attend(socket: WebSocket, line: Duplex): void {
    const tamper = this.#tamper?.line?.()
    const client =
      tamper === undefined ? new Client(socket, line, this.#log) : new TamperedClient(socket, line, this.#log, tamper)
    client.deliverBy(this.#newDelivery?.())
    this.#clients.add(client)
    socket.on('message', (data, isBinary) => {
      this.#onMessage(client, data, isBinary)
    })
    socket.on('error', ({ message }) => {
      this.#log(`a connection broke: ${message}`)
    })
    socket.on('close', () => {
      this.#clients.delete(client)
      for (const channel of this.#channels.values()) channel.forget(client)
      this.#ticker.run()
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
    // What is due goes out before the audience changes, so that nobody hears the latest value twice.
    this.#ticker.run()
    const obeyed = client instanceof TamperedClient ? client.hear(command) : command
    const reason = obeyed && this.#obey(client, obeyed)
    if (reason !== undefined) client.send(failureFrame(command, reason))
    this.#ticker.run()
  }

  #obey(client: Client, command: Command): string | undefined {
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

/** Every stream the key may use, each with its publication frequency (spec 4.1). */
function infoFrame(): string {
  const streams = catalogue.map(({ id, schedule }) => ({ id, maxResolution: resolutionOf(schedule) }))
  return JSON.stringify({ type: 'info', streams })
}
