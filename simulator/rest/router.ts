import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Gatekeeper } from '../key'
import type { Publications } from '../publications'
import type { Message, Tamper } from '../tamper'
import type { Endpoint, RestAnswer } from './endpoint'

const prefix = '/api/v1/'

/** Goes with a 401. */
export const challenge = { 'WWW-Authenticate': 'Basic realm="index service", charset="UTF-8"' }

/** What every answer is wrapped in (wire facts 2.1); the time is given in milliseconds and written as ISO 8601. */
export function envelope(wallMs: number, content: { payload: unknown } | { error: string }): Message {
  return { serverTime: new Date(wallMs).toISOString(), ...content }
}

interface Options {
  endpoints: readonly Endpoint[]
  gatekeeper: Gatekeeper
  publications: Publications
  seed: number
  /** The time of the market. */
  marketMs: () => number
  /** The time of the clock, for `serverTime`. */
  wallMs: () => number
  log: (line: string) => void
  /** Never in the product. */
  tamper: Tamper | undefined
}

/** The REST interface (spec 4.2): key, path and method are judged here, the rest by the endpoints. */
export class Router {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** Answers a request; every answer has the envelope of wire facts 2.1. */
  serve(request: IncomingMessage, response: ServerResponse): void {
    try {
      this.#serve(request, response)
    } catch (error) {
      this.#options.log(`failed to answer ${request.url ?? ''}: ${String(error)}`)
      this.#reply(response, { status: 500, error: 'Internal error' })
    }
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { gatekeeper, publications, seed, marketMs } = this.#options
    if (!gatekeeper.admits(request.headers)) {
      this.#reply(response, { status: 401, error: 'Missing or wrong key' }, challenge)
      return
    }
    const [path = '', ...rest] = (request.url ?? '').split('?')
    const query = new URLSearchParams(rest.join('?'))
    const found = this.#find(path)
    if (found === undefined) {
      this.#reply(response, { status: 404, error: 'Unknown path' })
      return
    }
    if (request.method !== 'GET') {
      this.#reply(response, { status: 405, error: 'Only GET is allowed' }, { Allow: 'GET' })
      return
    }
    const repeated = repeatedName(query)
    if (repeated !== undefined) {
      this.#reply(response, { status: 400, error: `Repeated parameter ${repeated}` })
      return
    }
    const { endpoint, parameter } = found
    this.#reply(response, endpoint.answer({ parameter, query, publications, seed, nowMs: marketMs() }))
  }

  #find(path: string): { endpoint: Endpoint; parameter: string } | undefined {
    if (!path.startsWith(prefix)) return undefined
    const asked = path.slice(prefix.length).split('/')
    for (const endpoint of this.#options.endpoints) {
      const segments = endpoint.path.split('/')
      const placeholder = segments.findIndex((segment) => segment.startsWith('{'))
      const isMatch = segments.every((segment, at) => (at === placeholder ? asked[at] !== '' : segment === asked[at]))
      if (!isMatch || segments.length !== asked.length) continue
      const parameter = decoded(asked[placeholder] ?? '')
      if (parameter !== undefined) return { endpoint, parameter }
    }
    return undefined
  }

  #reply(response: ServerResponse, answer: RestAnswer, headers: OutgoingHttpHeaders = {}): void {
    const body = envelope(this.#options.wallMs(), 'error' in answer ? { error: answer.error } : answer)
    const reply = { status: 'error' in answer ? answer.status : 200, body }
    const { status, body: sent } = this.#options.tamper?.reply?.(response.req.url ?? '', reply) ?? reply
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(sent))
  }
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
