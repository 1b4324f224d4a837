import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { keySubprotocol } from '../protocol/wire'
import { isAuthorised } from './authentication'
import type { Key } from './authentication'
import { Board } from './board'
import { systemClock } from './clock'
import type { SimulatorClock } from './clock'
import { Market } from './market'
import { Publications } from './publications'
import type { Published } from './publications'
import { Rest } from './rest'
import { Stream } from './stream'

export interface SimulatorOptions {
  /** 0, the default, takes a free port. */
  port?: number
  /** The same seed gives the same market. */
  seed?: number
  clock?: SimulatorClock
  key?: Key
  log?: (line: string) => void
}

const host = '127.0.0.1'
const webSocketPath = '/ws/v4'
const largestCommandBytes = 64 << 10
const policyViolation = 1008
const unauthorised =
  'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm="indices"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
const noSuchPath = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

/**
 * The demo service: WebSocket and REST on one port of this machine, behind one key (spec 4, 5). The methods after
 * `close` are for tests: they make the service misbehave.
 */
export class Simulator {
  readonly key: Key
  /** Handshakes asked for since the start, refused ones included. */
  handshakes = 0
  readonly #clock: SimulatorClock
  readonly #board: Board
  readonly #rest: Rest
  readonly #stream: Stream
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestCommandBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(keySubprotocol) ? keySubprotocol : false),
  })
  #http: Server | undefined
  #port = 0
  #isKeyRevoked = false

  constructor(options: SimulatorOptions) {
    const seed = options.seed ?? 1
    this.#clock = options.clock ?? systemClock
    this.key = options.key ?? { id: 'demo', secret: randomBytes(18).toString('base64url') }
    const publications = new Publications(new Market(seed), seed)
    this.#board = new Board(publications)
    this.#rest = new Rest(this.#board, () => this.#clock.nowMs())
    const log = options.log ?? (() => undefined)
    this.#stream = new Stream({ board: this.#board, publications, clock: this.#clock, log })
  }

  get port(): number {
    return this.#port
  }

  get webSocketUrl(): string {
    return `ws://${host}:${this.#port}${webSocketPath}`
  }

  /** The base before `/api/v1/`. */
  get restUrl(): string {
    return `http://${host}:${this.#port}`
  }

  /** Listens. Rejects with the system's error, EADDRINUSE among them. */
  async listen(port: number): Promise<void> {
    const http = createServer((request, response) => {
      this.#onRequest(request, response)
    })
    http.on('upgrade', (request, socket: Duplex, head) => {
      this.#onUpgrade(request, socket, head)
    })
    await new Promise<void>((done, failed) => {
      http.once('error', failed)
      http.listen(port, host, done)
    })
    const address = http.address()
    if (typeof address === 'object' && address !== null) this.#port = address.port
    this.#http = http
  }

  async close(): Promise<void> {
    this.#stream.dispose()
    await this.pause()
  }

  /** Cuts every connection without a word. */
  dropConnections(): void {
    for (const socket of this.#sockets.clients) socket.terminate()
  }

  /** The service is gone: connections are cut, new ones find nobody. The market goes on. */
  async pause(): Promise<void> {
    this.dropConnections()
    const http = this.#http
    this.#http = undefined
    if (http === undefined) return
    http.closeAllConnections()
    await new Promise<void>((done) => {
      http.close(() => {
        done()
      })
    })
  }

  /** The service is back, on the same port. */
  async resume(): Promise<void> {
    if (this.#http === undefined) await this.listen(this.#port)
  }

  /** The key is no longer accepted; who is connected with it is sent away. */
  revokeKey(): void {
    this.#isKeyRevoked = true
    for (const socket of this.#sockets.clients) socket.close(policyViolation, 'key revoked')
  }

  acceptKey(): void {
    this.#isKeyRevoked = false
  }

  /** Publishes a value by hand; the market is silent about this index from then on. Throws for an unknown id. */
  publish(id: string, published: Published): void {
    const entry = this.#board.find(id)
    if (entry === undefined) throw new Error(`no such index: ${id}`)
    this.#board.publishByHand(id, published)
    this.#stream.publish(entry, published)
  }

  /** Sends a text to every client as it is. */
  sendRaw(text: string): void {
    this.#stream.sendRaw(text)
  }

  #isWelcome({ headers }: IncomingMessage): boolean {
    return !this.#isKeyRevoked && isAuthorised(headers, this.key)
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.handshakes++
    if (request.url?.split('?')[0] !== webSocketPath) {
      socket.end(noSuchPath)
    } else if (!this.#isWelcome(request)) {
      socket.end(unauthorised)
    } else {
      this.#sockets.handleUpgrade(request, socket, head, (client) => {
        this.#stream.accept(client)
      })
    }
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const serverTime = new Date(this.#clock.nowMs()).toISOString()
    const send = (status: number, body: object, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers })
      response.end(JSON.stringify({ serverTime, ...body }))
    }
    if (!this.#isWelcome(request)) {
      send(401, { error: 'Unauthorized' }, { 'WWW-Authenticate': 'Basic realm="indices"' })
    } else if (request.method !== 'GET') {
      send(405, { error: 'Method not allowed' }, { Allow: 'GET' })
    } else {
      const { pathname, searchParams } = new URL(request.url ?? '/', this.restUrl)
      const { status, ...body } = this.#rest.answer(pathname, searchParams)
      send(status, body)
    }
  }
}

/** Starts the service. Rejects when the port is taken (EADDRINUSE). */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = new Simulator(options)
  try {
    await simulator.listen(options.port ?? 0)
  } catch (error) {
    await simulator.close()
    throw error
  }
  return simulator
}
