import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { connectionTester } from '../../main/connections/connection-test'
import { SystemClock } from '../../main/base/clock'
import type { ConnectionStep, ConnectionTest } from '../../protocol/responses'
import type { ConnectionProfile } from '../../core/model'
import { eventually } from '../support/eventually'
import { FakeClock } from '../support/fake-clock'
import { listenInTest } from '../support/local-server'
import { openSimulator } from '../support/open-connections'
import { ScriptedService, successBody } from '../support/scripted-service'
import { selfSignedCertificate } from '../support/self-signed'
import { valueOf } from '../support/value-of'

const secret = 'canary-71b2'

async function openService(options: Parameters<typeof ScriptedService.start>[0] = {}) {
  const service = await ScriptedService.start(options)
  onTestFinished(() => service.stop())
  const { webSocketUrl, restUrl } = service
  const common = { id: 'new', name: 'New', auth: 'basic', isEnabled: true } as const
  const bare: ConnectionProfile = { ...common, webSocketUrl, keyId: 'reader' }
  return { service, bare, profile: { ...bare, restUrl } }
}

/** The outcome of each step, with its message. */
async function tried(profile: ConnectionProfile, keySecret = secret) {
  const outcome = await connectionTester({ clock: new SystemClock(), appVersion: '1.2.3' })(profile, keySecret)
  if (!outcome.ok) throw new Error(outcome.problem.message)
  expect(outcome.value.steps.map(({ step }) => step)).toEqual(['dns', 'tcp', 'tls', 'handshake', 'info', 'rest', 'mcp'])
  expect(JSON.stringify(outcome)).not.toContain(keySecret)
  return byStep(outcome.value)
}

function byStep({ steps }: ConnectionTest): Record<ConnectionStep, string> {
  const entries = steps.map(({ step, outcome, message }) => [step, `${outcome}: ${message}`])
  return Object.fromEntries(entries) as Record<ConnectionStep, string>
}

test.each(['basic', 'subprotocol'] as const)(
  'a working service passes every step, with the key sent as %s',
  async (auth) => {
    const { simulator, profile, secret: right } = await openSimulator('mine')
    const steps = await tried({ ...profile, auth }, right)
    expect(steps).toMatchObject({
      dns: expect.stringContaining('passed: ') as string,
      tcp: `passed: Port ${simulator.port} answers.`,
      tls: 'skipped: Not used on this address.',
      handshake: 'passed: The provider accepts this key.',
      info: expect.stringMatching(/^passed: \d+ indices are available/) as string,
      rest: expect.stringMatching(/^passed: \d+ indices are described/) as string,
      mcp: expect.stringMatching(/^passed: \d+ assistant tools are offered/) as string,
    })
    await eventually(() => expect(simulator.counts.connections).toBe(0))
    expect(simulator.counts.handshakes).toBe(1)
  },
)

test('an unknown host stops the steps of the stream, but not those of another server', async () => {
  const { service, profile } = await openService()
  service.routes.set('indices', { body: successBody([]) })
  const webSocketUrl = 'wss://no-such-service.invalid/ws/v4'
  const steps = await tried({ ...profile, webSocketUrl, mcpUrl: 'https://no-such-service.invalid/mcp' })
  expect(steps.dns).toMatch(
    /^failed: No server named no-such-service\.invalid .* Check the network connection and the address/,
  )
  for (const step of ['tcp', 'tls', 'handshake', 'info', 'mcp'] as const) {
    expect(steps[step]).toBe('skipped: Not tried, because the server was not found.')
  }
  expect(steps.rest).toMatch(/^passed: The server answers, but nothing is described/)
})

test('distinguishes a closed port from a refused key', async () => {
  const { service, profile } = await openService()
  await service.stop()
  const steps = await tried(profile)
  expect(steps.tcp).toMatch(/^failed: Nothing answers on port \d+/)
  expect(steps.tls).toBe('skipped: Not used on this address.')
  for (const step of ['handshake', 'info', 'rest'] as const) {
    expect(steps[step]).toBe('skipped: Not tried, because the server did not answer.')
  }
  const { profile: simulated } = await openSimulator('mine')
  const refused = await tried(simulated)
  expect(refused.handshake).toBe('failed: The provider refused this key. Check key id and secret.')
  expect(refused.info).toBe('skipped: Not tried, because the sign-in failed.')
  expect(refused.rest).toBe('failed: The provider refused this key. Check key id and secret.')
  expect(refused.mcp).toBe('failed: The assistant tools refused this key.')
})

test('sends no key to a server with an untrusted certificate', async () => {
  const { service, profile } = await openService({ tls: selfSignedCertificate() })
  const steps = await tried(profile)
  expect(steps.tcp).toMatch(/^passed/)
  expect(steps.tls).toMatch(/^failed: The provider’s certificate is not valid, so no key was sent/)
  for (const step of ['handshake', 'info', 'rest'] as const) {
    expect(steps[step]).toBe('skipped: Not tried, because the server certificate is not valid. No key was sent.')
  }
  expect(service.handshakes).toEqual([])
  expect(service.requests).toEqual([])
})

test('reports a port without TLS', async () => {
  const { service, profile } = await openService()
  const steps = await tried({ ...profile, webSocketUrl: service.webSocketUrl.replace('ws:', 'wss:') })
  expect(steps.tls).toMatch(/^failed: The server does not speak TLS on this port/)
})

test('reports a sign-in page for the stream and for REST', async () => {
  const { service, profile } = await openService()
  service.welcome = { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<html>Sign in</html>' }
  service.answerOthers = { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<html>Sign in</html>' }
  const steps = await tried({ ...profile, mcpUrl: profile.restUrl })
  expect(steps.handshake).toMatch(/^failed: A web page answered instead of the provider/)
  expect(steps.rest).toMatch(/^failed: A web page answered instead of the provider/)
  expect(steps.mcp).toMatch(/^failed: /)
})

test.each([
  ['none', false, /^failed: The provider did not select the subprotocol "cfb"/],
  ['the key id', 'reader', /^failed: The provider did not select the subprotocol "cfb"/],
  ['the one that announces a key', 'cfb', /^passed/],
] as const)('a service that selects %s as the subprotocol', async (_, selected, message) => {
  const seen: IncomingHttpHeaders[] = []
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => selected })
  server.on('connection', (socket, request) => {
    seen.push(request.headers)
    socket.on('message', () => socket.send('{"type":"info","streams":[]}'))
  })
  onTestFinished(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { bare } = await openService()
  const steps = await tried({ ...bare, auth: 'subprotocol', webSocketUrl: `ws://127.0.0.1:${port}/` })
  expect(steps.handshake).toMatch(message)
  expect(seen).toMatchObject([{ 'sec-websocket-protocol': `cfb,reader,${secret}` }])
  expect(seen[0]).not.toHaveProperty('authorization')
})

test('a REST interface that is down, moved or missing does not fail the stream', async () => {
  const { simulator, profile, secret: right } = await openSimulator('mine')
  const { service, bare } = await openService()
  const { restUrl } = service
  const withRest = () => tried({ ...profile, restUrl, mcpUrl: restUrl }, right)
  service.answerOthers = { status: 404 }
  const absent = await withRest()
  expect(absent.info).toMatch(/^passed/)
  expect(absent.rest).toMatch(/^failed: No REST API found at this address/)
  expect(absent.mcp).toMatch(/^failed: There are no assistant tools at this address \(HTTP 404\)/)
  service.answerOthers = { status: 503 }
  expect((await withRest()).rest).toMatch(/^failed: The provider is not working at the moment: HTTP 503/)
  await service.stop()
  const down = await withRest()
  expect(down.handshake).toMatch(/^passed/)
  expect(down.rest).toMatch(/^failed: The provider cannot be reached/)
  expect(down.mcp).toMatch(/^failed: The assistant tools cannot be reached/)
  const { webSocketUrl, keyId } = profile
  const without = await tried({ ...bare, webSocketUrl, keyId }, right)
  expect(without.rest).toBe('skipped: No REST address entered.')
  expect(without.mcp).toBe('skipped: No MCP address entered.')
  expect(simulator.counts.refusedHandshakes).toBe(0)
})

test('waits five seconds in each step for a server that does not answer', async () => {
  const { service, bare, profile } = await openService()
  service.welcome = 'hang'
  service.answerOthers = () => undefined
  const clock = new FakeClock()
  const tester = connectionTester({ clock, appVersion: '1.2.3' })
  const running = tester(profile, secret)
  await eventually(() => expect(service.handshakes).toHaveLength(1))
  // One at a time.
  expect(await tester(profile, secret)).toMatchObject({ ok: false, problem: { code: 'testRunning' } })
  clock.advance(5_000)
  await eventually(() => expect(service.requests).toHaveLength(1))
  clock.advance(5_000)
  const outcome = valueOf(await running)
  const steps = byStep(outcome)
  expect(steps.handshake).toBe('failed: The provider took too long to answer.')
  expect(steps.rest).toMatch(/^failed: No answer in time/)
  expect(outcome.steps.map(({ tookMs }) => tookMs)).toEqual([0, 0, 0, 5_000, 0, 5_000, 0])
  await eventually(() => expect(clock.pending).toBe(0))
  expect((await tester({ ...bare, webSocketUrl: 'wss://127.0.0.1:1/' }, secret)).ok).toBe(true)
})

test('distinguishes a service without an index list from one that sends it', async () => {
  const { service, profile } = await openService()
  const clock = new FakeClock()
  const running = connectionTester({ clock, appVersion: '1.2.3' })(profile, secret)
  await eventually(() => expect(service.commands).toEqual([{ type: 'info' }]))
  clock.advance(5_000)
  const outcome = valueOf(await running)
  expect(byStep(outcome).info).toMatch(/^failed: The provider sent no index list/)
  await eventually(() => expect(service.closeCodes).toEqual([1000]))
})

test('gives up on a server that ignores the TLS greeting, and leaves nothing open', async () => {
  const lines = new Set<Socket>()
  const silent = createServer((line) => {
    lines.add(line)
    line.on('error', () => undefined)
    line.on('close', () => lines.delete(line))
    line.resume()
  })
  const port = await listenInTest(silent)
  const { bare } = await openService()
  const clock = new FakeClock()
  const address = { webSocketUrl: `wss://127.0.0.1:${port}/` }
  const running = connectionTester({ clock, appVersion: '1.2.3' })({ ...bare, ...address }, secret)
  await eventually(() => {
    expect(clock.pending).toBe(1)
    expect(lines.size).toBe(1)
  })
  clock.advance(5_000)
  const outcome = await running
  expect(outcome).toMatchObject({
    ok: true,
    value: { steps: [{}, {}, { step: 'tls', outcome: 'failed' }, {}, {}, {}, {}] },
  })
  await eventually(() => expect(lines.size).toBe(0))
})
