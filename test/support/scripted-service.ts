import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'

/** The treatment of the next handshakes. */
export type Welcome =
  | 'accept'
  /** Accepts the connection and never answers. */
  | 'hang'
  /** Accepts, then drops the connection at once. */
  | 'acceptThenDrop'
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Answers these bytes unchanged. */
  | { raw: string }

/** The answer to a REST path: a fixed one, or a function of the request. */
export type Route =
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer }
  | ((request: IncomingMessage, response: ServerResponse) => void)

interface ServiceOptions {
  tls?: { key: string; cert: string }
  /** Whether even short messages are compressed for a client that offers it. */
  compresses?: boolean
}

/**
 * A service scripted by a test, with WebSocket and REST on one local port. It does not know the protocol. It sends what
 * the test writes and records what it receives.
 */
export class ScriptedService {
  welcome: Welcome = 'accept'
  /** REST answers by path and query after `/api/v1/`. */
  readonly routes = new Map<string, Route>()
  /** The answer to every other path. */
  answerOthers: Route = { status: 404 }
  /** Every handshake seen, oldest first. */
  readonly handshakes: IncomingHttpHeaders[] = []
  /** Every command received on any connection, oldest first. */
  readonly commands: unknown[] = []
  /** Every REST request, as path and query. */
  readonly requests: { path: string; headers: IncomingHttpHeaders }[] = []
  pings = 0
  /** Close codes of clients, oldest first. */
  readonly closeCodes: number[] = []

  readonly #isSecure: boolean
  readonly #server: Server
  readonly #sockets: WebSocketServer
  readonly #lines = new Set<Duplex>()
  #connections: { socket: WebSocket; line: Duplex }[] = []
  #port = 0

  private constructor({ tls, compresses = false }: ServiceOptions) {
    this.#isSecure = tls !== undefined
    this.#sockets = new WebSocketServer({ noServer: true, perMessageDeflate: compresses && { threshold: 0 } })
    this.#server = tls === undefined ? createServer() : createTlsServer(tls)
    this.#server.on(tls === undefined ? 'connection' : 'secureConnection', (line: Socket) => {
      this.#lines.add(line)
      line.on('error', () => undefined)
      line.on('close', () => this.#lines.delete(line))
    })
    this.#server.on('upgrade', (request, line, head) => this.#onUpgrade(request, line, head))
    this.#server.on('request', (request, response) => this.#onRequest(request, response))
  }

  static async start(options: ServiceOptions & { port?: number } = {}): Promise<ScriptedService> {
    const service = new ScriptedService(options)
    await new Promise<void>((resolve, reject) => {
      service.#server.once('error', reject)
      service.#server.listen(options.port ?? 0, '127.0.0.1', resolve)
    })
    service.#port = (service.#server.address() as AddressInfo).port
    return service
  }

  /** The port, also after the service stopped. */
  get port(): number {
    return this.#port
  }

  get webSocketUrl(): string {
    return `${this.#isSecure ? 'wss' : 'ws'}://127.0.0.1:${this.port}/ws/v4`
  }

  /** The REST address before `/api/v1`. */
  get restUrl(): string {
    return `${this.#isSecure ? 'https' : 'http'}://127.0.0.1:${this.port}`
  }

  /** Number of open connections. */
  get connectionCount(): number {
    return this.#connections.filter(({ socket }) => socket.readyState === WebSocket.OPEN).length
  }

  /** Sends a message to all clients. Text and bytes are sent unchanged. */
  send(message: object | string | Buffer): void {
    const data = typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message)
    for (const { socket } of this.#connections) socket.send(data)
  }

  /** Sends texts to all clients. Uncompressed ones go out in one write. */
  sendAll(texts: readonly string[]): void {
    for (const { socket, line } of this.#connections) {
      line.cork()
      for (const text of texts) socket.send(text)
      line.uncork()
    }
  }

  /** Sends a value as the production service writes it. */
  sendValue(id: string, value: string, time = Date.UTC(2023, 10, 1, 12)): void {
    this.send({ type: 'value', time, id, value })
  }

  /** Writes bytes to the sockets, bypassing the WebSocket protocol. */
  sendBytes(bytes: Buffer): void {
    for (const { line } of this.#connections) line.write(bytes)
  }

  closeAll(code: number): void {
    for (const { socket } of this.#connections) socket.close(code)
  }

  /** Stops reading. Connections stay open, and nothing is answered, not even pings. */
  stall(): void {
    for (const { line } of this.#connections) line.pause()
  }

  /** Resumes reading after `stall`. */
  resume(): void {
    for (const { line } of this.#connections) line.resume()
  }

  /** Cuts every connection without a close frame. */
  drop(): void {
    for (const line of this.#lines) line.destroy()
    this.#connections = []
  }

  /** Drops all connections and frees the port. */
  async stop(): Promise<void> {
    const stopped = new Promise((resolve) => this.#server.close(resolve))
    this.drop()
    await stopped
  }

  #onUpgrade(request: IncomingMessage, line: Duplex, head: Buffer): void {
    this.handshakes.push(request.headers)
    const { welcome } = this
    if (welcome === 'hang') return
    if (typeof welcome === 'object') {
      line.end('raw' in welcome ? welcome.raw : statusAnswer(welcome))
      return
    }
    this.#sockets.handleUpgrade(request, line, head, (socket) => {
      if (welcome === 'acceptThenDrop') line.destroy()
      else this.#attend(socket, line)
    })
  }

  #attend(socket: WebSocket, line: Duplex): void {
    const connection = { socket, line }
    this.#connections.push(connection)
    socket.on('message', (data: Buffer) => this.commands.push(JSON.parse(data.toString())))
    socket.on('ping', () => this.pings++)
    socket.on('error', () => undefined)
    socket.on('close', (code) => {
      this.closeCodes.push(code)
      this.#connections = this.#connections.filter((other) => other !== connection)
    })
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '').replace(/^\/api\/v1\//, '')
    this.requests.push({ path, headers: request.headers })
    const route = this.routes.get(path) ?? this.answerOthers
    if (typeof route === 'function') {
      route(request, response)
      return
    }
    response.writeHead(route.status ?? 200, { 'Content-Type': 'application/json', ...route.headers })
    response.end(route.body)
  }
}

function statusAnswer({ status, headers = {}, body = '' }: Exclude<Welcome, string | { raw: string }>): string {
  const lines = [`HTTP/1.1 ${status} Scripted`, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close']
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** A REST success around this payload. */
export function successBody(payload: unknown): string {
  return JSON.stringify({ serverTime: '2023-11-01T12:00:00.000Z', payload })
}

/** A REST failure with this text. */
export function failureBody(error: string): string {
  return JSON.stringify({ serverTime: '2023-11-01T12:00:00.000Z', error })
}
