import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { postJson } from '../../../../main/webhook/post'
import { Webhooks, webhookMessage } from '../../../../main/webhook/webhooks'
import { FakeClock } from '../../../support/fake-clock'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'
import { selfSignedCertificate } from '../../../support/self-signed'

interface Received {
  method: string | undefined
  path: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

const certificate = selfSignedCertificate()
const servers: Server[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A real server that records requests and answers as given. */
async function serve(answer: RequestListener = (_request, response) => response.writeHead(204).end()) {
  const received: Received[] = []
  const server = createHttpsServer(certificate, (request, response) => {
    let body = ''
    request.on('data', (data: Buffer) => (body += data.toString()))
    request.on('end', () => {
      received.push({ method: request.method, path: request.url, headers: request.headers, body })
      answer(request, response)
    })
  })
  const host = `127.0.0.1:${await listen(server)}`
  return { received, host, url: `https://${host}/hook?token=s3cret` }
}

function open(urls: Record<string, string>, { isTrusted = true } = {}) {
  const clock = new FakeClock()
  const results: string[] = []
  const waiting: (() => void)[] = []
  const webhooks = new Webhooks({
    clock,
    urlOf: (ruleId) => urls[ruleId],
    onResult: (eventId, result) => {
      results.push(`${eventId}: ${result}`)
      for (const check of waiting) check()
    },
    ...(isTrusted && { ca: certificate.cert }),
  })
  const resultCount = (count: number) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (results.length >= count) resolve()
      }
      waiting.push(check)
      check()
    })
  return { clock, results, webhooks, resultCount }
}

const event = (number: number, ruleId = 'r0') => firedEvent(number, levelDraft(), { ruleId })

describe('a webhook', () => {
  test('receives one JSON message without identifying headers', async () => {
    const { received, host, url } = await serve()
    const { results, webhooks, resultCount } = open({ r0: url })
    webhooks.send([event(1), event(2, 'without')])
    await resultCount(1)
    expect(results).toEqual([`e1: ${host} answered 204`])
    const [first] = received
    expect(received).toHaveLength(1)
    expect(first).toMatchObject({ method: 'POST', path: '/hook?token=s3cret' })
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ kind: 'fired', id: 'BRTI', level: '68500.00' })
    expect(Object.keys(first?.headers ?? {}).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
    ])
  })

  test.each([200, 404, 500])('that answers %i is not notified again', async (status) => {
    const { received, host, url } = await serve((_request, response) => response.writeHead(status).end())
    const { results, webhooks, resultCount } = open({ r0: url })
    webhooks.send([event(1)])
    await resultCount(1)
    expect(results).toEqual([`e1: ${host} answered ${status}`])
    expect(received).toHaveLength(1)
  })

  test('that answers elsewhere is not followed there', async () => {
    const other = await serve()
    const { host, url } = await serve((_request, response) => response.writeHead(307, { location: other.url }).end())
    const { results, webhooks, resultCount } = open({ r0: url })
    webhooks.send([event(1)])
    await resultCount(1)
    expect(results).toEqual([`e1: ${host} answered 307 (a redirect, not followed)`])
    expect(other.received).toEqual([])
  })

  test('whose answer never ends is left after its status', async () => {
    let isCut = false
    const { host, url } = await serve((_request, response) => {
      response.writeHead(200)
      const send = () => response.write('x'.repeat(65_536), send)
      response.on('close', () => (isCut = true))
      send()
    })
    const { results, webhooks, resultCount } = open({ r0: url })
    webhooks.send([event(1)])
    await resultCount(1)
    expect(results).toEqual([`e1: ${host} answered 200`])
    await expect.poll(() => isCut).toBe(true)
  })

  test('that does not answer within five seconds is cancelled', async () => {
    const { received, host, url } = await serve(() => undefined)
    const { clock, results, webhooks } = open({ r0: url })
    webhooks.send([event(1)])
    await expect.poll(() => received.length).toBe(1)
    clock.advance(4_999)
    expect(results).toEqual([])
    clock.advance(1)
    await expect.poll(() => results).toEqual([`e1: ${host} did not answer in 5 s`])
  })

  test('with an untrusted certificate is sent nothing', async () => {
    const { received, host, url } = await serve()
    const { results, webhooks, resultCount } = open({ r0: url }, { isTrusted: false })
    webhooks.send([event(1)])
    await resultCount(1)
    expect(results).toEqual([`e1: ${host} has an untrusted certificate, so nothing was sent`])
    expect(received).toEqual([])
  })

  test('that is missing is reported as unreachable', async () => {
    const idle = createTcpServer()
    await new Promise<void>((resolve) => idle.listen(0, '127.0.0.1', resolve))
    const { port } = idle.address() as AddressInfo
    await new Promise((resolve) => idle.close(resolve))
    const { results, webhooks, resultCount } = open({ r0: `https://127.0.0.1:${port}/` })
    webhooks.send([event(1)])
    await resultCount(1)
    expect(results).toEqual([`e1: 127.0.0.1:${port} could not be reached`])
  })

  test.each([
    'http://example.org/hook',
    'https://user:pass@example.org/hook',
    'file:///etc/passwd',
    'no address',
    'http://127.0.0.1.example.org/',
  ])('at %s is not notified', async (url) => {
    const { results, webhooks, resultCount } = open({ r0: url })
    webhooks.send([event(1)])
    await resultCount(1)
    expect(results).toEqual(['e1: Not sent: a webhook needs an https:// address without a name or password'])
  })
})

test('this machine may be notified without encryption', async () => {
  const port = await listen(createHttpServer((_request, response) => response.writeHead(200).end()))
  const { results, webhooks, resultCount } = open({ r0: `http://localhost:${port}/` })
  webhooks.send([event(1)])
  await resultCount(1)
  expect(results).toEqual([`e1: localhost:${port} answered 200`])
})

test('every address of this machine that a rule may have is notified', async () => {
  const port = await listen(createHttpServer((_request, response) => response.writeHead(200).end()))
  const { results, webhooks, resultCount } = open({ r0: `http://127.0.0.2:${port}/` })
  webhooks.send([event(1)])
  await resultCount(1)
  // The server listens on another address of the machine, so nothing answers here.
  expect(results).toEqual([`e1: 127.0.0.2:${port} could not be reached`])
})

test('a webhook that would rather speak another protocol holds up no other', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { results, webhooks, resultCount } = open({ r0: `http://127.0.0.1:${port}/` })
  webhooks.send([1, 2, 3, 4, 5].map((number) => event(number)))
  await resultCount(5)
  expect(results[4]).toBe(`e5: 127.0.0.1:${port} answered 101`)
  await new Promise((resolve) => server.close(resolve))
})

test('an invalid answer, or one with endless headers, is reported', async () => {
  const answers = ['garbage\r\n\r\n', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(1_000_000)}`]
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write(answers.shift() ?? ''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { results, webhooks, resultCount } = open({ r0: `http://127.0.0.1:${port}/` })
  webhooks.send([event(1)])
  await resultCount(1)
  webhooks.send([event(2)])
  await resultCount(2)
  expect(results).toEqual([1, 2].map((at) => `e${at}: 127.0.0.1:${port} could not be reached`))
  await new Promise((resolve) => server.close(resolve))
})

test('many events are sent four at a time, and too many are reported', async () => {
  let most = 0
  let held: ServerResponse[] = []
  // No request is answered before four have arrived. A fifth would have had time to arrive too.
  const { url } = await serve((_request, response) => {
    most = Math.max(most, held.push(response))
    if (held.length !== 4) return
    setImmediate(() => {
      for (const each of held) each.writeHead(204).end()
      held = []
    })
  })
  const { results, webhooks, resultCount } = open({ r0: url })
  webhooks.send(Array.from({ length: 210 }, (_, at) => event(at)))
  await resultCount(210)
  expect(results.filter((result) => result.endsWith('Not sent: too many alerts at once'))).toHaveLength(10)
  expect(results.filter((result) => result.endsWith('answered 204'))).toHaveLength(200)
  expect(most).toBe(4)
})

test('running requests are aborted when the app ends, without a result', async () => {
  let isCut = false
  const { received, url } = await serve((request) => request.socket.on('close', () => (isCut = true)))
  const { results, webhooks } = open({ r0: url })
  webhooks.send([event(1)])
  await expect.poll(() => received.length).toBe(1)
  webhooks.dispose()
  await expect.poll(() => isCut).toBe(true)
  expect(results).toEqual([])
})

test('a message that is too large is not sent', async () => {
  const { received, url } = await serve()
  const options = { clock: new FakeClock(), controller: new AbortController(), ca: certificate.cert }
  expect(await postJson(url, 'x'.repeat(16 * 1024 + 1), options)).toEqual({ kind: 'tooLarge' })
  expect(received).toEqual([])
  expect(await postJson(url, 'x'.repeat(16 * 1024), options)).toEqual({ kind: 'answered', status: 204 })
})

const publishedAtMs = Date.UTC(2023, 10, 1, 14, 2, 11, 400)
const inputs = { value: '68500.120', publishedAtMs, direction: 'up' } as const

test('control and bidirectional characters of a note are sent escaped', () => {
  const note = 'a\u001b[2J\u009b\u0085\u2028\u202e'
  const message = webhookMessage(firedEvent(1, levelDraft(), { note }))
  expect(message).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(JSON.parse(message)).toMatchObject({ note })
})

test('has the event in words and fields, with all digits and UTC times', () => {
  const event = firedEvent(1, levelDraft('68500.0'), {
    recordedAtMs: publishedAtMs + 30,
    inputs: { ...inputs, gapSinceMs: publishedAtMs - 60_000 },
    note: 'Sell "half"',
    connection: 'Desk',
    isDemo: false,
  })
  expect(JSON.parse(webhookMessage(event))).toEqual({
    eventId: 'e1',
    number: 1,
    kind: 'fired',
    text: 'BRTI rose to 68,500.120 (level 68,500.0), crossed in a gap between 2023-11-01T14:01:11.400Z and 2023-11-01T14:02:11.400Z',
    id: 'BRTI',
    ruleId: event.ruleId,
    ruleVersion: 1,
    rule: 'BRTI rises to 68500.0',
    condition: 'risesTo',
    level: '68500.0',
    severity: 'normal',
    recorded: '2023-11-01T14:02:11.430Z',
    value: '68500.120',
    published: '2023-11-01T14:02:11.400Z',
    gapSince: '2023-11-01T14:01:11.400Z',
    direction: 'up',
    note: 'Sell "half"',
    connection: 'Desk',
    isDemo: false,
  })
})

test('says first that an event is of the demo service', () => {
  const event = firedEvent(1, levelDraft(), { connection: 'Demo', isDemo: true })
  const message = JSON.parse(webhookMessage(event)) as Record<string, unknown>
  expect(message).toMatchObject({ connection: 'Demo', isDemo: true })
  expect(message['text']).toMatch(/^Demo · BRTI /)
})

test('leaves out what the event does not have', () => {
  const event = { ...firedEvent(1, levelDraft()), terms: { condition: 'noUpdate' } as const, inputs: {} }
  expect(Object.keys(JSON.parse(webhookMessage(event)) as object)).toEqual([
    'eventId',
    'number',
    'kind',
    'text',
    'id',
    'ruleId',
    'ruleVersion',
    'rule',
    'condition',
    'severity',
    'recorded',
  ])
})

test('stays small however much is sent', () => {
  const joined = Array.from({ length: 10_000 }, (_, at) => `NAME${at}`)
  const terms = { condition: 'constituentsChanged' } as const
  const event = { ...firedEvent(1, levelDraft()), terms, inputs: { joined }, note: '\u0000'.repeat(500) }
  expect(Buffer.byteLength(webhookMessage(event))).toBeLessThan(8 * 1024)
})
