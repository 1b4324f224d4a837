import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

/** A proxy that tunnels every requested host to this port of 127.0.0.1. */
export class TunnelProxy {
  readonly #server: Server
  readonly #lines = new Set<Socket>()
  /** `host:port` of each requested tunnel. */
  readonly targets: string[] = []
  /** All header names and values it has seen. */
  readonly headers: string[] = []

  private constructor(refusal: number | undefined, authorization: string | undefined) {
    this.#server = createServer((_request, response) => response.writeHead(500).end())
    this.#server.on('connect', ({ url = '', rawHeaders, headers }, line: Socket) => {
      this.targets.push(url)
      this.headers.push(...rawHeaders)
      this.#keep(line)
      const isAuthorized = authorization === undefined || headers['proxy-authorization'] === authorization
      const status = isAuthorized ? refusal : 407
      if (status !== undefined) {
        line.end(`HTTP/1.1 ${status} Refused\r\nProxy-Authenticate: Basic realm="office"\r\nContent-Length: 0\r\n\r\n`)
        return
      }
      const far = connect(Number(url.slice(url.lastIndexOf(':') + 1)), '127.0.0.1', () => {
        line.write('HTTP/1.1 200 Connection established\r\n\r\n')
        far.pipe(line).pipe(far)
      })
      this.#keep(far)
    })
  }

  /**
   * With a `refusal` it answers every tunnel request with this status. With an `authorization` it answers requests
   * without it with 407.
   */
  static async start({
    refusal,
    authorization,
  }: { refusal?: number; authorization?: string } = {}): Promise<TunnelProxy> {
    const proxy = new TunnelProxy(refusal, authorization)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    for (const line of this.#lines) line.destroy()
    this.#server.close()
  }

  #keep(line: Socket): void {
    this.#lines.add(line)
    line.on('error', () => line.destroy())
  }
}
