import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { onTestFinished } from 'vitest'

export type ToolAnswering = (request: IncomingMessage, response: ServerResponse) => void

/** A local MCP service that ends with the test. It is the SDK's server unless a test replaces it. */
export class ToolService {
  readonly requests: { method: string; headers: IncomingHttpHeaders }[] = []
  readonly #offer: (server: McpServer) => void
  /** Answers instead of the MCP server. */
  answer: ToolAnswering | undefined
  readonly #server = createServer((request, response) => {
    this.requests.push({ method: request.method ?? '', headers: request.headers })
    if (this.answer === undefined) void this.#serve(request, response)
    else this.answer(request, response)
  })
  readonly #sessions = new Map<string, StreamableHTTPServerTransport>()

  private constructor(offer: (server: McpServer) => void) {
    this.#offer = offer
  }

  static async start(offer: (server: McpServer) => void = () => undefined): Promise<ToolService> {
    const service = new ToolService(offer)
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve))
    onTestFinished(async () => {
      service.#server.closeAllConnections()
      await new Promise((resolve) => service.#server.close(resolve))
    })
    return service
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`
  }

  /** Number of open sessions. */
  get openSessions(): number {
    return this.#sessions.size
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const known = this.#sessions.get(String(request.headers['mcp-session-id']))
    const transport = known ?? (await this.#begin())
    await transport.handleRequest(request, response)
  }

  async #begin(): Promise<StreamableHTTPServerTransport> {
    let count = this.#sessions.size
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => `session-${count++}`,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, transport)
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id)
      },
    })
    const server = new McpServer({ name: 'tools', version: '1.0.0' })
    this.#offer(server)
    await server.connect(transport)
    return transport
  }
}
