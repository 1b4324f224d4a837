import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { Gatekeeper } from '../key'
import type { RefusalStatus } from '../listener'
import { challenge } from '../rest/router'
import type { Message, Tamper } from '../tamper'
import { assetMetadata } from './asset-metadata'
import { factorsData } from './factors-data'
import { historicalResults } from './historical-results'
import { indexInfo } from './index-info'
import { supplies } from './supplies'
import type { AddTool, ToolSources } from './tool'

export const mcpPath = '/mcp'
const maxBodyBytes = 64 * 1024
/** For answers of an assistant to forms, which no tool has. The build leaves out the SDK's own check. */
const acceptAll: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
}
/** The JSON-RPC error code for an invalid request. */
const invalidRequest = -32_600

/** Every tool (protocol, 4.3). */
const tools: readonly AddTool[] = [historicalResults, indexInfo, supplies, assetMetadata, factorsData]

interface Options {
  gatekeeper: Gatekeeper
  sources: () => ToolSources
  /** The port of the service, for checking `Host`. */
  port: () => number
  log: (line: string) => void
  /** Only for checking the conformance suite. */
  tamper: Tamper | undefined
}

/** An error answered instead of calling the tools. */
interface Refusal {
  readonly status: RefusalStatus
  /** By default the first code that JSON-RPC leaves to the server. */
  readonly code?: number
  readonly message: string
  readonly headers?: OutgoingHttpHeaders
}

/**
 * The MCP interface (protocol, 4.3) over Streamable HTTP, without sessions. Refuses all requests from web pages before
 * the SDK sees them, whatever their origin or host name. Answers a request to `/mcp`.
 */
export function mcpEndpoint({ gatekeeper, sources, port, log, tamper }: Options) {
  function refusalOf({ headers, method }: IncomingMessage): Refusal | undefined {
    const isOurs = [`127.0.0.1:${port()}`, `localhost:${port()}`].includes(headers.host?.toLowerCase() ?? '')
    if (!isOurs) return { status: 403, message: 'Unknown host' }
    if (headers.origin !== undefined) return { status: 403, message: 'No web page may ask' }
    if (!gatekeeper.admits(headers)) return { status: 401, message: 'Missing or wrong key', headers: challenge }
    if (method !== 'POST') return { status: 405, message: 'Only POST is allowed', headers: { Allow: 'POST' } }
    return undefined
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    if (body === undefined) {
      refuse(response, { status: 413, message: 'Request too large', headers: { Connection: 'close' } })
      return
    }
    if (/^\s*\[\s*\]\s*$/.test(body)) {
      refuse(response, { status: 400, code: invalidRequest, message: 'A batch has at least one request' })
      return
    }
    const server = new McpServer({ name: 'Index service simulator', version: '1' }, { jsonSchemaValidator: acceptAll })
    for (const addTool of tools) addTool(server, sources())
    // The SDK announces `listChanged` for every server with tools.
    server.server.registerCapabilities({ tools: { listChanged: false } })
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    try {
      const answered = await transport.handleRequest(webRequest(request, body))
      const text = await answered.text()
      const rpc = text === '' ? undefined : tamper?.rpc
      response.writeHead(answered.status, Object.fromEntries(answered.headers))
      response.end(rpc === undefined ? text : JSON.stringify(rpc(JSON.parse(text) as Message)))
    } finally {
      await server.close()
    }
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    const refusal = refusalOf(request)
    if (refusal !== undefined) {
      refuse(response, refusal)
      return
    }
    answer(request, response).catch((error: unknown) => {
      log(`Failed to answer an MCP request: ${String(error)}`)
      if (response.headersSent) response.destroy()
      else refuse(response, { status: 500, message: 'Internal error' })
    })
  }
}

/** The body as text. Undefined if it is too large. Rejects when the client disconnects. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = []
  let byteLength = 0
  // Stopping early must keep the connection open for the refusal.
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    byteLength += piece.byteLength
    if (byteLength > maxBodyBytes) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** The request without its key, which no tool needs. */
function webRequest({ headers }: IncomingMessage, body: string): Request {
  const passed = new Headers()
  for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id']) {
    const value = headers[name]
    if (typeof value === 'string') passed.set(name, value)
  }
  return new Request(`http://${headers.host ?? ''}${mcpPath}`, { method: 'POST', headers: passed, body })
}

function refuse(response: ServerResponse, { status, code = -32_000, message, headers = {} }: Refusal): void {
  const body = { jsonrpc: '2.0', error: { code, message }, id: null }
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
