import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AlertEvent } from '../../../../core/alert-events'
import { ok } from '../../../../core/model'
import type { WebhookTarget } from '../../../../main/webhook/attempt'
import { postJson } from '../../../../main/webhook/post'
import { Webhooks } from '../../../../main/webhook/webhooks'
import { eventually } from '../../../support/eventually'
import { FakeClock } from '../../../support/fake-clock'
import { listenInTest } from '../../../support/local-server'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'
import { selfSignedCertificate } from '../../../support/self-signed'

interface Received {
  method: string | undefined
  path: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

const certificate = selfSignedCertificate()

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
  const host = `127.0.0.1:${await listenInTest(server)}`
  return { received, host, url: `https://${host}/hook?token=s3cret` }
}

interface OpenOptions {
  isTrusted?: boolean
  /** The webhooks are of this service. */
  target?: (url: string) => Pick<WebhookTarget, 'service' | 'values'>
}

function open(
  urls: Record<string, string>,
  { isTrusted = true, target = (url) => ({ service: 'json', values: { url } }) }: OpenOptions = {},
) {
  const clock = new FakeClock()
  const results: string[] = []
  const health: (string | undefined)[] = []
  const waiting: (() => void)[] = []
  const webhooks = new Webhooks({
    clock,
    target: (url) => Promise.resolve(ok({ ...target(url), sendsNote: false })),
    firingOf: ({ id }) => id,
    onHealth: (_url, reason) => health.push(reason),
    onMoved: () => undefined,
    ...(isTrusted && { ca: certificate.cert }),
  })
  onTestFinished(() => webhooks.dispose())
  const send = (...events: AlertEvent[]) => {
    for (const each of events) {
      const url = urls[each.ruleId]
      if (url === undefined) continue
      webhooks.send(each, url, (result) => {
        results.push(`${each.id}: ${result}`)
        for (const check of waiting) check()
      })
    }
  }
  const resultCount = (count: number) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (results.length >= count) resolve()
      }
      waiting.push(check)
      check()
    })
  return { clock, results, health, webhooks, send, resultCount }
}

const event = (number: number, ruleId = 'r0') => firedEvent(number, levelDraft(), { ruleId })

describe('a webhook', () => {
  test('receives one JSON message without identifying headers', async () => {
    const { received, host, url } = await serve()
    const { results, send, resultCount } = open({ r0: url })
    send(event(1), event(2, 'without'))
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

  test.each([200, 400, 404])('that answers %i is not notified again', async (status) => {
    const { received, host, url } = await serve((_request, response) => response.writeHead(status).end())
    const { results, send, resultCount } = open({ r0: url })
    send(event(1))
    await resultCount(1)
    expect(results).toEqual([`e1: ${host} answered ${status}`])
    expect(received).toHaveLength(1)
  })

  test('leaves unsent what waits for an attempt, and nothing that may have arrived', async () => {
    let isAnswering = true
    const { received, url } = await serve((_request, response) => {
      if (isAnswering) response.writeHead(503).end()
    })
    const { clock, send, resultCount, webhooks } = open({ r0: url })
    const ids = () => webhooks.unsent.map(({ event: { id } }) => id)
    send(event(1))
    await resultCount(1)
    send(event(2))
    expect(ids().sort()).toEqual(['e1', 'e2'])
    isAnswering = false
    await clock.advance(1_000)
    await eventually(() => expect(received).toHaveLength(2))
    expect(ids()).toEqual(['e2'])
    webhooks.dispose()
    expect(ids()).toEqual(['e2'])
  })

  test('that answers elsewhere is not followed there', async () => {
    const other = await serve()
    const { host, url } = await serve((_request, response) => response.writeHead(307, { location: other.url }).end())
    const { results, send, resultCount } = open({ r0: url })
    send(event(1))
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
    const { results, send, resultCount } = open({ r0: url })
    send(event(1))
    await resultCount(1)
    expect(results).toEqual([`e1: ${host} answered 200`])
    await expect.poll(() => isCut).toBe(true)
  })

  test('that does not answer within ten seconds is cancelled', async () => {
    const { received, host, url } = await serve(() => undefined)
    const { clock, results, send } = open({ r0: url })
    send(event(1))
    await expect.poll(() => received.length).toBe(1)
    clock.advance(9_999)
    expect(results).toEqual([])
    clock.advance(1)
    await expect.poll(() => results).toEqual([`e1: ${host} did not answer in 10 s. Next attempt in 1 s`])
  })

  test('with an untrusted certificate is sent nothing', async () => {
    const { received, host, url } = await serve()
    const { results, send, resultCount } = open({ r0: url }, { isTrusted: false })
    send(event(1))
    await resultCount(1)
    expect(results).toEqual([`e1: ${host} has an untrusted certificate, so nothing was sent`])
    expect(received).toEqual([])
  })

  test('that is missing is reported as unreachable', async () => {
    const idle = createTcpServer()
    const port = await listenInTest(idle)
    await new Promise((resolve) => idle.close(resolve))
    const { results, send, resultCount } = open({ r0: `https://127.0.0.1:${port}/` })
    send(event(1))
    await resultCount(1)
    expect(results).toEqual([`e1: 127.0.0.1:${port} could not be reached. Next attempt in 1 s`])
  })

  test.each([
    'http://example.org/hook',
    'https://user:pass@example.org/hook',
    'file:///etc/passwd',
    'no address',
    'http://127.0.0.1.example.org/',
  ])('at %s is not notified', async (url) => {
    const { results, send, resultCount } = open({ r0: url })
    send(event(1))
    await resultCount(1)
    expect(results).toEqual(['e1: Not sent: a webhook needs an https:// address without a name or password'])
  })
})

test('this machine may be notified without encryption', async () => {
  const port = await listenInTest(createHttpServer((_request, response) => response.writeHead(200).end()))
  const { results, send, resultCount } = open({ r0: `http://localhost:${port}/` })
  send(event(1))
  await resultCount(1)
  expect(results).toEqual([`e1: localhost:${port} answered 200`])
})

test('every address of this machine that a rule may have is notified', async () => {
  const port = await listenInTest(createHttpServer((_request, response) => response.writeHead(200).end()))
  const { results, send, resultCount } = open({ r0: `http://127.0.0.2:${port}/` })
  send(event(1))
  await resultCount(1)
  // The server listens on another address of the machine, so nothing answers here.
  expect(results).toEqual([`e1: 127.0.0.2:${port} could not be reached. Next attempt in 1 s`])
})

test('a webhook that would rather speak another protocol holds up no other', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n')
    })
  })
  const port = await listenInTest(server)
  const { results, send, resultCount } = open({ r0: `http://127.0.0.1:${port}/` })
  send(...[1, 2, 3, 4, 5].map((number) => event(number)))
  await resultCount(5)
  expect(results[4]).toBe(`e5: 127.0.0.1:${port} answered 101`)
})

test('an invalid answer, or one with endless headers, is reported', async () => {
  const answers = ['garbage\r\n\r\n', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(1_000_000)}`]
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write(answers.shift() ?? ''))
  })
  const port = await listenInTest(server)
  const { clock, results, send, resultCount } = open({ r0: `http://127.0.0.1:${port}/` })
  send(event(1))
  await resultCount(1)
  clock.advance(1_000)
  await resultCount(2)
  expect(results).toEqual(
    ['1 s', '5 s'].map((wait) => `e1: 127.0.0.1:${port} could not be reached. Next attempt in ${wait}`),
  )
})

describe('the queue of a webhook', () => {
  test('sends to four webhooks at a time, one message each, and reports too many', async () => {
    let most = 0
    let held: [string, ServerResponse][] = []
    // No request is answered before four have arrived. A fifth would have had time to arrive too.
    const { url, received } = await serve((request, response) => {
      most = Math.max(most, held.push([request.url ?? '', response]))
      if (held.length !== 4) return
      setImmediate(() => {
        expect(new Set(held.map(([path]) => path)).size).toBe(4)
        for (const [, each] of held) each.writeHead(204).end()
        held = []
      })
    })
    const ids = Array.from({ length: 8 }, (_, at) => `r${at}`)
    const { results, send, resultCount } = open(Object.fromEntries(ids.map((id) => [id, `${url}&of=${id}`])))
    for (const id of ids) send(event(1, id), event(2, id))
    await resultCount(16)
    expect([most, received.length]).toEqual([4, 16])
    const one = Array.from({ length: 203 }, (_, at) => event(at))
    send(...one)
    expect(results.filter((result) => result.endsWith('Not sent: too many alerts at once'))).toHaveLength(3)
  })

  test('repeats after 1, 5 and 30 s and 5 min, then says that the webhook fails', async () => {
    const { received, host, url } = await serve((_request, response) => response.writeHead(503).end('busy'))
    const { clock, results, health, send, resultCount } = open({ r0: url })
    send(event(1))
    for (const [at, waitMs] of [1_000, 5_000, 30_000, 300_000].entries()) {
      await resultCount(at + 1)
      clock.advance(waitMs - 1)
      expect(received).toHaveLength(at + 1)
      clock.advance(1)
    }
    await resultCount(5)
    expect(results[3]).toBe(`e1: ${host} answered 503: busy. Next attempt in 5 min`)
    expect(results[4]).toBe(`e1: ${host} answered 503: busy`)
    expect(health).toEqual([`${host} answered 503: busy`])
    send(event(2))
    await resultCount(6)
    expect([received.length, results[5], health.length]).toEqual([6, `e2: ${host} answered 503: busy`, 1])
  })

  test('waits as long as the service asks, also a fraction of a second', async () => {
    const answers: [number, Record<string, string>, string][] = [
      [429, {}, '{"message":"You are being rate limited.","retry_after":0.25,"global":false}'],
      [429, { 'retry-after': '7' }, 'slow down'],
      [429, { 'retry-after': '999999' }, ''],
      [204, {}, ''],
    ]
    const { received, host, url } = await serve((_request, response) => {
      const [status, headers, text] = answers[received.length - 1] ?? [500, {}, '']
      response.writeHead(status, headers).end(text)
    })
    const { clock, results, health, send, resultCount } = open({ r0: url })
    send(event(1))
    for (const [at, waitMs] of [250, 7_000, 3_600_000].entries()) {
      await resultCount(at + 1)
      clock.advance(waitMs - 1)
      expect(received).toHaveLength(at + 1)
      clock.advance(1)
    }
    await resultCount(4)
    expect(results[0]).toBe(`e1: ${host} answered 429: You are being rate limited. Next attempt in 1 s`)
    expect([results[3], health]).toEqual([`e1: ${host} answered 204`, []])
  })

  test('keeps the order of a program’s records while it waits', async () => {
    const { received, url } = await serve((_request, response) => {
      response.writeHead(received.length === 1 ? 500 : 204).end()
    })
    const { clock, send, resultCount } = open({ r0: url })
    send(event(1), event(2), event(3))
    await resultCount(1)
    clock.advance(1_000)
    await resultCount(4)
    const numbers = received.map(({ body }) => (JSON.parse(body) as { number: number }).number)
    expect(numbers).toEqual([1, 1, 2, 3])
  })

  test('folds a burst for a chat into one message, which counts what it leaves out', async () => {
    const { received, url } = await serve((_request, response) => response.writeHead(200).end('ok'))
    const { clock, results, send, resultCount } = open(
      { r0: url },
      { target: (to) => ({ service: 'slack', values: { url: to } }) },
    )
    send(...Array.from({ length: 24 }, (_, at) => event(at + 1)))
    await resultCount(24)
    const lines = (JSON.parse(received[0]?.body ?? '') as { text: string }).text.split('\n')
    expect([received.length, lines.length, lines.at(-1)]).toEqual([1, 11, 'and 14 more'])
    expect(new Set(results.map((result) => result.replace(/^e\d+: /, ''))).size).toBe(1)
    // Slack allows one message a second.
    await eventually(() => expect(clock.pending).toBe(1))
    send(event(25))
    clock.advance(999)
    await new Promise((resolve) => setImmediate(resolve))
    expect(received).toHaveLength(1)
    clock.advance(1)
    await resultCount(25)
    expect(received).toHaveLength(2)
  })
})

test('running requests are aborted when the app ends, without a result', async () => {
  let isCut = false
  const { received, url } = await serve((request) => request.socket.on('close', () => (isCut = true)))
  const { results, send, webhooks } = open({ r0: url })
  send(event(1))
  await expect.poll(() => received.length).toBe(1)
  webhooks.dispose()
  await expect.poll(() => isCut).toBe(true)
  expect(results).toEqual([])
})

test('a message that is too large is not sent', async () => {
  const { received, url } = await serve()
  const options = { clock: new FakeClock(), controller: new AbortController(), ca: certificate.cert }
  expect(await postJson(url, 'x'.repeat(64 * 1024 + 1), options)).toEqual({ kind: 'tooLarge' })
  expect(received).toEqual([])
  expect(await postJson(url, 'x'.repeat(64 * 1024), options)).toMatchObject({ kind: 'answered', status: 204 })
})
