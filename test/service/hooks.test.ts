import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { expect, test } from 'vitest'
import { startSimulator } from '../../simulator/server'
import { eventually } from '../support/eventually'
import { basic, connect, get, openClient, openSimulator, openTickClients, refusalOf } from './stream-client'

const noonMs = Date.UTC(2023, 10, 1, 12)

/** Tries to connect. Resolves with `open` or the error code. */
async function reach(port: number): Promise<string> {
  const socket = connectTcp(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return 'open'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  } finally {
    socket.destroy()
  }
}

test('hook: dropped connections end without a close frame, and new ones are accepted', async () => {
  const { simulator, clock, client } = await openClient('BRTI')
  simulator.dropConnections()
  expect((await client.closed).code).toBe(1006)
  const again = await connect(simulator)
  expect(await again.settled()).toEqual([])
  again.subscribe('BRTI')
  await again.settled()
  clock.advance(1_000)
  expect(await again.settled()).toHaveLength(2)
})

test('hook: a stopped service refuses, and after a restart the market has moved on', async () => {
  const { simulator, clock } = await openSimulator()
  const { port } = simulator
  const client = await connect(simulator)
  await simulator.stop()
  expect((await client.closed).code).toBe(1006)
  expect(await reach(port)).toBe('ECONNREFUSED')
  clock.advance(5_000)
  await simulator.start()
  expect([simulator.port, await reach(port)]).toEqual([port, 'open'])
  const again = await connect(simulator)
  again.subscribe('BRTI')
  expect((await again.messages())[0]?.['time']).toBe(noonMs + 5_000)
})

test('hook: an exact publication reaches the subscribers of its resolution, and REST', async () => {
  const { simulator, everyTick, everySecond } = await openTickClients()
  simulator.publish('BRTI', { time: noonMs + 200, value: '1.230' })
  simulator.publish('BRTI', { time: noonMs + 1_000, value: '4.560', amendTime: noonMs + 2_000 })
  expect((await everyTick.settled()).slice(1)).toEqual([
    '{"type":"value","time":1698840000200,"id":"BRTI","value":"1.230"}',
    '{"type":"value","time":1698840001000,"id":"BRTI","value":"4.560","amendTime":1698840002000}',
  ])
  expect((await everySecond.settled()).slice(1)).toEqual((await everyTick.settled()).slice(2))
  const { payload } = (await get(simulator, '/api/v1/latest_values?id=BRTI')).body
  const latest = { time: noonMs + 1_000, value: '4.560', amendTime: noonMs + 2_000 }
  expect(payload).toEqual({ latest_values: { BRTI: latest } })
})

test('hook: an exact publication of an unknown index is the caller’s error', async () => {
  const { simulator } = await openSimulator()
  expect(() => simulator.publish('NO_SUCH', { time: noonMs, value: '1' })).toThrow(RangeError)
  expect(() => simulator.publish('BRR', { time: noonMs + 200, value: '1' })).toThrow(RangeError)
  expect(() => simulator.publish('BRTI', { time: noonMs + 200, value: '1' })).not.toThrow()
})

test('hook: a held market publishes nothing by itself until it is released', async () => {
  const { simulator, clock, client } = await openClient('BRTI')
  simulator.holdMarket()
  clock.advance(5_000)
  expect(await client.settled()).toHaveLength(1)
  simulator.publish('BRTI', { time: noonMs + 3_000, value: '7.00' })
  expect((await get(simulator, '/api/v1/latest_values?id=BRTI')).body).toEqual({
    serverTime: '2023-11-01T12:00:05.000Z',
    payload: { latest_values: { BRTI: { time: noonMs + 3_000, value: '7.00' } } },
  })
  simulator.releaseMarket()
  clock.advance(1_000)
  expect((await client.messages()).at(-1)?.['time']).toBe(noonMs + 6_000)
})

test('hook: raw text is sent to every client unchanged', async () => {
  const { simulator } = await openSimulator()
  const clients = [await connect(simulator), await connect(simulator)]
  simulator.sendRaw('{"type":')
  for (const client of clients) expect(await client.settled()).toEqual(['{"type":'])
})

test('hook: a revoked key closes its connections and is refused until it is restored', async () => {
  const { simulator } = await openSimulator()
  const headers = { authorization: basic() }
  const client = await connect(simulator)
  simulator.revokeKey()
  expect(await client.closed).toEqual({ code: 1008, reason: 'The key was revoked' })
  expect(await refusalOf(simulator.wsUrl, { headers })).toBe(401)
  expect((await get(simulator, '/api/v1/indices')).status).toBe(401)
  simulator.restoreKey()
  await connect(simulator)
  expect((await get(simulator, '/api/v1/indices')).status).toBe(200)
})

test('hook: handshakes, connections, commands and requests are counted', async () => {
  const { simulator, client } = await openClient()
  client.send({ type: 'info' })
  client.subscribe('BRTI')
  await client.settled()
  await get(simulator, '/api/v1/indices')
  // The third command is the one with which `settled` waits.
  expect(simulator.counts).toEqual({ handshakes: 1, refusedHandshakes: 0, connections: 1, commands: 3, requests: 1 })
  client.socket.close()
  await eventually(() => expect(simulator.counts.connections).toBe(0))
})

test('hook: a client that does not read is cut; one that reads gets everything', async () => {
  const { simulator } = await openSimulator()
  const [slow, fast] = [await connect(simulator), await connect(simulator)]
  slow.socket.pause()
  const megabyte = `"${'x'.repeat(1_000_000)}"`
  for (let sent = 1; sent <= 40; sent++) {
    simulator.sendRaw(megabyte)
    await eventually(() => expect(fast.frames).toHaveLength(sent))
  }
  expect(simulator.counts.connections).toBe(1)
  slow.socket.resume()
  expect((await slow.closed).code).toBe(1006)
  expect(fast.socket.readyState).toBe(fast.socket.OPEN)
})

test('hook: closing sends 1001, frees the port and leaves no timer', async () => {
  const { simulator, clock, client } = await openClient('BRTI')
  expect(clock.pending).toBe(1)
  await simulator.close()
  expect(await client.closed).toEqual({ code: 1001, reason: 'The service is ending' })
  expect([await reach(simulator.port), clock.pending]).toEqual(['ECONNREFUSED', 0])
})

test('hook: a port in use is reported', async () => {
  const { simulator } = await openSimulator()
  const second = startSimulator({ port: simulator.port })
  await expect(second).rejects.toMatchObject({ isTaken: true, message: `Port ${simulator.port} is in use.` })
})
