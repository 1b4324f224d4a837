import { expect, test } from 'vitest'
import { eventually } from '../support/eventually'
import { openRest } from '../support/open-rest'
import { failureBody, successBody } from '../support/scripted-service'
import type { ScriptedService } from '../support/scripted-service'

const time = 1_698_840_000_000
const brti = { id: 'BRTI', name: 'Bitcoin', decimals: 2, base: 'BTC', quote: 'USD', maxResolution: 'PER_200MS' }

/** Answers `latest_values` like the service: all ids or, with an unknown one among them, none. */
function serveLatestValues(service: ScriptedService, known: (id: string) => boolean): void {
  service.answerOthers = (request, response) => {
    const ids = (request.url ?? '').split('latest_values?id=')[1]?.split(',') ?? []
    const isKnown = ids.every(known)
    response.statusCode = isKnown ? 200 : 400
    const rows = Object.fromEntries(ids.map((id) => [id, { time, value: `${id.length}.50` }]))
    response.end(isKnown ? successBody({ latest_values: rows }) : failureBody('Unknown id'))
  }
}

test('indices are requested under /api/v1 with the key in the header', async () => {
  const { service, client } = await openRest()
  service.routes.set('indices', { body: successBody([brti, { ...brti, id: 'SRR', base: '', quote: '' }, { id: 5 }]) })
  expect(await client.indices()).toEqual({
    ok: true,
    value: [brti, { id: 'SRR', name: 'Bitcoin', decimals: 2, maxResolution: 'PER_200MS' }],
    ageMs: 0,
  })
  const [request] = service.requests
  expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('reader:correct horse').toString('base64')}`)
})

test('values of an index are ascending, and unreadable ones are counted', async () => {
  const { service, client, counters } = await openRest()
  service.routes.set('indices/BRTI', { body: successBody(brti) })
  const rows = [{ value: '2', time: time + 1_000 }, { value: '1.0', time: String(time) }, { value: 3 }]
  service.routes.set('values?id=BRTI', { body: successBody(rows) })
  expect(await client.index('BRTI')).toEqual({ ok: true, value: brti, ageMs: 0 })
  expect(await client.values('BRTI')).toEqual({
    ok: true,
    value: [
      { value: '1.0', publishedAtMs: time },
      { value: '2', publishedAtMs: time + 1_000 },
    ],
  })
  expect(counters.read()).toEqual({ 'rest.droppedRows': 1 })
})

test('an id cannot change the rest of the address', async () => {
  const { service, client } = await openRest()
  await client.index('../values?id=BRTI&x=')
  expect(service.requests.map(({ path }) => path)).toEqual(['indices/..%2Fvalues%3Fid%3DBRTI%26x%3D'])
})

test('a base address with a path of its own and a slash at its end works', async () => {
  const first = await openRest()
  const { service, client } = await openRest({ baseUrl: `${first.service.restUrl}/gateway//` })
  await client.indices()
  expect(service.requests).toEqual([])
  expect(first.service.requests.map(({ path }) => path)).toEqual(['/gateway/api/v1/indices'])
})

test('latest values are requested in batches of thirty, and other ids are ignored', async () => {
  const { service, client } = await openRest()
  serveLatestValues(service, () => true)
  const ids = Array.from({ length: 70 }, (_, i) => `ID${i}`)
  const outcome = await client.latestValues([...ids, 'ID0'])
  expect(outcome.ok && [...outcome.value.keys()]).toEqual(ids)
  expect(outcome.ok && outcome.value.get('ID9')).toEqual({ value: '3.50', publishedAtMs: time })
  expect(service.requests.map(({ path }) => path.split(',').length)).toEqual([30, 30, 10])
  expect(await client.latestValues([])).toEqual({ ok: true, value: new Map() })

  service.routes.set('latest_values?id=A', { body: successBody({ latest_values: { B: { time, value: '1' } } }) })
  expect(await client.latestValues(['A'])).toEqual({ ok: true, value: new Map() })
})

test('values that arrived are kept when a later batch fails', async () => {
  const { service, client } = await openRest()
  const ids = Array.from({ length: 40 }, (_, i) => `ID${i}`)
  serveLatestValues(service, () => true)
  service.routes.set(`latest_values?id=${ids.slice(30).join(',')}`, { status: 403 })
  const outcome = await client.latestValues(ids)
  expect(outcome.ok && outcome.value.size).toBe(30)
  expect(await client.latestValues(ids.slice(30))).toMatchObject({ ok: false, problem: { code: 'notAuthorised' } })
})

test('identical concurrent requests are sent once, later ones again', async () => {
  const { service, client } = await openRest()
  service.routes.set('indices', { body: successBody([brti]) })
  const [first, second] = await Promise.all([client.indices(), client.indices()])
  expect(first).toEqual(second)
  expect(service.requests).toHaveLength(1)
  await client.indices({ maxAgeMs: 0 })
  expect(service.requests).toHaveLength(2)
})

test('a failing service is asked three times', async () => {
  const { service, clock, client, counters } = await openRest()
  service.routes.set('indices', { status: 503, body: '<html>Down</html>' })
  const answer = client.indices()
  for (let tries = 1; tries < 3; tries++) {
    await eventually(() => {
      expect(service.requests).toHaveLength(tries)
      expect(clock.pending).toBe(2)
    })
    clock.advance(2_000)
  }
  expect(await answer).toEqual({
    ok: false,
    problem: { code: 'serviceError', message: 'The provider is not working at the moment: HTTP 503. Try again later.' },
  })
  expect(service.requests).toHaveLength(3)
  expect(counters.read()).toEqual({ 'rest.failed': 1 })
})

test('a short failure stays unnoticed', async () => {
  const { service, clock, client } = await openRest()
  service.routes.set('indices', { status: 500 })
  const answer = client.indices()
  await eventually(() => expect(clock.pending).toBe(2))
  service.routes.set('indices', { body: successBody([brti]) })
  clock.advance(1_000)
  expect(await answer).toEqual({ ok: true, value: [brti], ageMs: 0 })
})

test('after `dispose` pending and new requests are answered as closed', async () => {
  const { service, client, clock } = await openRest()
  service.routes.set('indices', () => undefined)
  const answer = client.indices()
  await eventually(() => expect(service.requests).toHaveLength(1))
  client.dispose()
  const closed = { ok: false, problem: { code: 'unreachable', message: 'This connection has been closed.' } }
  expect(await answer).toEqual(closed)
  expect(await client.index('BRTI')).toEqual(closed)
  expect(service.requests).toHaveLength(1)
  expect(clock.pending).toBe(0)
})
