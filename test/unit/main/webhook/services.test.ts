/** Each service's form against a local server that behaves as the service documents. */
import { createServer, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { attempt, type WebhookTarget } from '../../../../main/webhook/attempt'
import { webhookMessage } from '../../../../main/webhook/message'
import { FakeClock } from '../../../support/fake-clock'
import { listenInTest } from '../../../support/local-server'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

type Body = Record<string, unknown>
interface Answer {
  status: number
  body: string | Body
  headers?: Record<string, string>
}

/** A server whose answers depend on the request. Returns its origin and what it received. */
async function serve(answer: (body: Body, request: IncomingMessage) => Answer) {
  const received: { path: string; body: Body; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (data: Buffer) => (text += data.toString()))
    request.on('end', () => {
      const body = JSON.parse(text) as Body
      received.push({ path: request.url ?? '', body, headers: request.headers })
      const { status, body: said, headers = {} } = answer(body, request)
      response.writeHead(status, headers).end(typeof said === 'string' ? said : JSON.stringify(said))
    })
  })
  const host = `127.0.0.1:${await listenInTest(server)}`
  return { received, host, origin: `http://${host}` }
}

const event = firedEvent(1, levelDraft('68500.0'), {
  inputs: { value: '68500.120', publishedAtMs: Date.UTC(2023, 10, 1, 14, 2, 11, 400) },
})

function send(target: Pick<WebhookTarget, 'service' | 'values'>, about = event) {
  const message = webhookMessage(about, { sendsNote: false })
  return attempt({ ...target, sendsNote: false }, message, {
    clock: new FakeClock(),
    controller: new AbortController(),
  })
}

/** Slack answers in plain text. */
function slack(body: Body, { url = '' }: IncomingMessage): Answer {
  if (url.includes('gone')) return { status: 410, body: 'channel_is_archived' }
  if (!/^\/services\/T\w+\/B\w+\/\w+$/.test(url)) return { status: 404, body: 'no_service' }
  return typeof body['text'] === 'string' ? { status: 200, body: 'ok' } : { status: 400, body: 'no_text' }
}

test('Slack takes the text, and its plain error texts are said', async () => {
  const { origin, host, received } = await serve(slack)
  const to = (path: string) => send({ service: 'slack', values: { url: `${origin}${path}` } })
  expect(await to('/services/T0/B0/xyz')).toMatchObject({ isAccepted: true, words: `${host} answered 200` })
  expect(received[0]?.body).toEqual({
    text: expect.stringMatching(/^BRTI rose .*\nValue: 68500\.120\nPublished: 2023-/),
  })
  expect(await to('/services/T0/B0')).toMatchObject({ words: `${host} answered 404: no_service`, mayRetry: false })
  expect(await to('/gone')).toMatchObject({ isAccepted: false, words: `${host} answered 410: channel_is_archived` })
})

test('a body in the form of another service is refused with the answer’s text', async () => {
  const { origin, host } = await serve(slack)
  const result = await send({ service: 'discord', values: { url: `${origin}/services/T0/B0/xyz` } })
  expect(result).toMatchObject({ isAccepted: false, mayRetry: false })
  expect(result.words).toBe(`${host} answered 404: no_service`)
  const wrong = await serve((body) => slack(body, { url: '/services/T0/B0/xyz' } as IncomingMessage))
  const refused = await send({ service: 'discord', values: { url: `${wrong.origin}/services/T0/B0/xyz` } })
  expect(refused.words).toBe(`${wrong.host} answered 400: no_text`)
})

test('Discord saves the message, names a faulty form, and says how long to wait', async () => {
  let count = 0
  const { origin, host, received } = await serve((body, { url = '' }) => {
    if (!url.endsWith('?wait=true')) return { status: 204, body: '' }
    count += 1
    if (count === 1) return { status: 200, body: { id: '1', content: body['content'] } }
    if (count === 2)
      return { status: 429, body: { message: 'You are being rate limited.', retry_after: 0.65, global: false } }
    return { status: 400, body: { message: 'Invalid Form Body', code: 50035, errors: { content: {} } } }
  })
  const target = { service: 'discord', values: { url: `${origin}/api/webhooks/1/abc` } } as const
  expect(await send(target)).toMatchObject({ isAccepted: true, words: `${host} answered 200` })
  expect(Object.keys(received[0]?.body ?? {})).toEqual(['content', 'allowed_mentions'])
  expect(received[0]?.body['allowed_mentions']).toEqual({ parse: [] })
  expect(await send(target)).toMatchObject({ mayRetry: true, waitMs: 650 })
  expect(await send(target)).toMatchObject({ mayRetry: false, words: `${host} answered 400: Invalid Form Body` })
})

test('Teams accepts a card with 202 only, keeps the whole query, and names what was lost', async () => {
  const { origin, host, received } = await serve((_body, { url = '' }) => {
    if (!url.includes('api-version=1')) {
      const message = "The 'api-version' query parameter is required."
      return { status: 400, body: { error: { code: 'MissingApiVersionParameter', message } } }
    }
    return url.includes('old') ? { status: 200, body: 'Webhook message delivery failed' } : { status: 202, body: '' }
  })
  const query = '?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=a%2Bb_c'
  const to = (path: string) => send({ service: 'teams', values: { url: `${origin}${path}` } })
  expect(await to(`/workflows/1${query}`)).toMatchObject({ isAccepted: true, words: `${host} answered 202` })
  expect(received[0]?.path).toBe(`/workflows/1${query}`)
  expect((await to('/workflows/1')).words).toContain(`answered 400: The 'api-version' query parameter is required`)
  expect(await to(`/old${query}`)).toMatchObject({
    isAccepted: false,
    words: expect.stringContaining('delivery failed'),
  })
})

test('ntfy takes the JSON form with the token as a header, and its error is said', async () => {
  const { origin, host, received } = await serve((body, { headers }) => {
    if (headers.authorization !== 'Bearer tk_secret') {
      return { status: 403, body: { code: 40301, http: 403, error: 'forbidden', link: 'https://ntfy.sh/docs' } }
    }
    return { status: 200, body: { id: 'hwQ2YpKdmg', event: 'message', topic: body['topic'] } }
  })
  const values = { server: origin, topic: 'index-desk', token: 'tk_secret', headers: 'X-Team: index desk' }
  expect(await send({ service: 'ntfy', values })).toMatchObject({ isAccepted: true })
  expect([received[0]?.path, received[0]?.headers['x-team']]).toEqual(['/', 'index desk'])
  expect(received[0]?.body).toMatchObject({ topic: 'index-desk', title: 'Indexwatch', priority: 3 })
  const refused = await send({ service: 'ntfy', values: { server: origin, topic: 'index-desk' } })
  expect(refused).toMatchObject({ isAccepted: false, words: `${host} answered 403: forbidden` })
})

test('Telegram’s ok:false is a refusal whatever the status, and a new chat id is taken', async () => {
  const answers: Answer[] = [
    { status: 200, body: { ok: true, result: { message_id: 1 } } },
    { status: 200, body: { ok: false, error_code: 403, description: 'Forbidden: bot was blocked by the user' } },
    {
      status: 429,
      body: { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 14 } },
    },
    {
      status: 400,
      body: { ok: false, error_code: 400, description: 'group upgraded', parameters: { migrate_to_chat_id: -1001 } },
    },
  ]
  const { origin, host, received } = await serve(() => answers[received.length - 1] ?? { status: 500, body: '' })
  const target = { service: 'telegram', values: { server: origin, token: '12:secret-token', chatId: '-5' } } as const
  expect(await send(target)).toMatchObject({ isAccepted: true, words: `${host} answered 200` })
  expect(received[0]).toMatchObject({ path: '/bot12:secret-token/sendMessage' })
  expect(received[0]?.body).toMatchObject({ chat_id: '-5', link_preview_options: { is_disabled: true } })
  expect(received[0]?.body).not.toHaveProperty('parse_mode')
  const blocked = await send(target)
  expect(blocked).toMatchObject({ isAccepted: false, mayRetry: false })
  expect(blocked.words).toBe(`${host} answered 403: Forbidden: bot was blocked by the user`)
  expect(await send(target)).toMatchObject({ mayRetry: true, waitMs: 14_000 })
  expect(await send(target)).toMatchObject({ moved: { chatId: '-1001' } })
})

test('PagerDuty queues a firing with 202 and resolves it when it is retracted', async () => {
  const { origin, host, received } = await serve((body) => {
    const hasForm = body['event_action'] === 'resolve' || Object.hasOwn(body, 'payload')
    const dedup = body['dedup_key']
    if (hasForm) return { status: 202, body: { status: 'success', message: 'Event processed', dedup_key: dedup } }
    return {
      status: 400,
      body: { status: 'invalid event', message: 'Event object is invalid', errors: ['no payload'] },
    }
  })
  const values = { server: origin, routingKey: 'a'.repeat(32), source: 'index desk' }
  expect(await send({ service: 'pagerDuty', values })).toMatchObject({
    isAccepted: true,
    words: `${host} answered 202`,
  })
  await send({ service: 'pagerDuty', values }, { ...event, kind: 'retracted', aboutEventId: event.id })
  expect(received.map(({ path, body }) => [path, body['event_action']])).toEqual([
    ['/v2/enqueue', 'trigger'],
    ['/v2/enqueue', 'resolve'],
  ])
  expect(received[1]?.body).not.toHaveProperty('payload')
})

test('plain JSON is signed over the exact body, and has the user’s headers', async () => {
  const { createHmac } = await import('node:crypto')
  const { origin, received } = await serve(() => ({ status: 201, body: '' }))
  const values = { url: `${origin}/hook`, signingSecret: 'k3y', headers: 'Authorization: Basic abc\nX-Team: desk' }
  expect(await send({ service: 'json', values })).toMatchObject({ isAccepted: true })
  const [first] = received
  const digest = createHmac('sha256', 'k3y').update(JSON.stringify(first?.body)).digest('hex')
  expect(first?.headers).toMatchObject({
    'x-signature': `sha256=${digest}`,
    authorization: 'Basic abc',
    'x-team': 'desk',
  })
  expect(first?.body).toMatchObject({ schema: 1, value: '68500.120', published: '2023-11-01T14:02:11.400Z' })
})

test.each([
  ['slack', (origin: string) => ({ url: `${origin}/services/T0/B0/topsecret1` }), '/services/T0/B0/topsecret1'],
  ['telegram', (origin: string) => ({ server: origin, token: '12:topsecret1', chatId: '1' }), '12:topsecret1'],
  ['json', (origin: string) => ({ url: `${origin}/a`, headers: 'X-Key: topsecret1' }), 'topsecret1'],
  ['pagerDuty', (origin: string) => ({ server: origin, routingKey: 'topsecret1', source: 'a' }), 'topsecret1'],
] as const)('%s: an answer that repeats the secret does not show it', async (service, values, secret) => {
  const { origin } = await serve(() => ({ status: 400, body: `bad: ${secret} ${encodeURIComponent(secret)}` }))
  const { words } = await send({ service, values: values(origin) })
  expect(words).toContain('answered 400: bad: [removed]')
  expect(words).not.toContain('topsecret1')
})

test.each([
  ['telegram', (origin: string) => ({ server: origin, token: '12:ab', chatId: '1' })],
  ['ntfy', (origin: string) => ({ server: origin, topic: 'desk' })],
] as const)('%s: a sign-in page that answers 200 has not taken the message', async (service, values) => {
  const { origin, host } = await serve(() => ({ status: 200, body: '<html>Sign in to the network</html>' }))
  const result = await send({ service, values: values(origin) })
  expect(result).toMatchObject({ isAccepted: false, words: `${host} answered 200: Sign in to the network` })
})

test('an answer in HTML is said without its markup, and a long one is cut', async () => {
  const { origin, host } = await serve(() => ({ status: 502, body: `<html><h1>Bad gateway</h1>${'x'.repeat(9_000)}` }))
  const { words, mayRetry } = await send({ service: 'json', values: { url: `${origin}/a` } })
  expect(words).toMatch(new RegExp(`^${host} answered 502: Bad gateway x+…$`))
  expect([words.length < 300, mayRetry]).toEqual([true, true])
})
