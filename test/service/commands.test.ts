import { expect, test } from 'vitest'
import { connect, openClient, openSimulator } from './stream-client'

test('7 an unknown or missing channel is refused', async () => {
  const { client } = await openClient()
  client.send('{"type":"subscribe","stream":"weather","id":"BRTI"}')
  client.send('{"type":"unsubscribe","stream":"weather","id":"BRTI"}')
  client.send('{"type":"subscribe","id":"BRTI"}')
  client.send('{"type":"subscribe","stream":"value"}')
  client.send('{"type":"subscribe","stream":"value","id":7}')
  expect(await client.settled()).toEqual([
    '{"type":"subscribe","id":"BRTI","stream":"weather","success":false,"reason":"Unrecognised stream"}',
    '{"type":"unsubscribe","id":"BRTI","stream":"weather","success":false,"reason":"Unrecognised stream"}',
    '{"type":"subscribe","id":"BRTI","success":false,"reason":"Unrecognised stream"}',
    '{"type":"subscribe","stream":"value","success":false,"reason":"Unrecognised id"}',
    '{"type":"subscribe","stream":"value","success":false,"reason":"Unrecognised id"}',
  ])
})

test('7 unsubscribing from an unknown id is refused; from a known one it is not', async () => {
  const { client } = await openClient()
  client.send({ type: 'unsubscribe', stream: 'value', id: 'NO_SUCH' })
  client.send({ type: 'unsubscribe', stream: 'value', id: 'BRTI' })
  expect(await client.settled()).toEqual([
    '{"type":"unsubscribe","id":"NO_SUCH","stream":"value","success":false,"reason":"Unrecognised id"}',
  ])
})

test('7 a command of unknown type is echoed with a reason', async () => {
  const { client } = await openClient()
  client.send('{"type":"shout","id":"BRTI"}')
  client.send('{"type":"__proto__"}')
  client.send('{"type":"subscribe","stream":"value","id":"BRTI","colour":"red"}')
  const [shout, proto, value] = await client.settled()
  expect(shout).toBe('{"type":"shout","id":"BRTI","success":false,"reason":"Unrecognised type"}')
  expect(proto).toBe('{"type":"__proto__","success":false,"reason":"Unrecognised type"}')
  expect(value).toContain('"type":"value"')
})

test.each(['hello', '', '[]', 'null', '"subscribe"', '{}', '{"type":7}', '{"type":"info"'])(
  '1 anything but a JSON object with a type closes the connection with 1007: %s',
  async (text) => {
    const { simulator } = await openSimulator()
    const [strange, other] = [await connect(simulator), await connect(simulator)]
    strange.send(text)
    expect(await strange.closed).toEqual({ code: 1007, reason: 'Messages are JSON objects with a type' })
    other.subscribe('BRTI')
    expect(await other.settled()).toHaveLength(1)
  },
)

test('1 a binary message closes the connection with 1003, a too large one with 1009', async () => {
  const { simulator } = await openSimulator()
  const [binary, large, small] = [await connect(simulator), await connect(simulator), await connect(simulator)]
  binary.socket.send(Buffer.from('{"type":"info"}'))
  large.send(JSON.stringify({ type: 'info', padding: 'x'.repeat(20_000) }))
  small.send(JSON.stringify({ type: 'info', padding: 'x'.repeat(10_000) }))
  expect((await binary.closed).code).toBe(1003)
  expect((await large.closed).code).toBe(1009)
  expect(await small.settled()).toHaveLength(1)
})

test('1 pings are answered', async () => {
  const { client } = await openClient()
  const answered = new Promise((resolve) => client.socket.once('pong', (data: Buffer) => resolve(data.toString())))
  client.socket.ping('still there?')
  expect(await answered).toBe('still there?')
})
