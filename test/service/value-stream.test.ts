import { describe, expect, test } from 'vitest'
import { connect, get, openClient, openSimulator, openTickClients } from './stream-client'

const noonMs = Date.UTC(2023, 10, 1, 12)
const seconds = (count: number, from = 1) => Array.from({ length: count }, (_, at) => noonMs + (from + at) * 1_000)
const times = (messages: Record<string, unknown>[]) => messages.map(({ time }) => time)

describe('resolution', () => {
  test('2.1 rule 1: PER_SECOND, explicit or by default, delivers second boundaries only', async () => {
    const { simulator, clock } = await openSimulator()
    const [explicit, byDefault] = [await connect(simulator), await connect(simulator)]
    explicit.subscribe('BRTI', 'PER_SECOND')
    byDefault.subscribe('BRTI')
    await Promise.all([explicit.settled(), byDefault.settled()])
    clock.advance(3_400)
    expect(times(await explicit.messages())).toEqual([noonMs, ...seconds(3)])
    expect(await byDefault.settled()).toEqual(await explicit.settled())
  })

  test('2.1 rule 2: PER_200MS delivers every tick at its original time', async () => {
    const { clock, client } = await openClient()
    client.subscribe('BRTI', 'PER_200MS')
    await client.settled()
    clock.advance(1_100)
    expect(times(await client.messages())).toEqual([0, 200, 400, 600, 800, 1_000].map((ms) => noonMs + ms))
  })

  test('2.1 rule 2: a subscriber of seconds does not get the ticks of another client', async () => {
    const { clock, everyTick, everySecond } = await openTickClients()
    clock.advance(1_000)
    expect(times(await everyTick.messages())).toHaveLength(6)
    const shared = (await everyTick.settled()).filter((frame) => frame.includes('000,"id"'))
    expect(await everySecond.settled()).toEqual(shared)
  })

  test('2.1 rule 3: PER_200MS on an index of one value a second, or a day, is accepted and changes nothing', async () => {
    const { simulator, clock } = await openSimulator()
    const [ticks, plain] = [await connect(simulator), await connect(simulator)]
    for (const id of ['LINKUSD_RTI', 'BRR']) {
      ticks.subscribe(id, 'PER_200MS')
      plain.subscribe(id)
    }
    await Promise.all([ticks.settled(), plain.settled()])
    clock.advance(2_000)
    const received = await ticks.settled()
    expect(received).toHaveLength(4)
    expect(received).toEqual(await plain.settled())
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
    // The latest, twice; two ticks; the latest on a second boundary; one second.
    expect(times(await client.messages()).map((time) => Number(time) - noonMs)).toEqual([0, 0, 200, 400, 0, 1_000])
  })

  test('2.1 a resolution that does not exist is refused and subscribes to nothing', async () => {
    const { clock, client } = await openClient()
    for (const wrong of ['PER_MINUTE', 'per_second', '']) client.subscribe('BRTI', wrong)
    client.send('{"type":"subscribe","stream":"value","id":"BRTI","maxResolution":null}')
    await client.settled()
    clock.advance(2_000)
    const refusal = '{"type":"subscribe","id":"BRTI","stream":"value","success":false,"reason":"Invalid maxResolution"}'
    expect(await client.settled()).toEqual([refusal, refusal, refusal, refusal])
  })
})

describe('subscribe and unsubscribe', () => {
  test('4.1 the most recent value is sent at once, and nothing acknowledges the subscription', async () => {
    const { simulator, clock } = await openSimulator()
    clock.advance(700)
    const client = await connect(simulator)
    client.subscribe('BRTI')
    client.subscribe('BRR')
    const messages = await client.messages()
    expect(messages.map(({ type, id, time }) => ({ type, id, time }))).toEqual([
      { type: 'value', id: 'BRTI', time: noonMs },
      { type: 'value', id: 'BRR', time: Date.UTC(2023, 9, 31, 16) },
    ])
  })

  test('4.1 a value is not sent twice when the subscription falls on its time', async () => {
    const { clock, client } = await openClient('LINKUSD_RTI')
    clock.sleep(1_000)
    client.subscribe('BRTI')
    await client.settled()
    clock.advance(0)
    expect((await client.messages()).map(({ id, time }) => `${String(id)} ${Number(time) - noonMs}`)).toEqual([
      'LINKUSD_RTI 0',
      'LINKUSD_RTI 1000',
      'BRTI 1000',
    ])
  })

  test('2.3 unsubscribe is not answered; that index stops, the others continue', async () => {
    const { clock, client } = await openClient('BRTI', 'ETHUSD_RTI')
    client.send({ type: 'unsubscribe', stream: 'value', id: 'BRTI' })
    expect(await client.settled()).toHaveLength(2)
    clock.advance(2_000)
    expect((await client.messages()).slice(2).map(({ id }) => id)).toEqual(['ETHUSD_RTI', 'ETHUSD_RTI'])
  })

  test('2.3 unsubscribing without a subscription is not answered either; other clients are not affected', async () => {
    const { simulator, clock } = await openSimulator()
    const [leaving, staying] = [await connect(simulator), await connect(simulator)]
    staying.subscribe('BRTI')
    await staying.settled()
    leaving.send({ type: 'unsubscribe', stream: 'value', id: 'BRTI' })
    expect(await leaving.settled()).toEqual([])
    clock.advance(1_000)
    expect(await staying.settled()).toHaveLength(2)
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

  test('2.4 every value is a decimal string with the digits of its index, and no flag without a reason', async () => {
    const { simulator, client } = await openClient()
    client.send({ type: 'info' })
    const [{ streams }] = (await client.messages()) as unknown as [{ streams: { id: string }[] }]
    for (const { id } of streams) client.subscribe(id)
    const values = (await client.messages()).slice(1)
    expect(values).toHaveLength(streams.length)
    const { body } = await get(simulator, '/api/v1/indices')
    const decimals = new Map(
      (body.payload as { id: string; decimals: number }[]).map((index) => [index.id, index.decimals]),
    )
    for (const { id, value, time, type, amendTime, repeatOfPreviousValue, ...others } of values) {
      expect(others).toEqual({})
      expect(type).toBe('value')
      expect(time).toSatisfy(Number.isSafeInteger)
      if (String(id).startsWith('SHIB')) expect(value).toMatch(/^[1-9](\.\d*[1-9])?e-[56]$/)
      else expect(value).toMatch(new RegExp(`^\\d+\\.\\d{${String(decimals.get(String(id)))}}$`))
      if (amendTime !== undefined) expect(Number(amendTime)).toBeGreaterThan(Number(time))
      expect([undefined, true]).toContain(repeatOfPreviousValue)
    }
  })

  test('2.4 an amended value is sent again with its time, a new value and amendTime; REST then has it too', async () => {
    const { simulator, clock, client } = await openClient('BRTI')
    // Over two hours there are amendments, but most values have none.
    for (let minute = 0; minute < 120; minute++) {
      clock.advance(60_000)
      await client.settled()
    }
    const messages = await client.messages()
    const amended = messages.filter(({ amendTime }) => amendTime !== undefined)
    expect(amended.length).toBeGreaterThan(0)
    expect(messages).toHaveLength(7_201 + amended.length)
    const { body } = await get(simulator, '/api/v1/values?id=BRTI')
    const rows = new Map((body.payload as { time: number }[]).map((row) => [row.time, row]))
    for (const { time, value, amendTime } of amended) {
      const first = messages.find((message) => message['time'] === time)
      expect(first).not.toHaveProperty('amendTime')
      expect(first?.['value']).not.toBe(value)
      if (rows.has(Number(time))) expect(rows.get(Number(time))).toEqual({ value, time, amendTime })
    }
    expect([...rows.keys()].some((time) => amended.some((message) => message['time'] === time))).toBe(true)
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

  test('6 rule 3: a failed day repeats the value of the day before with the flag, in stream and REST', async () => {
    const day = Date.UTC(2023, 10, 1)
    expect((day / 86_400_000) % 2).toBe(0)
    const { simulator, clock } = await openSimulator({ startMs: day + 17 * 3_600_000 })
    const client = await connect(simulator)
    client.subscribe('ETH_SRR')
    clock.advance(0)
    const [carried] = await client.messages()
    const rows = (await get(simulator, '/api/v1/values?id=ETH_SRR')).body.payload as Record<string, unknown>[]
    const [before, last] = rows.slice(-2)
    expect(carried).toMatchObject({ time: day + 16 * 3_600_000, repeatOfPreviousValue: true, value: before?.['value'] })
    expect(last).toEqual({ time: day + 16 * 3_600_000, value: before?.['value'], repeatOfPreviousValue: true })
    expect(before).not.toHaveProperty('repeatOfPreviousValue')
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

  test('6 stream, latest value and history agree', async () => {
    const { simulator, clock, client } = await openClient()
    client.subscribe('BRTI', 'PER_200MS')
    await client.settled()
    clock.advance(5_000)
    const streamed = (await client.messages()).map(({ time, value }) => ({ time, value }))
    const rows = (await get(simulator, '/api/v1/values?id=BRTI&maxResolution=PER_200MS')).body.payload
    expect((rows as { time: number; value: string }[]).slice(-26)).toEqual(streamed)
    const { payload } = (await get(simulator, '/api/v1/latest_values?id=BRTI')).body
    expect(payload).toEqual({ latest_values: { BRTI: streamed.at(-1) } })
  })
})
