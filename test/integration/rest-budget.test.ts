import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually'
import { openRest } from '../support/open-rest'
import { failureBody, successBody } from '../support/scripted-service'

const time = 1_698_840_000_000
const rows = [{ value: '1.50', time }]
const ids = (count: number) => Array.from({ length: count }, (_, at) => `ID${at}`)

describe('the budget', () => {
  test('waiting requests are answered when the connection closes', async () => {
    const { client, clock } = await openRest()
    const answers = ids(12).map((id) => client.values(id))
    client.dispose()
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject({ ok: false, problem: { message: 'This connection has been closed.' } })
    }
    expect(clock.pending).toBe(0)
  })
})

describe('429', () => {
  test('a background request waits as long as the service asks', async () => {
    const { service, client, clock, log } = await openRest()
    service.answerOthers = { status: 429, headers: { 'Retry-After': '7' }, body: failureBody('slow down') }
    const background = client.values('A', undefined, 'background')
    await eventually(() => expect(log.entries).toHaveLength(1))
    service.answerOthers = { body: successBody(rows) }
    expect(await client.values('B')).toMatchObject({ ok: false, problem: { code: 'rateLimited' } })
    // A second caller waiting for the same answer is refused too.
    expect(await client.values('A')).toMatchObject({ ok: false, problem: { code: 'rateLimited' } })
    clock.advance(6_999)
    expect(service.requests).toHaveLength(1)
    clock.advance(1)
    expect(await background).toMatchObject({ ok: true })
    expect(service.requests).toHaveLength(2)
  })

  test('a waiting request of the user is answered immediately', async () => {
    const { service, client } = await openRest()
    service.answerOthers = { status: 429, headers: { 'Retry-After': '60' }, body: failureBody('slow down') }
    const answers = await Promise.all(ids(30).map((id) => client.values(id)))
    expect(answers.every((answer) => !answer.ok && answer.problem.code === 'rateLimited')).toBe(true)
    expect(service.requests).toHaveLength(10)
  })

  test('after three times it is reported', async () => {
    const { service, client, clock, log } = await openRest()
    service.answerOthers = { status: 429, headers: { 'Retry-After': '5' } }
    const background = client.values('A', undefined, 'background')
    for (let tries = 1; tries < 3; tries++) {
      await eventually(() => expect(log.entries).toHaveLength(tries))
      clock.advance(5_000)
    }
    expect(await background).toMatchObject({ ok: false, problem: { code: 'rateLimited' } })
    expect(service.requests).toHaveLength(3)
  })
})

describe('a batch that fails', () => {
  /** Refuses all requests with an unknown id, and advances the clock until everything is answered. */
  async function askLatest(count: number, known: (id: string) => boolean) {
    const { service, client, clock } = await openRest()
    service.answerOthers = (request, response) => {
      const asked = (request.url ?? '').split('?id=')[1]?.split(',') ?? []
      const isKnown = asked.every(known)
      response.statusCode = isKnown ? 200 : 400
      const values = Object.fromEntries(asked.map((id) => [id, { time, value: '1' }]))
      response.end(isKnown ? successBody({ latest_values: values }) : failureBody('Unknown id'))
    }
    const timer = setInterval(() => clock.advance(125), 2)
    const outcome = await client.latestValues(ids(count))
    clearInterval(timer)
    return { requests: service.requests.length, found: outcome.ok ? [...outcome.value.keys()] : [] }
  }

  test('is not split down to single ids: 300 refused ids are 17 requests, not 590', async () => {
    expect(await askLatest(300, () => false)).toEqual({ requests: 17, found: [] })
  })

  test('one unknown id among 300 does not cost the others their values', async () => {
    const { requests, found } = await askLatest(300, (id) => id !== 'ID77')
    expect(found).toHaveLength(299)
    expect(requests).toBeLessThanOrEqual(20)
  })

  test('a batch of unknown ids does not cost other batches their values', async () => {
    const { requests, found } = await askLatest(300, (id) => Number(id.slice(2)) >= 30)
    expect(found).toHaveLength(270)
    expect(requests).toBe(8 + 9)
  })
})

test('an endpoint the service does not have is asked once, and again on the next connect', async () => {
  const { service, client } = await openRest()
  const problem = { ok: false, problem: { code: 'notFound' } }
  expect(await client.latestValues(ids(90))).toMatchObject(problem)
  expect(await client.latestValues(['A'])).toMatchObject(problem)
  expect(await client.historyValues('A', 'HOUR', time)).toMatchObject(problem)
  expect(await client.historyValues('B', 'DAY', time)).toMatchObject(problem)
  expect(service.requests).toHaveLength(2)
  // With an id in its path, a 404 concerns only that index.
  expect(await client.detail('A')).toMatchObject(problem)
  expect(await client.detail('A')).toMatchObject(problem)
  expect(service.requests).toHaveLength(4)
  client.forgetMissing()
  await client.historyValues('A', 'HOUR', time)
  expect(service.requests).toHaveLength(5)
})
