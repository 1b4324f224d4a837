import { describe, expect, test } from 'vitest'
import { connect, openClient, openSimulator, openTickClients } from './stream-client'

const noonMs = Date.UTC(2023, 10, 1, 12)
const times = (messages: Record<string, unknown>[]) => messages.map(({ time }) => time)

describe('resolution', () => {
  test('2.1 rule 2: a subscriber of seconds does not get the ticks of another client', async () => {
    const { clock, everyTick, everySecond } = await openTickClients()
    clock.advance(1_000)
    expect(times(await everyTick.messages())).toHaveLength(6)
    const shared = (await everyTick.settled()).filter((frame) => frame.includes('000,"id"'))
    expect(await everySecond.settled()).toEqual(shared)
  })

  test('2.1 subscribing again changes the resolution, in both directions', async () => {
    const { clock, client } = await openClient()
    client.subscribe('BRTI')
    client.subscribe('BRTI', 'PER_200MS')
    await client.settled()
    clock.advance(400)
    client.subscribe('BRTI', 'PER_SECOND')
    await client.settled()
    clock.advance(1_000)
    // The latest value twice, two ticks, the latest value on a whole second, and one value a second later.
    expect(times(await client.messages()).map((time) => Number(time) - noonMs)).toEqual([0, 0, 200, 400, 0, 1_000])
  })
})

describe('value messages', () => {
  test('2.4 a value message is written as in production: this order of keys, no spaces, zeros kept', async () => {
    const { simulator } = await openSimulator()
    simulator.publish('BRTI', { time: noonMs, value: '79767.30' })
    const client = await connect(simulator)
    client.subscribe('BRTI')
    expect(await client.settled()).toEqual(['{"type":"value","time":1698840000000,"id":"BRTI","value":"79767.30"}'])
  })

  test('2.4 an amendment is not known before it is made', async () => {
    const { simulator, client } = await openClient()
    simulator.publish('BRR', { time: Date.UTC(2023, 9, 31, 16), value: '34500.10' })
    client.subscribe('BRR')
    expect((await client.messages())[0]).not.toHaveProperty('amendTime')
    simulator.publish('BRR', { time: Date.UTC(2023, 9, 31, 16), value: '34500.20', amendTime: noonMs })
    expect((await client.settled())[1]).toBe(
      '{"type":"value","time":1698768000000,"id":"BRR","value":"34500.20","amendTime":1698840000000}',
    )
  })

  test('6 a daily index publishes at 16:00 of its zone, and not a second before', async () => {
    const { simulator, clock } = await openSimulator({ startMs: Date.UTC(2024, 6, 1, 14, 59, 58) })
    const client = await connect(simulator)
    client.subscribe('BRR')
    await client.settled()
    clock.advance(1_000)
    expect(await client.settled()).toHaveLength(1)
    clock.advance(1_000)
    // 16:00 in London is 15:00 UTC in summer.
    expect(times(await client.messages())).toEqual([Date.UTC(2024, 5, 30, 15), Date.UTC(2024, 6, 1, 15)])
  })
})
