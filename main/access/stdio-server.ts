/** The MCP server over stdio, for the protocol of 2026-07-28 and the ones before. It writes only valid MCP. */
import type { Readable, Writable } from 'node:stream'
import {
  CLIENT_INFO_META_KEY,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  McpServer,
  parseJSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type JSONRPCMessage,
  type RequestId,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as v from 'valibot'
import type { Outcome } from '../../core/model'
import { acceptAll } from '../base/any-schema'
import { isNestedTooDeep, isRecord, parseJson, sanitizeText } from '../base/sanitize'
import { LineCutter, writeLine } from './lines'

/** Limit of one message of an assistant. Requests are small. */
const maxRequestBytes = 256 * 1_024
/** Limit of open `subscriptions/listen` of one assistant. */
const maxSubscriptions = 100

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
  tools: { name: string; description: string; inputSchema: object; outputSchema: object; isReadOnly: boolean }[]
  prompts: readonly Prompt[]
  /** `client` is the name the assistant gave itself. */
  call: (client: string, tool: string, args: unknown) => Promise<Outcome<string>>
  listResources: (client: string) => Promise<Outcome<{ uri: string; name: string; description: string }[]>>
  readResource: (client: string, uri: string) => Promise<Outcome<string>>
  /** Called with all URIs the assistant is subscribed to. */
  subscribe: (client: string, uris: ReadonlySet<string>) => void
}

/** Serves an assistant. `ended` resolves when it has closed its end, or the connection broke. */
export function serveOverStdio(served: Served, { input, output }: { input: Readable; output: Writable }) {
  const subscriptions = new Subscriptions()
  let client = 'An assistant'
  let server: McpServer['server'] | undefined
  const transport = new StdioTransport(input, output, {
    onReceived: (message) => {
      client = nameIn(message) ?? client
      if (subscriptions.noteReceived(message)) served.subscribe(client, subscriptions.uris())
    },
    onSent: (message) => {
      if (subscriptions.noteSent(message)) served.subscribe(client, subscriptions.uris())
    },
  })
  // The SDK calls this for each era that the assistant tries.
  serveStdio(
    () => {
      server = serverOf(served, { client: () => client, subscriptions })
      return server
    },
    { transport, maxSubscriptions },
  )
  // Sending may fail because the connection broke. `ended` reports that.
  const ignore = () => undefined
  return {
    resourceChanged: (uri: string) => {
      if (subscriptions.uris().has(uri)) server?.sendResourceUpdated({ uri }).catch(ignore)
    },
    resourcesChanged: () => {
      server?.sendResourceListChanged().catch(ignore)
    },
    ended: transport.ended,
  }
}

function serverOf(
  served: Served,
  { client, subscriptions }: { client: () => string; subscriptions: Subscriptions },
): McpServer['server'] {
  const { server } = new McpServer(
    { name: 'indexwatch', title: 'Indexwatch', version: served.version },
    {
      instructions: served.instructions,
      capabilities: { tools: {}, prompts: {}, resources: { subscribe: true, listChanged: true } },
      jsonSchemaValidator: acceptAll,
    },
  )

  server.setRequestHandler('tools/list', () => ({ tools: served.tools.map(toTool) }))
  server.setRequestHandler('tools/call', async ({ params }): Promise<CallToolResult> => {
    if (!served.tools.some(({ name }) => name === params.name)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool “${sanitizeText(params.name, 60)}”.`)
    }
    const answer = await served.call(client(), params.name, params.arguments)
    if (!answer.ok) return { content: [{ type: 'text', text: answer.problem.message }], isError: true }
    const structured = parseJson(answer.value)
    return {
      content: [{ type: 'text', text: answer.value }],
      ...(isRecord(structured) && { structuredContent: structured }),
    }
  })

  server.setRequestHandler('resources/list', async () => {
    const resources = valueOf(await served.listResources(client()))
    return { resources: resources.map((each) => ({ ...each, mimeType: 'application/json' })) }
  })
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const text = valueOf(await served.readResource(client(), uri))
    return { contents: [{ uri, mimeType: 'application/json', text }] }
  })
  // Before 2026-07-28. Later assistants listen, which the SDK answers.
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    subscriptions.add(uri)
    served.subscribe(client(), subscriptions.uris())
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscriptions.remove(uri)
    served.subscribe(client(), subscriptions.uris())
    return {}
  })

  server.setRequestHandler('prompts/list', () => ({
    prompts: served.prompts.map(({ name, description, arguments: asked }) => ({
      name,
      description,
      arguments: asked.map((each) => ({ name: each.name, description: each.description, required: each.isRequired })),
    })),
  }))
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }) => {
    const prompt = served.prompts.find((each) => each.name === name)
    if (prompt === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt “${sanitizeText(name, 60)}”.`)
    }
    const missing = prompt.arguments.find((each) => each.isRequired && given[each.name] === undefined)
    if (missing !== undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt needs “${missing.name}”.`)
    const plain = Object.fromEntries(Object.entries(given).map(([key, text]) => [key, sanitizeText(text)]))
    return {
      description: prompt.description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.text(plain) } }],
    }
  })

  return server
}

const clientSchema = v.object({ name: v.string(), version: v.string() })

/** The name of the assistant: in its greeting, and since 2026-07-28 in every request. */
function nameIn(message: JSONRPCMessage): string | undefined {
  if (!isJSONRPCRequest(message)) return undefined
  const { params, method } = message
  const read = v.safeParse(
    clientSchema,
    method === 'initialize' ? params?.['clientInfo'] : params?._meta?.[CLIENT_INFO_META_KEY],
  )
  return read.success ? sanitizeText(`${read.output.name} ${read.output.version}`) : undefined
}

const listenSchema = v.object({ notifications: v.object({ resourceSubscriptions: v.array(v.string()) }) })

/** The resources that the assistant wants to be told of, in both eras. */
class Subscriptions {
  /** Before 2026-07-28. */
  readonly #single = new Set<string>()
  /** Since 2026-07-28: the URIs of each open `subscriptions/listen`. */
  readonly #listening = new Map<RequestId, readonly string[]>()

  uris(): ReadonlySet<string> {
    return new Set([...this.#single, ...[...this.#listening.values()].flat()])
  }

  add(uri: string): void {
    this.#single.add(uri)
  }

  remove(uri: string): void {
    this.#single.delete(uri)
  }

  /** Returns whether the URIs may have changed. */
  noteReceived(message: JSONRPCMessage): boolean {
    if (isJSONRPCNotification(message)) {
      if (message.method !== 'notifications/cancelled') return false
      return this.#listening.delete(message.params?.['requestId'] as RequestId)
    }
    if (!isJSONRPCRequest(message) || message.method !== 'subscriptions/listen') return false
    const read = v.safeParse(listenSchema, message.params)
    if (read.success) this.#listening.set(message.id, read.output.notifications.resourceSubscriptions)
    return read.success
  }

  /** Returns whether the URIs may have changed: the SDK may refuse to listen. */
  noteSent(message: JSONRPCMessage): boolean {
    return isJSONRPCErrorResponse(message) && message.id !== undefined && this.#listening.delete(message.id)
  }
}

function toTool({ name, description, inputSchema, outputSchema, isReadOnly }: Served['tools'][number]): Tool {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    outputSchema: { ...outputSchema, type: 'object' },
    annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
  }
}

function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value
  throw new ProtocolError(ProtocolErrorCode.InvalidRequest, outcome.problem.message)
}

interface MessageListeners {
  onReceived: (message: JSONRPCMessage) => void
  onSent: (message: JSONRPCMessage) => void
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
  readonly #listeners: MessageListeners
  /** Resolves when the connection is closed or broken. */
  readonly ended: Promise<void>
  #end: () => void = () => undefined

  constructor(input: Readable, output: Writable, listeners: MessageListeners) {
    this.#listeners = listeners
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    this.#input = input
    this.#output = output
    this.#cutter = new LineCutter(maxRequestBytes, {
      onLine: (line) => this.#take(line),
      onTooLong: () =>
        this.#refuse(null, ProtocolErrorCode.InvalidRequest, `A message may have at most ${maxRequestBytes} bytes.`),
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
    this.#listeners.onSent(message)
    writeLine(this.#output, this.#input, message)
    return Promise.resolve()
  }

  close(): Promise<void> {
    this.#end()
    this.onclose?.()
    return Promise.resolve()
  }

  #take(line: string): void {
    let parsed: unknown
    try {
      parsed = isNestedTooDeep(line) ? undefined : (JSON.parse(line) as unknown)
    } catch {
      this.#refuse(null, ProtocolErrorCode.ParseError, 'This is not JSON.')
      return
    }
    let message: JSONRPCMessage
    try {
      message = parseJSONRPCMessage(parsed)
    } catch {
      this.#refuseForm(parsed)
      return
    }
    this.#listeners.onReceived(message)
    this.onmessage?.(message)
  }

  #refuseForm(parsed: unknown): void {
    const id = isRecord(parsed) ? parsed['id'] : undefined
    const answeredId = typeof id === 'string' || typeof id === 'number' ? id : null
    this.#refuse(
      answeredId,
      ProtocolErrorCode.InvalidRequest,
      'This is not a message of JSON-RPC 2.0, or nested too deep.',
    )
  }

  #refuse(id: string | number | null, code: ProtocolErrorCode, message: string): void {
    writeLine(this.#output, this.#input, { jsonrpc: '2.0', id, error: { code, message } })
  }
}
