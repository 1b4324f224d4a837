import * as v from 'valibot'
import { expect } from 'vitest'
import { connect } from './connection'
import { allOf, offered, one, required } from './offers'
import { payload } from './rest'
import { once } from './service'
import { rows, timeOf, valueMessage, type Row } from './shapes'
import { holds, refuses } from './spec-test'

/** The latest value of every index. */
const latest = once(async () => {
  const connection = await connect()
  const ids = (await offered()).map(({ id }) => id)
  for (const id of ids) connection.subscribe('value', id)
  await Promise.all(ids.map((id) => connection.some(1, 'value', id)))
  return ids.map((id) => connection.of('value', id)[0] ?? {})
})

/** A year of each daily index, from REST. */
const years = once(async () => {
  const daily = (await offered()).filter(({ maxResolution }) => maxResolution === 'DAILY')
  return Promise.all(daily.map(({ id }) => payload<Row[]>(`values?id=${id}`)))
})

holds('2.4 a value message has type, id, time and value in the specified shape', async () => {
  const messages = await latest()
  expect(messages.length).toBeGreaterThan(0)
  for (const message of messages) v.parse(valueMessage, message)
})

refuses('2.4 no value is a JSON number, empty or anything but a decimal', async () => {
  const values = (await latest()).map(({ value }) => value)
  expect(values.filter((value) => typeof value !== 'string')).toEqual([])
  expect(values.filter((value) => !Number.isFinite(Number.parseFloat(String(value))))).toEqual([])
})

holds('2.4 a value may come in scientific notation', async (context) => {
  const scientific = (await latest()).find(({ value }) => /e/i.test(String(value)))
  const { value } = required(scientific, 'value in scientific notation', context)
  expect(value).toMatch(/^-?\d(\.\d+)?[eE][+-]?\d+$/)
})

holds('2.4 an amended value has an amendTime after its calculation', async (context) => {
  const amended = (await latest()).find((message) => 'amendTime' in message)
  const message = v.parse(valueMessage, required(amended, 'amended value among the latest ones', context))
  expect(message.amendTime).toBeGreaterThan(timeOf(message))
})

refuses('2.4 a value that was not amended has no amendTime, not even an empty one', async (context) => {
  const messages = await latest()
  const plain = messages.filter((message) => !('amendTime' in message))
  required(plain[0], 'value that was not amended', context)
  for (const { amendTime } of messages) expect(['number', 'undefined']).toContain(typeof amendTime)
})

holds('2.4 the latest value and REST have the same flags', async () => {
  const daily = (await offered()).filter(({ maxResolution }) => maxResolution === 'DAILY').slice(0, 30)
  const ids = daily.map(({ id }) => id)
  const { latest_values: listed } = await payload<{ latest_values: Record<string, Row> }>(
    `latest_values?id=${ids.join(',')}`,
  )
  const streamed = (await latest()).filter(({ id }) => ids.includes(String(id)))
  expect(streamed).toEqual(ids.map((id) => ({ type: 'value', id, ...listed[id] })))
})

holds('6 rule 2: rows amended after publication have amendTime in REST too', async (context) => {
  const all = (await years()).flatMap((year) => v.parse(rows, year))
  const amended = all.filter(({ amendTime }) => amendTime !== undefined)
  required(amended[0], 'amended row', context)
  for (const row of amended) expect(row.amendTime).toBeGreaterThan(timeOf(row))
  expect(amended.length).toBeLessThan(all.length)
})

holds('6 rule 3: a failed day repeats the value of the day before with the flag', async (context) => {
  const repeated = (await years()).flatMap((year) =>
    year.flatMap((row, at) => (row.repeatOfPreviousValue === undefined ? [] : [{ row, before: year[at - 1] }])),
  )
  const known = repeated.filter(({ before }) => before !== undefined)
  required(known[0], 'day carried over', context)
  expect(known.map(({ row }) => [row.repeatOfPreviousValue, row.value])).toEqual(
    known.map(({ before }) => [true, before?.value]),
  )
})

refuses('6 rule 3: an index that is calculated every second never repeats a day', async (context) => {
  const ids = (await allOf('everySecond', context)).slice(0, 3)
  for (const id of ids) {
    const flagged = (await payload<Row[]>(`values?id=${id}`)).filter((row) => 'repeatOfPreviousValue' in row)
    expect(flagged).toEqual([])
  }
})

holds('6 the most recent value is sent first, then each new one, none missing and none twice', async (context) => {
  const id = await one('everySecond', context)
  const connection = await connect()
  connection.subscribe('value', id)
  const messages = (await connection.some(4, 'value', id)) as unknown as Row[]
  const fresh = messages.filter(({ amendTime }) => amendTime === undefined).map(timeOf)
  expect(fresh).toEqual(fresh.map((_, at) => (fresh[0] ?? 0) + at * 1_000))
})

holds('6 stream and history agree', async (context) => {
  const id = await one('everySecond', context)
  const connection = await connect()
  connection.subscribe('value', id)
  await connection.some(3, 'value', id)
  const history = await payload<Row[]>(`values?id=${id}`)
  for (const { time, value } of connection.of('value', id).slice(0, 3)) {
    expect(history).toContainEqual(expect.objectContaining({ time, value }))
  }
})

refuses('6 rule 1: neither a subscription nor its end is acknowledged', async (context) => {
  const [slow, fast] = [await one('daily', context), await one('every200ms', context)]
  const connection = await connect()
  for (const id of [slow, fast]) connection.subscribe('value', id)
  await connection.settled()
  for (const id of [slow, fast]) connection.unsubscribe('value', id)
  const others = (await connection.settled()).filter(({ type }) => type !== 'value')
  expect(others).toEqual([])
})
