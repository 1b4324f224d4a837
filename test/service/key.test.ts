import { expect, test } from 'vitest'
import { basic, connect, get, openClient, openSimulator, refusalOf } from './stream-client'

test('5 the stream accepts the key by HTTP Basic, and then no subprotocol is selected', async () => {
  const { client } = await openClient()
  expect(client.socket.protocol).toBe('')
  client.subscribe('BRTI')
  expect(await client.settled()).toHaveLength(1)
})

test('5 the stream accepts the key by subprotocols, and `cfb` is selected', async () => {
  const { simulator } = await openSimulator()
  const client = await connect(simulator, { protocols: ['cfb', 'tester', 'open-sesame'] })
  expect(client.socket.protocol).toBe('cfb')
  client.subscribe('BRTI')
  expect(await client.settled()).toHaveLength(1)
})

test('5 no key, or a wrong one, is refused at the handshake with 401 in either form', async () => {
  const { simulator } = await openSimulator()
  const header = (authorization: string) => ({ headers: { authorization } })
  const attempts = [
    {},
    header(basic('tester', 'wrong')),
    header(basic('someone', 'open-sesame')),
    header(basic('', '')),
    header('Bearer open-sesame'),
    header('Basic'),
    header('Basic ???'),
    header(`Basic ${Buffer.from('no colon').toString('base64')}`),
    { protocols: ['cfb'] },
    { protocols: ['cfb', 'tester'] },
    { protocols: ['cfb', 'tester', 'wrong'] },
    { protocols: ['other', 'tester', 'open-sesame'] },
    { protocols: ['cfb', 'tester', 'open-sesame', 'more'] },
    // The header takes precedence.
    { ...header(basic('tester', 'wrong')), protocols: ['cfb', 'tester', 'open-sesame'] },
  ]
  for (const attempt of attempts) expect(await refusalOf(simulator.wsUrl, attempt)).toBe(401)
  expect(simulator.counts).toMatchObject({ handshakes: attempts.length, refusedHandshakes: attempts.length })
  await connect(simulator)
  expect(simulator.counts).toMatchObject({ handshakes: attempts.length + 1, refusedHandshakes: attempts.length })
})

test('5 REST accepts the same key; no key, or a wrong one, is refused with 401, a challenge and the envelope', async () => {
  const { simulator } = await openSimulator()
  expect((await get(simulator, '/api/v1/indices')).status).toBe(200)
  const refused: Record<string, string>[] = [
    {},
    { authorization: basic('tester', 'wrong') },
    { authorization: 'Basic' },
  ]
  for (const headers of refused) {
    for (const path of ['/api/v1/indices', '/api/v1/values?id=BRTI', '/nowhere']) {
      const refusal = await get(simulator, path, { headers })
      expect(refusal.status).toBe(401)
      expect(refusal.headers.get('www-authenticate')).toBe('Basic realm="index service", charset="UTF-8"')
      expect(refusal.body).toEqual({ serverTime: '2023-11-01T12:00:00.000Z', error: 'Missing or wrong key' })
    }
  }
})

test('5 a secret may contain colons and letters beyond ASCII', async () => {
  const { simulator } = await openSimulator({ key: { id: 'tester', secret: 'a:b:ü' } })
  expect(
    (await get(simulator, '/api/v1/indices', { headers: { authorization: basic('tester', 'a:b:ü') } })).status,
  ).toBe(200)
  expect(
    (await get(simulator, '/api/v1/indices', { headers: { authorization: basic('tester', 'a:b:u') } })).status,
  ).toBe(401)
})

test('9 the stream is at /ws/v4 and nowhere else', async () => {
  const { simulator } = await openSimulator()
  const headers = { authorization: basic() }
  for (const path of ['/', '/ws', '/ws/v3', '/ws/v4/']) {
    expect(await refusalOf(simulator.restUrl.replace('http', 'ws') + path, { headers })).toBe(404)
  }
  await connect(simulator, { headers })
})
