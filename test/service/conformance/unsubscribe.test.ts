import { expect } from 'vitest'
import { connect, type Connection } from './connection'
import { allOf, one } from './offers'
import { holds, refuses } from './spec-test'

/**
 * Unsubscribes from one channel and waits for two more messages of another, as a sign that time has passed. Returns how
 * many more messages of the first channel arrived.
 */
async function countAfterUnsubscribing(
  connection: Connection,
  [left, leftId]: readonly [string, string],
  [kept, keptId]: readonly [string, string],
): Promise<number> {
  connection.unsubscribe(left, leftId)
  await connection.settled()
  const before = connection.of(left, leftId).length
  await connection.some(connection.of(kept, keptId).length + 2, kept, keptId)
  return connection.of(left, leftId).length - before
}

/** Like `countAfterUnsubscribing`, for two channels of one index. */
async function countOfChannel(left: string, kept: string, id: string): Promise<number> {
  const connection = await connect()
  for (const stream of [left, kept]) connection.subscribe(stream, id)
  await connection.some(1, left, id)
  return countAfterUnsubscribing(connection, [left, id], [kept, id])
}

holds('2.3 after unsubscribing, messages of the index stop; another index continues', async (context) => {
  const [left, kept] = await allOf('everySecond', context)
  const other = kept ?? (await one('basket', context))
  const connection = await connect()
  for (const id of [left, other]) connection.subscribe('value', id)
  await connection.some(2, 'value', left)
  expect(await countAfterUnsubscribing(connection, ['value', left], ['value', other])).toBe(0)
})

holds('2.3 unsubscribing from PER_200MS ends every tick', async (context) => {
  const [left, kept] = [await one('every200ms', context), await one('everySecond', context)]
  const connection = await connect()
  connection.subscribe('value', left, { maxResolution: 'PER_200MS' })
  connection.subscribe('value', kept)
  await connection.some(3, 'value', left)
  expect(await countAfterUnsubscribing(connection, ['value', left], ['value', kept])).toBe(0)
})

holds('2.3 unsubscribing from the constituents of an index keeps its values', async (context) => {
  expect(await countOfChannel('constituents', 'value', await one('basket', context))).toBe(0)
})

holds('2.3 unsubscribing from the values of an index keeps its constituents', async (context) => {
  expect(await countOfChannel('value', 'constituents', await one('exchangeFamily', context))).toBe(0)
})

refuses('2.3 unsubscribing is not answered, on either channel, subscribed or not', async (context) => {
  const [id, never] = [await one('basket', context), await one('daily', context)]
  const connection = await connect()
  for (const stream of ['value', 'constituents']) connection.subscribe(stream, id)
  await connection.settled()
  for (const stream of ['value', 'constituents']) connection.unsubscribe(stream, id)
  connection.unsubscribe('value', never)
  const types = new Set((await connection.settled()).map(({ type }) => type))
  expect(types).toEqual(new Set(['value', 'constituents']))
})

refuses('2.3 one client unsubscribing does not affect another', async (context) => {
  const id = await one('everySecond', context)
  const [leaving, staying] = await Promise.all([connect(), connect()])
  for (const connection of [leaving, staying]) connection.subscribe('value', id)
  await Promise.all([leaving.settled(), staying.settled()])
  leaving.unsubscribe('value', id)
  await leaving.settled()
  await staying.some(staying.of('value', id).length + 1, 'value', id)
})
