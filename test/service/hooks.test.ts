import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { expect, test } from 'vitest'
import { startSimulator } from '../../simulator/server'
import { eventually } from '../support/eventually'
import { basic, connect, get, openSimulator, refusalOf } from './stream-client'

const noonMs = Date.UTC(2023, 10, 1, 12)

/** `open`, or the error code with which this machine refuses. */
async function reach(port: number): Promise<string> {
  const line = connectTcp(port, '127.0.0.1')
  try {
    await once(line, 'connect')
    return 'open'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  } finally {
    line.destroy()
  }
}

test('hook: dropped connections end without a goodbye, and new ones are welcome', async () => {
  const { simulator, clock } = await openSimulator()
  const client = await connect(simulator)
  client.subscribe('BRTI')
  await client.heard()
  simulator.dropConnections()
  expect((await client.closed).code).toBe(1006)
  const again = await connect(simulator)
  expect(await again.heard()).toEqual([])
  again.subscribe('BRTI')
  await again.heard()
  clock.advance(1_000)
  expect(await again.heard()).toHaveLength(2)
})

test('hook: stopped, the port refuses; started again it is the same port and the market has gone on', async () => {
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

test('hook: an exact publication reaches who hears it by its time, and REST', async () => {
  const { simulator } = await openSimulator()
  const [everyTick, everySecond] = [await connect(simulator), await connect(simulator)]
  everyTick.subscribe('BRTI', 'PER_200MS')
  everySecond.subscribe('BRTI')
  await Promise.all([everyTick.heard(), everySecond.heard()])
  simulator.publish('BRTI', { time: noonMs + 200, value: '1.230' })
  simulator.publish('BRTI', { time: noonMs + 1_000, value: '4.560', amendTime: noonMs + 2_000 })
  expect((await everyTick.heard()).slice(1)).toEqual([
    '{"type":"value","time":1698840000200,"id":"BRTI","value":"1.230"}',
    '{"type":"value","time":1698840001000,"id":"BRTI","value":"4.560","amendTime":1698840002000}',
  ])
  expect((await everySecond.heard()).slice(1)).toEqual((await everyTick.heard()).slice(2))
  const { payload } = (await get(simulator, '/api/v1/latest_values?id=BRTI')).body
  const latest = { time: noonMs + 1_000, value: '4.560', amendTime: noonMs + 2_000 }
  expect(payload).toEqual({ latest_values: { BRTI: latest } })
})

test('hook: an exact publication of an unknown index, or where the index has no ticks, is the caller’s mistake', async () => {
  const { simulator } = await openSimulator()
  expect(() => {
    simulator.publish('NO_SUCH', { time: noonMs, value: '1' })
  }).toThrow(RangeError)
  expect(() => {
    simulator.publish('BRR', { time: noonMs + 200, value: '1' })
  }).toThrow(RangeError)
  expect(() => {
    simulator.publish('BRTI', { time: noonMs + 200, value: '1' })
  }).not.toThrow()
})

test('hook: a held market publishes nothing by itself until it is released', async () => {
  const { simulator, clock } = await openSimulator()
  const client = await connect(simulator)
  client.subscribe('BRTI')
  await client.heard()
  simulator.holdMarket()
  clock.advance(5_000)
  expect(await client.heard()).toHaveLength(1)
  simulator.publish('BRTI', { time: noonMs + 3_000, value: '7.00' })
  expect((await get(simulator, '/api/v1/latest_values?id=BRTI')).body).toEqual({
    serverTime: '2023-11-01T12:00:05.000Z',
    payload: { latest_values: { BRTI: { time: noonMs + 3_000, value: '7.00' } } },
  })
  simulator.releaseMarket()
  clock.advance(1_000)
  expect((await client.messages()).at(-1)?.['time']).toBe(noonMs + 6_000)
})

test('hook: raw text goes to every client as it is', async () => {
  const { simulator } = await openSimulator()
  const clients = [await connect(simulator), await connect(simulator)]
  simulator.sendRaw('{"type":')
  for (const client of clients) expect(await client.heard()).toEqual(['{"type":'])
})

test('hook: a revoked key sends its users away and opens nothing until it is restored', async () => {
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
  const { simulator } = await openSimulator()
  const client = await connect(simulator)
  client.send({ type: 'info' })
  client.subscribe('BRTI')
  await client.heard()
  await get(simulator, '/api/v1/indices')
  // The third command is the one by which the test waits.
  expect(simulator.counts).toEqual({ handshakes: 1, refusedHandshakes: 0, connections: 1, commands: 3, requests: 1 })
  client.socket.close()
  await eventually(() => {
    expect(simulator.counts.connections).toBe(0)
  })
})

test('hook: a client that does not read is cut; one that reads gets everything', async () => {
  const { simulator } = await openSimulator()
  const [lazy, eager] = [await connect(simulator), await connect(simulator)]
  lazy.socket.pause()
  const megabyte = `"${'x'.repeat(1_000_000)}"`
  for (let sent = 1; sent <= 40; sent++) {
    simulator.sendRaw(megabyte)
    await eventually(() => {
      expect(eager.frames).toHaveLength(sent)
    })
  }
  expect(simulator.counts.connections).toBe(1)
  lazy.socket.resume()
  expect((await lazy.closed).code).toBe(1006)
  expect(eager.socket.readyState).toBe(eager.socket.OPEN)
})

test('hook: closing says goodbye with 1001, frees the port and leaves no timer', async () => {
  const { simulator, clock } = await openSimulator()
  const client = await connect(simulator)
  client.subscribe('BRTI')
  await client.heard()
  expect(clock.pending).toBe(1)
  await simulator.close()
  expect(await client.closed).toEqual({ code: 1001, reason: 'The service is ending' })
  expect([await reach(simulator.port), clock.pending]).toEqual(['ECONNREFUSED', 0])
})

test('hook: a port in use is named', async () => {
  const { simulator } = await openSimulator()
  const second = startSimulator({ port: simulator.port })
  await expect(second).rejects.toMatchObject({ isTaken: true, message: `Port ${simulator.port} is in use.` })
})
