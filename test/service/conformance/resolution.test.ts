import { expect } from 'vitest'
import { connect } from './connection'
import { listen, one, ourChoice } from './offers'
import { payload } from './rest'
import { once } from './service'
import { timeOf, type Row } from './shapes'
import { holds, refuses } from './spec-test'

type Values = Map<number, unknown>

/** Values by time. The first one received for a time counts. */
function byTime(messages: readonly object[]): Values {
  return new Map((messages as Row[]).toReversed().map((message) => [timeOf(message), message.value]))
}

/** Some seconds of one index, received by default, with PER_SECOND and with PER_200MS. */
const received = once(async (id) => {
  const [plain, bySecond, ticks] = await Promise.all([
    listen(id, { count: 4 }),
    listen(id, { count: 4, maxResolution: 'PER_SECOND' }),
    listen(id, { count: 16, maxResolution: 'PER_200MS' }),
  ])
  const of = (connection: typeof plain) => byTime(connection.of('value', id))
  return { plain: of(plain), bySecond: of(bySecond), ticks: of(ticks) }
})

/** The values of `one` within the time that both cover. */
function overlap(one: Values, other: Values): [number, unknown][] {
  const fromMs = Math.max(Math.min(...one.keys()), Math.min(...other.keys()))
  const untilMs = Math.min(Math.max(...one.keys()), Math.max(...other.keys()))
  return [...one].filter(([time]) => time >= fromMs && time <= untilMs).sort(([a], [b]) => a - b)
}

holds('2.1 rule 1: PER_SECOND delivers the value of every second', async (context) => {
  const { bySecond } = await received(await one('every200ms', context))
  const times = [...bySecond.keys()].sort((a, b) => a - b)
  expect(times.slice(1).map((time, at) => time - (times[at] ?? 0))).toEqual(times.slice(1).map(() => 1_000))
})

refuses('2.1 rule 1: nothing between second boundaries is sent with PER_SECOND', async (context) => {
  const { bySecond } = await received(await one('every200ms', context))
  expect([...bySecond.keys()].filter((time) => time % 1_000 !== 0)).toEqual([])
})

refuses('2.1 nothing between second boundaries is sent by default', async (context) => {
  const { plain } = await received(await one('every200ms', context))
  expect([...plain.keys()].filter((time) => time % 1_000 !== 0)).toEqual([])
})

holds('2.1 rule 2: PER_200MS delivers every tick, those between second boundaries too', async (context) => {
  const { ticks } = await received(await one('every200ms', context))
  const times = [...ticks.keys()].sort((a, b) => a - b)
  const expected = times.map((_, at) => (times[0] ?? 0) + at * 200)
  expect(times).toEqual(expected)
  expect(times.length).toBeGreaterThanOrEqual(16)
})

holds('2.1 rule 2: ticks have their original timestamps, the same as in REST', async (context) => {
  const id = await one('every200ms', context)
  const { ticks } = await received(id)
  const history = await payload<Row[]>(`values?id=${id}&maxResolution=PER_200MS`)
  // Values amended after they were received differ.
  const amended = new Set(history.filter(({ amendTime }) => amendTime !== undefined).map(timeOf))
  const published = byTime(history)
  const unchanged = [...ticks].filter(([time]) => !amended.has(time))
  expect(unchanged.length).toBeGreaterThanOrEqual(10)
  expect(unchanged).toEqual(unchanged.map(([time]) => [time, published.get(time)]))
})

holds('2.1 rule 2: at second boundaries both resolutions carry the same value', async (context) => {
  const { ticks, bySecond } = await received(await one('every200ms', context))
  const both = overlap(bySecond, ticks)
  expect(both.length).toBeGreaterThanOrEqual(2)
  expect(both).toEqual(overlap(ticks, bySecond).filter(([time]) => time % 1_000 === 0))
})

holds('2.1 rule 3: PER_200MS is accepted for an index of one value a second and changes nothing', async (context) => {
  const { ticks, plain } = await receivedSlowly(await one('everySecond', context))
  const both = overlap(plain, ticks)
  expect(both.length).toBeGreaterThanOrEqual(2)
  expect(both).toEqual(overlap(ticks, plain))
})

holds('2.1 rule 3: PER_200MS is accepted for a daily index, whose latest value is sent at once', async (context) => {
  const id = await one('daily', context)
  const [plain, ticks] = await Promise.all([
    listen(id, { count: 1 }),
    listen(id, { count: 1, maxResolution: 'PER_200MS' }),
  ])
  expect(ticks.of('value', id)).toEqual(plain.of('value', id))
})

refuses('2.1 a resolution that does not exist is refused on the stream, whatever its case', async (context) => {
  ourChoice(context)
  const id = await one('every200ms', context)
  const connection = await connect()
  const wrong = ['PER_MINUTE', 'per_second', '', null, 200]
  for (const maxResolution of wrong) connection.subscribe('value', id, { maxResolution })
  const answers = (await connection.settled()).map(({ type, success }) => ({ type, success }))
  expect(answers).toEqual(wrong.map(() => ({ type: 'subscribe', success: false })))
})

holds('9 the default resolution delivers the same as PER_SECOND', async (context) => {
  const { plain, bySecond } = await received(await one('every200ms', context))
  const both = overlap(plain, bySecond)
  expect(both.length).toBeGreaterThanOrEqual(2)
  expect(both).toEqual(overlap(bySecond, plain))
})

const receivedSlowly = once(async (id) => {
  const [plain, ticks] = await Promise.all([
    listen(id, { count: 4 }),
    listen(id, { count: 4, maxResolution: 'PER_200MS' }),
  ])
  return { plain: byTime(plain.of('value', id)), ticks: byTime(ticks.of('value', id)) }
})
