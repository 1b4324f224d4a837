import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import type { Outcome } from '../../protocol/model'
import type { Clock } from '../base/clock'
import { verdictOn } from './close-codes'

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

function failure(code: string, message: string): Outcome<never> {
  return { ok: false, problem: { code, message } }
}

const tooSlow = failure('timedOut', 'This took too long. Check the network connection and the address.')

/** Waits for an answer, but not longer than the limit allows; what comes later is not heard. */
export function within<T>(answer: Promise<Outcome<T>>, { clock, timeoutMs }: StepLimit): Promise<Outcome<T>> {
  return new Promise((resolve) => {
    const cancel = clock.after(timeoutMs, () => {
      resolve(tooSlow)
    })
    void answer.then((outcome) => {
      cancel()
      resolve(outcome)
    })
  })
}

/** The addresses behind a name; of a number, itself. Problems: `notFound`, `timedOut`. */
export function lookUp({ host }: Peer, limit: StepLimit): Promise<Outcome<string[]>> {
  if (isIP(host) !== 0) return Promise.resolve({ ok: true, value: [host] })
  const answer = lookup(host, { all: true }).then(
    (found): Outcome<string[]> => ({ ok: true, value: found.map(({ address }) => address) }),
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
    if (/CERT|SIGNATURE|TRUST/.test(code))
      return failure('certificate', verdictOn({ kind: 'certificate', code }).problem)
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
    const cancel = clock.after(timeoutMs, () => {
      end(tooSlow)
    })
    line.once(event, () => {
      end({ ok: true, value: null })
    })
    line.on('error', (error) => {
      end(problemOf(error))
    })
  })
}
