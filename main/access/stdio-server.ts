/** The MCP server over stdio. It writes only valid MCP, whatever it receives. */
import type { Readable, Writable } from 'node:stream'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  JSONRPCMessageSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type CallToolResult,
  type JSONRPCMessage,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import type { Outcome } from '../../core/model'
import { acceptAll } from '../base/any-schema'
import { isNestedTooDeep, isRecord, sanitizeText } from '../base/sanitize'
import { LineCutter, writeLine } from './lines'

/** Limit of one message of an assistant. Requests are small. */
const maxRequestBytes = 256 * 1_024

interface Prompt {
  name: string
  description: string
  arguments: readonly { name: string; description: string; isRequired: boolean }[]
  /** The text of the prompt for these arguments. */
  text: (given: Readonly<Record<string, string>>) => string
}

/** What the server offers. */
export interface Served {
  version: string
  instructions: string
  tools: { name: string; description: string; inputSchema: object; isReadOnly: boolean }[]
  prompts: readonly Prompt[]
  /** `client` is the name the assistant gave itself. */
  call: (client: string, tool: string, args: unknown) => Promise<Outcome<string>>
  listResources: (client: string) => Promise<Outcome<{ uri: string; name: string; description: string }[]>>
  readResource: (client: string, uri: string) => Promise<Outcome<string>>
  /** Called with all URIs the assistant is subscribed to. */
  subscribe: (client: string, uris: ReadonlySet<string>) => void
}

/** Serves an assistant. `ended` resolves when it has closed its end, or the connection broke. */
export async function serveOverStdio(served: Served, { input, output }: { input: Readable; output: Writable }) {
  const { server } = new McpServer(
    { name: 'indexwatch', title: 'Indexwatch', version: served.version },
    {
      instructions: served.instructions,
      capabilities: { tools: {}, prompts: {}, resources: { subscribe: true, listChanged: true } },
      jsonSchemaValidator: acceptAll,
    },
  )
  const client = () => {
    const { name, version } = server.getClientVersion() ?? { name: 'An assistant', version: '' }
    return sanitizeText(`${name} ${version}`)
  }
  const subscribed = new Set<string>()

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: served.tools.map(toTool) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    if (!served.tools.some(({ name }) => name === params.name)) {
      throw new McpError(ErrorCode.InvalidParams, `There is no tool “${sanitizeText(params.name, 60)}”.`)
    }
    const answer = await served.call(client(), params.name, params.arguments)
    return answer.ok
      ? { content: [{ type: 'text', text: answer.value }] }
      : { content: [{ type: 'text', text: answer.problem.message }], isError: true }
  })

  server.setRequestHandler(ListResourcesRequestSchema, async () => {
    const resources = valueOf(await served.listResources(client()))
    return { resources: resources.map((each) => ({ ...each, mimeType: 'application/json' })) }
  })
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const text = valueOf(await served.readResource(client(), uri))
    return { contents: [{ uri, mimeType: 'application/json', text }] }
  })
  server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }) => {
    subscribed.add(uri)
    served.subscribe(client(), subscribed)
    return {}
  })
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    subscribed.delete(uri)
    served.subscribe(client(), subscribed)
    return {}
  })

  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: served.prompts.map(({ name, description, arguments: asked }) => ({
      name,
      description,
      arguments: asked.map((each) => ({ name: each.name, description: each.description, required: each.isRequired })),
    })),
  }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params: { name, arguments: given = {} } }) => {
    const prompt = served.prompts.find((each) => each.name === name)
    if (prompt === undefined) {
      throw new McpError(ErrorCode.InvalidParams, `There is no prompt “${sanitizeText(name, 60)}”.`)
    }
    const missing = prompt.arguments.find((each) => each.isRequired && given[each.name] === undefined)
    if (missing !== undefined) throw new McpError(ErrorCode.InvalidParams, `The prompt needs “${missing.name}”.`)
    const plain = Object.fromEntries(Object.entries(given).map(([key, text]) => [key, sanitizeText(text)]))
    return {
      description: prompt.description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.text(plain) } }],
    }
  })

  const transport = new StdioTransport(input, output)
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve
  })
  await server.connect(transport)
  // Sending may fail because the connection broke. `ended` reports that.
  const ignore = () => undefined
  return {
    resourceChanged: (uri: string) => {
      if (subscribed.has(uri)) server.sendResourceUpdated({ uri }).catch(ignore)
    },
    resourcesChanged: () => {
      server.sendResourceListChanged().catch(ignore)
    },
    ended,
  }
}

function toTool({ name, description, inputSchema, isReadOnly }: Served['tools'][number]): Tool {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
  }
}

function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value
  throw new McpError(ErrorCode.InvalidRequest, outcome.problem.message)
}

/**
 * Like the SDK's transport, but with a message limit, and with an error reply to invalid messages. The SDK's transport
 * leaves the assistant waiting.
 */
class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #input: Readable
  readonly #output: Writable
  readonly #cutter: LineCutter
  #isClosed = false

  constructor(input: Readable, output: Writable) {
    this.#input = input
    this.#output = output
    this.#cutter = new LineCutter(maxRequestBytes, {
      onLine: (line) => this.#take(line),
      onTooLong: () =>
        this.#refuse(null, ErrorCode.InvalidRequest, `A message may have at most ${maxRequestBytes} bytes.`),
    })
  }

  start(): Promise<void> {
    const close = () => void this.close()
    this.#output.on('error', close)
    this.#input.on('error', close)
    this.#input.on('end', close)
    this.#input.on('close', close)
    this.#input.on('data', (chunk: Buffer) => this.#cutter.take(chunk))
    return Promise.resolve()
  }

  send(message: JSONRPCMessage): Promise<void> {
    writeLine(this.#output, this.#input, message)
    return Promise.resolve()
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    this.#isClosed = true
    this.onclose?.()
    return Promise.resolve()
  }

  #take(line: string): void {
    let parsed: unknown
    try {
      parsed = isNestedTooDeep(line) ? undefined : (JSON.parse(line) as unknown)
    } catch {
      this.#refuse(null, ErrorCode.ParseError, 'This is not JSON.')
      return
    }
    const read = JSONRPCMessageSchema.safeParse(parsed)
    if (read.success) {
      this.onmessage?.(read.data)
      return
    }
    const id = isRecord(parsed) ? parsed['id'] : undefined
    const answeredId = typeof id === 'string' || typeof id === 'number' ? id : null
    this.#refuse(answeredId, ErrorCode.InvalidRequest, 'This is not a message of JSON-RPC 2.0, or nested too deep.')
  }

  #refuse(id: string | number | null, code: ErrorCode, message: string): void {
    writeLine(this.#output, this.#input, { jsonrpc: '2.0', id, error: { code, message } })
  }
}
