import { ok } from '../../core/model'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { ServiceTool, ToolAnswer } from '../../protocol/service-tools'
import { acceptAll } from '../base/any-schema'
import {
  basicAuthorization,
  isCertificateFault,
  retryAfterMs,
  type ServiceOutcome,
  type ServiceProblem,
} from '../base/http'
import type { Clock } from '../base/clock'
import { redactor, type Log } from '../base/log'
import { ProxyError, type Routes } from '../base/routes'
import { sanitizeText } from '../base/sanitize'
import { guardedFetch, type SessionFault } from './guarded-fetch'
import { readToolAnswer } from './tool-answer'
import type { ToolInput } from './tool-schema'

/** Time limit of a session: connect, request, end. */
const deadlineMs = 20_000
/** Time limit of a session that runs a tool. Some tools calculate for long. */
const callDeadlineMs = 60_000
/** Pause after a 429 without `Retry-After`. */
const defaultPauseMs = 10_000
const maxPages = 10
const maxTools = 100
const maxDescriptionLength = 1_000
const maxLineLength = 100_000
const toolName = /^[\w.-]{1,128}$/

/** The library is large, so it is loaded with the first request, when the window is open. */
async function loadLibrary() {
  const [
    { Client },
    { StreamableHTTPClientTransport, StreamableHTTPError },
    { CallToolResultSchema, McpError },
    schema,
  ] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
    import('./tool-schema'),
  ])
  const { readToolSchema } = schema
  return { Client, StreamableHTTPClientTransport, StreamableHTTPError, CallToolResultSchema, McpError, readToolSchema }
}

type Library = Awaited<ReturnType<typeof loadLibrary>>

/** Options of one call. */
interface Call {
  /** Cancels the call. */
  signal: AbortSignal
  onProgress: (progress: { done: number; total?: number }) => void
}

interface Options {
  url: string
  keyId: string
  keySecret: string
  clock: Clock
  log: Log
  appVersion: string
  /** Proxy routes. Direct by default. */
  routes?: Routes | undefined
}

/**
 * The provider's tools (protocol, 4.3) over Streamable HTTP with the provider's key. Each request is a session of its
 * own, limited in time and size. Errors are values with a sentence for the user.
 */
export class ServiceToolsClient {
  readonly #options: Options
  readonly #redact: (text: string) => string
  readonly #disposal = new AbortController()
  /** Schemas of the tools, from the last list. */
  readonly #inputs = new Map<string, ToolInput>()
  #pausedUntilMs = Number.NEGATIVE_INFINITY

  constructor(options: Options) {
    this.#options = options
    this.#redact = redactor(() => [options.keySecret])
  }

  /** The tools, at most a hundred. Tools with an invalid name are left out. */
  list(): Promise<ServiceOutcome<ServiceTool[]>> {
    return this.#inSession('tools/list', async ({ readToolSchema }, client, signal) => {
      const tools: ServiceTool[] = []
      if (client.getServerCapabilities()?.tools === undefined) return tools
      let cursor: string | undefined
      for (let page = 0; page < maxPages; page++) {
        const answer = await client.listTools(cursor === undefined ? {} : { cursor }, { signal, timeout: deadlineMs })
        for (const { name, description = '', inputSchema } of answer.tools) {
          if (!toolName.test(name) || this.#redact(name) !== name || tools.length === maxTools) continue
          const input = readToolSchema(inputSchema, (text, maxLength) => this.#clean(text, maxLength))
          this.#inputs.set(name, input)
          const { fields } = input
          tools.push({
            name,
            description: this.#clean(description, maxDescriptionLength),
            fields,
          })
        }
        cursor = answer.nextCursor
        if (cursor === undefined) break
      }
      return tools
    })
  }

  /** Runs a listed tool. The arguments are checked against its schema. */
  async call(
    name: string,
    args: Record<string, unknown>,
    { signal: cancelled, onProgress }: Call,
  ): Promise<ServiceOutcome<ToolAnswer>> {
    const fault = this.#inputs.get(name)?.faultOf(args)
    if (fault !== undefined) {
      return { ok: false, problem: { code: 'badRequest', message: `The arguments do not fit. ${fault}.` } }
    }
    const options = { deadlineMs: callDeadlineMs, cancelled }
    const outcome = await this.#inSession(
      'tools/call',
      async ({ CallToolResultSchema }, client, signal) => {
        const onprogress = ({ progress, total }: { progress: number; total?: number | undefined }) =>
          onProgress({ done: progress, total })
        const requested = { signal, timeout: callDeadlineMs, onprogress }
        return CallToolResultSchema.parse(
          await client.callTool({ name, arguments: args }, CallToolResultSchema, requested),
        )
      },
      options,
    )
    if (!outcome.ok) return outcome
    const answer = readToolAnswer(outcome.value, (text) => this.#clean(text, maxLineLength))
    if (answer === undefined) return { ok: false, problem: problemOfFault.tooLarge }
    if (outcome.value.isError !== true) return ok(answer)
    const { data, texts } = answer
    const said = sanitizeText(data === undefined ? texts.join(' ') : JSON.stringify(data)).replace(/\.$/, '')
    return { ok: false, problem: { code: 'badRequest', message: `The provider answered: ${said || 'failed'}.` } }
  }

  /** Aborts all requests. Later ones are answered as closed. */
  dispose(): void {
    this.#disposal.abort()
  }

  async #inSession<T>(
    request: string,
    run: (library: Library, client: Client, signal: AbortSignal) => Promise<T>,
    { deadlineMs: maxMs, cancelled }: { deadlineMs: number; cancelled?: AbortSignal } = { deadlineMs },
  ): Promise<ServiceOutcome<T>> {
    const { clock, appVersion } = this.#options
    const pauseMs = this.#pausedUntilMs - clock.monotonicMs()
    if (pauseMs > 0) return this.#failed(request, rateLimited(pauseMs))
    const session = new AbortController()
    let fault: SessionFault | undefined
    const cancel = clock.after(maxMs, () => session.abort())
    const signals = [session.signal, this.#disposal.signal]
    const signal = AbortSignal.any(cancelled === undefined ? signals : [...signals, cancelled])
    const library = await loadLibrary()
    const client = new library.Client({ name: 'indexwatch', version: appVersion }, { jsonSchemaValidator: acceptAll })
    try {
      const transport = this.#transport(library, signal, (found) => {
        // After the session was aborted, a cut body is expected.
        if (signal.aborted) return
        fault = found
        session.abort()
      })
      await client.connect(transport, { signal, timeout: maxMs })
      const value = await run(library, client, signal)
      await transport
        .terminateSession()
        .catch((error: unknown) =>
          this.#options.log.info('An assistant session was not ended in order', { error: String(error) }),
        )
      return ok(value)
    } catch (error) {
      // The user cancelled, which is not an error.
      if (cancelled?.aborted === true) return { ok: false, problem: closed }
      return this.#failed(request, this.#problemOf(library, error, fault, session.signal.aborted))
    } finally {
      cancel()
      await client.close()
    }
  }

  #transport(
    library: Library,
    signal: AbortSignal,
    onFault: (fault: SessionFault) => void,
  ): StreamableHTTPClientTransport {
    const { url, keyId, keySecret, clock, routes } = this.#options
    return new library.StreamableHTTPClientTransport(new URL(url), {
      fetch: guardedFetch({
        authorization: basicAuthorization(keyId, keySecret),
        routes,
        signal,
        onFault,
        onRetryAfter: (header) => {
          const pauseMs = retryAfterMs(header, clock.wallMs()) ?? defaultPauseMs
          this.#pausedUntilMs = Math.max(this.#pausedUntilMs, clock.monotonicMs() + pauseMs)
        },
      }),
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: deadlineMs,
        maxReconnectionDelay: deadlineMs,
        reconnectionDelayGrowFactor: 1,
      },
    })
  }

  #problemOf(library: Library, error: unknown, fault: SessionFault | undefined, isAborted: boolean): ServiceProblem {
    const pauseMs = this.#pausedUntilMs - this.#options.clock.monotonicMs()
    if (pauseMs > 0) return rateLimited(pauseMs)
    if (this.#disposal.signal.aborted) return closed
    if (fault !== undefined) return problemOfFault[fault]
    if (error instanceof ProxyError) return { code: 'unreachable', message: error.message }
    return isAborted ? timedOut : problemOfError(library, error, (text) => this.#clean(text))
  }

  /** A text of the service without the key, sanitized for display. */
  #clean(text: string, maxLength?: number): string {
    return sanitizeText(this.#redact(text), maxLength)
  }

  #failed(request: string, problem: ServiceProblem): { ok: false; problem: ServiceProblem } {
    this.#options.log.warn('A request to the provider’s tools failed', { request, ...problem })
    return { ok: false, problem }
  }
}

const unreadable: ServiceProblem = {
  code: 'unreadable',
  message: 'The answer of the assistant tools could not be read. Check the MCP address in Settings.',
}

const timedOut: ServiceProblem = {
  code: 'timedOut',
  message: 'The assistant tools took too long to answer. Try again later.',
}

const closed: ServiceProblem = { code: 'unreachable', message: 'This connection has been closed.' }

const problemOfFault: Record<SessionFault, ServiceProblem> = {
  tooLarge: { code: 'tooLarge', message: 'The answer of the assistant tools is too large for this app.' },
  cut: { code: 'serviceError', message: 'The answer of the assistant tools was cut off. Try again later.' },
}

function rateLimited(waitMs: number): ServiceProblem {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return { code: 'rateLimited', message: `The assistant tools ask to wait ${seconds} s before the next request.` }
}

/** The problem for an error of the SDK or the network. `sanitize` cleans texts of the service. */
function problemOfError(
  { StreamableHTTPError, McpError }: Library,
  error: unknown,
  sanitize: (text: string) => string,
): ServiceProblem {
  if (error instanceof StreamableHTTPError) return problemOfStatus(error.code ?? 0)
  if (error instanceof McpError) {
    const said = sanitize(error.message.replace(/^MCP error -?\d+: /, '')).replace(/\.$/, '')
    return { code: 'badRequest', message: `The assistant tools refused the request: ${said}.` }
  }
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error)) return unreadable
  if (cause.message === 'unexpected redirect') {
    return { code: 'redirected', message: 'The assistant tools have moved. Enter their new address in Settings.' }
  }
  const code = String((cause as NodeJS.ErrnoException).code)
  if (isCertificateFault(code)) {
    return {
      code: 'unreachable',
      message:
        'The certificate of the assistant tools is not valid, so no key was sent. Check the MCP address in Settings and the network.',
    }
  }
  return { code: 'unreachable', message: 'The assistant tools cannot be reached. Check the network connection.' }
}

function problemOfStatus(status: number): ServiceProblem {
  if (status === 401) {
    return { code: 'notAuthorised', message: 'Not authorised: the assistant tools refused this key.' }
  }
  if (status === 403) {
    return {
      code: 'notAuthorised',
      message: 'Not authorised: this key gives no access to the assistant tools. Ask the provider.',
    }
  }
  if (status >= 500) {
    const message = `The assistant tools are not working at the moment (HTTP ${status}). Try again later.`
    return { code: 'serviceError', message }
  }
  if (status >= 400) {
    const message = `There are no assistant tools at this address (HTTP ${status}). Check it in Settings.`
    return { code: 'notFound', message }
  }
  return unreadable
}
