import http, { Agent as PlainAgent, type Agent as HttpAgent, type ClientRequest, type IncomingMessage } from 'node:http'
import https, { Agent as SecureAgent } from 'node:https'
import { pipeline, Readable } from 'node:stream'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { createGunzip } from 'node:zlib'
import { Agent, type AgentConnectOpts } from 'agent-base'
import { isLoopback } from '../../core/shapes'
import { HttpsProxyAgent } from 'https-proxy-agent'

/** The proxy that is to be used cannot be. The message is for the user. */
export class ProxyError extends Error {
  readonly code = 'ERR_PROXY'
}

interface Options {
  /** Which proxy leads to an address, as a PAC script answers: `PROXY host:port; DIRECT`. Throws `ProxyError`. */
  resolveProxy: (address: string) => Promise<string>
  /** What a proxy, `http://host:port`, is to be sent as `Proxy-Authorization`; `undefined`: nothing. */
  authorizationFor?: (proxy: string) => Promise<string | undefined>
  /** Whether a proxy may lead to this computer too; never by default. */
  asksForLoopback?: boolean
}

/**
 * How anything leaves for a service: straight, or through a proxy, and then always as a tunnel, so that no proxy sees a
 * key. When the proxy cannot be used nothing goes around it.
 */
export class Routes {
  readonly #options: Options
  readonly #agent: HttpAgent
  #asking: string | undefined

  constructor(options: Options) {
    this.#options = options
    this.#agent = new RoutingAgent(this)
  }

  /** The address of the proxy on the way there; `undefined`: none. Throws `ProxyError`. */
  async proxyFor(address: string | URL): Promise<string | undefined> {
    const { host, hostname } = new URL(address)
    if (this.#isHere(hostname)) return undefined
    // Neither the path nor the query: a webhook's may be its secret.
    return proxyOf(await this.#options.resolveProxy(`https://${host}/`))
  }

  /** What a proxy is sent of name and password. */
  async authorizationFor(proxy: string): Promise<string | undefined> {
    return this.#options.authorizationFor?.(proxy)
  }

  /** The proxy that last asked for a name and a password. */
  get asking(): string | undefined {
    return this.#asking
  }

  /** Another way was chosen: who asked before asks no more. */
  forgetAsking(): void {
    this.#asking = undefined
  }

  /** The refusal of a proxy in words for the user. */
  refusedBy(proxy: string, status: number, isAuthorized: boolean): ProxyError {
    const { host } = new URL(proxy)
    if (status !== 407)
      return new ProxyError(`The proxy ${host} refused the connection (HTTP ${status}). Ask its administrator.`)
    this.#asking = proxy
    return new ProxyError(
      isAuthorized
        ? `The proxy ${host} did not accept this user name and password. Enter them again in Settings, Network.`
        : `The proxy ${host} asks for a user name and password. Enter them in Settings, Network.`,
    )
  }

  /** For `node:https` and `ws`; `undefined` where their own will do. */
  agentFor(address: string | URL): HttpAgent | undefined {
    return this.#isHere(new URL(address).hostname) ? undefined : this.#agent
  }

  /** As `fetchDirectly`, by the way that leads there. Throws `ProxyError`, also when the proxy refuses. */
  async fetch(address: string | URL, init: RequestInit): Promise<Response> {
    const proxy = await this.proxyFor(address)
    if (proxy === undefined) return fetchDirectly(address, init)
    return fetchBy(new RoutingAgent(this, proxy), new URL(address), init)
  }

  #isHere(hostname: string): boolean {
    return isLoopback(hostname) && this.#options.asksForLoopback !== true
  }
}

const plainAgent = new PlainAgent()
const secureAgent = new SecureAgent()

class RoutingAgent extends Agent {
  readonly #routes: Routes
  readonly #known: string | undefined

  /** `known`: the proxy where it has been decided; otherwise that is asked at each connection. */
  constructor(routes: Routes, known?: string) {
    super()
    this.#routes = routes
    this.#known = known
  }

  override async connect(request: ClientRequest, options: AgentConnectOpts): Promise<HttpAgent> {
    const host = options.host ?? ''
    const authority = host.includes(':') ? `[${host}]` : host
    const proxy = this.#known ?? (await this.#routes.proxyFor(`https://${authority}:${options.port}`))
    if (proxy === undefined) return options.secureEndpoint ? secureAgent : plainAgent
    const authorization = await this.#routes.authorizationFor(proxy)
    // Otherwise the proxy's refusal would be taken for the service's.
    request.once('proxyConnect', ({ statusCode = 0 }: IncomingMessage) => {
      if (statusCode !== 200) request.destroy(this.#routes.refusedBy(proxy, statusCode, authorization !== undefined))
    })
    // The tunnel compares the certificate with localhost where the address is a number.
    Object.assign(options, {
      checkServerIdentity: (_: string, cert: PeerCertificate) => checkServerIdentity(host, cert),
    })
    const headers = authorization === undefined ? {} : { 'Proxy-Authorization': authorization }
    return new HttpsProxyAgent(proxy, { headers })
  }
}

/** A connection that was idle for longer may lead nowhere without this side knowing: it is not used again. */
const keptAgents = { keepAlive: true, timeout: 4_000 }
const keptPlainAgent = new PlainAgent(keptAgents)
const keptSecureAgent = new SecureAgent(keptAgents)

/** As the global `fetch`, without redirects and proxies. What was packed and is not whole is refused, which that one takes. */
export function fetchDirectly(address: string | URL, init: RequestInit): Promise<Response> {
  const url = new URL(address)
  return fetchBy(url.protocol === 'https:' ? keptSecureAgent : keptPlainAgent, url, init)
}

/**
 * What Node's `fetch` cannot: by an agent, and unpacked with the checksum at its end. Fails as Node's does: a redirect is an
 * error, a line that fails the cause of one, an abort its own reason.
 */
async function fetchBy(
  agent: HttpAgent,
  address: URL,
  { method, headers, body, signal }: RequestInit,
): Promise<Response> {
  const { request } = address.protocol === 'https:' ? https : http
  const sent = { 'accept-encoding': 'gzip', ...Object.fromEntries(new Headers(headers)) }
  const bytes = Buffer.from(await new Response(body ?? null).arrayBuffer())
  return new Promise((resolve, reject) => {
    const asked = request(address, { agent, method: method ?? 'GET', headers: sent, signal: signal ?? undefined })
    const fail = (error: Error): void => {
      const why: unknown = signal?.aborted === true ? signal.reason : error
      const isSaid = why instanceof ProxyError || (why instanceof Error && why !== error)
      reject(isSaid ? why : new TypeError('fetch failed', { cause: error }))
    }
    asked.once('error', fail)
    asked.once('response', (response) => {
      const { statusCode: status = 0, headersDistinct } = response
      if (status >= 300 && status < 400 && status !== 304) {
        fail(new Error('unexpected redirect'))
        asked.destroy()
        return
      }
      const received = new Headers()
      for (const [name, values = []] of Object.entries(headersDistinct)) {
        for (const value of values) received.append(name, value)
      }
      const isEmpty = [204, 205, 304].includes(status)
      const stream = isEmpty ? null : (Readable.toWeb(unpacked(response)) as ReadableStream<Uint8Array>)
      if (isEmpty) response.resume()
      resolve(new Response(stream, { status, headers: received }))
    })
    asked.end(bytes)
  })
}

/** Fails where the end is missing. */
function unpacked(response: IncomingMessage): Readable {
  if (response.headers['content-encoding']?.toLowerCase() !== 'gzip') return response
  // Its end, also by a fault, is that of what it is read from.
  return pipeline(response, createGunzip(), () => undefined)
}

/** The first proxy that the system names. */
function proxyOf(answer: string): string | undefined {
  const [first = ''] = answer.split(';')
  const [kind = '', address = ''] = first.trim().split(/\s+/)
  switch (kind.toUpperCase()) {
    case 'DIRECT':
      return undefined
    case 'PROXY':
    case 'HTTP':
      return `http://${address}`
    case 'HTTPS':
      return `https://${address}`
    default:
      throw new ProxyError(`${kind} proxies are not supported. Use an HTTP or HTTPS proxy.`)
  }
}
