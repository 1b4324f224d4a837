import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually'
import { openFeed } from '../support/open-feed'
import { ScriptedService } from '../support/scripted-service'
import type { Welcome } from '../support/scripted-service'
import { selfSignedCertificate } from '../support/self-signed'

test('is offline until it was first live, and keeps trying', async () => {
  const opened = await openFeed()
  const { service, clock, session, heard } = opened
  service.welcome = { status: 502, body: '<html>Bad gateway</html>' }
  session.connect()
  expect(await opened.reached('offline')).toEqual({
    state: 'offline',
    problem: 'The provider is not working at the moment (HTTP 502).',
    retryInMs: 500,
    streamCount: 0,
  })
  service.welcome = 'accept'
  clock.advance(500)
  await opened.reached('live')
  expect(heard.order.slice(0, 4)).toEqual(['status connecting', 'status offline', 'status offline', 'status live'])
})

describe('refused for good', () => {
  const cases: [string, Welcome, RegExp][] = [
    ['401', { status: 401 }, /refused this key\. Check it in Settings\./],
    ['403', { status: 403 }, /has no access/],
  ]
  test.each(cases)('%s stops, and only the user retries', async (_name, welcome, problem) => {
    const opened = await openFeed()
    const { service, clock, session } = opened
    service.welcome = welcome
    session.connect()
    const status = await opened.reached('notAuthorised')
    expect(status.problem).toMatch(/^Not authorised: /)
    expect(status.problem).toMatch(problem)
    expect(status.retryInMs).toBeUndefined()
    clock.advance(3_600_000)
    expect(service.handshakes).toHaveLength(1)
    expect(clock.pending).toBe(0)
    service.welcome = 'accept'
    session.connect()
    expect(session.status()).toEqual({ state: 'connecting', streamCount: 0 })
    await opened.reached('live')
  })

  test.each([1008, 4001, 4401, 4403])('close code %i stops', async (code) => {
    const opened = await openFeed()
    await opened.connect()
    opened.service.closeAll(code)
    await opened.reached('notAuthorised')
    opened.clock.advance(3_600_000)
    expect(opened.service.handshakes).toHaveLength(1)
  })

  test('twin: another close code is retried', async () => {
    const opened = await openFeed()
    await opened.connect()
    opened.service.closeAll(4300)
    expect(await opened.plannedRetryMs()).toBe(500)
  })
})

describe('429 (C13)', () => {
  const cases: [string | undefined, number][] = [
    ['7', 7_000],
    ['-1', 1_000],
    ['1000000000', 3_600_000],
    ['Wed, 01 Nov 2023 12:00:30 GMT', 30_000],
    ['rubbish', 1_000],
    [undefined, 1_000],
  ]
  test.each(cases)('Retry-After %j waits %i ms', async (header, expectedMs) => {
    const opened = await openFeed()
    opened.service.welcome = { status: 429, headers: header === undefined ? {} : { 'Retry-After': header } }
    opened.session.connect()
    expect(await opened.plannedRetryMs()).toBe(expectedMs)
    expect(opened.session.status().problem).toContain('asks to wait')
  })
})

test.each([301, 302, 307, 308])(
  'a redirect (%i) is not followed and the other host never sees the key',
  async (status) => {
    const other = await ScriptedService.start()
    const opened = await openFeed()
    opened.service.welcome = { status, headers: { Location: other.webSocketUrl } }
    opened.session.connect()
    expect((await opened.reached('offline')).problem).toContain('address has changed')
    opened.clock.advance(await opened.plannedRetryMs())
    await eventually(() => expect(opened.service.handshakes).toHaveLength(2))
    expect(other.handshakes).toEqual([])
    expect(other.requests).toEqual([])
    await other.stop()
  },
)

test('a sign-in page is reported as such and retried slowly (C15)', async () => {
  const opened = await openFeed()
  opened.service.welcome = { status: 200, body: '<html>Please sign in</html>' }
  opened.session.connect()
  expect(await opened.plannedRetryMs()).toBe(10_000)
  expect(opened.session.status().problem).toContain('sign in')
})

const garbage =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n'
test.each([garbage, 'SSH-2.0-OpenSSH_9.9\r\n'])('survives an answer that is not a handshake (C17)', async (raw) => {
  const opened = await openFeed()
  opened.service.welcome = { raw }
  opened.session.connect()
  expect(await opened.plannedRetryMs()).toBe(10_000)
  expect(opened.session.status().problem).toContain('did not answer as a WebSocket server')
})

test('abandons a hanging handshake after 10 s (F5)', async () => {
  const opened = await openFeed()
  const { service, clock, session } = opened
  service.welcome = 'hang'
  session.connect()
  await eventually(() => expect(service.handshakes).toHaveLength(1))
  clock.advance(9_999)
  expect(session.status().state).toBe('connecting')
  clock.advance(1)
  expect(session.status()).toMatchObject({ state: 'offline', problem: 'The provider took too long to answer.' })
})

test('reports an unusable address instead of throwing', async () => {
  const opened = await openFeed({ url: 'not an address' })
  opened.session.connect()
  opened.clock.advance(0)
  expect(opened.session.status()).toMatchObject({ state: 'offline', retryInMs: 10_000 })
  expect(opened.session.status().problem).toContain('cannot be used')
})

describe('TLS (ASVS 12.3.2, F3)', () =>
  test('NODE_TLS_REJECT_UNAUTHORIZED=0 does not disable the checks', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      const opened = await openFeed({ tls: selfSignedCertificate() })
      // The server and its certificate are valid: another client connects with the checks off.
      const answer = await fetch(`${opened.service.restUrl}/api/v1/indices`)
      expect(answer.status).toBe(404)
      opened.session.connect()
      const status = await opened.reached('offline')
      expect(status).toMatchObject({ retryInMs: 10_000 })
      expect(status.problem).toContain('certificate is not valid')
      expect(opened.service.handshakes).toEqual([])
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
    }
  }))
