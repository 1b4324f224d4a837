import * as v from 'valibot'
import { expect } from 'vitest'
import { waitUntil } from './connection'
import { offered, one } from './offers'
import { expectRefusal, get, payload, request } from './rest'
import { row, rows, summary, timeOf, type Row } from './shapes'
import { holds, refuses } from './spec-test'

type Latest = Record<'latest_values', Record<string, Row>>

const resolved = ['values', 'latest_values', 'summary', 'summaries']
const ascending = (list: readonly Row[]) =>
  list.every((each, at) => at === 0 || timeOf(each) > timeOf(list[at - 1] ?? each))
const byTime = (list: readonly Row[]) => new Map(list.map((each) => [timeOf(each), each.value]))
const between = (list: readonly Row[]) => list.filter((each) => timeOf(each) % 1_000 !== 0)

holds('4.2 values: the history, ascending, of second boundaries by default', async (context) => {
  const id = await one('every200ms', context)
  const history = v.parse(rows, await payload(`values?id=${id}`))
  expect(history.length).toBeGreaterThan(1)
  expect([ascending(history), between(history)]).toEqual([true, []])
  const explicit = v.parse(rows, await payload(`values?id=${id}&maxResolution=PER_SECOND`))
  const known = byTime(history)
  const both = explicit.filter((each) => known.has(timeOf(each)))
  expect(both.length).toBeGreaterThan(history.length - 10)
  expect(both.filter((each) => each.amendTime === undefined && known.get(timeOf(each)) !== each.value)).toEqual([])
})

holds('4.2 rule 2: PER_200MS returns every tick, those of second boundaries unchanged', async (context) => {
  const id = await one('every200ms', context)
  const ticks = v.parse(rows, await payload(`values?id=${id}&maxResolution=PER_200MS`))
  const seconds = v.parse(rows, await payload(`values?id=${id}`))
  expect(ascending(ticks)).toBe(true)
  expect(between(ticks).length).toBeGreaterThan(seconds.length)
  const known = byTime(seconds)
  const shared = ticks.filter((each) => known.has(timeOf(each)) && each.amendTime === undefined)
  expect(shared.length).toBeGreaterThan(1)
  expect(shared.filter((each) => known.get(timeOf(each)) !== each.value).length).toBe(0)
})

refuses('4.2 rule 1: latest_values has nothing between second boundaries by default', async (context) => {
  const id = await one('every200ms', context)
  for (let turn = 0; turn < 6; turn++) {
    const { latest_values: latest } = await payload<Latest>(`latest_values?id=${id}`)
    expect(timeOf(v.parse(row, latest[id])) % 1_000).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 230))
  }
})

holds('4.2 rule 2: latest_values with PER_200MS has ticks between second boundaries', async (context) => {
  const id = await one('every200ms', context)
  await waitUntil(async () => {
    const { latest_values: latest } = await payload<Latest>(`latest_values?id=${id}&maxResolution=PER_200MS`)
    expect(timeOf(v.parse(row, latest[id])) % 1_000).not.toBe(0)
  })
})

holds('4.2 latest_values: one response for up to 30 ids', async () => {
  const ids = (await offered()).slice(0, 30).map(({ id }) => id)
  const { latest_values: latest } = await payload<Latest>(`latest_values?id=${ids.join(',')}`)
  expect(Object.keys(latest).sort()).toEqual(ids.toSorted())
  for (const each of Object.values(latest)) v.parse(row, each)
})

refuses('4.2 latest_values: one unknown id among known ones fails the request', async (context) => {
  expectRefusal(await get(`latest_values?id=${await one('daily', context)},NO_SUCH_INDEX`))
})

holds('4.2 summary: the latest value and the last 24 hours, ascending', async (context) => {
  for (const kind of ['every200ms', 'everySecond', 'daily'] as const) {
    const { last24Hours, ...latest } = v.parse(summary, await payload(`summary?id=${await one(kind, context)}`))
    expect(ascending(last24Hours)).toBe(true)
    expect(between([...last24Hours, latest])).toEqual([])
    const before = last24Hours.filter((each) => timeOf(each) < timeOf(latest) - 24 * 3_600_000 - 60_000)
    expect(before.length).toBe(0)
  }
})

holds('4.2 summaries: the summary of each of several indices', async (context) => {
  const ids = [await one('every200ms', context), await one('daily', context)]
  const { summaries } = await payload<{ summaries: Record<string, unknown> }>(`summaries?id=${ids.join(',')}`)
  expect(Object.keys(summaries).sort()).toEqual(ids.toSorted())
  for (const each of Object.values(summaries)) v.parse(summary, each)
})

holds('4.2 stats: the corporate actions of a tokenized equity, ascending', async (context) => {
  const id = await one('tokenizedEquity', context)
  const history = await payload<{ time: number }[]>(`stats?id=${id}&streamtype=activecorporateaction`)
  const times = history.map(timeOf)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

refuses('4.2 stats: a stream type that does not exist, or none, is refused', async (context) => {
  const id = await one('tokenizedEquity', context)
  expectRefusal(await get(`stats?id=${id}&streamtype=weather`))
  expectRefusal(await get(`stats?id=${id}`))
})

refuses('4.2 only GET is answered', async () => {
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const { status, body } = await get('indices', undefined, method)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(body).not.toHaveProperty('payload')
  }
})

refuses('7 maxResolution: any other value is 400, whatever its case, and so is an empty one', async (context) => {
  const id = await one('every200ms', context)
  for (const path of resolved) {
    for (const wrong of ['PER_MINUTE', 'DAILY', 'per_second', 'PER_200ms', '200', '', '%20PER_SECOND']) {
      const { status } = await get(`${path}?id=${id}&maxResolution=${wrong}`)
      expect([path, wrong, status]).toEqual([path, wrong, 400])
    }
  }
})

holds('7 maxResolution: either of the two is accepted, on every endpoint that has it', async (context) => {
  const id = await one('daily', context)
  for (const path of resolved) {
    for (const right of ['PER_SECOND', 'PER_200MS']) {
      const { status } = await get(`${path}?id=${id}&maxResolution=${right}`)
      expect([path, right, status]).toEqual([path, right, 200])
    }
  }
})

refuses('7 an unknown id is refused in the envelope, with a reason and without a payload', async () => {
  for (const path of resolved) expectRefusal(await get(`${path}?id=NO_SUCH_INDEX`))
  expectRefusal(await get('stats?id=NO_SUCH_INDEX&streamtype=activecorporateaction'))
})

refuses('7 a missing id is refused', async () => {
  for (const path of resolved) expectRefusal(await get(path))
})

holds('4.2 success comes with the time of the service, in UTC with milliseconds', async () => {
  const { body } = await get('indices')
  expect(body['serverTime']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

refuses('9 another version than v1, or none, is not served', async () => {
  for (const path of ['/api/v0/indices', '/api/indices', '/indices']) {
    const { status, body } = await request(path)
    expect([path, status >= 400, 'payload' in body]).toEqual([path, true, false])
  }
})

holds('9 a REST request without maxResolution returns second boundaries', async (context) => {
  const id = await one('every200ms', context)
  expect(between(v.parse(rows, await payload(`values?id=${id}`)))).toEqual([])
})
