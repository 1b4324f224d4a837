import { describe, expect, test } from 'vitest'
import { openClient, openTickClients } from './stream-client'

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
