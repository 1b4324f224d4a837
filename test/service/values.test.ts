import { expect, test } from 'vitest'
import { get, openSimulator } from './stream-client'

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
