import { expect, test } from 'vitest'
import { scenarioNames, type ScenarioName } from '../../../../simulator/faults/scenarios'
import { basic, connect, get, openClient, refusalOf, type StreamClient } from '../../../service/stream-client'
import { eventually } from '../../../support/eventually'

const headers = { authorization: basic() }

/** A simulator and a client with every second of BRTI. The client has the first value before a scenario begins. */
async function bench(scenario?: ScenarioName) {
  const { simulator, clock, client } = await openClient('BRTI')
  if (scenario !== undefined) simulator.playScenario(scenario)
  const advance = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000)
      await client.settled()
    }
  }
  return { simulator, clock, client, advance }
}

/** Times of the received values, in seconds since the first. */
async function timesOf(client: StreamClient): Promise<number[]> {
  const times = (await client.messages()).map(({ time }) => Number(time))
  return times.map((time) => (time - (times[0] ?? 0)) / 1_000)
}

test.each<[ScenarioName, number[]]>([
  ['duplicate', [0, 1, 1, 2, 2, 3, 3, 4, 4]],
  ['reorder', [0, 2, 1, 4, 3]],
  ['gap', [0, 1, 2, 3, 4, 6]],
])('%s: updates arrive altered, and unaltered after the scenario ends', async (name, expected) => {
  const { simulator, client, advance } = await bench(name)
  await advance(name === 'gap' ? 6 : 4)
  expect(await timesOf(client)).toEqual(expected)
  simulator.endScenario()
  client.frames.length = 0
  await advance(3)
  expect(await timesOf(client)).toEqual([0, 1, 2])
})

test('a client that connects later is affected too', async () => {
  const { simulator } = await bench('duplicate')
  const late = await connect(simulator)
  late.subscribe('BRTI')
  expect(await timesOf(late)).toEqual([0, 0])
})

test('burst: nothing for five seconds, then everything at once, repeated after a calm', async () => {
  const { client, advance } = await bench('burst')
  await advance(4)
  expect(await timesOf(client)).toEqual([0])
  await advance(1)
  expect((await timesOf(client)).length).toBeGreaterThanOrEqual(5)
  await advance(4)
  expect(await timesOf(client)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  await advance(3)
  expect((await timesOf(client)).length).toBeLessThan(12)
})

test('silent-stall: commands are answered, updates are not sent, then or later', async () => {
  const { client, advance } = await bench('silent-stall')
  await advance(19)
  expect(await timesOf(client)).toEqual([0])
  await advance(3)
  const times = await timesOf(client)
  expect(times.length).toBeLessThan(5)
  expect(times.at(-1)).toBe(22)
})

test('half-open: pings are unanswered and the connection stays open until it is cut', async () => {
  const { simulator, clock, client } = await bench()
  let pongs = 0
  client.socket.on('pong', () => pongs++)
  simulator.playScenario('half-open')
  client.socket.ping()
  const fresh = await connect(simulator)
  fresh.subscribe('BRTI')
  expect(await fresh.settled()).toHaveLength(1)
  expect([pongs, client.socket.readyState]).toEqual([0, client.socket.OPEN])
  clock.advance(60_000)
  expect((await client.closed).code).toBe(1006)
  expect(fresh.socket.readyState).toBe(fresh.socket.OPEN)
})

test('drop: connections are cut again and again, new ones are accepted', async () => {
  const { simulator, clock, client } = await bench('drop')
  expect((await client.closed).code).toBe(1006)
  const again = await connect(simulator)
  clock.advance(19_000)
  expect(await again.settled()).toEqual([])
  clock.advance(1_000)
  expect((await again.closed).code).toBe(1006)
})

test('amend-late: a value of a minute ago is sent again with other digits', async () => {
  const { simulator, client } = await bench('amend-late')
  const [first, amended] = await client.messages()
  expect(Number(first?.['time']) - Number(amended?.['time'])).toBe(60_000)
  expect(amended?.['amendTime']).toBe(first?.['time'])
  const rows = (await get(simulator, '/api/v1/values?id=BRTI')).body.payload as { time: number; value: string }[]
  expect(rows.find(({ time }) => time === amended?.['time'])).toMatchObject({ value: amended?.['value'] })
})

test('garbage: unreadable messages are sent between the updates, all of which arrive', async () => {
  const { client, advance } = await bench('garbage')
  await advance(10)
  const frames = await client.settled()
  expect(
    frames.filter((frame) => /^\{"type":"value","time":\d+,"id":"BRTI","value":"[\d.]+"\}$/.test(frame)),
  ).toHaveLength(11)
  expect(frames).toHaveLength(13)
})

test('refuse: 503 for every client and interface, then service again', async () => {
  const { simulator, clock, client } = await bench('refuse')
  expect((await client.closed).code).toBe(1006)
  expect(await refusalOf(simulator.wsUrl, { headers })).toBe(503)
  const { status, body } = await get(simulator, '/api/v1/indices')
  expect([status, Object.keys(body)]).toEqual([503, ['serverTime', 'error']])
  clock.advance(15_000)
  await connect(simulator)
  expect((await get(simulator, '/api/v1/indices')).status).toBe(200)
})

test('slow-handshake: the answer takes twelve seconds', async () => {
  const { simulator, clock } = await bench('slow-handshake')
  const pending = connect(simulator)
  await eventually(() => expect(simulator.counts.handshakes).toBe(2))
  clock.advance(11_900)
  expect(simulator.counts.connections).toBe(1)
  clock.advance(100)
  await pending
  expect(simulator.counts.connections).toBe(2)
})

test('rate-limit: 429 on REST and on the tools, with the seconds until it is over', async () => {
  const { simulator, clock } = await bench('rate-limit')
  const first = await get(simulator, '/api/v1/indices')
  expect([first.status, first.headers.get('retry-after')]).toEqual([429, '10'])
  clock.advance(7_500)
  expect((await get(simulator, '/api/v1/indices')).headers.get('retry-after')).toBe('3')
  expect((await fetch(simulator.mcpUrl, { method: 'POST', headers })).status).toBe(429)
  clock.advance(2_500)
  expect((await get(simulator, '/api/v1/indices')).status).toBe(200)
  clock.advance(10_000)
  expect((await get(simulator, '/api/v1/indices')).status).toBe(429)
})

test('key-revoked: connections are closed and refused until the key is restored', async () => {
  const { simulator, clock, client } = await bench('key-revoked')
  expect((await client.closed).code).toBe(1008)
  expect(await refusalOf(simulator.wsUrl, { headers })).toBe(401)
  clock.advance(30_000)
  await connect(simulator)
})

test('a scenario can start later, is replaced by another and leaves nothing behind', async () => {
  const { simulator, clock } = await bench()
  simulator.playScenario('refuse', 10_000)
  clock.advance(9_999)
  expect((await get(simulator, '/api/v1/indices')).status).toBe(200)
  clock.advance(1)
  expect((await get(simulator, '/api/v1/indices')).status).toBe(503)
  simulator.playScenario('rate-limit')
  expect((await get(simulator, '/api/v1/indices')).status).toBe(429)
  simulator.endScenario()
  expect((await get(simulator, '/api/v1/indices')).status).toBe(200)
  clock.advance(120_000)
  expect((await get(simulator, '/api/v1/indices')).status).toBe(200)
})

test('there is a test for every scenario', () =>
  expect(scenarioNames).toEqual([
    'burst',
    'drop',
    'silent-stall',
    'half-open',
    'duplicate',
    'reorder',
    'amend-late',
    'gap',
    'garbage',
    'refuse',
    'slow-handshake',
    'rate-limit',
    'key-revoked',
  ]))
