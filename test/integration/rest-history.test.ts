import { describe, expect, test } from 'vitest'
import { openRest } from '../support/open-rest'
import { failureBody, successBody } from '../support/scripted-service'

const hourMs = 3_600_000
/** The scripted clock's time, and an hour before it. */
const nowMs = Date.UTC(2023, 10, 1, 12)
const fromMs = nowMs - hourMs

describe('history/values', () => {
  test.each([
    ['HOUR', '2023-11-01T11:00:00Z'],
    ['DAY', '2023-11-01T00:00:00Z'],
    ['MONTH', '2023-11-01T00:00:00Z'],
    ['YEAR', '2023-01-01T00:00:00Z'],
  ] as const)('%s is requested by its start', async (timespan, timestamp) => {
    const { service, client } = await openRest()
    await client.historyValues('A B', timespan, fromMs + 59 * 60_000)
    expect(service.requests.map(({ path }) => path)).toEqual([
      `history/values?id=A%20B&timespan=${timespan}&timestamp=${timestamp}`,
    ])
  })

  test('unordered and duplicate rows become each revision of the period once, ascending', async () => {
    const { service, client, counters } = await openRest()
    const amended = { value: '2.10', time: fromMs + 1_000, amendTime: fromMs + 5_000 }
    service.answerOthers = {
      body: successBody([
        { value: '3', time: fromMs + 2_000 },
        amended,
        { value: '0', time: fromMs - 1 },
        { value: '2.00', time: fromMs + 1_000 },
        { value: '9', time: nowMs },
        { value: '3', time: fromMs + 2_000 },
        amended,
        { value: '1', time: fromMs },
      ]),
    }
    expect(await client.historyValues('BRTI', 'HOUR', fromMs)).toEqual({
      ok: true,
      value: [
        { value: '1', publishedAtMs: fromMs },
        { value: '2.00', publishedAtMs: fromMs + 1_000 },
        { value: '2.10', publishedAtMs: fromMs + 1_000, amendedAtMs: fromMs + 5_000 },
        { value: '3', publishedAtMs: fromMs + 2_000 },
      ],
    })
    expect(counters.read()).toEqual({ 'rest.droppedRows': 2 })
  })

  test('an answer with values of another time is an error, not an empty period', async () => {
    const { service, client } = await openRest()
    service.answerOthers = { body: successBody([{ value: '1', time: nowMs + hourMs }]) }
    const problem = {
      code: 'unreadable',
      message: 'The provider returned values of another time. The clock of this computer may be wrong.',
    }
    expect(await client.historyValues('BRTI', 'HOUR', fromMs)).toEqual({ ok: false, problem })
    expect(await client.values('BRTI')).toEqual({ ok: false, problem })
    service.answerOthers = { body: successBody([]) }
    expect(await client.historyValues('BRTI', 'HOUR', fromMs)).toEqual({ ok: true, value: [] })
  })

  test('a value from the future is left out, but one slightly ahead is not', async () => {
    const { service, client } = await openRest()
    const times = [nowMs + 6 * 60_000, nowMs + 60_000, nowMs]
    service.answerOthers = { body: successBody(times.map((time) => ({ value: '1', time }))) }
    const outcome = await client.values('BRTI')
    expect(outcome.ok && outcome.value.map(({ publishedAtMs }) => publishedAtMs)).toEqual([nowMs, nowMs + 60_000])
  })

  test('a hundred thousand unordered rows are read', async () => {
    const { service, client } = await openRest()
    const list = Array.from({ length: 100_000 }, (_, at) => ({ value: String(at), time: fromMs + at }))
    service.answerOthers = { body: successBody(list.toReversed()) }
    const outcome = await client.historyValues('BRTI', 'HOUR', fromMs)
    expect(outcome.ok && [outcome.value.length, outcome.value[0]?.value, outcome.value.at(-1)?.value]).toEqual([
      100_000,
      '0',
      '99999',
    ])
  })

  test('an answer of a million rows is cut off at 8 MiB', async () => {
    const { service, client } = await openRest()
    let sentBytes = 0
    service.answerOthers = (_request, response) => {
      const block = (at: number): void => {
        if (at >= 1_000_000 || response.destroyed) return
        const text = Array.from(
          { length: 10_000 },
          (_, more) => `,{"value":"12345.67","time":${fromMs + at + more}}`,
        ).join('')
        sentBytes += text.length
        if (response.write(text)) setImmediate(block, at + 10_000)
        else response.once('drain', () => block(at + 10_000))
      }
      response.write('{"payload":[{}')
      block(0)
    }
    expect(await client.historyValues('BRTI', 'HOUR', fromMs)).toEqual({
      ok: false,
      problem: { code: 'tooLarge', message: 'The provider’s answer is too large for this app.' },
    })
    expect(sentBytes).toBeLessThan(30 * 1024 * 1024)
  })

  test("without the permission it reports the service's text", async () => {
    const { service, client } = await openRest()
    service.answerOthers = { status: 400, body: failureBody('Unknown id') }
    expect(await client.historyValues('BVX', 'HOUR', fromMs)).toEqual({
      ok: false,
      problem: { code: 'badRequest', message: 'The provider refused the request: Unknown id.' },
    })
  })
})
