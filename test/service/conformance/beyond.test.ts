import * as v from 'valibot'
import { expect, type TestContext } from 'vitest'
import { connect, type Message } from './connection'
import { offered, one, ourChoice, required } from './offers'
import { get, payload } from './rest'
import { once } from './service'
import { decimal, failedSubscribe, maxResolution, row, time, timeOf, type Row } from './shapes'
import { holds, refuses } from './spec-test'

const weights = v.record(v.string(), v.object({ weightPercent: decimal }))
const conditions = v.object({
  ...row.entries,
  ...{ utilizedDepth: decimal, valueAsk: decimal, valueBid: decimal, midPrice: decimal },
})

/** The first messages of a channel that a service need not have. */
const first = once(async (channel) => {
  const [stream = '', id = '', count] = channel.split(' ')
  const connection = await connect()
  connection.subscribe(stream, id)
  const isRefused = (await connection.settled()).some(({ success }) => success === false)
  return isRefused ? undefined : connection.some(Number(count), stream, id)
})

async function messages(stream: string, id: string, context: TestContext, count = 1): Promise<Message[]> {
  return required(await first(`${stream} ${id} ${count}`), `channel ${stream}`, context)
}

/** Rows of a stream type that a service need not have. */
async function stats(streamtype: string, id: string, context: TestContext): Promise<unknown[]> {
  const path = `stats?id=${id}&streamtype=${streamtype}`
  const { status } = await get(path)
  required(status === 200 ? status : undefined, `stream type ${streamtype}`, context)
  return payload<unknown[]>(path)
}

function expectAscending(times: number[]): void {
  expect(times.length).toBeGreaterThan(0)
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
}

holds('beyond rti_stats: value, depth, ask, bid and middle as decimals, then each new one', async (context) => {
  const id = await one('every200ms', context)
  for (const message of await messages('rti_stats', id, context, 3)) v.parse(conditions, message)
})

refuses('beyond rti_stats: the value never lies outside bid and ask', async (context) => {
  const id = await one('every200ms', context)
  for (const message of await messages('rti_stats', id, context, 3)) {
    const { value, valueAsk, valueBid } = v.parse(conditions, message)
    expect(Number(valueBid)).toBeLessThanOrEqual(Number(value))
    expect(Number(valueAsk)).toBeGreaterThanOrEqual(Number(value))
  }
})

refuses('beyond rti_stats: a daily index has none', async (context) => {
  ourChoice(context)
  const id = await one('daily', context)
  const connection = await connect()
  connection.subscribe('rti_stats', id)
  expect(await connection.settled()).toEqual([v.parse(failedSubscribe('rti_stats', id), connection.received[0])])
})

holds('beyond weight: the weight of each asset of a basket, in percent', async (context) => {
  const [message] = await messages('weight', await one('basket', context), context)
  const { weights: parts } = v.parse(v.object({ weights }), message)
  const sum = Object.values(parts).reduce((total, { weightPercent }) => total + Number(weightPercent), 0)
  expect(Math.abs(sum - 100)).toBeLessThanOrEqual(0.5)
})

refuses('beyond weight: a single asset has none', async (context) => {
  ourChoice(context)
  const id = await one('everySecond', context)
  const connection = await connect()
  connection.subscribe('weight', id)
  expect(await connection.settled()).toEqual([v.parse(failedSubscribe('weight', id), connection.received[0])])
})

holds('beyond maxResolution is one of the six in public use, wherever it is said', async () => {
  for (const { maxResolution: said } of await offered()) v.parse(maxResolution, said)
  for (const index of await payload<{ maxResolution: string }[]>('indices')) v.parse(maxResolution, index.maxResolution)
})

holds('beyond stats: volume of a reference rate, and the share of each exchange', async (context) => {
  const volumes = v.record(v.string(), v.object({ volumePercent: decimal }))
  const list = v.array(v.object({ time, value: decimal, volume: decimal, volumes }))
  const id = await one('daily', context)
  expectAscending(v.parse(list, await stats('volume', id, context)).map(timeOf))
})

holds('beyond stats: weight of a basket', async (context) => {
  const list = v.array(v.object({ time, value: decimal, weights }))
  const id = await one('basket', context)
  expectAscending(v.parse(list, await stats('weight', id, context)).map(timeOf))
})

holds('beyond stats: constituentresult of an exchange-family index', async (context) => {
  const constituents = v.pipe(v.array(v.object({ constituent: v.string(), weightPercent: decimal })), v.minLength(1))
  const list = v.array(v.object({ time, value: decimal, divisor: decimal, constituents }))
  const id = await one('exchangeFamily', context)
  expectAscending(v.parse(list, await stats('constituentresult', id, context)).map(timeOf))
})

holds('beyond stats: rti of a real-time index', async (context) => {
  const id = await one('every200ms', context)
  const list = v.parse(v.array(conditions), await stats('rti', id, context))
  expectAscending(list.map((each: Row) => timeOf(each)))
})

refuses('beyond stats: an index that has no such statistics is refused', async (context) => {
  ourChoice(context)
  const pairs = [
    ['volume', 'basket'],
    ['weight', 'everySecond'],
    ['constituentresult', 'everySecond'],
    ['rti', 'daily'],
    ['activecorporateaction', 'everySecond'],
  ] as const
  for (const [streamtype, kind] of pairs) {
    const { status, body } = await get(`stats?id=${await one(kind, context)}&streamtype=${streamtype}`)
    expect([streamtype, status, 'payload' in body]).toEqual([streamtype, 400, false])
  }
})
