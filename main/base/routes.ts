import { Agent as PlainAgent, type Agent as HttpAgent, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { Agent, type AgentConnectOpts } from 'agent-base'
import { HttpsProxyAgent } from 'https-proxy-agent'
import type { ProxyAgent } from 'undici'

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

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * How anything leaves for a service: straight, or through a proxy, and then always as a tunnel, so that no proxy sees a
 * key. When the proxy cannot be used nothing goes around it.
 */
export class Routes {
  readonly #options: Options
  readonly #agent: HttpAgent
  /** By proxy, with what that is sent. */
  readonly #dispatchers = new Map<string, { token: string | undefined; agent: ProxyAgent }>()
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
      return new ProxyError(`The proxy ${host} refused the connection (HTTP ${status}). Ask who runs it.`)
    this.#asking = proxy
    return new ProxyError(
      isAuthorized
        ? `The proxy ${host} does not accept this name and password. Enter them again in Settings, Network.`
        : `The proxy ${host} asks for a name and a password. Enter them in Settings, Network.`,
    )
  }

  /** For `node:https` and `ws`; `undefined` where their own will do. */
  agentFor(address: string | URL): HttpAgent | undefined {
    return this.#isHere(new URL(address).hostname) ? undefined : this.#agent
  }

  /** As the global one. Throws `ProxyError`, also when the proxy refuses. */
  async fetch(address: string | URL, init: RequestInit): Promise<Response> {
    const proxy = await this.proxyFor(address)
    if (proxy === undefined) return fetch(address, init)
    // Its own fetch: another version's, such as Node's, need not understand its dispatchers. Loaded when it is needed.
    const undici = await import('undici')
    const token = await this.authorizationFor(proxy)
    const options = { uri: proxy, proxyTunnel: true, ...(token !== undefined && { token }) }
    const known = this.#dispatchers.get(proxy)
    const dispatcher = known?.token === token && known !== undefined ? known.agent : new undici.ProxyAgent(options)
    if (known !== undefined && known.agent !== dispatcher) void known.agent.close()
    this.#dispatchers.set(proxy, { token, agent: dispatcher })
    try {
      const throughProxy = { ...init, dispatcher } as import('undici').RequestInit
      return (await undici.fetch(address, throughProxy)) as unknown as Response
    } catch (error) {
      // undici has no code for this one, only a text.
      const status = /Proxy response \((\d+)\)/.exec(causeText(error))?.[1]
      throw status === undefined ? error : this.refusedBy(proxy, Number(status), token !== undefined)
    }
  }

  #isHere(hostname: string): boolean {
    return loopback.test(hostname) && this.#options.asksForLoopback !== true
  }
}

class RoutingAgent extends Agent {
  readonly #routes: Routes
  readonly #plain = new PlainAgent()
  readonly #secure = new SecureAgent()

  constructor(routes: Routes) {
    super()
    this.#routes = routes
  }

  override async connect(request: ClientRequest, options: AgentConnectOpts): Promise<HttpAgent> {
    const host = options.host ?? ''
    const authority = host.includes(':') ? `[${host}]` : host
    const proxy = await this.#routes.proxyFor(`https://${authority}:${options.port}`)
    if (proxy === undefined) return options.secureEndpoint ? this.#secure : this.#plain
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
      throw new ProxyError(`The proxy to use is of the kind ${kind}. Only HTTP and HTTPS proxies can be used.`)
  }
}

function causeText(error: unknown): string {
  return error instanceof Error ? `${causeText(error.cause)} ${error.message}` : ''
}
