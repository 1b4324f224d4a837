import { once as event } from 'node:events'
import { afterAll, vi } from 'vitest'
import { WebSocket } from 'ws'
import { basic, service } from './service'

export type Message = Record<string, unknown>

/** How a client presents itself at the handshake. */
export interface Presented {
  readonly authorization?: string
  readonly protocols?: readonly string[]
}

const longestWaitMs = 8_000
/** No index is called so. */
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

/** A plain client of the stream that keeps what it hears. It knows that messages are JSON, and nothing else. */
export class Connection {
  readonly socket: WebSocket
  readonly #received: Message[] = []
  #fences = 0

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data: Buffer) => this.#received.push(JSON.parse(data.toString()) as Message))
  }

  /** Everything heard so far, oldest first. */
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

  /** What was heard of one index on one channel. */
  of(type: string, id: string): Message[] {
    return this.received.filter((message) => message['type'] === type && message['id'] === id)
  }

  /** Waits until so many messages of an index are here, and answers all that came. */
  async some(count: number, type: string, id: string): Promise<Message[]> {
    await waitUntil(() => {
      const { length } = this.of(type, id)
      if (length < count) throw new Error(`${length} instead of ${count} messages "${type}" of ${id}`)
    })
    return this.of(type, id)
  }

  /**
   * Waits until the service has handled all that was sent, which is when it has answered a subscription that must fail
   * (spec 2.6), and answers everything heard so far.
   */
  async settled(): Promise<readonly Message[]> {
    const fence = `${fencePrefix}${this.#fences++}`
    this.subscribe('value', fence)
    await waitUntil(() => {
      if (!this.#received.some(({ id }) => id === fence)) throw new Error(`no answer to the unknown id ${fence}`)
    })
    return this.received
  }

  /** The info response; one question at a time. */
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

/** Connects, by HTTP Basic unless told otherwise. Rejects when the handshake is refused. */
export async function connect(presented: Presented = { authorization: basic() }): Promise<Connection> {
  const socket = socketOf(presented)
  const connection = new Connection(socket)
  await event(socket, 'open')
  return connection
}

/** Whether a client who presents itself so is turned away: at the handshake, soon after, or by hearing nothing. */
export async function isTurnedAway(presented: Presented, id: string): Promise<boolean> {
  const socket = socketOf(presented)
  const connection = new Connection(socket)
  const opens = new Promise<boolean>((resolve) =>
    socket.once('open', () => {
      resolve(true)
    }),
  )
  // A refused handshake ends with this event as well.
  const isGone = new Promise<boolean>((resolve) =>
    socket.once('close', () => {
      resolve(true)
    }),
  )
  if (!(await Promise.race([opens, isGone.then(() => false)]))) return true
  connection.subscribe('value', id)
  const heard = connection.some(1, 'value', id).then(
    () => false,
    () => true,
  )
  return Promise.race([isGone, heard])
}

/** Repeats a check until it passes; fails with its last error when that takes too long. */
export function waitUntil<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: longestWaitMs, interval: 10 })
}
