import { expect, test } from 'vitest'
import { basic, get, openSimulator } from './stream-client'

type Summary = Record<string, unknown> & { id: string }

async function indices(): Promise<Map<string, Summary>> {
  const { simulator } = await openSimulator()
  const { body } = await get(simulator, '/api/v1/indices')
  return new Map((body.payload as Summary[]).map((index) => [index.id, index]))
}

test('4.2 indices: a summary of each, with maxResolution', async () => {
  const all = await indices()
  expect(all.size).toBeGreaterThanOrEqual(44)
  expect(all.get('BRTI')).toEqual({
    id: 'BRTI',
    name: 'CME CF Bitcoin Real Time Index',
    decimals: 2,
    base: 'BTC',
    quote: 'USD',
    demiseDateTime: null,
    maxResolution: 'PER_200MS',
  })
  for (const { maxResolution } of all.values()) expect(['PER_200MS', 'PER_SECOND', 'DAILY']).toContain(maxResolution)
})

test('2.7 base and quote are omitted when empty: reward rates have neither, portfolios no base', async () => {
  const all = await indices()
  for (const id of ['ETH_SRR', 'SOL_SRR', 'APT_SRR', 'BVX']) {
    expect(all.get(id)).not.toHaveProperty('base')
    expect(all.get(id)).not.toHaveProperty('quote')
  }
  for (const id of ['UC5_RTI_TR', 'NCI']) {
    expect(all.get(id)).not.toHaveProperty('base')
    expect(all.get(id)).toHaveProperty('quote', 'USD')
  }
  for (const index of all.values()) {
    expect(index['base']).not.toBe('')
    expect(index['quote']).not.toBe('')
  }
})

test('4.2 indices/{externalId}: the same summary; an unknown id is 404', async () => {
  const { simulator } = await openSimulator()
  const all = (await get(simulator, '/api/v1/indices')).body.payload as Summary[]
  const one = await get(simulator, '/api/v1/indices/APT_SRR')
  expect(one.status).toBe(200)
  expect(one.body.payload).toEqual(all.find(({ id }) => id === 'APT_SRR'))
  expect((await get(simulator, '/api/v1/indices/%42RTI')).status).toBe(200)
  for (const id of ['NO_SUCH', 'brti', '%E0%A4%A', 'BRTI/more', '__proto__']) {
    const { status, body } = await get(simulator, `/api/v1/indices/${id}`)
    expect(status).toBe(404)
    expect(Object.keys(body)).toEqual(['serverTime', 'error'])
  }
})

test('9 REST is under /api/v1/; every other path is 404 with the envelope', async () => {
  const { simulator } = await openSimulator()
  expect((await get(simulator, '/api/v1/indices?colour=red')).status).toBe(200)
  for (const path of [
    '/',
    '/api/v1',
    '/api/v1/',
    '/api/v2/indices',
    '/api/v1/indices/',
    '/api/v1/nothing',
    '//indices',
  ]) {
    const { status, body } = await get(simulator, path)
    expect([path, status]).toEqual([path, 404])
    expect(body).toEqual({ serverTime: '2023-11-01T12:00:00.000Z', error: 'Unknown path' })
  }
})

test('4.2 all operations are GET; another method is 405', async () => {
  const { simulator } = await openSimulator()
  const headers = { authorization: basic() }
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const { status, headers: answered } = await get(simulator, '/api/v1/indices', { method, headers })
    expect([method, status, answered.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
  }
  expect((await get(simulator, '/api/v1/indices', { method: 'GET', headers })).status).toBe(200)
})

test('4.2 success has serverTime and payload, in UTC with milliseconds, and no error', async () => {
  const { simulator, clock } = await openSimulator()
  clock.advance(1_234)
  const { body, headers } = await get(simulator, '/api/v1/indices')
  expect(Object.keys(body)).toEqual(['serverTime', 'payload'])
  expect(body.serverTime).toBe('2023-11-01T12:00:01.234Z')
  expect(headers.get('content-type')).toBe('application/json')
})
