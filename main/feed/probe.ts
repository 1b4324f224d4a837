import { done, ok, failure, type Outcome } from '../../core/model'
import { verdictOn } from './verdict'
import { decodeFrame } from './decode'
import { FeedSocket, type FeedEndpoint } from './socket'
import { feedTiming } from './connection'
import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { withTimeout, type TimeLimit } from '../base/clock'
import { isCertificateFault } from '../base/http'

const infoNotAnswered: Outcome<never> = {
  ok: false,
  problem: {
    code: 'timedOut',
    message: 'The provider sent no index list. Values may still arrive. If none arrive, check the WebSocket address.',
  },
}

/** One connection to a stream, to test it. The caller closes it. */
export class FeedProbe {
  readonly #endpoint: FeedEndpoint
  readonly #limit: TimeLimit
  #socket: FeedSocket | undefined
  #ended: Outcome<never> | undefined
  #answer: (streams: Outcome<number>) => void = () => undefined

  constructor(endpoint: FeedEndpoint, limit: TimeLimit) {
    this.#endpoint = endpoint
    this.#limit = limit
  }

  /** The problem's message says what the user can do. */
  open(): Promise<Outcome<null>> {
    const { clock, timeoutMs } = this.#limit
    return new Promise((resolve) => {
      this.#socket = new FeedSocket(this.#endpoint, { ...feedTiming, handshakeTimeoutMs: timeoutMs }, clock, {
        opened: () => resolve(done),
        message: (text) => {
          const frame = decodeFrame(text)
          if (frame.kind === 'streams') this.#answer(ok(frame.streams.length))
        },
        onActivity: () => undefined,
        ended: (end) => {
          this.#ended = { ok: false, problem: { code: end.kind, message: verdictOn(end).problem } }
          resolve(this.#ended)
          this.#answer(this.#ended)
        },
      })
    })
  }

  /** The number of streams that the service lists. */
  countStreams(): Promise<Outcome<number>> {
    if (this.#ended !== undefined) return Promise.resolve(this.#ended)
    const answer = new Promise<Outcome<number>>((resolve) => {
      this.#answer = resolve
      this.#socket?.send(JSON.stringify({ type: 'info' }))
    })
    return withTimeout(answer, this.#limit, () => infoNotAnswered)
  }

  close(): void {
    this.#socket?.close()
  }
}

/** Host and port of an address. */
export interface Peer {
  host: string
  port: number
}

const secureProtocols = new Set(['wss:', 'https:'])

export function peerOf(url: URL): Peer {
  const defaultPort = secureProtocols.has(url.protocol) ? 443 : 80
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? defaultPort : Number(url.port) }
}

const tooSlow = failure('timedOut', 'No answer in time. Check the network connection and the address.')

/** Waits for an answer, but not longer than the limit allows. */
export function inTime<T>(answer: Promise<Outcome<T>>, limit: TimeLimit): Promise<Outcome<T>> {
  return withTimeout(answer, limit, () => tooSlow)
}

/** The addresses of a host name. An IP address returns itself. Problems: `notFound`, `timedOut`. */
export function lookUp({ host }: Peer, limit: TimeLimit): Promise<Outcome<string[]>> {
  if (isIP(host) !== 0) return Promise.resolve(ok([host]))
  const answer = lookup(host, { all: true }).then(
    (found): Outcome<string[]> => ok(found.map(({ address }) => address)),
    () => failure('notFound', `No server named ${host} can be found. Check the network connection and the address.`),
  )
  return inTime(answer, limit)
}

/** Connects to the port and disconnects. Problems: `refused`, `unreachable`, `timedOut`. */
export function reachPort({ host, port }: Peer, limit: TimeLimit): Promise<Outcome<null>> {
  return openOnce(connect({ host, port }), 'connect', limit, ({ code }) => {
    if (code === 'ECONNREFUSED') {
      return failure('refused', `Nothing answers on port ${port} of ${host}. Check the address, or ask the provider.`)
    }
    return failure('unreachable', `${host} cannot be reached. Check the network connection, a proxy or a firewall.`)
  })
}

/** Verifies the server's certificate over TLS and disconnects. Problems: `certificate`, `noTls`, `timedOut`. */
export function proveIdentity({ host, port }: Peer, limit: TimeLimit): Promise<Outcome<null>> {
  const servername = isIP(host) === 0 ? { servername: host } : {}
  const line = connectSecurely({ host, port, ...servername, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] })
  return openOnce(line, 'secureConnect', limit, ({ code = '' }) => {
    if (isCertificateFault(code)) return failure('certificate', verdictOn({ kind: 'certificate', code }).problem)
    return failure(
      'noTls',
      'The server does not speak TLS on this port. Check the address, and whether a proxy is in between.',
    )
  })
}

function openOnce(
  line: Socket,
  event: 'connect' | 'secureConnect',
  limit: TimeLimit,
  problemOf: (error: NodeJS.ErrnoException) => Outcome<never>,
): Promise<Outcome<null>> {
  const opened = new Promise<Outcome<null>>((resolve) => {
    line.once(event, () => resolve(done))
    line.on('error', (error) => resolve(problemOf(error)))
  })
  return inTime(opened, limit).finally(() => line.destroy())
}
