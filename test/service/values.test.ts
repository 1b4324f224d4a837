import { expect, test } from 'vitest'
import type { Simulator } from '../../simulator/server'
import { get, openSimulator } from './stream-client'

interface Row {
  time: number
  value: string
}

async function values(simulator: Simulator, query: string): Promise<Row[]> {
  const { status, body } = await get(simulator, `/api/v1/values?${query}`)
  expect(status).toBe(200)
  return body.payload as Row[]
}

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

test('7 a repeated parameter is 400', async () => {
  const { simulator } = await openSimulator()
  expect((await get(simulator, '/api/v1/values?id=BRTI&id=BRR')).status).toBe(400)
  expect((await get(simulator, '/api/v1/values?id=BRTI&includeVerification=true')).status).toBe(200)
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
