import { expect } from 'vitest'
import { connect, type Connection } from './connection'
import { allOf, one } from './offers'
import { holds, refuses } from './spec-test'

/**
 * Leaves a channel, waits for two more messages of another one as a sign that time has passed, and answers how many came
 * of the one that was left.
 */
async function heardAfterLeaving(
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

holds('2.3 messages of an index cease when it is left; another index goes on', async (context) => {
  const [left, kept] = await allOf('everySecond', context)
  const other = kept ?? (await one('basket', context))
  const connection = await connect()
  for (const id of [left, other]) connection.subscribe('value', id)
  await connection.some(2, 'value', left)
  expect(await heardAfterLeaving(connection, ['value', left], ['value', other])).toBe(0)
})

holds('2.3 leaving every tick leaves every tick', async (context) => {
  const [left, kept] = [await one('every200ms', context), await one('everySecond', context)]
  const connection = await connect()
  connection.subscribe('value', left, { maxResolution: 'PER_200MS' })
  connection.subscribe('value', kept)
  await connection.some(3, 'value', left)
  expect(await heardAfterLeaving(connection, ['value', left], ['value', kept])).toBe(0)
})

holds('2.3 leaving the constituents of an index leaves its values going on', async (context) => {
  const id = await one('basket', context)
  const connection = await connect()
  for (const stream of ['value', 'constituents']) connection.subscribe(stream, id)
  await connection.some(1, 'constituents', id)
  expect(await heardAfterLeaving(connection, ['constituents', id], ['value', id])).toBe(0)
})

holds('2.3 leaving the values of an index leaves its constituents going on', async (context) => {
  const id = await one('exchangeFamily', context)
  const connection = await connect()
  for (const stream of ['value', 'constituents']) connection.subscribe(stream, id)
  await connection.some(1, 'value', id)
  expect(await heardAfterLeaving(connection, ['value', id], ['constituents', id])).toBe(0)
})

refuses('2.3 leaving is not answered, on either channel, subscribed or not', async (context) => {
  const [id, never] = [await one('basket', context), await one('daily', context)]
  const connection = await connect()
  for (const stream of ['value', 'constituents']) connection.subscribe(stream, id)
  await connection.settled()
  for (const stream of ['value', 'constituents']) connection.unsubscribe(stream, id)
  connection.unsubscribe('value', never)
  const types = new Set((await connection.settled()).map(({ type }) => type))
  expect(types).toEqual(new Set(['value', 'constituents']))
})

refuses('2.3 one client leaving does not cut another off', async (context) => {
  const id = await one('everySecond', context)
  const [leaving, staying] = await Promise.all([connect(), connect()])
  for (const connection of [leaving, staying]) connection.subscribe('value', id)
  await Promise.all([leaving.settled(), staying.settled()])
  leaving.unsubscribe('value', id)
  await leaving.settled()
  await staying.some(staying.of('value', id).length + 1, 'value', id)
})
