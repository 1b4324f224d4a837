import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** Behaviour of a connection during a fault: slow, cut or silent. */
type Fault = 'latency' | 'bandwidth' | 'reset' | 'halfOpen' | 'slowClose' | 'refuse'

const faults: readonly Fault[] = ['latency', 'bandwidth', 'reset', 'halfOpen', 'slowClose', 'refuse']
/** Close to the service's normal rate in the soak, so that any additional request builds up a backlog. */
const slowBytesPerSecond = 8_000
const maxLatencyMs = 800

interface PlannedFault {
  readonly fault: Fault
  /** Milliseconds after the start of the plan. */
  readonly fromMs: number
  readonly toMs: number
}

/** A sequence of numbers in [0, 1), repeatable by seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Plans faults until `untilMs`, each after a calm of 20 to 80 s times `share`. Repeatable by seed. */
export function planFaults(seed: number, untilMs: number, share: number): PlannedFault[] {
  const random = randomFrom(seed)
  const plan: PlannedFault[] = []
  for (let atMs = 0; ;) {
    const fromMs = atMs + share * (20_000 + random() * 60_000)
    const fault = faults[Math.floor(random() * faults.length)] ?? 'reset'
    const toMs = fromMs + (fault === 'reset' ? 0 : share * (5_000 + random() * 35_000))
    if (toMs > untilMs) return plan
    plan.push({ fault, fromMs, toMs })
    atMs = toMs
  }
}

/** One direction of a connection. Forwards data in order, delayed as the fault requires. */
class Pipe {
  readonly #to: Socket
  readonly #waiting: { data: Buffer; dueMs: number }[] = []
  #lastDueMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(from: Socket, to: Socket, delayMs: (bytes: number) => { afterMs: number; takesMs: number } | 'never') {
    this.#to = to
    from.on('data', (data: Buffer) => {
      const delay = delayMs(data.length)
      if (delay === 'never') return
      const nowMs = performance.now()
      this.#lastDueMs = Math.max(this.#lastDueMs, nowMs + delay.afterMs) + delay.takesMs
      if (this.#waiting.length === 0 && this.#lastDueMs <= nowMs) {
        to.write(data)
        return
      }
      this.#waiting.push({ data, dueMs: this.#lastDueMs })
      this.#timer ??= setTimeout(() => this.#pass(), this.#lastDueMs - nowMs)
    })
    from.on('close', () => clearTimeout(this.#timer))
  }

  #pass(): void {
    this.#timer = undefined
    const nowMs = performance.now()
    while (this.#waiting[0] !== undefined && this.#waiting[0].dueMs <= nowMs) {
      const { data } = this.#waiting.shift() ?? {}
      if (data !== undefined && this.#to.writable) this.#to.write(data)
    }
    const next = this.#waiting[0]
    if (next === undefined) return
    this.#timer = setTimeout(() => this.#pass(), next.dueMs - nowMs)
  }
}

/** A local port that forwards to another one, over connections with injected faults. */
export class ChaosLine {
  readonly #server: Server
  readonly #lines = new Set<Socket>()
  readonly #random: () => number
  #fault: Fault | undefined

  private constructor(target: number, seed: number) {
    this.#random = randomFrom(seed)
    this.#server = createServer((near) => {
      if (this.#fault === 'refuse') {
        near.resetAndDestroy()
        return
      }
      const far = connect(target, '127.0.0.1')
      const delay = (bytes: number) => this.#delay(bytes)
      new Pipe(near, far, delay)
      new Pipe(far, near, delay)
      for (const [line, other] of [
        [near, far],
        [far, near],
      ] as const) {
        line.setNoDelay(true)
        this.#lines.add(line)
        line.on('error', () => undefined)
        line.on('close', () => {
          this.#lines.delete(line)
          other.destroy()
        })
      }
    })
  }

  static async open(target: number, seed: number): Promise<ChaosLine> {
    const line = new ChaosLine(target, seed)
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve))
    return line
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Lasts until `end`. */
  begin(fault: Fault): void {
    this.#fault = fault
    if (fault === 'reset' || fault === 'refuse') this.#resetAll()
    // Sends the close. Its last packet never arrives, so the connection stays half closed.
    if (fault === 'slowClose') for (const line of this.#lines) line.end()
  }

  end(): void {
    // Packets of a silent connection stay lost when the network returns.
    if (this.#fault === 'halfOpen' || this.#fault === 'slowClose') this.#resetAll()
    this.#fault = undefined
  }

  close(): void {
    this.#resetAll()
    this.#server.close()
  }

  #resetAll(): void {
    for (const line of this.#lines) line.resetAndDestroy()
  }

  #delay(bytes: number): { afterMs: number; takesMs: number } | 'never' {
    switch (this.#fault) {
      case 'halfOpen':
      case 'slowClose':
        return 'never'
      case 'latency':
        return { afterMs: this.#random() * maxLatencyMs, takesMs: 0 }
      case 'bandwidth':
        return { afterMs: 0, takesMs: (bytes / slowBytesPerSecond) * 1_000 }
      default:
        return { afterMs: 0, takesMs: 0 }
    }
  }
}
