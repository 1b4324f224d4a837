import { describe, expect, test } from 'vitest'
import { goldenCases, goldenText } from '../support/golden'
import { openRest } from '../support/open-rest'
import { failureBody, successBody } from '../support/scripted-service'

const tenMinutesMs = 600_000

/** Answers these paths with golden bodies, and lists what the client should return. */
async function openGolden() {
  const opened = await openRest()
  const decoded = new Map<string, unknown>()
  for (const each of goldenCases()) {
    if (each.from !== 'rest' || !each.readable) continue
    opened.service.routes.set(each.channel, { body: goldenText(each.file) })
    decoded.set(each.channel, each.decoded)
  }
  return { ...opened, decoded }
}

describe('every endpoint is requested and read (protocol, 4.2)', () => {
  test('detail', async () => {
    const { client, decoded } = await openGolden()
    expect(await client.detail('NCI')).toEqual({ ok: true, value: decoded.get('indices/NCI/detail'), ageMs: 0 })
  })

  test('summary', async () => {
    const { client, decoded } = await openGolden()
    expect(await client.summary('BRTI')).toEqual({ ok: true, value: decoded.get('summary?id=BRTI') })
  })

  test('summaries', async () => {
    const { client, decoded } = await openGolden()
    const value = new Map(decoded.get('summaries?id=BRTI') as [string, unknown][])
    expect(await client.summaries(['BRTI'])).toEqual({ ok: true, value })
  })

  test.each([
    ['activecorporateaction', 'corporateAction', (rows: unknown[]) => rows.at(-1)],
    ['rti', 'conditions', (rows: unknown[]) => rows],
  ] as const)('stats %s', async (streamType, method, part) => {
    const { client, decoded } = await openGolden()
    const path = [...decoded.keys()].find((each) => each.endsWith(`streamtype=${streamType}`)) ?? ''
    const id = new URLSearchParams(path.split('?')[1]).get('id') ?? ''
    expect(await client[method](id)).toEqual({ ok: true, value: part(decoded.get(path) as unknown[]) })
  })
})

test('a resolution is sent only if it is requested (protocol, 4.2 and 9)', async () => {
  const { service, client } = await openRest()
  service.answerOthers = { status: 400, body: failureBody('Unknown id') }
  await client.values('BRTI')
  await client.values('BRTI', 'PER_200MS')
  await client.latestValues(['BRTI'], 'PER_SECOND')
  await client.summary('BRTI', 'PER_200MS')
  await client.summaries(['A', 'B'], 'PER_200MS')
  expect(service.requests.map(({ path }) => path)).toEqual([
    'values?id=BRTI',
    'values?id=BRTI&maxResolution=PER_200MS',
    'latest_values?id=BRTI&maxResolution=PER_SECOND',
    'summary?id=BRTI&maxResolution=PER_200MS',
    'summaries?id=A,B&maxResolution=PER_200MS',
    'summaries?id=A&maxResolution=PER_200MS',
    'summaries?id=B&maxResolution=PER_200MS',
  ])
})

test.each(['detail', 'summary', 'conditions', 'corporateAction'] as const)(
  '%s: an unknown id and an odd payload are problems',
  async (name) => {
    const { service, client } = await openRest()
    const ask = () => client[name]('X')
    service.answerOthers = { status: 400, body: failureBody('Unknown id') }
    expect(await ask()).toEqual({
      ok: false,
      problem: { code: 'badRequest', message: 'The provider refused the request: Unknown id.' },
    })
    service.answerOthers = { body: successBody('nonsense') }
    expect(await ask()).toMatchObject({ ok: false, problem: { code: 'unreadable' } })
  },
)

test('summaries that are too large together are requested in halves', async () => {
  const { service, client } = await openRest()
  const body = (id: string) => successBody({ summaries: { [id]: { value: '1', time: 1_788_717_462_000 } } })
  service.routes.set('summaries?id=X,Y', { body: body('X').padEnd(8 * 1024 * 1024 + 1, ' ') })
  for (const id of ['X', 'Y']) service.routes.set(`summaries?id=${id}`, { body: body(id) })
  const summaries = await client.summaries(['X', 'Y'])
  expect(summaries.ok && [...summaries.value.keys()]).toEqual(['X', 'Y'])
})

test('points and rows that cannot be read are left out and counted', async () => {
  const { service, client, counters } = await openRest()
  const good = { value: '1', time: 1_788_717_462_000 }
  service.routes.set('summary?id=X', { body: successBody({ ...good, last24Hours: [good, { value: 1 }] }) })
  service.routes.set('summaries?id=X,Y', { body: successBody({ summaries: { X: good, Y: { value: '1' } } }) })
  service.routes.set('stats?id=X&streamtype=rti', { body: successBody([good, { ...good, valueAsk: 1 }]) })
  expect(await client.summary('X')).toMatchObject({ ok: true, value: { last24Hours: [{ value: '1' }] } })
  const summaries = await client.summaries(['X', 'Y'])
  expect(summaries.ok && [...summaries.value.keys()]).toEqual(['X'])
  expect(await client.conditions('X')).toEqual({ ok: true, value: [{ value: '1', publishedAtMs: good.time }] })
  expect(counters.read()).toEqual({ 'rest.droppedRows': 3 })
})

test('statistics are oldest first, whatever order they came in', async () => {
  const { service, client } = await openRest()
  const rows = [2, 0, 1].map((i) => ({ value: String(i), time: 1_788_717_462_000 + i }))
  service.routes.set('stats?id=X&streamtype=rti', { body: successBody(rows) })
  expect(await client.conditions('X')).toMatchObject({
    ok: true,
    value: [{ value: '0' }, { value: '1' }, { value: '2' }],
  })
  service.routes.set('stats?id=Y&streamtype=rti', { body: successBody([]) })
  expect(await client.conditions('Y')).toEqual({ ok: true, value: [] })
})

describe('reference data', () => {
  test('is answered from memory for ten minutes, with its age', async () => {
    const { service, client, clock } = await openGolden()
    for (const ask of [() => client.indices(), () => client.index('BRTI'), () => client.detail('NCI')]) {
      service.requests.length = 0
      const first = await ask()
      clock.advance(tenMinutesMs - 1)
      clock.jumpWall(86_400_000)
      expect(await ask()).toEqual({ ...first, ageMs: tenMinutesMs - 1 })
      expect(service.requests).toHaveLength(1)
      clock.advance(1)
      expect(await ask()).toEqual({ ...first, ageMs: 0 })
      expect(service.requests).toHaveLength(2)
    }
  })

  test('is queried again if it must be fresh, and then cached', async () => {
    const { service, client, clock } = await openGolden()
    await client.indices()
    clock.advance(5_000)
    expect(await client.indices({ maxAgeMs: 1_000 })).toMatchObject({ ok: true, ageMs: 0 })
    expect(await client.indices()).toMatchObject({ ok: true, ageMs: 0 })
    expect(service.requests).toHaveLength(2)
  })

  test('of one index is not used for another', async () => {
    const { client } = await openGolden()
    expect(await client.detail('NCI')).toMatchObject({ ok: true })
    expect(await client.detail('BRTI')).toMatchObject({ ok: false, problem: { code: 'notFound' } })
  })

  test('is not cached if it was a problem', async () => {
    const { service, client } = await openRest()
    service.routes.set('indices', { body: successBody('nonsense') })
    expect(await client.indices()).toMatchObject({ ok: false })
    service.routes.set('indices', { body: goldenText('rest-indices.json') })
    expect(await client.indices()).toMatchObject({ ok: true, ageMs: 0 })
  })

  test('is cached for the newest two hundred requests', async () => {
    const { service, client, clock } = await openRest()
    service.answerOthers = { body: goldenText('rest-index.json') }
    for (let i = 0; i <= 200; i++) {
      await client.index(`ID${i}`)
      clock.advance(125)
    }
    service.requests.length = 0
    await client.index('ID1')
    expect(service.requests).toHaveLength(0)
    await client.index('ID0')
    expect(service.requests).toHaveLength(1)
  })
})
