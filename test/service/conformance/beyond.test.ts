import * as v from 'valibot'
import { expect, type TestContext } from 'vitest'
import { connect, expectRefused, type Message } from './connection'
import { offered, one, ourChoice, required } from './offers'
import { expectRefusal, get, payload } from './rest'
import { once } from './service'
import { decimal, maxResolution, row, rows, time, timeOf, type Row } from './shapes'
import { holds, refuses } from './spec-test'

const weights = v.record(v.string(), v.object({ weightPercent: decimal }))
const conditions = v.object({
  ...row.entries,
  ...{ utilizedDepth: decimal, valueAsk: decimal, valueBid: decimal, midPrice: decimal },
})

/** The first messages of an optional channel. */
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

/** Rows of an optional stream type. */
async function stats(streamtype: string, id: string, context: TestContext): Promise<unknown[]> {
  const path = `stats?id=${id}&streamtype=${streamtype}`
  const { status } = await get(path)
  required(status === 200 ? status : undefined, `stream type ${streamtype}`, context)
  return payload<unknown[]>(path)
}

const hourMs = 3_600_000

/** The REST path of a period. The time is truncated to the period and written in ISO 8601. */
function historyPath(id: string, timespan: string, fromMs: number): string {
  return `history/values?id=${id}&timespan=${timespan}&timestamp=${new Date(fromMs).toISOString().replace('.000', '')}`
}

/** Rows of a period. Skips the test if the key has no permission for the history of the index. */
async function history(
  context: TestContext,
  ...[id, timespan, fromMs]: Parameters<typeof historyPath>
): Promise<Row[]> {
  const { status, body } = await get(historyPath(id, timespan, fromMs))
  return v.parse(rows, required(status === 200 ? body['payload'] : undefined, `history of ${id}`, context))
}

/** The start of a period before the last full one, by the clock of the service. No value of it is still to come. */
async function settled(periodMs = hourMs): Promise<number> {
  const { body } = await get('indices')
  return (Math.floor(Date.parse(String(body['serverTime'])) / periodMs) - 2) * periodMs
}

function expectAscending(times: number[]): void {
  expect(times.length).toBeGreaterThan(0)
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
}

holds('beyond rti_stats: value, depth, ask, bid and mid price as decimals, then each new one', async (context) => {
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
  await expectRefused('rti_stats', id)
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
  await expectRefused('weight', id)
})

holds('beyond maxResolution is one of the six in public use, wherever it appears', async () => {
  for (const { maxResolution: listed } of await offered()) v.parse(maxResolution, listed)
  for (const index of await payload<{ maxResolution: string }[]>('indices')) v.parse(maxResolution, index.maxResolution)
})

holds('beyond stats: volume of a reference rate and the share of each exchange', async (context) => {
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

holds('beyond history/values: an hour has every tick, ascending, whatever maxResolution says', async (context) => {
  const [id, fromMs] = [await one('every200ms', context), await settled()]
  const list = await history(context, id, 'HOUR', fromMs)
  expectAscending(list.map(timeOf))
  expect(list.filter((each) => timeOf(each) % 1_000 !== 0).length).toBeGreaterThan(list.length / 2)
  expect(list.filter((each) => timeOf(each) < fromMs || timeOf(each) >= fromMs + hourMs)).toEqual([])
  const asked = await payload(`${historyPath(id, 'HOUR', fromMs)}&maxResolution=PER_SECOND`)
  expect(v.parse(rows, asked).length).toBe(list.length)
})

holds('beyond history/values: a day of seconds has the hours of the day', async (context) => {
  const [id, fromMs] = [await one('everySecond', context), await settled(24 * hourMs)]
  const day = await history(context, id, 'DAY', fromMs)
  expectAscending(day.map(timeOf))
  const hour = await history(context, id, 'HOUR', fromMs + 5 * hourMs)
  expect(hour).not.toEqual([])
  expect(day.filter((each) => timeOf(each) >= fromMs + 5 * hourMs && timeOf(each) < fromMs + 6 * hourMs)).toEqual(hour)
})

holds('beyond history/values: a year of a daily index has its months', async (context) => {
  const [id, year] = [await one('daily', context), new Date(await settled()).getUTCFullYear() - 1]
  const list = await history(context, id, 'YEAR', Date.UTC(year, 0))
  expectAscending(list.map(timeOf))
  const june = await history(context, id, 'MONTH', Date.UTC(year, 5))
  expect(june).not.toEqual([])
  expect(list.filter((each) => new Date(timeOf(each)).getUTCMonth() === 5)).toEqual(june)
})

holds('beyond history/values: a period of which nothing is known is an empty list', async (context) => {
  const id = await one('every200ms', context)
  expect(await history(context, id, 'HOUR', Date.UTC(2009, 0, 3, 18))).toEqual([])
})

refuses('beyond history/values: a timespan of minutes, or of the other kind of index, is 400', async (context) => {
  const [fast, daily] = [await one('every200ms', context), await one('daily', context)]
  const fromMs = await settled()
  await history(context, fast, 'HOUR', fromMs)
  const statuses = [
    ['MINUTE', await get(historyPath(fast, 'MINUTE', fromMs))],
    ['YEAR', await get(historyPath(fast, 'YEAR', Date.UTC(2025, 0)))],
    ['HOUR', await get(historyPath(daily, 'HOUR', fromMs))],
  ] as const
  for (const [timespan, response] of statuses) {
    expectRefusal(response)
    expect([timespan, response.status]).toEqual([timespan, 400])
  }
})

refuses(
  'beyond history/values: an index without the permission is as unknown as one that does not exist',
  async (context) => {
    ourChoice(context)
    const fromMs = await settled()
    for (const id of ['BVX', 'NO_SUCH_INDEX']) {
      const { status, body } = await get(historyPath(id, 'HOUR', fromMs))
      expect([id, status, body['error']]).toEqual([id, 400, 'Unknown id'])
    }
  },
)
