import { jetstreamManager } from '@nats-io/jetstream'
import { connect as connectNats } from '@nats-io/transport-node'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { toDeskEvent } from '../../core/desk'
import { DeskLink } from '../../main/desk/link'
import { startSeat, valueOf } from '../support/desk-parts'
import { MemoryJsonFile } from '../support/memory-json-file'
import { NatsServer } from '../support/nats-server'
import { firedEvent, levelDraft } from '../support/sample-alerts'

interface Signed {
  address: string
  signIn?: { user: string; password: string }
}

const accessOf = (signed: Signed) => ({ name: 'london', ...signed })

async function startServer(): Promise<NatsServer> {
  const server = await NatsServer.start()
  onTestFinished(() => server.dispose())
  return server
}

/** A watcher without rules. Returns a function that publishes an event at this time, after the time before it. */
async function publisher(signed: Signed) {
  const link = valueOf(await DeskLink.open(accessOf(signed), 'watch-1'))
  onTestFinished(() => link.close())
  // The nodes of a new cluster do not know each other at once.
  await expect.poll(() => link.begin(), { timeout: 60_000 }).toMatchObject({ ok: true })
  let lastSeq = valueOf(await link.lead('watch-1'))
  return async (publishedAtMs: number) => {
    const fired = firedEvent(1, levelDraft('100'))
    const message = toDeskEvent({ ...fired, inputs: { ...fired.inputs, publishedAtMs } }, 'watch-1')
    if (message === undefined) throw new Error('no message')
    // A server that is back is not ready at once.
    await expect
      .poll(async () => {
        const published = await link.publish(message, lastSeq)
        if (published.ok && published.value.kind === 'stored') lastSeq = published.value.seq
        else if (published.ok) lastSeq = valueOf(await link.stream()).lastSeq
        return published
      })
      .toMatchObject({ value: { kind: 'stored' } })
  }
}

async function seat(signed: Signed, more: Partial<Parameters<typeof startSeat>[0]> = {}) {
  const started = await startSeat({ access: accessOf(signed), ...more })
  onTestFinished(started.stop)
  return { ...started, times: () => started.inbox().map(({ inputs }) => inputs.publishedAtMs) }
}

test('an event that a seat was storing when it ended comes first in its next run', async () => {
  const server = await startServer()
  const publish = await publisher(server)
  const memory = new MemoryJsonFile()
  let count = 0
  const store = () => {
    count++
    return new Promise<never>(() => undefined)
  }
  const killed = await startSeat({ access: accessOf(server), memory, store })
  await publish(1_000)
  await expect.poll(() => count).toBe(1)
  await killed.link.close()
  await publish(2_000)
  const back = await seat(server, { memory: memory.reopened() })
  await publish(3_000)
  await expect.poll(back.times, { timeout: 60_000 }).toEqual([3_000, 2_000, 1_000])
})

test('an event that was sent into a dead connection comes after the reconnect', async () => {
  const server = await startServer()
  const publish = await publisher(server)
  const line = await openLine(server.port)
  const ana = await seat(line)
  await publish(1_000)
  await expect.poll(ana.times).toEqual([1_000])
  const bytes = line.lose()
  await publish(2_000)
  await expect.poll(bytes).toBeGreaterThan(200)
  line.cut()
  await expect.poll(ana.times, { timeout: 60_000 }).toEqual([2_000, 1_000])
  await publish(3_000)
  await expect.poll(ana.times).toEqual([3_000, 2_000, 1_000])
  expect(ana.inbox().map(({ desk }) => desk?.isLate)).toEqual([false, false, false])
})

test('a seat gets events in order after its server was killed and is back', async () => {
  const server = await startServer()
  const publish = await publisher(server)
  const ana = await seat(server)
  await publish(1_000)
  await expect.poll(ana.times).toEqual([1_000])
  await server.stop()
  await server.begin()
  await publish(2_000)
  await expect.poll(ana.times, { timeout: 60_000 }).toEqual([2_000, 1_000])
  expect(ana.notices).toEqual([])
})

test('a seat gets the events that took the numbers of those which the server lost', async () => {
  const server = await startServer()
  const publish = await publisher(server)
  const memory = new MemoryJsonFile()
  const ana = await startSeat({ access: accessOf(server), memory })
  await publish(1_000)
  await server.stop()
  const bringBack = server.keepData()
  await server.begin()
  for (const atMs of [2_000, 3_000]) await publish(atMs)
  await expect.poll(() => ana.inbox().length, { timeout: 60_000 }).toBe(3)
  await ana.stop()
  await server.stop()
  bringBack()
  await server.begin()
  for (const atMs of [4_000, 5_000, 6_000]) await publish(atMs)
  const back = await seat(server, { memory: memory.reopened(), judging: ana.judging })
  await expect.poll(back.times, { timeout: 60_000 }).toEqual([6_000, 5_000, 4_000, 3_000, 2_000, 1_000])
})

test('a seat of a desk that was begun again while it ran gets the first events of the new one', async () => {
  const server = await startServer()
  const publish = await publisher(server)
  const ana = await seat(server)
  for (const atMs of [1_000, 2_000, 3_000]) await publish(atMs)
  await expect.poll(ana.times).toEqual([3_000, 2_000, 1_000])
  const admin = await connectNats({ servers: server.address })
  await (await jetstreamManager(admin)).streams.delete('DESK_london')
  await admin.close()
  await (
    await publisher(server)
  )(4_000)
  await expect.poll(ana.times, { timeout: 60_000 }).toEqual([4_000, 3_000, 2_000, 1_000])
  expect(ana.notices.at(-1)).toContain('was begun again on its server')
})

test('a seat gets events while the node of a cluster that delivered them stays lost', async () => {
  const nodes = await NatsServer.startCluster()
  for (const node of nodes) onTestFinished(() => node.dispose())
  const [home] = nodes
  if (home === undefined) throw new Error('no node')
  const signed = { address: home.address, signIn: { user: 'd', password: 'd' } }
  await expect.poll(async () => (await DeskLink.open(accessOf(signed), 'admin')).ok, { timeout: 60_000 }).toBe(true)
  const publish = await publisher(signed)
  const admin = await connectNats({ servers: home.address.replace('nats://', ''), user: 'd', pass: 'd' })
  onTestFinished(() => admin.close())
  const manager = await jetstreamManager(admin)
  const delivering = async () => {
    for await (const { num_waiting, cluster } of manager.consumers.list('DESK_london'))
      if (num_waiting > 0) return nodes.findIndex(({ port }) => cluster?.leader === `n${port}`)
    return -1
  }
  let ana = await seat(signed)
  // The server chooses the node. The one that the seat is connected to would cut its connection.
  while ((await delivering()) <= 0) {
    await ana.stop()
    ana = await seat(signed)
  }
  await publish(1_000)
  await expect.poll(ana.times).toEqual([1_000])
  await nodes[await delivering()]?.stop()
  await publish(2_000)
  await expect.poll(ana.times, { timeout: 60_000 }).toEqual([2_000, 1_000])
})

/** A connection to this port that can lose what the server sends, and that can be cut. */
async function openLine(port: number) {
  const pairs = new Set<Socket>()
  let isLosing = false
  let lostBytes = 0
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    pairs.add(near).add(far)
    near.on('data', (data) => far.write(data))
    far.on('data', (data) => {
      if (isLosing) lostBytes += data.length
      else near.write(data)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => undefined)
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    isLosing = false
    for (const each of pairs) each.destroy()
    pairs.clear()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  const lose = () => {
    isLosing = true
    return () => lostBytes
  }
  return { address: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`, lose, cut }
}
