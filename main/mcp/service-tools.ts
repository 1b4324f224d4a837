import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js'
import type { Outcome, Problem, ServiceTool } from '../../protocol/model'
import { basicAuthorization } from '../base/basic-authorization'
import type { Clock } from '../base/clock'
import { redactor } from '../base/log'
import type { Log } from '../base/log'
import { retryAfterMs } from '../base/retry-after'
import { readWords } from '../base/untrusted-text'
import { guardedFetch } from './guarded-fetch'
import type { SessionFault } from './guarded-fetch'
import { closed, problemOfError, problemOfFault, rateLimited, timedOut } from './problems'

/** What a tool answered. `isError`: it ran and says that it failed. */
export interface ToolAnswer {
  isError: boolean
  /** Its text parts as they came; pictures and other parts are left out. */
  texts: string[]
  /** The same as data, where the tool has it. */
  structured?: Record<string, unknown>
}

/** A whole session: greeting, question, farewell. */
const deadlineMs = 20_000
/** When the service limits us without saying for how long. */
const defaultPauseMs = 10_000
const mostPages = 10
const mostTools = 100
const longestDescription = 1_000
const toolName = /^[\w.-]{1,128}$/

/** Results are shown as they come: a schema from outside is never turned into code, as the SDK's own check does. */
const acceptAll: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
}

/**
 * The service's assistant tools (spec 4.3) over Streamable HTTP with the service's key. Each question is a session of its
 * own, limited in time and size; errors are values with a sentence for the user.
 */
export class ServiceToolsClient {
  readonly #options: { url: string; keyId: string; keySecret: string; clock: Clock; log: Log; appVersion: string }
  readonly #words: (text: string) => string
  readonly #disposal = new AbortController()
  #pausedUntilMs = Number.NEGATIVE_INFINITY

  constructor(options: { url: string; keyId: string; keySecret: string; clock: Clock; log: Log; appVersion: string }) {
    this.#options = options
    const redact = redactor(() => [options.keySecret])
    this.#words = (text) => readWords(redact(text))
  }

  /** The tools as they describe themselves, at most a hundred; names that no tool could be called by are left out. */
  list(): Promise<Outcome<ServiceTool[]>> {
    return this.#inSession('tools/list', async (client, signal) => {
      const tools: ServiceTool[] = []
      if (client.getServerCapabilities()?.tools === undefined) return tools
      let cursor: string | undefined
      for (let page = 0; page < mostPages; page++) {
        const answer = await client.listTools(cursor === undefined ? {} : { cursor }, { signal, timeout: deadlineMs })
        for (const { name, description = '' } of answer.tools) {
          if (toolName.test(name)) tools.push({ name, description: readWords(description, longestDescription) })
        }
        cursor = answer.nextCursor
        if (cursor === undefined) break
      }
      return tools.slice(0, mostTools)
    })
  }

  /** Runs a tool. What `args` must hold is for the tool to judge: it answers with `isError` or a problem. */
  call(name: string, args: Record<string, unknown>): Promise<Outcome<ToolAnswer>> {
    return this.#inSession(`tools/call ${name}`, async (client, signal) => {
      const options = { signal, timeout: deadlineMs }
      const result = await client.callTool({ name, arguments: args }, undefined, options)
      const { content, structuredContent, isError } = result as Partial<Awaited<ReturnType<Client['callTool']>>>
      const answer: ToolAnswer = { isError: isError === true, texts: textsOf(content) }
      const hasData = typeof structuredContent === 'object' && structuredContent !== null
      return hasData ? { ...answer, structured: structuredContent as Record<string, unknown> } : answer
    })
  }

  /** Ends every question at hand; later ones are answered as closed. */
  dispose(): void {
    this.#disposal.abort()
  }

  async #inSession<T>(question: string, run: (client: Client, signal: AbortSignal) => Promise<T>): Promise<Outcome<T>> {
    const { clock, appVersion } = this.#options
    const pauseMs = this.#pausedUntilMs - clock.monotonicMs()
    if (pauseMs > 0) return this.#failed(question, rateLimited(pauseMs))
    const session = new AbortController()
    let fault: SessionFault | undefined
    const cancel = clock.after(deadlineMs, () => {
      session.abort()
    })
    const signal = AbortSignal.any([session.signal, this.#disposal.signal])
    const client = new Client({ name: 'indexwatch', version: appVersion }, { jsonSchemaValidator: acceptAll })
    try {
      const transport = this.#transport(signal, (found) => {
        // A body that breaks off because the session is over says nothing new.
        if (signal.aborted) return
        fault = found
        session.abort()
      })
      await client.connect(transport, { signal, timeout: deadlineMs })
      const value = await run(client, signal)
      await transport.terminateSession().catch((error: unknown) => {
        this.#options.log.info('An assistant session was not ended in order', { error: String(error) })
      })
      return { ok: true, value }
    } catch (error) {
      return this.#failed(question, this.#problemOf(error, fault, session.signal.aborted))
    } finally {
      cancel()
      await client.close()
    }
  }

  #transport(signal: AbortSignal, onFault: (fault: SessionFault) => void): StreamableHTTPClientTransport {
    const { url, keyId, keySecret, clock } = this.#options
    return new StreamableHTTPClientTransport(new URL(url), {
      fetch: guardedFetch({
        authorization: basicAuthorization(keyId, keySecret),
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

  #problemOf(error: unknown, fault: SessionFault | undefined, isAborted: boolean): Problem {
    const pauseMs = this.#pausedUntilMs - this.#options.clock.monotonicMs()
    if (pauseMs > 0) return rateLimited(pauseMs)
    if (this.#disposal.signal.aborted) return closed
    if (fault !== undefined) return problemOfFault(fault)
    return isAborted ? timedOut : problemOfError(error, this.#words)
  }

  #failed(question: string, problem: Problem): { ok: false; problem: Problem } {
    this.#options.log.warn('A question to the assistant tools failed', { question, ...problem })
    return { ok: false, problem }
  }
}

function textsOf(content: unknown): string[] {
  if (!Array.isArray(content)) return []
  return (content as { type?: unknown; text?: unknown }[]).flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  )
}
