import { once } from 'node:events'
import { afterEach } from 'vitest'
import { WebSocket, type ClientOptions } from 'ws'
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/server'
import { eventually } from '../support/eventually'
import { FakeClock } from '../support/fake-clock'

const key = { id: 'tester', secret: 'open-sesame' }
const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
})

/** A simulator on a clock that the test moves. It ends with the test. */
export async function openSimulator(
  options: SimulatorOptions & { startMs?: number } = {},
): Promise<{ simulator: Simulator; clock: FakeClock }> {
  const clock = new FakeClock(options.startMs)
  const simulator = await startSimulator({ clock, key, ...options })
  cleanups.push(() => simulator.close())
  return { simulator, clock }
}

export function basic(id = key.id, secret = key.secret): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}

/** A plain WebSocket client that keeps every message. It knows nothing of the protocol. */
export class StreamClient {
  /** Text of every message, oldest first. */
  readonly frames: string[] = []
  readonly socket: WebSocket
  /** Resolves with the close code and reason. */
  readonly closed: Promise<{ code: number; reason: string }>
  #fences = 0

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data: Buffer) => this.frames.push(data.toString()))
    socket.on('error', () => undefined)
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
    })
  }

  send(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  subscribe(id: string, maxResolution?: string): void {
    this.send({ type: 'subscribe', stream: 'value', id, ...(maxResolution !== undefined && { maxResolution }) })
  }

  /** Waits until the service has answered everything sent so far. Returns all messages. */
  async settled(): Promise<string[]> {
    const id = `FENCE ${this.#fences++}`
    this.send({ type: 'subscribe', stream: 'value', id })
    await eventually(() => {
      if (!this.frames.some((frame) => frame.includes(id))) throw new Error(`no answer to ${id}`)
    })
    return this.frames.filter((frame) => !frame.includes('FENCE'))
  }

  /** Like `settled`, parsed as JSON. */
  async messages(): Promise<Record<string, unknown>[]> {
    return (await this.settled()).map((frame) => JSON.parse(frame) as Record<string, unknown>)
  }
}

/** Connects with the key, or with the given options. */
export async function connect(
  simulator: Simulator,
  { protocols = [], ...options }: ClientOptions & { protocols?: string[] } = { headers: { authorization: basic() } },
): Promise<StreamClient> {
  const client = new StreamClient(new WebSocket(simulator.wsUrl, protocols, options))
  cleanups.push(() => client.socket.terminate())
  await once(client.socket, 'open')
  return client
}

/** A simulator and a client that is subscribed to these indices and has received their first values. */
export async function openClient(...ids: string[]) {
  const opened = await openSimulator()
  const client = await connect(opened.simulator)
  for (const id of ids) client.subscribe(id)
  if (ids.length > 0) await client.settled()
  return { ...opened, client }
}

/** A simulator and two clients that have the first value of BRTI. One gets every tick, the other one value a second. */
export async function openTickClients() {
  const opened = await openSimulator()
  const everyTick = await connect(opened.simulator)
  const everySecond = await connect(opened.simulator)
  everyTick.subscribe('BRTI', 'PER_200MS')
  everySecond.subscribe('BRTI')
  await Promise.all([everyTick.settled(), everySecond.settled()])
  return { ...opened, everyTick, everySecond }
}

/** Returns the HTTP status of a refused handshake. */
export async function refusalOf(
  url: string,
  { protocols = [], ...options }: ClientOptions & { protocols?: string[] } = {},
): Promise<number> {
  const socket = new WebSocket(url, protocols, options)
  socket.on('error', () => undefined)
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
  socket.terminate()
  return response.statusCode
}

/** The response to a GET, as status, headers and parsed envelope. */
export async function get(
  simulator: Simulator,
  path: string,
  init: RequestInit = { headers: { authorization: basic() } },
): Promise<{ status: number; headers: Headers; body: { serverTime: string; payload?: unknown; error?: string } }> {
  const response = await fetch(`${simulator.restUrl}${path}`, init)
  const body = (await response.json()) as { serverTime: string; payload?: unknown; error?: string }
  return { status: response.status, headers: response.headers, body }
}
