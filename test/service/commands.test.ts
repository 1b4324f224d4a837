import { expect, test } from 'vitest'
import { connect, openSimulator } from './stream-client'

test('2.6 an unknown id is refused with the command, success false and a reason', async () => {
  const { simulator } = await openSimulator()
  const client = await connect(simulator)
  client.subscribe('NO_SUCH')
  client.subscribe('brti')
  client.subscribe('BRTI')
  const [unknown, otherCase, known] = await client.heard()
  expect(unknown).toBe(
    '{"type":"subscribe","id":"NO_SUCH","stream":"value","success":false,"reason":"Unrecognised id"}',
  )
  expect(otherCase).toContain('"success":false')
  expect(known).toContain('"type":"value"')
})

test('2.6 a refusal ends nothing: subscriptions on the same connection go on', async () => {
  const { simulator, clock } = await openSimulator()
  const client = await connect(simulator)
  client.subscribe('BRTI')
  client.subscribe('NO_SUCH')
  await client.heard()
  clock.advance(2_000)
  expect((await client.messages()).filter(({ id }) => id === 'BRTI')).toHaveLength(3)
})

test('7 a channel this version does not have, or none, is refused', async () => {
  const { simulator } = await openSimulator()
  const client = await connect(simulator)
  client.send('{"type":"subscribe","stream":"weather","id":"BRTI"}')
  client.send('{"type":"unsubscribe","stream":"weather","id":"BRTI"}')
  client.send('{"type":"subscribe","id":"BRTI"}')
  client.send('{"type":"subscribe","stream":"value"}')
  client.send('{"type":"subscribe","stream":"value","id":7}')
  expect(await client.heard()).toEqual([
    '{"type":"subscribe","id":"BRTI","stream":"weather","success":false,"reason":"Unrecognised stream"}',
    '{"type":"unsubscribe","id":"BRTI","stream":"weather","success":false,"reason":"Unrecognised stream"}',
    '{"type":"subscribe","id":"BRTI","success":false,"reason":"Unrecognised stream"}',
    '{"type":"subscribe","stream":"value","success":false,"reason":"Unrecognised id"}',
    '{"type":"subscribe","stream":"value","success":false,"reason":"Unrecognised id"}',
  ])
})

test('7 unsubscribing from an unknown id is refused; from a known one it is not', async () => {
  const { simulator } = await openSimulator()
  const client = await connect(simulator)
  client.send({ type: 'unsubscribe', stream: 'value', id: 'NO_SUCH' })
  client.send({ type: 'unsubscribe', stream: 'value', id: 'BRTI' })
  expect(await client.heard()).toEqual([
    '{"type":"unsubscribe","id":"NO_SUCH","stream":"value","success":false,"reason":"Unrecognised id"}',
  ])
})

test('7 a command of unknown type is echoed with a reason; unknown fields of a known one are no fault', async () => {
  const { simulator } = await openSimulator()
  const client = await connect(simulator)
  client.send('{"type":"shout","id":"BRTI"}')
  client.send('{"type":"__proto__"}')
  client.send('{"type":"subscribe","stream":"value","id":"BRTI","colour":"red"}')
  const [shout, proto, value] = await client.heard()
  expect(shout).toBe('{"type":"shout","id":"BRTI","success":false,"reason":"Unrecognised type"}')
  expect(proto).toBe('{"type":"__proto__","success":false,"reason":"Unrecognised type"}')
  expect(value).toContain('"type":"value"')
})

test.each(['hello', '', '[]', 'null', '"subscribe"', '{}', '{"type":7}', '{"type":"info"'])(
  '1 what is no JSON object with a type ends the connection with 1007: %s',
  async (text) => {
    const { simulator } = await openSimulator()
    const [strange, other] = [await connect(simulator), await connect(simulator)]
    strange.send(text)
    expect(await strange.closed).toEqual({ code: 1007, reason: 'Messages are JSON objects with a type' })
    other.subscribe('BRTI')
    expect(await other.heard()).toHaveLength(1)
  },
)

test('1 a binary message ends the connection with 1003, one that is too large with 1009', async () => {
  const { simulator } = await openSimulator()
  const [binary, large, small] = [await connect(simulator), await connect(simulator), await connect(simulator)]
  binary.socket.send(Buffer.from('{"type":"info"}'))
  large.send(JSON.stringify({ type: 'info', padding: 'x'.repeat(20_000) }))
  small.send(JSON.stringify({ type: 'info', padding: 'x'.repeat(10_000) }))
  expect((await binary.closed).code).toBe(1003)
  expect((await large.closed).code).toBe(1009)
  expect(await small.heard()).toHaveLength(1)
})

test('4.1 info lists every stream once with its maxResolution and without isSubSecond', async () => {
  const { simulator } = await openSimulator()
  const client = await connect(simulator)
  client.send({ type: 'info' })
  const [info] = await client.messages()
  expect(Object.keys(info ?? {})).toEqual(['type', 'streams'])
  expect(info?.['type']).toBe('info')
  const streams = info?.['streams'] as Record<string, string>[]
  expect(streams.length).toBeGreaterThanOrEqual(44)
  expect(new Set(streams.map(({ id }) => id)).size).toBe(streams.length)
  for (const stream of streams) expect(Object.keys(stream)).toEqual(['id', 'maxResolution'])
  const of = (id: string) => streams.find((stream) => stream['id'] === id)?.['maxResolution']
  expect([of('BRTI'), of('LINKUSD_RTI'), of('BRR'), of('NO_SUCH')]).toEqual([
    'PER_200MS',
    'PER_SECOND',
    'DAILY',
    undefined,
  ])
})

test('1 pings are answered', async () => {
  const { simulator } = await openSimulator()
  const client = await connect(simulator)
  const answered = new Promise((resolve) =>
    client.socket.once('pong', (data: Buffer) => {
      resolve(data.toString())
    }),
  )
  client.socket.ping('still there?')
  expect(await answered).toBe('still there?')
})
