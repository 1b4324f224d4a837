import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A sequence of numbers in [0, 1), repeatable by seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Forwards data in pieces of 1 to `maxBytes` bytes, sometimes with a pause of a few event loop turns. */
function passOn(from: Socket, to: Socket, random: () => number, maxBytes: number): void {
  let waiting = Buffer.alloc(0)
  let isPassing = false
  const pass = () => {
    isPassing = waiting.length > 0 && to.writable
    if (!isPassing) return
    const size = 1 + Math.floor(random() * maxBytes)
    to.write(waiting.subarray(0, size))
    waiting = waiting.subarray(size)
    if (random() < 0.1) setTimeout(pass, random() * 5)
    else setImmediate(pass)
  }
  from.on('data', (data: Buffer) => {
    waiting = Buffer.concat([waiting, data])
    if (!isPassing) pass()
  })
  from.on('close', () => to.destroy())
  from.on('error', () => to.destroy())
}

/**
 * Starts a slow proxy to a local port and returns its own port. It ends with the test. The seed makes its behaviour
 * repeatable.
 */
export async function openSlowLine(port: number, { seed = 1, maxBytes = 7 } = {}): Promise<number> {
  const random = randomFrom(seed)
  const lines = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const line of [near, far]) line.setNoDelay(true)
    lines.add(near).add(far)
    passOn(near, far, random, maxBytes)
    passOn(far, near, random, maxBytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const line of lines) line.destroy()
  })
  return (server.address() as AddressInfo).port
}
