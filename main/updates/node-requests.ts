import { request as httpRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor'
import { isPrivateWay } from '../../core/shapes'
import type { Routes } from '../base/routes'

/** Far more than a list of versions or a package needs. */
const maxListBytes = 2 ** 20
const maxPackageBytes = 2 ** 30
/** Total time for a transfer, however slow. The next check waits for it. */
const maxListMs = 60_000
const maxPackageMs = 6 * 3_600_000

/**
 * Sends update requests by Node, like all requests of the app. Only to the host of this build, over https or on this
 * computer. Does not follow redirects and sends nothing that identifies the user.
 */
export class NodeRequests extends ElectronHttpExecutor {
  readonly #feed: URL
  readonly #options: { routes?: Routes; ca?: string }
  readonly #maxListMs: number

  /**
   * Uses `routes`, or a direct connection. `ca` (PEM) replaces the usual certificate authorities in tests, which also
   * shorten the time.
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

  /** A redirect ends the request. */
  protected override addRedirectHandlers(): void {
    // Node follows none: see above.
  }
}
