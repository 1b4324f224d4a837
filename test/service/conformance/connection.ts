import { once as event } from 'node:events'
import * as v from 'valibot'
import { afterAll, expect, vi } from 'vitest'
import { WebSocket } from 'ws'
import { basic, service } from './service'
import { failedSubscribe } from './shapes'

export type Message = Record<string, unknown>

/** Credentials of a handshake. */
export interface Presented {
  readonly authorization?: string
  readonly protocols?: readonly string[]
}

/** Long enough for a busy machine. Shorter for a mutant, because some of its messages never come. */
const maxWaitMs = process.env['INDEXWATCH_MUTANT'] === undefined ? 30_000 : 8_000
/** No index has such an id. */
const fencePrefix = 'NO_SUCH_FENCE_'
const opened = new Set<WebSocket>()

afterAll(() => {
  for (const socket of opened) socket.terminate()
})

function socketOf({ authorization, protocols = [] }: Presented): WebSocket {
  const headers = authorization === undefined ? {} : { authorization }
  const socket = new WebSocket(service.ws, [...protocols], { headers })
  opened.add(socket)
  socket.on('error', () => undefined)
  return socket
}

/** A plain client of the stream that keeps every message. It knows only that messages are JSON. */
export class Connection {
  readonly socket: WebSocket
  readonly #received: Message[] = []
  #fences = 0

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data: Buffer) => this.#received.push(JSON.parse(data.toString()) as Message))
  }

  /** Every message so far, oldest first. */
  get received(): readonly Message[] {
    return this.#received.filter(({ id }) => !(typeof id === 'string' && id.startsWith(fencePrefix)))
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message))
  }

  subscribe(stream: string, id: string, others: object = {}): void {
    this.send({ type: 'subscribe', stream, id, ...others })
  }

  unsubscribe(stream: string, id: string): void {
    this.send({ type: 'unsubscribe', stream, id })
  }

  /** The messages of one index on one channel. */
  of(type: string, id: string): Message[] {
    return this.received.filter((message) => message['type'] === type && message['id'] === id)
  }

  /** Waits for this many messages of an index and returns all that arrived. */
  async some(count: number, type: string, id: string): Promise<Message[]> {
    await waitUntil(() => {
      const { length } = this.of(type, id)
      if (length < count) throw new Error(`${length} instead of ${count} messages "${type}" of ${id}`)
    })
    return this.of(type, id)
  }

  /**
   * Waits until the service has handled everything sent. It then answers a last subscription, which must fail
   * (protocol, 2.6). Returns every message so far.
   */
  async settled(): Promise<readonly Message[]> {
    const fence = `${fencePrefix}${this.#fences++}`
    this.subscribe('value', fence)
    await waitUntil(() => {
      if (!this.#received.some(({ id }) => id === fence)) throw new Error(`no answer to the unknown id ${fence}`)
    })
    return this.received
  }

  /** Requests the info message. Only one request at a time. */
  async info(): Promise<Message> {
    const known = this.received.filter(({ type }) => type === 'info').length
    this.send({ type: 'info' })
    return waitUntil(() => {
      const answer = this.received.filter(({ type }) => type === 'info')[known]
      if (answer === undefined) throw new Error('no info response')
      return answer
    })
  }
}

/** Connects, by HTTP Basic by default. Rejects when the handshake is refused. */
export async function connect(presented: Presented = { authorization: basic() }): Promise<Connection> {
  const socket = socketOf(presented)
  const connection = new Connection(socket)
  await event(socket, 'open')
  return connection
}

/** Subscribes on a new connection and expects exactly one refusal (protocol, 2.6). */
export async function expectRefused(stream: string, id: string): Promise<void> {
  const connection = await connect()
  connection.subscribe(stream, id)
  const [refusal, ...others] = await connection.settled()
  v.parse(failedSubscribe(stream, id), refusal)
  expect(others).toEqual([])
}

/** Whether the service refuses these credentials: at the handshake, soon after, or by sending nothing. */
export async function isRefused(presented: Presented, id: string): Promise<boolean> {
  const socket = socketOf(presented)
  const connection = new Connection(socket)
  const opens = new Promise<boolean>((resolve) => socket.once('open', () => resolve(true)))
  // A refused handshake ends with this event as well.
  const isGone = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)))
  if (!(await Promise.race([opens, isGone.then(() => false)]))) return true
  connection.subscribe('value', id)
  const isSilent = connection.some(1, 'value', id).then(
    () => false,
    () => true,
  )
  return Promise.race([isGone, isSilent])
}

/** Repeats a check until it passes. Fails with its last error when that takes too long. */
export function waitUntil<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: maxWaitMs, interval: 10 })
}
