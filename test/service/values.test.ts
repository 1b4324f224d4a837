import { expect, test } from 'vitest'
import type { Simulator } from '../../simulator/server'
import { get, openSimulator } from './stream-client'

const noonMs = Date.UTC(2023, 10, 1, 12)

interface Row {
  time: number
  value: string
}

async function values(simulator: Simulator, query: string): Promise<Row[]> {
  const { status, body } = await get(simulator, `/api/v1/values?${query}`)
  expect(status).toBe(200)
  return body.payload as Row[]
}

function isAscending(rows: Row[], stepMs: number): boolean {
  return rows.every(({ time }, at) => at === 0 || time - (rows[at - 1]?.time ?? 0) === stepMs)
}

test('4.2 values: the last hour of a real-time index, ascending, at second boundaries by default', async () => {
  const { simulator } = await openSimulator()
  const rows = await values(simulator, 'id=BRTI')
  expect(rows).toHaveLength(3_600)
  expect(rows.at(-1)?.time).toBe(noonMs)
  expect(isAscending(rows, 1_000)).toBe(true)
  expect(await values(simulator, 'id=BRTI&maxResolution=PER_SECOND')).toEqual(rows)
})

test('4.2 rule 2: PER_200MS returns every tick, those at second boundaries unchanged', async () => {
  const { simulator } = await openSimulator()
  const rows = await values(simulator, 'id=BRTI&maxResolution=PER_200MS')
  expect(rows).toHaveLength(18_000)
  expect(isAscending(rows, 200)).toBe(true)
  expect(rows.filter(({ time }) => time % 1_000 === 0)).toEqual(await values(simulator, 'id=BRTI'))
})

test('4.2 PER_200MS changes nothing on an index of one value a second, or a day', async () => {
  const { simulator } = await openSimulator()
  for (const id of ['NCI', 'BRRNY']) {
    expect(await values(simulator, `id=${id}&maxResolution=PER_200MS`)).toEqual(await values(simulator, `id=${id}`))
  }
  expect(await values(simulator, 'id=NCI')).toHaveLength(3_600)
})

test('4.2 values: the last year of a daily index, each at 16:00 of its zone whatever the season', async () => {
  const { simulator } = await openSimulator()
  const zones = { BRR: 'Europe/London', BRRNY: 'America/New_York', BRRAP: 'Asia/Hong_Kong' }
  for (const [id, timeZone] of Object.entries(zones)) {
    const rows = await values(simulator, `id=${id}`)
    expect(rows).toHaveLength(365)
    const format = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' })
    expect(new Set(rows.map(({ time }) => format.format(time)))).toEqual(new Set(['16:00:00']))
    const gaps = new Set(rows.slice(1).map(({ time }, at) => (time - (rows[at]?.time ?? 0)) / 3_600_000))
    expect(gaps).toEqual(new Set(id === 'BRRAP' ? [24] : [23, 24, 25]))
  }
})

test.each(['', 'per_second', 'PER_SECOND ', 'PER_MINUTE', 'DAILY', '200'])(
  '7 maxResolution "%s" is 400 with the envelope',
  async (wrong) => {
    const { simulator } = await openSimulator()
    for (const path of ['values', 'latest_values']) {
      const answer = await get(simulator, `/api/v1/${path}?id=BRTI&maxResolution=${encodeURIComponent(wrong)}`)
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({
        serverTime: '2023-11-01T12:00:00.000Z',
        error: 'maxResolution must be PER_SECOND or PER_200MS',
      })
      expect((await get(simulator, `/api/v1/${path}?id=BRTI&maxResolution=PER_SECOND`)).status).toBe(200)
    }
  },
)

test('7 an unknown or missing id is 400 "Unknown id", also among known ones', async () => {
  const { simulator } = await openSimulator()
  const paths = [
    'values',
    'values?id=',
    'values?id=NO_SUCH',
    'values?id=BRTI,BRR',
    'latest_values',
    'latest_values?id=',
  ]
  for (const path of [
    ...paths,
    'latest_values?id=BRTI,NO_SUCH',
    'latest_values?id=BRTI,',
    'latest_values?id=__proto__',
  ]) {
    const { status, body } = await get(simulator, `/api/v1/${path}`)
    expect([path, status, body.error]).toEqual([path, 400, 'Unknown id'])
  }
  expect((await get(simulator, '/api/v1/latest_values?id=BRTI,BRR')).status).toBe(200)
})

test('7 a repeated parameter is 400', async () => {
  const { simulator } = await openSimulator()
  expect((await get(simulator, '/api/v1/values?id=BRTI&id=BRR')).status).toBe(400)
  expect((await get(simulator, '/api/v1/values?id=BRTI&includeVerification=true')).status).toBe(200)
})

test('4.2 latest_values: each id with time and value; PER_200MS may be newer than the second', async () => {
  const { simulator, clock } = await openSimulator()
  clock.advance(600)
  const latest = async (query: string) => {
    const { body } = await get(simulator, `/api/v1/latest_values?${query}`)
    return (body.payload as { latest_values: Record<string, Row> }).latest_values
  }
  const bySecond = await latest('id=BRTI,BRR,LINKUSD_RTI')
  expect(Object.keys(bySecond)).toEqual(['BRTI', 'BRR', 'LINKUSD_RTI'])
  expect(bySecond['BRTI']?.time).toBe(noonMs)
  expect(bySecond['BRR']).toEqual((await values(simulator, 'id=BRR')).at(-1))
  const byTick = await latest('id=BRTI,LINKUSD_RTI&maxResolution=PER_200MS')
  expect(byTick['BRTI']?.time).toBe(noonMs + 600)
  expect(byTick['LINKUSD_RTI']?.time).toBe(noonMs)
})

test('4.2 latest_values takes 30 ids and not 31', async () => {
  const { simulator } = await openSimulator()
  const all = (await get(simulator, '/api/v1/indices')).body.payload as { id: string }[]
  const first = (count: number) =>
    all
      .slice(0, count)
      .map(({ id }) => id)
      .join(',')
  const thirty = await get(simulator, `/api/v1/latest_values?id=${first(30)}`)
  expect(Object.keys((thirty.body.payload as { latest_values: object }).latest_values)).toHaveLength(30)
  expect((await get(simulator, `/api/v1/latest_values?id=${first(31)}`)).status).toBe(400)
})
