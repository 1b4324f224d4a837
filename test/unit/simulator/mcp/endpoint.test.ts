import { request } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, expect, test } from 'vitest'
import type { Simulator } from '../../../../simulator/server'
import { basic, openSimulator } from '../../../service/stream-client'

const clients: Client[] = []
const listing = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})

async function openTools(simulator: Simulator): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: basic() } }
  await client.connect(new StreamableHTTPClientTransport(new URL(simulator.mcpUrl), { requestInit }))
  clients.push(client)
  return client
}

/** The answer of a tool, or the text of its error. */
async function call(client: Client, name: string, args: Record<string, unknown>): Promise<unknown> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args })
  return isError === true ? (content as { text: string }[])[0]?.text : structuredContent
}

/** HTTP status of a listing with these headers. Unlike `fetch`, it can send any `Host`. */
function statusOf(simulator: Simulator, headers: Record<string, string>, body = listing): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const usual = {
      authorization: basic(),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    }
    const asked = request(simulator.mcpUrl, { method: 'POST', headers: { ...usual, ...headers } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

test('an asset lists the indices that measure it and the baskets that hold it, by its alias too', async () => {
  const { simulator } = await openSimulator()
  const client = await openTools(simulator)
  const bitcoin = await call(client, 'get_asset_metadata', { asset: 'BTC' })
  expect(bitcoin).toMatchObject({ id: 'BTC', aliasIds: ['XBT'], classification: { category: 'Digital asset' } })
  expect(await call(client, 'get_asset_metadata', { asset: 'XBT' })).toEqual(bitcoin)
  const { relatedIndices, baskets } = bitcoin as { relatedIndices: { id: string }[]; baskets: { id: string }[] }
  expect(relatedIndices.map(({ id }) => id)).toEqual(expect.arrayContaining(['BRTI', 'BRR', 'NQBTC']))
  expect(baskets.map(({ id }) => id)).toEqual(expect.arrayContaining(['NCI', 'UC5_RTI_TR']))
  expect(await call(client, 'get_asset_metadata', { asset: 'BTC reward' })).toBe('Unknown asset: BTC reward')
})

test('supplies are decimals, free float below circulation below the total', async () => {
  const { simulator } = await openSimulator()
  const { supplies } = (await call(await openTools(simulator), 'get_supplies', {})) as {
    supplies: Record<'totalSupply' | 'circulatingSupply' | 'freeFloatSupply', string>[]
  }
  expect(supplies.length).toBeGreaterThan(30)
  for (const { totalSupply, circulatingSupply, freeFloatSupply } of supplies) {
    expect(Number(freeFloatSupply)).toBeLessThan(Number(circulatingSupply))
    expect(Number(circulatingSupply)).toBeLessThanOrEqual(Number(totalSupply))
  }
})

test('factor data: a row per day with the six factors and the market', async () => {
  const { simulator } = await openSimulator()
  const client = await openTools(simulator)
  const ask = (args: object) => call(client, 'get_factors_data', { ...args })
  const days = { startDate: '2023-10-01', endDate: '2023-10-04' }
  const { rows: returns } = (await ask({ kind: 'returns', ...days })) as { rows: object[] }
  expect([returns.length, Object.keys(returns[0] ?? {}).length]).toEqual([3, 7])
  const { rows: betas } = (await ask({ kind: 'betas', ...days, assets: ['BTC', 'ETH'] })) as { rows: object[] }
  expect(betas).toHaveLength(6)
  expect(betas[0]).toMatchObject({ asset: 'BTC', time: Date.UTC(2023, 9, 1), broadCapConstituent: true })
  expect(betas[0]).toHaveProperty('marketFactorBeta')
  const { rows: scores } = (await ask({ kind: 'scores', assets: ['ETH'] })) as { rows: object[] }
  expect(Object.keys(scores[0] ?? {})).toHaveLength(3 + 12)
  expect(await ask({ kind: 'scores', startDate: '2020-01-01' })).toContain('request fewer days or assets')
  expect(await ask({ kind: 'betas', startDate: '2023-10-04', endDate: '2023-10-04' })).toContain('before endDate')
})

test('the key is required, and requests from web pages are refused whatever their key', async () => {
  const { simulator } = await openSimulator()
  const port = String(simulator.port)
  const status = (headers: Record<string, string>) => statusOf(simulator, headers)
  expect(await status({})).toBe(200)
  expect(await status({ host: `LOCALHOST:${port}` })).toBe(200)
  expect(await status({ authorization: basic('tester', 'wrong') })).toBe(401)
  for (const host of ['evil.test', `evil.test:${port}`, '127.0.0.1', `127.0.0.1.:${port}`, `[::1]:${port}`]) {
    expect([host, await status({ host })]).toEqual([host, 403])
  }
  for (const origin of ['https://evil.test', 'null', `http://127.0.0.1:${port}`]) {
    expect([origin, await status({ origin })]).toEqual([origin, 403])
  }
})

test('anything but JSON-RPC, too large requests and other methods than POST are refused', async () => {
  const { simulator } = await openSimulator()
  expect(await statusOf(simulator, { 'content-type': 'text/plain' })).toBe(415)
  expect(await statusOf(simulator, {}, '{"jsonrpc":')).toBe(400)
  expect(await statusOf(simulator, {}, '{"hello":1}')).toBe(400)
  expect(await statusOf(simulator, {}, 'x'.repeat(70_000))).toBe(413)
  for (const method of ['GET', 'DELETE', 'OPTIONS']) {
    const response = await fetch(simulator.mcpUrl, { method, headers: { authorization: basic() } })
    expect([method, response.status]).toEqual([method, 405])
  }
})
