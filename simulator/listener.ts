import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

const host = '127.0.0.1'
/** Longest time for a complete request, in ms. */
const maxRequestMs = 10_000
/** Largest request line with headers, in bytes. */
const maxHeadBytes = 16 * 1024

/** Every HTTP status that the simulator refuses with. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 429 | 431 | 500 | 503

/** Why the simulator could not listen. `isTaken` means that another program has the port. */
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

/** Handlers of the port's traffic. */
export interface Handlers {
  onRequest: (request: IncomingMessage, response: ServerResponse) => void
  onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Answers data that is not a readable request. */
  onUnreadable: (socket: Duplex, status: RefusalStatus, error: string) => void
}

/** One port of this machine, which can be closed and opened again under the same number. */
export class Listener {
  readonly #server = createServer({
    requestTimeout: maxRequestMs,
    headersTimeout: maxRequestMs,
    maxHeaderSize: maxHeadBytes,
    connectionsCheckingInterval: maxRequestMs / 2,
  })
  #port: number

  /** Port 0 means a free one, chosen at the first `open`. */
  constructor(port: number, { onRequest, onUpgrade, onUnreadable }: Handlers) {
    this.#port = port
    this.#server.on('request', onRequest)
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // A client may disconnect during its handshake.
      socket.on('error', () => {
        socket.destroy()
      })
      onUpgrade(request, socket, head)
    })
    this.#server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Duplex) => {
      if (!socket.writable) socket.destroy()
      else if (code === 'HPE_HEADER_OVERFLOW') onUnreadable(socket, 431, 'Request line and headers over 16 KiB')
      else if (code === 'ERR_HTTP_REQUEST_TIMEOUT') onUnreadable(socket, 408, 'Request not complete after 10 s')
      else onUnreadable(socket, 400, 'Unreadable request')
    })
  }

  get port(): number {
    return this.#port
  }

  /** Rejects with a `PortError`. */
  async open(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const onError = (cause: NodeJS.ErrnoException) => reject(new PortError(this.#port, cause))
      this.#server.once('error', onError)
      this.#server.listen(this.#port, host, () => {
        this.#server.off('error', onError)
        resolve()
      })
    })
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Refuses new connections and resolves when the open ones have ended. The gateway ends the WebSockets. */
  async close(): Promise<void> {
    if (!this.#server.listening) return
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }
}

/**
 * Writes an HTTP status and a JSON body to a socket without a response object: in a handshake, or before a request was
 * read.
 */
export function refuseOnSocket(
  socket: Duplex,
  status: RefusalStatus,
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
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${text}`, () => {
    socket.destroy()
  })
}
