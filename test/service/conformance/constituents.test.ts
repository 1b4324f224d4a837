import * as v from 'valibot'
import { expect } from 'vitest'
import { connect } from './connection'
import { listen, one } from './offers'
import { once } from './service'
import { basketMessage, familyMessage, timeOf } from './shapes'
import { holds, refuses } from './spec-test'

/** Three calculations of an index and its values. */
const received = once(async (id) => {
  const connection = await connect()
  connection.subscribe('constituents', id)
  connection.subscribe('value', id)
  await Promise.all([connection.some(3, 'constituents', id), connection.some(3, 'value', id)])
  return { calculations: connection.of('constituents', id), values: connection.of('value', id) }
})

/** Expects weights that sum up to 100 %, give or take the rounding of the published percentages. */
function expectWhole(weights: readonly { weightPercent: string }[]): void {
  const sum = weights.reduce((total, { weightPercent }) => total + Number(weightPercent), 0)
  expect(Math.abs(sum - 100)).toBeLessThanOrEqual(0.5)
}

holds('2.2 type, stream and id suffice: the latest calculation first, then each new one', async (context) => {
  const { calculations } = await received(await one('basket', context))
  const times = calculations.map((message) => timeOf(v.parse(basketMessage, message)))
  expect(times).toEqual(times.map((_, at) => (times[0] ?? 0) + at * 1_000))
})

refuses('2.2 maxResolution, which this channel does not have, changes nothing', async (context) => {
  const id = await one('basket', context)
  const connection = await listen(id, { count: 3, stream: 'constituents', maxResolution: 'PER_200MS' })
  const times = connection.of('constituents', id).map((message) => timeOf(v.parse(basketMessage, message)))
  expect(times.filter((time) => time % 1_000 !== 0)).toEqual([])
})

refuses('2.2 nothing acknowledges the subscription', async (context) => {
  const connection = await connect()
  connection.subscribe('constituents', await one('basket', context))
  connection.subscribe('constituents', await one('exchangeFamily', context))
  const types = (await connection.settled()).map(({ type }) => type)
  expect(new Set(types)).toEqual(new Set(['constituents']))
})

holds('2.5 exchange family: divisor, and for each constituent its exchanges', async (context) => {
  const { calculations } = await received(await one('exchangeFamily', context))
  for (const message of calculations) v.parse(familyMessage, message)
})

holds('2.5 basket: name, value and weight of each constituent', async (context) => {
  const { calculations } = await received(await one('basket', context))
  for (const message of calculations) v.parse(basketMessage, message)
})

refuses('2.5 a basket carries no divisor and no exchanges', async (context) => {
  const { calculations } = await received(await one('basket', context))
  for (const message of calculations) {
    expect(message).not.toHaveProperty('divisor')
    for (const constituent of v.parse(basketMessage, message).constituents) {
      expect(Object.keys(constituent)).not.toContain('exchanges')
    }
    for (const raw of message['constituents'] as object[]) expect(raw).not.toHaveProperty('exchanges')
  }
})

holds('2.5 weights are percentages, of the index and of each constituent', async (context) => {
  const basket = await received(await one('basket', context))
  for (const message of basket.calculations) expectWhole(v.parse(basketMessage, message).constituents)
  const family = await received(await one('exchangeFamily', context))
  for (const message of family.calculations) {
    const { constituents } = v.parse(familyMessage, message)
    expectWhole(constituents)
    for (const { exchanges } of constituents) expectWhole(exchanges)
  }
})

refuses('2.5 no constituent is listed twice, nor an exchange within one', async (context) => {
  const { calculations } = await received(await one('exchangeFamily', context))
  for (const message of calculations) {
    const { constituents } = v.parse(familyMessage, message)
    expect(new Set(constituents.map(({ constituent }) => constituent)).size).toBe(constituents.length)
    for (const { exchanges } of constituents) {
      expect(new Set(exchanges.map(({ exchange }) => exchange)).size).toBe(exchanges.length)
    }
  }
})

holds('2.5 the value is that of the index at that time, as on the other channel', async (context) => {
  for (const kind of ['basket', 'exchangeFamily'] as const) {
    const { calculations, values } = await received(await one(kind, context))
    const byTime = new Map(values.map((message) => [message['time'], message['value']]))
    const both = calculations.filter(({ time }) => byTime.has(time))
    expect(both.length).toBeGreaterThanOrEqual(2)
    expect(both.map(({ value }) => value)).toEqual(both.map(({ time }) => byTime.get(time)))
  }
})
