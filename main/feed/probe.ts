import { done, ok, failure, type Outcome } from '../../core/model'
import { verdictOn } from './verdict'
import { decodeFrame } from './decode'
import { FeedSocket, type FeedEndpoint } from './socket'
import { feedTiming } from './connection'
import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import type { Clock } from '../base/clock'
import { isCertificateFault } from '../base/http'

const infoNotAnswered: Outcome<never> = {
  ok: false,
  problem: {
    code: 'timedOut',
    message: 'The provider sent no index list. Values may still arrive. If none arrive, check the WebSocket address.',
  },
}

/** One connection to a stream, to find out whether it works. Whoever makes one closes it. */
export class FeedProbe {
  readonly #endpoint: FeedEndpoint
  readonly #limit: StepLimit
  #socket: FeedSocket | undefined
  #ended: Outcome<never> | undefined
  #answer: (streams: Outcome<number>) => void = () => undefined

  constructor(endpoint: FeedEndpoint, limit: StepLimit) {
    this.#endpoint = endpoint
    this.#limit = limit
  }

  /** The problem says what the user can do about it. */
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

  /** How many streams the service lists. */
  countStreams(): Promise<Outcome<number>> {
    const { clock, timeoutMs } = this.#limit
    if (this.#ended !== undefined) return Promise.resolve(this.#ended)
    return new Promise((resolve) => {
      const cancel = clock.after(timeoutMs, () => resolve(infoNotAnswered))
      this.#answer = (streams) => {
        cancel()
        resolve(streams)
      }
      this.#socket?.send(JSON.stringify({ type: 'info' }))
    })
  }

  close(): void {
    this.#socket?.close()
  }
}

/** How long a step of a test may take. */
export interface StepLimit {
  clock: Clock
  timeoutMs: number
}

/** A server and its port, as an address names them. */
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

/** Waits for an answer, but not longer than the limit allows; what comes later is dropped. */
export function within<T>(answer: Promise<Outcome<T>>, { clock, timeoutMs }: StepLimit): Promise<Outcome<T>> {
  return new Promise((resolve) => {
    const cancel = clock.after(timeoutMs, () => resolve(tooSlow))
    void answer.then((outcome) => {
      cancel()
      resolve(outcome)
    })
  })
}

/** The addresses behind a name; of a number, itself. Problems: `notFound`, `timedOut`. */
export function lookUp({ host }: Peer, limit: StepLimit): Promise<Outcome<string[]>> {
  if (isIP(host) !== 0) return Promise.resolve(ok([host]))
  const answer = lookup(host, { all: true }).then(
    (found): Outcome<string[]> => ok(found.map(({ address }) => address)),
    () =>
      failure(
        'notFound',
        `No server named ${host} can be found. Check the spelling of the WebSocket address, and the network connection.`,
      ),
  )
  return within(answer, limit)
}

/** Opens a line to the port and closes it again. Problems: `refused`, `unreachable`, `timedOut`. */
export function reachPort({ host, port }: Peer, limit: StepLimit): Promise<Outcome<null>> {
  return openOnce(connect({ host, port }), 'connect', limit, ({ code }) => {
    if (code === 'ECONNREFUSED') {
      return failure('refused', `Nothing answers on port ${port} of ${host}. Check the address, or ask the provider.`)
    }
    return failure('unreachable', `${host} cannot be reached. Check the network connection, a proxy or a firewall.`)
  })
}

/** Opens a line on which the server proves who it is, and closes it again. Problems: `certificate`, `noTls`, `timedOut`. */
export function proveIdentity({ host, port }: Peer, limit: StepLimit): Promise<Outcome<null>> {
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
  { clock, timeoutMs }: StepLimit,
  problemOf: (error: NodeJS.ErrnoException) => Outcome<never>,
): Promise<Outcome<null>> {
  return new Promise((resolve) => {
    const end = (outcome: Outcome<null>) => {
      cancel()
      line.destroy()
      resolve(outcome)
    }
    const cancel = clock.after(timeoutMs, () => end(tooSlow))
    line.once(event, () => end(done))
    line.on('error', (error) => end(problemOf(error)))
  })
}
