import { expect, test } from 'vitest'
import { basic, connect, get, openSimulator, refusalOf } from './stream-client'

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
