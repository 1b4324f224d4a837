import type { OfferedTool, ToolAnswer, ToolCall, ToolData, ToolResult } from '../../protocol/service-tools'
import { ok, failure, type IndexId, type Outcome, type Publication } from '../../core/model'
import { isIndexId } from '../../core/shapes'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { readPublication } from '../../core/publication'
import { isRecord, parseJson } from '../base/sanitize'
import type { ServiceToolsClient } from '../mcp/service-tools'

interface Options {
  clock: Clock
  newId: () => string
  /** The tools that connections offer now. */
  offered: () => readonly OfferedTool[]
  clientOf: (connectionId: string) => Pick<ServiceToolsClient, 'call'> | undefined
  onError: (error: unknown) => void
}

/** Past values from one connection. */
export interface LookedUpValues {
  connectionId: string
  connection: string
  values: Map<IndexId, Publication[]>
}

interface ToolCallEvents {
  changed: readonly ToolCall[]
  /** A tool returned past values. */
  valuesLookedUp: LookedUpValues
}

const maxCalls = 50
const maxKeptArguments = 2_000
/** Minimum time between progress updates to the window. */
const progressEveryMs = 250

const cancelledProblem = failure('cancelled', 'The call was cancelled.')

/** The user's calls of service tools, one at a time. The last fifty are kept until the app ends. */
export class ToolCalls {
  readonly events: Emitter<ToolCallEvents>
  readonly #options: Options
  #calls: ToolCall[] = []
  #last: ToolResult | undefined
  #running: AbortController | undefined

  constructor(options: Options) {
    this.#options = options
    this.events = new Emitter(options.onError)
  }

  /** Newest first. */
  get view(): readonly ToolCall[] {
    return this.#calls
  }

  /** Problems: `unknownTool`, `toolRunning`, `cancelled`, `badArguments` and those of the service. */
  async run(connectionId: string, name: string, argumentsJson: string): Promise<Outcome<ToolResult>> {
    const { clock, newId, offered, clientOf } = this.#options
    if (this.#running !== undefined) {
      return failure('toolRunning', 'Another tool is running. Wait for it or cancel it.')
    }
    const tool = offered().find((each) => each.name === name && each.connectionId === connectionId)
    const client = clientOf(connectionId)
    if (tool === undefined || client === undefined) {
      return failure('unknownTool', 'That tool is no longer available.')
    }
    const args = parseJson(argumentsJson)
    if (!isRecord(args)) return failure('badArguments', 'The arguments are not a JSON object.')
    const { connection, isDemo } = tool
    const call: ToolCall = {
      ...{ id: newId(), tool: name, connectionId, connection, isDemo, startedAtMs: clock.wallMs(), state: 'running' },
      ...(argumentsJson.length <= maxKeptArguments && { argumentsJson }),
    }
    const startedMs = clock.monotonicMs()
    const running = new AbortController()
    this.#running = running
    this.#put(call)
    let answered: Awaited<ReturnType<typeof client.call>>
    try {
      answered = await client.call(name, args, { signal: running.signal, onProgress: this.#progressOf(call.id) })
    } finally {
      this.#running = undefined
    }
    const durationMs = Math.round(clock.monotonicMs() - startedMs)
    if (running.signal.aborted) {
      this.#put({ ...call, state: 'cancelled', durationMs })
      return cancelledProblem
    }
    if (!answered.ok) {
      this.#put({ ...call, state: 'failed', durationMs, problem: answered.problem.message })
      return answered
    }
    const ended: ToolCall = { ...call, state: 'answered', durationMs }
    this.#last = { call: ended, answer: answered.value }
    this.#put(ended)
    this.#reportValues(ended, answered.value)
    return ok(this.#last)
  }

  /** Cancels the running call, if there is one. */
  cancel(): void {
    this.#running?.abort()
  }

  /** The result of the last call, if it has this id. */
  resultOf(callId: string): ToolResult | undefined {
    return this.#last?.call.id === callId ? this.#last : undefined
  }

  #progressOf(callId: string): (progress: { done: number; total?: number }) => void {
    let saidMs = Number.NEGATIVE_INFINITY
    return (progress) => {
      const nowMs = this.#options.clock.monotonicMs()
      const call = this.#calls.find(({ id }) => id === callId)
      if (call?.state !== 'running' || nowMs - saidMs < progressEveryMs) return
      saidMs = nowMs
      this.#put({ ...call, progress })
    }
  }

  #put(call: ToolCall): void {
    const isKnown = this.#calls.some(({ id }) => id === call.id)
    this.#calls = isKnown
      ? this.#calls.map((each) => (each.id === call.id ? call : each))
      : [call, ...this.#calls].slice(0, maxCalls)
    this.events.emit('changed', this.#calls)
  }

  #reportValues({ tool, connectionId, connection }: ToolCall, { data }: ToolAnswer): void {
    if (tool !== 'get_historical_results' || data === undefined) return
    const values = publicationsIn(data)
    if (values.size > 0) this.events.emit('valuesLookedUp', { connectionId, connection, values })
  }
}

/** The values in the results of `get_historical_results`. Failed lookups have none. */
function publicationsIn(data: ToolData): LookedUpValues['values'] {
  const found: LookedUpValues['values'] = new Map()
  const results = isRecord(data) ? data['results'] : undefined
  for (const result of Array.isArray(results) ? (results as unknown[]) : []) {
    if (!isRecord(result) || !isIndexId(result['index'])) continue
    const publication = readPublication(result)
    if (typeof publication === 'string') continue
    const publications = found.get(result['index']) ?? []
    found.set(result['index'], [...publications, publication])
  }
  return found
}
