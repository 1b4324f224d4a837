import { request as httpRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor'
import { isPrivateWay } from '../../core/shapes'
import type { Routes } from '../base/routes'

/** Far more than a list of versions, or than a package. */
const maxListBytes = 2 ** 20
const maxPackageBytes = 2 ** 30
/** In all, however slowly it comes: the next look waits for the one before. */
const maxListMs = 60_000
const maxPackageMs = 6 * 3_600_000

/**
 * How updates are asked for: by Node, as all that the app asks itself, since its Chromium reaches nobody. The host of the
 * build and no other, over https or on this computer; redirects are not followed; nothing is sent that says who asks.
 */
export class NodeRequests extends ElectronHttpExecutor {
  readonly #feed: URL
  readonly #options: { routes?: Routes; ca?: string }
  readonly #maxListMs: number

  /**
   * It goes as `routes` say, or straight. `ca`, in PEM, is trusted in place of the usual authorities; tests have their own,
   * and less patience.
   */
  constructor(feed: URL, options: { routes?: Routes; ca?: string } = {}, patienceMs = maxListMs) {
    super()
    this.#feed = feed
    this.#options = options
    this.#maxListMs = patienceMs
  }

  override createRequest(
    { protocol = this.#feed.protocol, hostname, port, path, headers }: RequestOptions,
    onResponse: (response: IncomingMessage) => void,
  ): Electron.ClientRequest {
    const url = new URL(`${protocol}//${hostname ?? ''}${port ? `:${port}` : ''}${path ?? '/'}`)
    if (url.origin !== this.#feed.origin || !isPrivateWay(url))
      throw new Error(`${url.origin} is not where this build has its updates from`)
    const isSecure = protocol === 'https:'
    const { routes, ca } = this.#options
    const sent = new Map(Object.entries(headers ?? {}).filter(([name]) => name !== 'x-user-staging-id'))
    const isList = url.pathname.endsWith('.yml')
    const request: ClientRequest = (isSecure ? httpsRequest : httpRequest)(url, {
      agent: routes?.agentFor(url) ?? false,
      headers: Object.fromEntries(sent.set('User-Agent', 'Indexwatch')),
      rejectUnauthorized: true,
      signal: AbortSignal.timeout(isList ? this.#maxListMs : maxPackageMs),
      ...(isSecure && { ca }),
    })
    const maxBytes = isList ? maxListBytes : maxPackageBytes
    request.on('response', (response) => {
      const status = response.statusCode ?? 0
      if (status >= 300 && status < 400) {
        request.destroy(new Error(`${url.origin} redirects elsewhere`))
        return
      }
      let byteCount = 0
      response.on('data', (chunk: Buffer | string) => {
        byteCount += Buffer.byteLength(chunk)
        if (byteCount > maxBytes) response.destroy(new Error(`${url.origin} sends more than ${maxBytes} bytes`))
      })
      onResponse(response)
    })
    // Both have what is used here: end, abort, and the events of a request.
    return request as unknown as Electron.ClientRequest
  }

  /** Redirects end the request. */
  protected override addRedirectHandlers(): void {
    // Node reports none: see above.
  }
}
