import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../core/model'
import { eventually } from '../support/eventually'
import { openRest } from '../support/open-rest'
import { failureBody, ScriptedService, successBody } from '../support/scripted-service'
import type { Route } from '../support/scripted-service'
import { selfSignedCertificate } from '../support/self-signed'

const time = 1_698_840_000_000
const rows = [{ value: '1.50', time }]
const read = { ok: true, value: [{ value: '1.50', publishedAtMs: time }] }

function codeOf(outcome: Outcome<unknown>): string {
  return outcome.ok ? 'ok' : outcome.problem.code
}

/** Requests values answered by this route. */
async function ask(route: Route) {
  const opened = await openRest()
  opened.service.routes.set('values?id=BRTI', route)
  return { ...opened, outcome: await opened.client.values('BRTI') }
}

describe('statuses', () => {
  const cases: [number, string | undefined, string, RegExp][] = [
    [400, 'Unknown id', 'badRequest', /refused the request: Unknown id\.$/],
    [404, undefined, 'notFound', /does not have this: HTTP 404\.$/],
    [410, 'Gone.', 'notFound', /does not have this: Gone\.$/],
    [401, 'whatever', 'notAuthorised', /^Not authorised: the provider refused this key\. Check it in Settings\.$/],
    [403, undefined, 'notAuthorised', /^Not authorised: .* has no access/],
    [418, '<b>tea</b>\u202e', 'badRequest', /: <b>tea<\/b>\.$/],
    [200, 'odd', 'badRequest', /odd/],
    [204, undefined, 'unreadable', /could not be read/],
  ]
  test.each(cases)('%i saying %j is %s', async (status, error, code, message) => {
    const { outcome, service } = await ask(error === undefined ? { status } : { status, body: failureBody(error) })
    expect(codeOf(outcome)).toBe(code)
    expect(!outcome.ok && outcome.problem.message).toMatch(message)
    expect(service.requests).toHaveLength(1)
  })

  test('an error text that echoes the key does not reach screen or log', async () => {
    const encoded = Buffer.from('reader:correct horse').toString('base64')
    const { outcome, log } = await ask({ status: 400, body: failureBody(`bad key correct horse (${encoded})`) })
    const seen = JSON.stringify([outcome, log.entries])
    expect(seen).toContain('bad key [removed]')
    expect(seen).not.toContain('correct')
    expect(seen).not.toContain(encoded.slice(12, 24))
  })
})

describe('invalid bodies', () => {
  const body = Buffer.from(successBody(rows))
  const latin1 = Buffer.from(successBody([{ ...rows[0], note: 'caf\u00e9' }]), 'latin1')
  const cases: [string, Route, string, RegExp][] = [
    ['HTML', { body: '<!doctype html><p>Sign in' }, 'unreadable', /web page answered/],
    ['nothing', { body: '' }, 'unreadable', /could not be read/],
    ['half an answer', { body: body.subarray(0, 40) }, 'unreadable', /could not be read/],
    ['another shape', { body: successBody({ rows }) }, 'unreadable', /could not be read/],
    ['a list without envelope', { body: JSON.stringify(rows) }, 'unreadable', /could not be read/],
    ['what is not UTF-8', { body: latin1 }, 'unreadable', /could not be read/],
  ]
  test.each(cases)('%s', async (_name, route, code, message) => {
    const { outcome } = await ask(route)
    expect(codeOf(outcome)).toBe(code)
    expect(!outcome.ok && outcome.problem.message).toMatch(message)
  })

  test('twins: the untouched body, one with a byte order mark, one gzipped', async () => {
    expect((await ask({ body })).outcome).toEqual(read)
    expect((await ask({ body: `\ufeff${body.toString()}` })).outcome).toEqual(read)
    const gzipped = { headers: { 'Content-Encoding': 'gzip' }, body: gzipSync(body) }
    expect((await ask(gzipped)).outcome).toEqual(read)
  })
})

describe('size', () => {
  const padded = (bytes: number) => Buffer.from(successBody(rows).padEnd(bytes, ' '))
  const limitBytes = 8 * 1024 * 1024

  test('exactly 8 MiB are read, one byte more is not', async () => {
    expect((await ask({ body: padded(limitBytes) })).outcome).toEqual(read)
    expect(codeOf((await ask({ body: padded(limitBytes + 1) })).outcome)).toBe('tooLarge')
  })

  test('a gzip bomb is counted after unpacking and refused (ASVS 5.2.3)', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
    expect(bomb.length).toBeLessThan(limitBytes / 50)
    expect(codeOf((await ask({ headers: { 'Content-Encoding': 'gzip' }, body: bomb })).outcome)).toBe('tooLarge')
  })
})

const gzipHeaders = { 'Content-Encoding': 'gzip' }
const gzipped = gzipSync(successBody(rows))

function withOtherChecksum(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes)
  other.writeUInt32LE(1, other.length - 8)
  return other
}

describe('broken transfers', () => {
  /** Requests values while each answer is cut off. The clock advances over the pauses between attempts. */
  async function askBroken(route: Route) {
    const opened = await openRest()
    opened.service.routes.set('values?id=BRTI', route)
    const answer = opened.client.values('BRTI')
    for (let tries = 1; tries < 3; tries++) {
      await eventually(() => {
        expect(opened.service.requests).toHaveLength(tries)
        expect(opened.clock.pending).toBe(2)
      })
      opened.clock.advance(2_000)
    }
    return answer
  }

  const cases: [string, Route][] = [
    [
      'a body shorter than announced',
      (_request, response) => {
        response.writeHead(200, { 'Content-Length': '1000' })
        response.write('{"payload":[')
        setImmediate(() => response.destroy())
      },
    ],
    ['gzip without its end, though the text is whole', { headers: gzipHeaders, body: gzipped.subarray(0, -8) }],
    ['gzip whose checksum is of another text', { headers: gzipHeaders, body: withOtherChecksum(gzipped) }],
    ['bad gzip', { headers: { 'Content-Encoding': 'gzip' }, body: 'no gzip at all' }],
    ['a line cut before the answer', (request) => request.destroy()],
    ['an endless header', { headers: { 'X-Long': 'x'.repeat(20_000) }, body: successBody(rows) }],
  ]
  test.each(cases)('%s is retried, then reported, and none of it is used', async (_name, route) => {
    const outcome = await askBroken(route)
    expect(outcome).toMatchObject({ ok: false, problem: { code: 'serviceError' } })
  })
})

describe('the deadline', () => {
  const silent: Route = () => undefined
  const trickling: Route = (_request, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write(' '), 5)
    response.on('close', () => clearInterval(drip))
  }
  test.each([
    ['nothing', silent],
    ['a byte now and then', trickling],
  ])('an answer of %s ends after 15 s (H8)', async (_name, route) => {
    const { service, client, clock } = await openRest()
    service.routes.set('values?id=BRTI', route)
    let isAnswered = false
    const answer = client.values('BRTI').finally(() => {
      isAnswered = true
    })
    await eventually(() => expect(service.requests).toHaveLength(1))
    clock.advance(14_999)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(isAnswered).toBe(false)
    clock.advance(1)
    expect(codeOf(await answer)).toBe('timedOut')
  })
})

describe('429 (H3)', () =>
  test('makes every request wait as long as the service asks', async () => {
    const { service, client, clock } = await openRest()
    service.routes.set('values?id=A', { status: 429, headers: { 'Retry-After': '7' }, body: failureBody('slow down') })
    service.routes.set('values?id=B', { body: successBody(rows) })
    expect(await client.values('A')).toEqual({
      ok: false,
      problem: { code: 'rateLimited', message: 'The provider asks to wait 7 s before the next request.' },
    })
    clock.advance(6_999)
    expect(codeOf(await client.values('B'))).toBe('rateLimited')
    expect(service.requests).toHaveLength(1)
    clock.advance(1)
    expect(await client.values('B')).toEqual(read)
  }))

describe('redirects (F2, ASVS 15.3.2)', () =>
  test.each([301, 302, 307, 308])('%i is not followed and the other host never sees the key', async (status) => {
    const other = await ScriptedService.start()
    other.routes.set('values?id=BRTI', { body: successBody(rows) })
    const Location = `${other.restUrl}/api/v1/values?id=BRTI`
    const { outcome } = await ask({ status, headers: { Location } })
    expect(codeOf(outcome)).toBe('redirected')
    expect(other.requests).toEqual([])
    // Control: a client that follows the redirect arrives.
    expect((await fetch(Location)).status).toBe(200)
    await other.stop()
  }))

describe('no server', () => {
  test('is unreachable', async () => {
    const gone = await ScriptedService.start()
    const { restUrl } = gone
    await gone.stop()
    const { client } = await openRest({ baseUrl: restUrl })
    expect(codeOf(await client.indices())).toBe('unreachable')
  })

  test.each(['not an address', 'http://reader:correct@127.0.0.1:1'])('%j does not throw', async (baseUrl) => {
    const { client } = await openRest({ baseUrl })
    expect(codeOf(await client.indices())).toBe('unreachable')
  })
})

test('an untrusted certificate is refused (ASVS 12.3.2)', async () => {
  const { service, client } = await openRest({ tls: selfSignedCertificate() })
  const outcome = await client.indices()
  expect(codeOf(outcome)).toBe('unreachable')
  expect(!outcome.ok && outcome.problem.message).toContain('certificate is not valid')
  expect(service.requests).toEqual([])
})
