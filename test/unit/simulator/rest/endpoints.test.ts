import { describe, expect, test } from 'vitest'
import { get, openSimulator } from '../../../service/stream-client'

type Row = Record<string, unknown> & { time: number; value: string }

const minuteMs = 60_000
const noonMs = Date.UTC(2023, 10, 1, 12)

async function open() {
  const { simulator } = await openSimulator()
  return async (path: string) => {
    const { status, body } = await get(simulator, `/api/v1/${path}`)
    return status === 200 ? body.payload : [status, body.error]
  }
}

describe('indices/{id}/detail', () =>
  test('has the fields of the summary, and null for what an index does not have', async () => {
    const ask = await open()
    for (const id of ['BRTI', 'BRR', 'NCI', 'APT_SRR', 'TSLAXUSD_RTI']) {
      expect(await ask(`indices/${id}/detail`)).toMatchObject((await ask(`indices/${id}`)) as object)
    }
    expect(await ask('indices/BRRNY/detail')).toMatchObject({
      underlyingAssetsType: 'SINGLE_ASSET',
      family: 'CME-CF',
      publicationTime: '16:00',
      publicationTimeZone: 'America/New_York',
      referenceRateParameters: { windowDuration: 'PT1H', partitionCount: 12 },
    })
    const rate = (await ask('indices/APT_SRR/detail')) as object
    expect(rate).not.toHaveProperty('base')
    expect(rate).toMatchObject({ constituentExchanges: null, inceptionValue: null, referenceRateParameters: null })
    expect(await ask('indices/NO_SUCH/detail')).toEqual([404, 'Unknown id'])
  }))

describe('summary and summaries', () => {
  test('summaries has each summary, and one unknown id or more than 30 ids fail them all', async () => {
    const ask = await open()
    const [one, other] = [await ask('summary?id=BRR'), await ask('summary?id=NCIS')]
    expect(await ask('summaries?id=BRR,NCIS')).toEqual({ summaries: { BRR: one, NCIS: other } })
    expect(await ask('summaries?id=BRR,NO_SUCH')).toEqual([400, 'Unknown id'])
    expect(await ask(`summaries?id=${Array(31).fill('BRR').join(',')}`)).toEqual([400, 'At most 30 ids'])
  })
})

describe('stats', () => {
  test('real-time rows are one a minute of the last hour, daily ones a day', async () => {
    const ask = await open()
    const values = (await ask('values?id=NCI')) as Row[]
    for (const [stream, id] of [
      ['weight', 'NCI'],
      ['constituentresult', 'NCI'],
      ['rti', 'BRTI'],
    ]) {
      const rows = (await ask(`stats?id=${String(id)}&streamtype=${String(stream)}`)) as Row[]
      expect([stream, rows.length, rows.at(-1)?.time]).toEqual([stream, 60, noonMs])
      if (id !== 'NCI') continue
      for (const row of rows) expect(values.find(({ time }) => time === row.time)?.value).toBe(row.value)
    }
    const daily = (await ask('stats?id=BRR&streamtype=volume')) as Row[]
    expect(daily.map(({ time, value }) => [time, value])).toEqual(
      ((await ask('values?id=BRR')) as Row[]).map(({ time, value }) => [time, value]),
    )
  })

  test('volume names exchanges in lower case, and weight has XBT', async () => {
    const ask = await open()
    const last = async (query: string) => ((await ask(`stats?${query}`)) as Row[]).at(-1)
    expect(Object.keys((await last('id=BRR&streamtype=volume'))?.['volumes'] ?? {})).toContain('lmaxdigital')
    expect((await last('id=UC5_RTI_TR&streamtype=weight'))?.['weights']).toHaveProperty('XBT')
    expect(await last('id=NCI&streamtype=constituentresult')).toHaveProperty('divisor')
    expect(await last('id=UC5_RTI_TR&streamtype=constituentresult')).not.toHaveProperty('divisor')
  })
})

describe('history/values', () => {
  const ticks = 'history/values?id=BRTI&timespan=HOUR&timestamp='

  test('the newest value is the last full quarter of an hour', async () => {
    const { simulator } = await openSimulator({ startMs: noonMs + 44 * minuteMs + 59_999 })
    const { body } = await get(simulator, `/api/v1/${ticks}2023-11-01T12:00:00Z`)
    expect((body.payload as Row[]).at(-1)?.time).toBe(noonMs + 30 * minuteMs)
  })

  test.each([
    ['a time before the launch', 'BRTI&timespan=HOUR&timestamp=2009-01-03T18:00:00Z'],
    ['a time to come', 'BRTI&timespan=HOUR&timestamp=2023-11-01T13:00:00Z'],
    ['a day years ahead', 'BRTI&timespan=DAY&timestamp=2031-01-01T00:00:00Z'],
  ])('%s is an empty list', async (_name, query) => {
    const ask = await open()
    expect(await ask(`history/values?id=${query}`)).toEqual([])
  })

  const [fast, slow] = ['timespan must be one of DAY, HOUR', 'timespan must be one of YEAR, MONTH']
  const untruncated = 'timestamp must be an ISO 8601 time in UTC, truncated to the HOUR'
  test.each([
    ['BRTI&timespan=MINUTE&timestamp=2023-11-01T11:00:00Z', fast],
    ['BRTI&timespan=YEAR&timestamp=2023-01-01T00:00:00Z', fast],
    ['BRTI&timespan=hour&timestamp=2023-11-01T11:00:00Z', fast],
    ['BRTI&timestamp=2023-11-01T11:00:00Z', fast],
    ['BRR&timespan=HOUR&timestamp=2023-11-01T11:00:00Z', slow],
    ['BRTI&timespan=HOUR&timestamp=2023-11-01T11:30:00Z', untruncated],
    ['BRTI&timespan=HOUR&timestamp=2023-11-01T25:00:00Z', untruncated],
    ['BRTI&timespan=HOUR&timestamp=2023-11-01T11:00:00', untruncated],
    ['BRTI&timespan=HOUR', untruncated],
    ['NO_SUCH&timespan=HOUR&timestamp=2023-11-01T11:00:00Z', 'Unknown id'],
    ['BVX&timespan=HOUR&timestamp=2023-11-01T11:00:00Z', 'Unknown id'],
  ])('%s is 400', async (query, error) => {
    const ask = await open()
    expect(await ask(`history/values?id=${query}`)).toEqual([400, error])
  })
})
