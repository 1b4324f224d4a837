/**
 * The process that an assistant starts: an MCP server over stdio. It forwards calls to the running app over the private
 * socket. If the app is closed, it answers from the files of the profile and says so.
 */
import type { Readable, Writable } from 'node:stream'
import * as v from 'valibot'
import { ok, failure, type Outcome, type Problem } from '../../core/model'
import type { ProblemCode } from '../../core/problems'
import { CallLimit } from '../base/call-limit'
import { instructions, prompts } from './prompts'
import { inputSchemaOf, outputSchemas } from './tool-schemas'
import { answerTool, tools } from './tools'
import { fromAppSchema, wireVersion, type FromApp, type FromAssistant } from './wire'
import type { Clock } from '../base/clock'
import type { Log } from '../base/log'
import { parseJson, isRecord, percentDecoded } from '../base/sanitize'
import { connectPrivately, type Channel } from './private-socket'
import { serveOverStdio } from './stdio-server'
import { answerFromFiles } from './answers'

interface Options {
  /** Folder of the profile. */
  folder: string
  version: string
  clock: Clock
  log: Log
  input: Readable
  output: Writable
}

const uriStart = 'indexwatch://list/'
/** While an assistant subscribes to a watchlist, the app is looked for this often. */
const lookAgainMs = 5_000

/** Serves the assistant at `input` and `output`. Resolves when the assistant has closed its end. */
export async function serveAssistant(options: Options): Promise<void> {
  const { version, input, output, clock } = options
  const link = new AppLink(options, {
    onChanged: (lists) => {
      for (const name of lists) server.resourceChanged(uriOf(name))
    },
    onListsChanged: () => server.resourcesChanged(),
  })
  const limit = new CallLimit(clock)
  const call = async (client: string, tool: string, args: unknown): Promise<Outcome<string>> => {
    const admitted = limit.admit()
    if (!admitted.ok) return admitted
    const answer = await link.call(client, tool, args)
    if (answer !== undefined) return answer
    const kept = await answerFromFiles(options.folder, options, (known) => answerTool(known, tool, args))
    return kept.ok ? kept : withoutApp(kept.problem)
  }
  const server = serveOverStdio(
    {
      version,
      instructions,
      tools: Object.entries(tools).map(([name, { description, schema, isProposal }]) => ({
        name,
        description,
        isReadOnly: isProposal !== true,
        inputSchema: inputSchemaOf(schema),
        outputSchema: outputSchemas[name as keyof typeof tools],
      })),
      prompts,
      call,
      listResources: async (client) => {
        const answer = await call(client, 'list_watchlists', {})
        if (!answer.ok) return answer
        const resources = namesIn(answer.value).map((name) => ({
          uri: uriOf(name),
          name,
          description: `Latest values of the watchlist ${name}`,
        }))
        return ok(resources)
      },
      readResource: async (client, uri) => {
        const name = nameIn(uri)
        return name === undefined
          ? failure('notFound', 'There is no such resource. resources/list names all resources.')
          : call(client, 'get_latest_values', { list: name })
      },
      subscribe: (client, uris) =>
        link.watch(
          client,
          [...uris].flatMap((uri) => nameIn(uri) ?? []),
        ),
    },
    { input, output },
  )
  await server.ended
  link.dispose()
}

/** Adds to any problem that the app is closed. */
function withoutApp({ code, message }: Problem): Outcome<never> {
  const isSaid = code === 'notRunning'
  return failure(code, isSaid ? message : `Indexwatch is not running. ${message}`)
}

const uriOf = (name: string) => `${uriStart}${encodeURIComponent(name)}`

/** The watchlist in a resource's URI. */
function nameIn(uri: string): string | undefined {
  return uri.startsWith(uriStart) ? percentDecoded(uri.slice(uriStart.length)) : undefined
}

function namesIn(answer: string): string[] {
  const read = parseJson(answer)
  const lists = isRecord(read) ? read['watchlists'] : undefined
  return Array.isArray(lists)
    ? lists.flatMap((list) => (isRecord(list) && typeof list['name'] === 'string' ? [list['name']] : []))
    : []
}

interface LinkListener {
  onChanged: (lists: readonly string[]) => void
  onListsChanged: () => void
}

/** The connection to the running app. It is opened when needed and reopened after the app has ended. */
class AppLink {
  readonly #options: Options
  readonly #listener: LinkListener
  readonly #waiting = new Map<number, (answer: Outcome<string> | undefined) => void>()
  #channel: Channel<FromAssistant> | undefined
  #connecting: Promise<Channel<FromAssistant> | undefined> | undefined
  #calls = 0
  #watched: readonly string[] = []
  #cancelLook: (() => void) | undefined
  /** The reason, if the app closed the connection. */
  #bye: Problem | undefined
  #isDisposed = false

  constructor(options: Options, listener: LinkListener) {
    this.#options = options
    this.#listener = listener
  }

  /** The app's answer. Undefined if no app is running and the files should answer. */
  async call(client: string, tool: string, args: unknown): Promise<Outcome<string> | undefined> {
    const channel = await this.#open(client)
    if (channel === undefined) return undefined
    const call = ++this.#calls
    return new Promise((resolve) => {
      this.#waiting.set(call, resolve)
      channel.send({ call, tool, args: args ?? {} })
    })
  }

  /** Subscribes to values of these lists. Looks for the app as long as there are any. */
  watch(client: string, lists: readonly string[]): void {
    this.#watched = lists
    this.#cancelLook?.()
    this.#cancelLook = undefined
    void this.#open(client).then((channel) => {
      if (channel !== undefined) channel.send({ watch: [...lists] })
      this.#lookAgain(client)
    })
  }

  dispose(): void {
    this.#isDisposed = true
    this.#cancelLook?.()
    this.#channel?.close()
  }

  #lookAgain(client: string): void {
    if (this.#watched.length === 0 || this.#isDisposed) return
    this.#cancelLook?.()
    this.#cancelLook = this.#options.clock.after(
      lookAgainMs,
      () => void this.#open(client).then(() => this.#lookAgain(client)),
    )
  }

  async #open(client: string): Promise<Channel<FromAssistant> | undefined> {
    if (this.#channel !== undefined) return this.#channel
    this.#connecting ??= connectPrivately<FromAssistant>(this.#options.folder, (channel) => ({
      onMessage: (message) => this.#take(channel, message),
      onClosed: () => this.#closed(),
    })).then((channel) => {
      this.#connecting = undefined
      if (channel === undefined || this.#isDisposed) {
        channel?.close()
        return undefined
      }
      this.#channel = channel
      this.#bye = undefined
      channel.send({ hello: { version: wireVersion, client } })
      if (this.#watched.length > 0) channel.send({ watch: [...this.#watched] })
      return channel
    })
    return this.#connecting
  }

  #take(channel: Channel<FromAssistant>, message: unknown): void {
    const read = v.safeParse(fromAppSchema, message)
    if (read.success) this.#heard(read.output)
    else channel.close()
  }

  #heard(said: FromApp): void {
    if ('answered' in said) this.#settle(said.answered, ok(said.text))
    else if ('refused' in said) this.#settle(said.refused, { ok: false, problem: toProblem(said.problem) })
    else if ('changed' in said) this.#listener.onChanged(said.changed)
    else if ('bye' in said) this.#bye = toProblem(said.bye)
    else this.#listener.onListsChanged()
  }

  #settle(call: number, answer: Outcome<string> | undefined): void {
    this.#waiting.get(call)?.(answer)
    this.#waiting.delete(call)
  }

  /**
   * If the app has ended, the files answer the pending calls. If it refused the connection, its reason is the answer.
   */
  #closed(): void {
    this.#channel = undefined
    const bye = this.#bye
    const hasEnded = bye === undefined || bye.code === 'notRunning'
    for (const call of [...this.#waiting.keys()]) {
      this.#settle(call, hasEnded ? undefined : { ok: false, problem: bye })
    }
  }
}

/** The code comes from a program of possibly another version. Only the message is shown. */
function toProblem({ code, message }: { code: string; message: string }): Problem {
  return { code: code as ProblemCode, message }
}
