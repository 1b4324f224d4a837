import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { expect, test } from 'vitest'
import type { Simulator } from '../../simulator/server'
import { basic, connect, get, openSimulator } from './stream-client'

interface CurveRow {
  readonly time: number
  readonly tenors: Readonly<Record<string, string>>
}

const noonMs = Date.UTC(2023, 10, 1, 12)
const headers = { authorization: basic() }

/** Sends raw bytes to the simulator's port and returns the response. */
async function answerTo(simulator: Simulator, bytes: string): Promise<{ status: number; body: unknown }> {
  const socket = connectTcp(simulator.port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data: Buffer) => {
    answer += data.toString()
  })
  socket.write(bytes)
  await once(socket, 'close')
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: body === '' ? undefined : JSON.parse(body) }
}

async function rpc(simulator: Simulator, body: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  const all = { ...headers, accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const response = await fetch(simulator.mcpUrl, { method: 'POST', headers: all, body: JSON.stringify(body) })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) }
}

test('beyond curves: a row a day of a year, each tenor a decimal within one', async () => {
  const { simulator } = await openSimulator()
  for (const [id, first, last] of [
    ['BIRC', 'SIRB', '5M'],
    ['USDT', 'SIR', '1Y'],
  ] as const) {
    const { status, body } = await get(simulator, `/api/v1/curves?id=${id}`)
    expect(status).toBe(200)
    const rows = body.payload as CurveRow[]
    expect(rows).toHaveLength(365)
    const times = rows.map(({ time }) => time)
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
    expect(noonMs - (times.at(-1) ?? 0)).toBeLessThan(24.5 * 3_600_000)
    for (const { tenors } of rows) {
      expect([Object.keys(tenors).at(0), Object.keys(tenors).at(-1)]).toEqual([first, last])
      for (const rate of Object.values(tenors)) {
        expect(rate).toMatch(/^-?0\.\d{4}$/)
        expect(Math.abs(Number(rate))).toBeLessThan(1)
      }
    }
  }
  const unknown = await get(simulator, '/api/v1/curves?id=BRTI')
  expect([unknown.status, unknown.body.error]).toEqual([400, 'Unknown id'])
})

test('beyond U_: a real-time index is known under the unregulated id too, and is not listed', async () => {
  const { simulator } = await openSimulator()
  const client = await connect(simulator)
  for (const stream of ['value', 'rti_stats']) client.send({ type: 'subscribe', stream, id: 'U_ETHUSD_RTI' })
  client.subscribe('U_NO_SUCH_RTI')
  const [value, conditions, refused] = await client.messages()
  expect(value).toMatchObject({ type: 'value', id: 'U_ETHUSD_RTI' })
  expect(conditions).toMatchObject({ type: 'rti_stats', id: 'U_ETHUSD_RTI', value: value?.['value'] })
  expect(refused).toMatchObject({ success: false, reason: 'Unrecognised id' })
  expect((await get(simulator, '/api/v1/stats?id=U_ETHUSD_RTI&streamtype=rti')).status).toBe(200)
  const { payload } = (await get(simulator, '/api/v1/indices')).body
  expect((payload as { id: string }[]).filter(({ id }) => id.startsWith('U_'))).toEqual([])
})

test('4.2 HEAD has the status and headers of GET, without a body', async () => {
  const { simulator } = await openSimulator()
  for (const [path, status] of [
    ['indices', 200],
    ['indices/NO_SUCH', 404],
    ['values?id=NO_SUCH', 400],
  ] as const) {
    const response = await fetch(`${simulator.restUrl}/api/v1/${path}`, { method: 'HEAD', headers })
    expect([path, response.status, await response.text()]).toEqual([path, status, ''])
    expect(response.headers.get('content-type')).toBe('application/json')
  }
})

test('a request that cannot be read, or is too large, has the envelope too', async () => {
  const { simulator } = await openSimulator()
  const serverTime = '2023-11-01T12:00:00.000Z'
  expect(await answerTo(simulator, 'GET\r\n\r\n')).toEqual({
    status: 400,
    body: { serverTime, error: 'Unreadable request' },
  })
  const long = `GET /api/v1/values?id=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
  expect(await answerTo(simulator, long)).toEqual({
    status: 431,
    body: { serverTime, error: 'Request line and headers over 16 KiB' },
  })
})

test('a discovery of OAuth finds nothing, with or without the key', async () => {
  const { simulator } = await openSimulator()
  for (const path of ['oauth-protected-resource', 'oauth-protected-resource/mcp', 'oauth-authorization-server']) {
    for (const init of [{}, { headers }]) {
      const { status, body } = await get(simulator, `/.well-known/${path}`, init)
      expect([path, status, body.error]).toEqual([path, 404, 'Unknown path'])
    }
  }
  expect((await get(simulator, '/api/v1/indices', {})).status).toBe(401)
})

test('4.3 the server announces a fixed list of tools, and an empty batch is a bad request', async () => {
  const { simulator } = await openSimulator()
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const { body } = await rpc(simulator, { jsonrpc: '2.0', id: 1, method: 'initialize', params })
  expect(body['result']).toMatchObject({ capabilities: { tools: { listChanged: false } } })
  expect(await rpc(simulator, [])).toMatchObject({ status: 400, body: { error: { code: -32_600 } } })
  expect((await rpc(simulator, { jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202)
})

test('4.3 every schema names one type, so that any client can build a form from it', async () => {
  const { simulator } = await openSimulator()
  const { body } = await rpc(simulator, { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const text = JSON.stringify(body)
  expect(text).toContain('"outputSchema"')
  expect(text).not.toMatch(/"type":\[|"type":"null"/)
})
