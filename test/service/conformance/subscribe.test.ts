import * as v from 'valibot'
import { expect } from 'vitest'
import { connect, expectRefused } from './connection'
import { offered, one, shared } from './offers'
import { payload } from './rest'
import { decimal, maxResolution, time, type Row } from './shapes'
import { holds, refuses } from './spec-test'

const unknown = 'NO_SUCH_INDEX'

holds('4.1 value: the most recent value is sent first, however old it is', async (context) => {
  const id = await one('daily', context)
  const connection = await connect()
  connection.subscribe('value', id)
  const [first] = await connection.some(1, 'value', id)
  const { latest_values: latest } = await payload<{ latest_values: Record<string, Row> }>(`latest_values?id=${id}`)
  expect(first).toMatchObject({ ...latest[id] })
})

holds('4.1 value: the first message is from before the subscription, the next from after it', async (context) => {
  const id = await one('everySecond', context)
  const connection = await connect()
  connection.subscribe('value', id)
  await connection.settled()
  expect(connection.of('value', id)).not.toEqual([])
  await connection.some(2, 'value', id)
})

holds('4.1 constituents: the most recent calculation is sent first', async (context) => {
  for (const kind of ['basket', 'exchangeFamily'] as const) {
    const id = await one(kind, context)
    const connection = await connect()
    connection.subscribe('constituents', id)
    await connection.settled()
    expect(connection.of('constituents', id)).not.toEqual([])
  }
})

holds('4.1 info: a list of streams, each with its maxResolution', async () => {
  const info = await (await connect()).info()
  const streams = info['streams'] as Record<string, unknown>[]
  expect(streams.length).toBeGreaterThan(0)
  for (const stream of streams) v.parse(v.object({ id: v.string(), maxResolution }), stream)
  expect(new Set(streams.map(({ id }) => id)).size).toBe(streams.length)
})

refuses('4.1 info: there is no isSubSecond', async () => {
  const info = await (await connect()).info()
  const streams = info['streams'] as object[]
  for (const stream of streams) expect(stream).not.toHaveProperty('isSubSecond')
})

holds('4.1 active_corporate_action: a tokenized equity has one, and it is a message of its own', async (context) => {
  const id = await one('tokenizedEquity', context)
  const connection = await connect()
  connection.subscribe('active_corporate_action', id)
  const [first] = await connection.some(1, 'active_corporate_action', id)
  v.parse(v.object({ type: v.literal('active_corporate_action'), id: v.literal(id), time }), first)
  expect((await connection.settled()).filter(({ type }) => type === 'subscribe')).toEqual([])
})

refuses('4.1 active_corporate_action: an index that is not a tokenized equity has none', async (context) => {
  const id = await one('every200ms', context)
  await expectRefused('active_corporate_action', id)
})

refuses('2.6 an unknown id is refused on the channel value, with all fields of the command and a reason', async () => {
  await expectRefused('value', unknown)
})

refuses(
  '2.6 an unknown id is refused on the channel constituents, with all fields of the command and a reason',
  async () => {
    await expectRefused('constituents', unknown)
  },
)

holds('2.6 an index that exists is not refused', async () => {
  const connection = await connect()
  const ids = (await offered()).map(({ id }) => id)
  for (const id of ids) connection.subscribe('value', id)
  const failed = (await connection.settled()).filter(({ success }) => success === false)
  expect(failed).toEqual([])
})

refuses('7 an id in another case, or empty, is an unknown one', async (context) => {
  const id = await one('everySecond', context)
  const connection = await connect()
  for (const wrong of [id.toLowerCase(), '', ` ${id}`]) connection.subscribe('value', wrong)
  const refusals = await connection.settled()
  expect(refusals.map(({ success, id: refused }) => [success, refused])).toEqual([
    [false, id.toLowerCase()],
    [false, ''],
    [false, ` ${id}`],
  ])
})

holds('7 a refusal ends nothing: earlier subscriptions continue', async (context) => {
  const id = await one('everySecond', context)
  const connection = await connect()
  connection.subscribe('value', id)
  connection.subscribe('value', unknown)
  connection.subscribe('constituents', unknown)
  await connection.settled()
  await connection.some(connection.of('value', id).length + 1, 'value', id)
})

holds('1 several channels and several indices share one connection', async (context) => {
  const [basket, second] = [await one('basket', context), await one('everySecond', context)]
  const connection = await shared()
  connection.subscribe('value', basket)
  connection.subscribe('constituents', basket)
  connection.subscribe('value', second)
  const received = await Promise.all([
    connection.some(1, 'value', basket),
    connection.some(1, 'constituents', basket),
    connection.some(1, 'value', second),
  ])
  for (const [first] of received) v.parse(v.object({ type: v.string(), id: v.string(), value: decimal }), first)
})
