import http, { Agent as PlainAgent, type Agent as HttpAgent, type ClientRequest, type IncomingMessage } from 'node:http'
import https, { Agent as SecureAgent } from 'node:https'
import { pipeline, Readable } from 'node:stream'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { createGunzip } from 'node:zlib'
import { Agent, type AgentConnectOpts } from 'agent-base'
import { isLoopback } from '../../core/shapes'
import { HttpsProxyAgent } from 'https-proxy-agent'

/** The configured proxy cannot be used. The message is for the user. */
export class ProxyError extends Error {
  readonly code = 'ERR_PROXY'
}

interface Options {
  /** The proxy for an address, as a PAC script answers: `PROXY host:port; DIRECT`. Throws `ProxyError`. */
  resolveProxy: (address: string) => Promise<string>
  /** The `Proxy-Authorization` header for a proxy `http://host:port`. Undefined to send none. */
  authorizationFor?: (proxy: string) => Promise<string | undefined>
  /** True if loopback addresses may use a proxy too. Off by default. */
  usesProxyForLoopback?: boolean
}

/**
 * The network path of all requests: direct, or through a proxy. A proxy is always used as a tunnel, so it never sees
 * the key. If the proxy fails, no request goes around it.
 */
export class Routes {
  readonly #options: Options
  readonly #agent: HttpAgent
  #unauthorizedProxy: string | undefined

  constructor(options: Options) {
    this.#options = options
    this.#agent = new RoutingAgent(this)
  }

  /** The address of the proxy for this address. Undefined if none is used. Throws `ProxyError`. */
  async proxyFor(address: string | URL): Promise<string | undefined> {
    const { host, hostname } = new URL(address)
    if (this.#isHere(hostname)) return undefined
    // Without path and query, which may be a webhook's secret.
    return proxyOf(await this.#options.resolveProxy(`https://${host}/`))
  }

  /** The `Proxy-Authorization` header for a proxy, if it has one. */
  async authorizationFor(proxy: string): Promise<string | undefined> {
    return this.#options.authorizationFor?.(proxy)
  }

  /** The proxy that last asked for a user name and password. */
  get unauthorizedProxy(): string | undefined {
    return this.#unauthorizedProxy
  }

  /** Called when another proxy was chosen. */
  forgetUnauthorized(): void {
    this.#unauthorizedProxy = undefined
  }

  /** The proxy's refusal in words for the user. */
  refusedBy(proxy: string, status: number, isAuthorized: boolean): ProxyError {
    const { host } = new URL(proxy)
    if (status !== 407)
      return new ProxyError(`The proxy ${host} refused the connection (HTTP ${status}). Ask its administrator.`)
    this.#unauthorizedProxy = proxy
    return new ProxyError(
      isAuthorized
        ? `The proxy ${host} did not accept this user name and password. Enter them again in Settings, Network.`
        : `The proxy ${host} asks for a user name and password. Enter them in Settings, Network.`,
    )
  }

  /** An agent for `node:https` and `ws`. Undefined if their default agent is enough. */
  agentFor(address: string | URL): HttpAgent | undefined {
    return this.#isHere(new URL(address).hostname) ? undefined : this.#agent
  }

  /** Like `fetchDirectly`, through the proxy if there is one. Throws `ProxyError`, also if the proxy refuses. */
  async fetch(address: string | URL, init: RequestInit): Promise<Response> {
    const proxy = await this.proxyFor(address)
    if (proxy === undefined) return fetchDirectly(address, init)
    return fetchBy(new RoutingAgent(this, proxy), new URL(address), init)
  }

  #isHere(hostname: string): boolean {
    return isLoopback(hostname) && this.#options.usesProxyForLoopback !== true
  }
}

const plainAgent = new PlainAgent()
const secureAgent = new SecureAgent()

class RoutingAgent extends Agent {
  readonly #routes: Routes
  readonly #known: string | undefined

  /** `known` is the proxy if it is already decided. Otherwise it is resolved for each connection. */
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
    // Without this, the proxy's refusal would be taken for the service's.
    request.once('proxyConnect', ({ statusCode = 0 }: IncomingMessage) => {
      if (statusCode !== 200) request.destroy(this.#routes.refusedBy(proxy, statusCode, authorization !== undefined))
    })
    // For an IP address the tunnel would compare the certificate with localhost.
    Object.assign(options, {
      checkServerIdentity: (_: string, cert: PeerCertificate) => checkServerIdentity(host, cert),
    })
    const headers = authorization === undefined ? {} : { 'Proxy-Authorization': authorization }
    return new HttpsProxyAgent(proxy, { headers })
  }
}

/** After a longer idle time a connection may be dead without this side knowing, so it is not reused. */
const keptAgents = { keepAlive: true, timeout: 4_000 }
const keptPlainAgent = new PlainAgent(keptAgents)
const keptSecureAgent = new SecureAgent(keptAgents)

/**
 * Like the global `fetch`, without redirects and proxies. Rejects a truncated gzip body, which the global `fetch`
 * accepts.
 */
export function fetchDirectly(address: string | URL, init: RequestInit): Promise<Response> {
  const url = new URL(address)
  return fetchBy(url.protocol === 'https:' ? keptSecureAgent : keptPlainAgent, url, init)
}

/**
 * `fetch` with an agent, and with the checksum of a gzip body verified. Errors are those of Node's `fetch`: a redirect
 * is an error, a network error is the cause of one, and an abort rejects with its reason.
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

/** Fails if the gzip body is truncated. */
function unpacked(response: IncomingMessage): Readable {
  if (response.headers['content-encoding']?.toLowerCase() !== 'gzip') return response
  // Errors reach the reader through the returned stream.
  return pipeline(response, createGunzip(), () => undefined)
}

/** The first proxy in the system's answer. */
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
