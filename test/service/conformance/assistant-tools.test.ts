import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import * as v from 'valibot'
import { expect, type TestContext } from 'vitest'
import { one, ourChoice } from './offers'
import { payload } from './rest'
import { decimal, reference, row, timeOf, type Reference, type Row } from './shapes'
import { holds, refuses } from './spec-test'
import { openTools } from './tools'

const names = [
  'get_asset_metadata',
  'get_factors_data',
  'get_historical_results',
  'get_index_info',
  'get_supplies',
] as const
type Name = (typeof names)[number]

/** Calls a tool with arguments of our own design. The SDK checks the result against the tool's schema. */
async function call(name: Name, given: object, context: TestContext): Promise<CallToolResult> {
  ourChoice(context)
  const client = await openTools(context)
  await client.listTools()
  return (await client.callTool({ name, arguments: { ...given } })) as CallToolResult
}

async function answer(name: Name, given: object, context: TestContext): Promise<Record<string, unknown>> {
  const { isError, structuredContent, content } = await call(name, given, context)
  expect([name, isError ?? false]).toEqual([name, false])
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }])
  return structuredContent ?? {}
}

holds('4.3 the five tools are listed, each with a description and an input schema', async (context) => {
  const { tools } = await (await openTools(context)).listTools()
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]))
  for (const { description, inputSchema } of tools) {
    expect(description).toMatch(/./)
    expect(inputSchema.type).toBe('object')
  }
})

holds('4.3 get_historical_results: the value at each requested moment, as in REST', async (context) => {
  const index = await one('daily', context)
  const expected = (await payload<Row[]>(`values?id=${index}`)).slice(-3)
  const lookups = expected.map((each) => ({ index, datetime: new Date(timeOf(each)).toISOString() }))
  const { results } = await answer('get_historical_results', { lookups }, context)
  expect(results).toEqual(lookups.map((lookup, at) => ({ ...lookup, ...expected[at] })))
})

refuses('4.3 get_historical_results: a bad lookup has no value and does not affect the others', async (context) => {
  const index = await one('daily', context)
  const datetime = new Date(timeOf(await latest(index))).toISOString()
  const lookups = [
    { index: 'NO_SUCH_INDEX', datetime },
    { index, datetime: '2999-01-01T00:00:00Z' },
    { index, datetime },
  ]
  const { results } = await answer('get_historical_results', { lookups }, context)
  const [unknown, future, good] = results as Record<string, unknown>[]
  for (const bad of [unknown, future]) {
    expect(bad).not.toHaveProperty('value')
    expect(bad).toHaveProperty('error', expect.stringMatching(/./))
  }
  v.parse(row, good)
})

holds('4.3 get_index_info: reference data as in REST, and the methodology', async (context) => {
  for (const kind of ['every200ms', 'exchangeFamily', 'rewardRate'] as const) {
    const index = await one(kind, context)
    const info = await answer('get_index_info', { index }, context)
    expect(info['methodology']).toMatch(/./)
    expect(v.parse(reference, info)).toEqual(v.parse(reference, await payload<Reference>(`indices/${index}`)))
  }
})

holds('4.3 get_supplies: the supplies of an asset', async (context) => {
  const { supplies } = await answer('get_supplies', { assets: ['BTC'] }, context)
  const fields = { asset: v.literal('BTC'), totalSupply: decimal, circulatingSupply: decimal, freeFloatSupply: decimal }
  const [supply] = v.parse(v.array(v.object(fields)), supplies)
  expect(Number(supply?.freeFloatSupply)).toBeGreaterThan(0)
  expect(Number(supply?.freeFloatSupply)).toBeLessThanOrEqual(Number(supply?.totalSupply))
})

holds('4.3 get_asset_metadata: identity, class, indices and baskets of an asset', async (context) => {
  const index = await one('every200ms', context)
  const asset = v.parse(reference, await payload(`indices/${index}`)).base
  const metadata = await answer('get_asset_metadata', { asset }, context)
  expect(metadata).toMatchObject({ id: asset, name: expect.stringMatching(/./) as string })
  expect(metadata['relatedIndices']).toContainEqual(expect.objectContaining({ id: index }))
  expect(metadata['baskets']).toContainEqual(expect.objectContaining({ id: await one('basket', context) }))
})

holds('4.3 get_factors_data: scores, betas and returns', async (context) => {
  for (const kind of ['scores', 'betas', 'returns']) {
    const { rows } = await answer('get_factors_data', { kind }, context)
    const [first] = rows as Record<string, unknown>[]
    const factors = Object.entries(first ?? {}).filter(([name]) => name.includes('Factor'))
    expect(factors.length).toBeGreaterThanOrEqual(6)
    for (const [, value] of factors) expect(value).toSatisfy(Number.isFinite)
  }
})

refuses('4.3 an unknown index or asset is an error, not an empty answer', async (context) => {
  const attempts = [
    ['get_index_info', { index: 'NO_SUCH_INDEX' }],
    ['get_supplies', { assets: ['BTC', 'NO_SUCH_ASSET'] }],
    ['get_asset_metadata', { asset: 'NO_SUCH_ASSET' }],
    ['get_factors_data', { kind: 'scores', assets: ['NO_SUCH_ASSET'] }],
  ] as const
  for (const [name, given] of attempts) {
    const { isError } = await call(name, given, context)
    expect([name, isError]).toEqual([name, true])
  }
})

refuses('4.3 arguments that do not fit the schema are refused', async (context) => {
  for (const [name, given] of [
    ['get_historical_results', { lookups: [] }],
    ['get_historical_results', { lookups: [{ index: 'BRR', datetime: 'yesterday' }] }],
    ['get_index_info', {}],
    ['get_factors_data', { kind: 'guesses' }],
  ] as const) {
    const { isError } = await call(name, given, context)
    expect([name, given, isError]).toEqual([name, given, true])
  }
})

refuses('4.3 a tool that does not exist is not found', async (context) => {
  const client = await openTools(context)
  const called = client.callTool({ name: 'get_rich', arguments: {} })
  const isRefused = called.then(
    ({ isError }) => isError === true,
    () => true,
  )
  expect(await isRefused).toBe(true)
})

async function latest(id: string): Promise<Row> {
  const { latest_values: values } = await payload<{ latest_values: Record<string, Row> }>(`latest_values?id=${id}`)
  return v.parse(row, values[id])
}
