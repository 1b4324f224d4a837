import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

const host = '127.0.0.1'
/** A request that takes longer to arrive in full is cut off. */
const longestRequestMs = 10_000

/** Why the simulator could not listen. `isTaken`: another program has the port. */
export class PortError extends Error {
  readonly port: number
  readonly isTaken: boolean

  constructor(port: number, cause: NodeJS.ErrnoException) {
    const isTaken = cause.code === 'EADDRINUSE'
    super(isTaken ? `Port ${port} is in use.` : `Port ${port} cannot be used: ${cause.message}`, { cause })
    this.port = port
    this.isTaken = isTaken
  }
}

/** What comes in on the port. */
export interface Visitors {
  onRequest: (request: IncomingMessage, response: ServerResponse) => void
  onUpgrade: (request: IncomingMessage, line: Duplex, head: Buffer) => void
}

/** One port of this machine, which can be closed and opened again under the same number. */
export class Listener {
  readonly #server = createServer({
    requestTimeout: longestRequestMs,
    headersTimeout: longestRequestMs,
    connectionsCheckingInterval: longestRequestMs / 2,
  })
  #port: number

  /** Port 0 takes a free one at the first opening. */
  constructor(port: number, { onRequest, onUpgrade }: Visitors) {
    this.#port = port
    this.#server.on('request', onRequest)
    this.#server.on('upgrade', (request: IncomingMessage, line: Duplex, head: Buffer) => {
      // A client that hangs up during its handshake is no fault of ours.
      line.on('error', () => {
        line.destroy()
      })
      onUpgrade(request, line, head)
    })
  }

  get port(): number {
    return this.#port
  }

  /** Rejects with a `PortError`. */
  async open(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const onError = (cause: NodeJS.ErrnoException) => {
        reject(new PortError(this.#port, cause))
      }
      this.#server.once('error', onError)
      this.#server.listen(this.#port, host, () => {
        this.#server.off('error', onError)
        resolve()
      })
    })
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Refuses connections from now on; resolves once those it had are gone. WebSockets are for the gateway to end. */
  async close(): Promise<void> {
    if (!this.#server.listening) return
    await new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve()
      })
      this.#server.closeAllConnections()
    })
  }
}

/** Refuses a handshake with an HTTP status and a JSON body. */
export function refuseHandshake(
  line: Duplex,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body)
  const all = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
    ...headers,
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  line.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${text}`, () => {
    line.destroy()
  })
}
