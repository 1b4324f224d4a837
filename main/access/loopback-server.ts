import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ok, failure, type Outcome } from '../../core/model'

const host = '127.0.0.1'
/** Length of path and query. */
const maxAddressLength = 2_048
const maxHeaderBytes = 8_192
const maxConnections = 64
/** A connection is closed if its headers take longer. */
const headersTimeoutMs = 3_000
/** A connection is closed if its request takes longer. */
const requestTimeoutMs = 10_000
/** A connection without traffic is closed after this time, for example if the client stops reading. */
const idleTimeoutMs = 60_000

export interface LoopbackRequest {
  /** As sent, not decoded. */
  path: string
  query: URLSearchParams
  /** Token of `Authorization: Bearer`. */
  bearer?: string
}

export interface LoopbackAnswer {
  status: 200 | 400 | 401 | 403 | 404 | 405 | 413 | 414 | 429 | 500 | 503
  type: 'text/csv' | 'text/plain' | 'text/plain; version=0.0.4'
  body: string | Buffer
}

type Answer = (request: LoopbackRequest) => Promise<LoopbackAnswer> | LoopbackAnswer

interface Options {
  /** 0 means any free port. */
  port: number
  answer: Answer
  onError: (error: unknown) => void
}

export interface Listening {
  port: number
  /** Closes the server and all connections. */
  close: () => void
}

/** An answer with only a message. */
export function refusal(status: LoopbackAnswer['status'], message: string): LoopbackAnswer {
  return { status, type: 'text/plain', body: `${message}\n` }
}

/** Listens for programs on this computer. Problems: `inUse`, `noPermission`. */
export async function listenOnLoopback({ port, answer, onError }: Options): Promise<Outcome<Listening>> {
  const limits = {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: headersTimeoutMs / 3,
  }
  const server = createServer(
    limits,
    (request, response) => void respond(request, response, { port: portOf(server), answer, onError }),
  )
  limitConnections(server, maxConnections)
  server.timeout = idleTimeoutMs
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE'
      resolve(
        isTaken
          ? failure('inUse', `Port ${port} is used by another program.`)
          : failure('noPermission', `Port ${port} cannot be used: ${error.message}.`),
      )
    })
    server.listen({ port, host }, () => {
      // From here on errors concern single connections.
      server.on('error', onError)
      resolve(
        ok({
          port: portOf(server),
          close: () => {
            server.close()
            server.closeAllConnections()
          },
        }),
      )
    })
  })
}

/** A free port. Undefined if there is none. */
export async function freeLoopbackPort(): Promise<number | undefined> {
  const found = await listenOnLoopback({ port: 0, answer: () => refusal(404, ''), onError: () => undefined })
  if (!found.ok) return undefined
  found.value.close()
  return found.value.port
}

/**
 * Limits the number of connections. A new one replaces the oldest that has not sent a request, so that silent
 * connections keep no program out. If all have sent one, the new connection is closed.
 */
function limitConnections(server: Server, max: number): void {
  const connected = new Set<Socket>()
  const silent = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    if (connected.size >= max) {
      const [leaving = socket] = silent
      leaving.destroy()
      connected.delete(leaving)
      silent.delete(leaving)
      if (leaving === socket) return
    }
    connected.add(socket)
    silent.add(socket)
    socket.once('close', () => {
      connected.delete(socket)
      silent.delete(socket)
    })
  })
  server.on('request', ({ socket }) => silent.delete(socket))
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { port, answer, onError }: Options,
): Promise<void> {
  const { status, type, body } = refusalOf(request, port) ?? (await answered(request, answer, onError))
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    connection: 'close',
    ...(status === 405 && { allow: 'GET' }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 429 && { 'retry-after': '10' }),
  })
  response.end(body)
}

async function answered(
  request: IncomingMessage,
  answer: Answer,
  onError: Options['onError'],
): Promise<LoopbackAnswer> {
  const [path = '', ...rest] = (request.url ?? '').split('?')
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  try {
    return await answer({ path, query: new URLSearchParams(rest.join('?')), bearer })
  } catch (error) {
    onError(error)
    return refusal(500, 'Indexwatch could not answer. See its log.')
  }
}

/** Checks of every request, made before the token and the path are read. */
function refusalOf({ headers, method, url = '' }: IncomingMessage, port: number): LoopbackAnswer | undefined {
  const named = headers.host?.toLowerCase()
  if (named !== `${host}:${port}` && named !== `localhost:${port}`) {
    return refusal(403, `Use http://${host}:${port}.`)
  }
  const site = headers['sec-fetch-site']
  // Browsers send `none` if the user typed the address.
  if (headers.origin !== undefined || (site !== undefined && site !== 'none')) {
    return refusal(403, 'Requests from web pages are blocked.')
  }
  if (method !== 'GET') return refusal(405, 'Use GET.')
  if (url.length > maxAddressLength) return refusal(414, `An address has at most ${maxAddressLength} characters.`)
  return undefined
}
