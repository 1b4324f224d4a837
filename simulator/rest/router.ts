import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Gatekeeper } from '../key'
import type { Publications } from '../publications'
import type { Message, Tamper } from '../tamper'
import type { Endpoint, RestResponse } from './endpoint'
import { curves } from './curves'
import { historyValues } from './history'
import { indexEndpoints } from './indices'
import { stats } from './stats'
import { valueEndpoints } from './values'

const prefix = '/api/v1/'
/** Where clients look for OAuth sign-in (RFC 8615). A 401 there would make them ask the user to sign in. */
const discoveryPrefix = '/.well-known/'

/** Every REST path (protocol, 4.2). */
const endpoints: readonly Endpoint[] = [...indexEndpoints, ...valueEndpoints, historyValues, stats, curves]

/** Headers of a 401. */
export const challenge = { 'WWW-Authenticate': 'Basic realm="index service", charset="UTF-8"' }

/** The envelope of every response (protocol, 4.2). The time is given in epoch milliseconds and written as ISO 8601. */
export function envelope(wallMs: number, content: { payload: unknown } | { error: string }): Message {
  return { serverTime: new Date(wallMs).toISOString(), ...content }
}

interface Options {
  gatekeeper: Gatekeeper
  publications: Publications
  seed: number
  /** The time of the market. */
  marketMs: () => number
  /** The time of the clock, for `serverTime`. */
  wallMs: () => number
  log: (line: string) => void
  /** Only for checking the conformance suite. */
  tamper: Tamper | undefined
}

/**
 * The REST interface (protocol, 4.2): answers a request. Checks key, path and method, and calls the endpoint. Every
 * response has an envelope.
 */
export function restRouter({ gatekeeper, publications, seed, marketMs, wallMs, log, tamper }: Options) {
  function reply(response: ServerResponse, content: RestResponse, headers: OutgoingHttpHeaders = {}): void {
    const body = envelope(wallMs(), 'error' in content ? { error: content.error } : content)
    const honest = { status: 'error' in content ? content.status : 200, body }
    const { status, body: sent } = tamper?.reply?.(response.req.url ?? '', honest) ?? honest
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(sent))
  }

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const isDiscovery = request.url?.startsWith(discoveryPrefix) === true
    if (!isDiscovery && !gatekeeper.admits(request.headers)) {
      reply(response, { status: 401, error: 'Missing or wrong key' }, challenge)
      return
    }
    const [path = '', ...rest] = (request.url ?? '').split('?')
    const query = new URLSearchParams(rest.join('?'))
    const found = find(path)
    if (found === undefined) {
      reply(response, { status: 404, error: 'Unknown path' })
      return
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      reply(response, { status: 405, error: 'Only GET and HEAD are allowed' }, { Allow: 'GET, HEAD' })
      return
    }
    const repeated = repeatedName(query)
    if (repeated !== undefined) {
      reply(response, { status: 400, error: `Repeated parameter ${repeated}` })
      return
    }
    const { endpoint, parameter } = found
    reply(response, endpoint.respond({ parameter, query, publications, seed, nowMs: marketMs() }))
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    try {
      serve(request, response)
    } catch (error) {
      log(`Failed to answer ${request.url ?? ''}: ${String(error)}`)
      reply(response, { status: 500, error: 'Internal error' })
    }
  }
}

function find(path: string): { endpoint: Endpoint; parameter: string } | undefined {
  if (!path.startsWith(prefix)) return undefined
  const wanted = path.slice(prefix.length).split('/')
  for (const endpoint of endpoints) {
    const segments = endpoint.path.split('/')
    const placeholder = segments.findIndex((segment) => segment.startsWith('{'))
    const isMatch = segments.every((segment, at) => (at === placeholder ? wanted[at] !== '' : segment === wanted[at]))
    if (!isMatch || segments.length !== wanted.length) continue
    const parameter = decoded(wanted[placeholder] ?? '')
    if (parameter !== undefined) return { endpoint, parameter }
  }
  return undefined
}

function repeatedName(query: URLSearchParams): string | undefined {
  return [...query.keys()].find((name) => query.getAll(name).length > 1)
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
