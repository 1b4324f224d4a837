import type { ClientRequest } from 'node:http'
import { WebSocket } from 'ws'
import type { ClientOptions } from 'ws'
import type { AuthForm } from '../../core/model'
import { basicAuthorization, fitsSubprotocols, isCertificateFault } from '../base/http'
import { keySubprotocol } from '../../protocol/wire'
import type { Clock } from '../base/clock'
import type { Routes } from '../base/routes'
import type { AttemptEnd } from './verdict'

/** Address of the service, and the key. */
export interface FeedEndpoint {
  url: string
  keyId: string
  keySecret: string
  /** How the key is sent. By default in the header. */
  auth?: AuthForm
  /** The network path. Direct by default. */
  routes?: Routes | undefined
}

export interface SocketTiming {
  /** For the whole handshake, from the first byte sent to an open connection. */
  handshakeTimeoutMs: number
  /** How long a closing peer may keep the connection. */
  closeTimeoutMs: number
}

export interface SocketListener {
  opened(): void
  /** One message. `undefined` for a binary one, which the protocol does not have. */
  message(text: string | undefined): void
  /** Anything arrived from the peer. */
  onActivity(): void
  /** Called once. Nothing follows. */
  ended(end: AttemptEnd): void
}

const maxMessageBytes = 4 * 1024 * 1024

/** `closeTimeout` is missing in the types of ws. */
interface SocketOptions extends ClientOptions {
  closeTimeout: number
}

/**
 * One attempt of a WebSocket connection. It opens at most once and ends exactly once. Messages are passed on
 * synchronously. A turn of the event loop for each would cost Electron thirty times as much.
 */
export class FeedSocket {
  readonly #socket: WebSocket | undefined
  readonly #listener: SocketListener
  readonly #cancelDeadline: () => void
  #hasReachedPeer = false
  #hasOpened = false
  #hasEnded = false

  constructor(endpoint: FeedEndpoint, timing: SocketTiming, clock: Clock, listener: SocketListener) {
    this.#listener = listener
    // A deadline for the whole handshake. The time-out of ws restarts with every byte of a slow answer.
    this.#cancelDeadline = clock.after(timing.handshakeTimeoutMs, () =>
      this.abandon(this.#hasReachedPeer ? { kind: 'handshakeTimedOut' } : { kind: 'unanswered', code: 'ETIMEDOUT' }),
    )
    const isUnfit = endpoint.auth === 'subprotocol' && !fitsSubprotocols(endpoint.keyId, endpoint.keySecret)
    this.#socket = isUnfit ? undefined : this.#open(endpoint, timing)
    if (this.#socket === undefined) clock.nextTurn(() => this.#end({ kind: isUnfit ? 'unfitKey' : 'badAddress' }))
    else this.#listen(this.#socket, endpoint.auth)
  }

  /** Sends one message. Does nothing before opening and after the end. */
  send(text: string): void {
    if (this.#isOpen()) this.#socket?.send(text)
  }

  ping(): void {
    if (this.#isOpen()) this.#socket?.ping()
  }

  /** Closes normally. The listener is not called again. */
  close(): void {
    this.#settle()
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.close(1000)
    else this.#socket?.terminate()
  }

  /** Drops the connection immediately and reports `end`. */
  abandon(end: AttemptEnd): void {
    this.#end(end)
    this.#socket?.terminate()
  }

  #open({ url, auth, keyId, keySecret, routes }: FeedEndpoint, timing: SocketTiming): WebSocket | undefined {
    const isInHeader = auth !== 'subprotocol'
    const options: SocketOptions = {
      headers: isInHeader ? { Authorization: basicAuthorization(keyId, keySecret) } : {},
      // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would disable the checks.
      rejectUnauthorized: true,
      followRedirects: false,
      perMessageDeflate: false,
      maxPayload: maxMessageBytes,
      closeTimeout: timing.closeTimeoutMs,
      finishRequest: (request) => {
        this.#noteConnect(request)
        request.end()
      },
    }
    try {
      const agent = routes?.agentFor(url)
      if (agent !== undefined) options.agent = agent
      return new WebSocket(url, isInHeader ? [] : [keySubprotocol, keyId, keySecret], options)
    } catch {
      // ws throws on an unusable address. Its message may quote the address.
      return undefined
    }
  }

  #noteConnect(request: ClientRequest): void {
    request.once('socket', (line) => {
      // A tunnel is passed on when the peer is connected.
      if (!line.connecting) this.#hasReachedPeer = true
      line.once('connect', () => {
        this.#hasReachedPeer = true
      })
    })
  }

  #listen(socket: WebSocket, auth: AuthForm | undefined): void {
    const listener = this.#listener
    socket.on('open', () => {
      if (this.#hasEnded) return
      if (auth === 'subprotocol' && socket.protocol !== keySubprotocol) {
        this.abandon({ kind: 'noSubprotocol' })
        return
      }
      this.#hasOpened = true
      this.#cancelDeadline()
      listener.opened()
    })
    socket.on('message', (data: Buffer, isBinary) => {
      if (this.#hasEnded) return
      listener.onActivity()
      listener.message(isBinary ? undefined : data.toString())
    })
    const onActivity = () => {
      if (!this.#hasEnded) listener.onActivity()
    }
    socket.on('ping', onActivity)
    socket.on('pong', onActivity)
    socket.on('unexpected-response', (_request, response) => {
      const retryAfter = response.headers['retry-after']
      const status = response.statusCode ?? 0
      this.abandon({ kind: 'handshake', status, retryAfter })
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // Without terminate(), ws waits for the peer to close.
      this.abandon(this.#hasOpened ? endAfterOpening(error) : endBeforeOpening(error))
    })
    socket.on('close', (code) => this.#end({ kind: 'closed', code }))
  }

  #isOpen(): boolean {
    return this.#hasOpened && !this.#hasEnded
  }

  #settle(): void {
    this.#hasEnded = true
    this.#cancelDeadline()
  }

  #end(end: AttemptEnd): void {
    if (this.#hasEnded) return
    this.#settle()
    this.#listener.ended(end)
  }
}

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
])

function endBeforeOpening({ code = 'ERR_HANDSHAKE', message }: NodeJS.ErrnoException): AttemptEnd {
  // ws has no error code for this, only a message.
  if (/^Server sent .*subprotocol/.test(message)) return { kind: 'noSubprotocol' }
  if (code === 'ERR_PROXY') return { kind: 'proxy', problem: message }
  if (unreachableCodes.has(code)) return { kind: 'unanswered', code }
  if (isCertificateFault(code)) return { kind: 'certificate', code }
  return { kind: 'badHandshake', code }
}

function endAfterOpening({ code = '' }: NodeJS.ErrnoException): AttemptEnd {
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return { kind: 'tooLarge' }
  return code.startsWith('WS_ERR') ? { kind: 'protocol', code } : { kind: 'closed', code: 1006 }
}
