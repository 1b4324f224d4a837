import { describe, expect, test } from 'vitest'
import {
  completeValues,
  readWebhookAddress,
  valuesProblem,
  webhookChoiceProblem,
  webhookService,
  webhookServiceNames,
  type WebhookMessage,
  type WebhookServiceName,
} from '../../../core/webhook-services'

const message: WebhookMessage = {
  text: 'BRTI above 86000',
  facts: [
    ['Value', '86000.12'],
    ['Published', '2026-11-26T15:04:05.000Z'],
  ],
  severity: 'normal',
  isOver: false,
  key: 'indexwatch/rule-7/41',
  at: '2026-11-26T15:04:05.000Z',
  record: { schema: 1, id: 'BRTI', value: '86000.12' },
}
const shown = 'BRTI above 86000\nValue: 86000.12\nPublished: 2026-11-26T15:04:05.000Z'

const urls = {
  slack: 'https://hooks.slack.com/services/T00/B00/XXXX',
  discord: 'https://discord.com/api/webhooks/12/to-ken',
  teams:
    'https://default1.aa.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/1/triggers/manual/paths/invoke?api-version=1&sp=%2Ftriggers&sv=1.0&sig=a%2Bb',
}

function request(name: WebhookServiceName, values: Record<string, string>, about: Partial<WebhookMessage> = {}) {
  return webhookService(name).request(completeValues(name, values), { ...message, ...about })
}

describe('the documented form of', () => {
  test('Slack is a text, escaped', () => {
    const { url, body } = request('slack', { url: urls.slack }, { text: 'A & <!channel>', facts: [] })
    expect([url, body]).toEqual([urls.slack, { text: 'A &amp; &lt;!channel&gt;' }])
    expect(request('slack', { url: urls.slack }).body).toEqual({ text: shown })
  })

  test('Discord is a content without mentions, sent with wait', () => {
    const { url, body } = request('discord', { url: `${urls.discord}?thread_id=9` })
    expect(url).toBe(`${urls.discord}?thread_id=9&wait=true`)
    expect(body).toEqual({ content: shown, allowed_mentions: { parse: [] } })
  })

  test('Teams is an adaptive card, sent to the address as it is', () => {
    const { url, body } = request('teams', { url: urls.teams })
    expect(url).toBe(urls.teams)
    expect(body).toEqual({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: 'BRTI above 86000', weight: 'Bolder', wrap: true },
              {
                type: 'FactSet',
                facts: [
                  { title: 'Value', value: '86000.12' },
                  { title: 'Published', value: '2026-11-26T15:04:05.000Z' },
                ],
              },
            ],
          },
        },
      ],
    })
  })

  test.each([
    ['info', 2],
    ['normal', 3],
    ['urgent', 5],
  ] as const)('ntfy is JSON with the topic, for %s with priority %i', (severity, priority) => {
    const values = { server: 'https://ntfy.example', topic: 'desk', token: 'tk_1', headers: 'X-A: b: c' }
    expect(request('ntfy', values, { severity })).toEqual({
      url: 'https://ntfy.example',
      body: { topic: 'desk', title: 'Indexwatch', message: shown, priority },
      headers: { 'X-A': 'b: c', Authorization: 'Bearer tk_1' },
    })
  })

  test('Telegram is a text for a chat, without markup and previews', () => {
    const values = { server: 'https://api.telegram.org', token: '12:ab', chatId: '@desk' }
    expect(request('telegram', values)).toEqual({
      url: 'https://api.telegram.org/bot12:ab/sendMessage',
      body: { chat_id: '@desk', text: shown, link_preview_options: { is_disabled: true } },
    })
  })

  test.each([
    ['info', 'info'],
    ['normal', 'warning'],
    ['urgent', 'critical'],
  ] as const)('PagerDuty is an event with one key for each firing; %s is %s', (severity, expected) => {
    const values = { server: 'https://events.eu.pagerduty.com', routingKey: 'k'.repeat(32), source: 'desk' }
    const event = { routing_key: values.routingKey, event_action: 'trigger', dedup_key: 'indexwatch/rule-7/41' }
    expect(request('pagerDuty', values, { severity })).toEqual({
      url: 'https://events.eu.pagerduty.com/v2/enqueue',
      body: {
        ...event,
        payload: {
          summary: 'BRTI above 86000',
          source: 'desk',
          severity: expected,
          timestamp: '2026-11-26T15:04:05.000Z',
          custom_details: message.record,
        },
      },
    })
    expect(request('pagerDuty', values, { isOver: true }).body).toEqual({ ...event, event_action: 'resolve' })
  })

  test('plain JSON is the record', () => {
    expect(request('json', { url: 'https://a.example/b', headers: 'X-A: 1\nX-B:2' })).toEqual({
      url: 'https://a.example/b',
      body: message.record,
      headers: { 'X-A': '1', 'X-B': '2' },
    })
  })
})

describe('a text at the limit is sent whole, and a longer one is cut between characters in', () => {
  const textOf = (body: object, field: string) => (body as Record<string, string>)[field] ?? ''
  const points = (text: string) => Array.from(text).length
  const server = 'https://s.example'

  test.each([
    ['discord', { url: urls.discord }, 'content', 2_000],
    ['telegram', { server, token: '1:a', chatId: '1' }, 'text', 4_096],
    ['slack', { url: urls.slack }, 'text', 8_000],
  ] as const)('%s', (name, values, field, limit) => {
    const of = (text: string) => textOf(request(name, values, { text, facts: [] }).body, field)
    expect(of('😀'.repeat(limit))).toBe('😀'.repeat(limit))
    const cut = of('😀'.repeat(limit + 1))
    expect([points(cut), cut.endsWith('😀…')]).toEqual([limit, true])
  })

  test('Slack, also if every character is escaped', () => {
    const { body } = request('slack', { url: urls.slack }, { text: '&'.repeat(50_000), facts: [] })
    expect(points(textOf(body, 'text'))).toBeLessThanOrEqual(40_000)
    expect(textOf(body, 'text')).toMatch(/&amp;…$/)
  })

  test('ntfy, by bytes', () => {
    const of = (text: string) => textOf(request('ntfy', { server, topic: 'a' }, { text, facts: [] }).body, 'message')
    expect(of('é'.repeat(2_048))).toBe('é'.repeat(2_048))
    const cut = of(`a${'😀'.repeat(1_024)}`)
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(4_096)
    expect(cut).toMatch(/^a(😀)+…$/u)
  })

  test('Teams, whose whole message has at most 28 KB', () => {
    const { body } = request('teams', { url: urls.teams }, { text: '"😀\n'.repeat(20_000) })
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(28 * 1_024)
  })

  test('PagerDuty, in the summary and in the key', () => {
    const values = { server, routingKey: 'k'.repeat(32), source: 'desk' }
    const { body } = request('pagerDuty', values, { text: '😀'.repeat(1_025), key: 'k'.repeat(300) })
    const { dedup_key: key, payload } = body as { dedup_key: string; payload: { summary: string } }
    expect([points(payload.summary), key.length]).toEqual([1_024, 255])
  })
})

describe('a pasted address', () => {
  test.each([
    [urls.slack, 'slack', { url: urls.slack }],
    [urls.discord, 'discord', { url: urls.discord }],
    ['https://canary.discordapp.com/api/v10/webhooks/1/a', 'discord', undefined],
    [`${urls.discord}/slack`, 'slack', { url: `${urls.discord}/slack` }],
    [urls.teams, 'teams', { url: urls.teams }],
    ['https://prod-1.westeurope.logic.azure.com:443/workflows/1?sig=a', 'teams', undefined],
    ['https://ntfy.sh/desk-9', 'ntfy', { server: 'https://ntfy.sh', topic: 'desk-9' }],
    [
      'https://api.telegram.org/bot12:ab_C/sendMessage?chat_id=-100',
      'telegram',
      { server: 'https://api.telegram.org', token: '12:ab_C', chatId: '-100' },
    ],
    ['https://events.eu.pagerduty.com/v2/enqueue', 'pagerDuty', { server: 'https://events.eu.pagerduty.com' }],
  ])('%s chooses %s', (address, service, values) => {
    const found = readWebhookAddress(address)
    expect(found?.service).toBe(service)
    if (values !== undefined) expect(found?.values).toEqual(values)
    expect(webhookChoiceProblem(address)).toContain(
      `An address of ${webhookService(service as 'slack').name} is a secret.`,
    )
  })

  test.each([
    'https://example.com/hook',
    'https://hooks.slack.com.evil.example/services/a',
    'https://ntfy.sh/a/b',
    'no',
  ])('%s chooses none', (address) => expect(readWebhookAddress(address)).toBeUndefined())

  test.each([
    'https://acme.webhook.office.com/webhookb2/1',
    'https://outlook.office.com/webhook/1',
    'https://outlook.office365.com/webhook/1',
  ])('%s of a retired connector is refused with the reason, for every service', (url) => {
    const reason = 'Microsoft has retired connectors, so this address no longer works.'
    for (const service of ['teams', 'slack', 'json'] as const) {
      expect(valuesProblem(service, { url })).toEqual({ field: 'url', message: expect.stringContaining(reason) })
    }
    expect(webhookChoiceProblem(url)).toContain(reason)
  })

  test('an alert may name a saved webhook or an ordinary address', () => {
    expect(['webhook:a-1', 'https://example.com/hook', 'http://127.0.0.1:1/'].map(webhookChoiceProblem)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(webhookChoiceProblem('webhook:')).toContain('begins with https://')
  })
})

describe('values', () => {
  const good: Record<WebhookServiceName, Record<string, string>> = {
    slack: { url: urls.slack },
    discord: { url: urls.discord },
    teams: { url: urls.teams },
    ntfy: { server: 'https://ntfy.sh', topic: 'a_b-1' },
    telegram: { server: 'https://api.telegram.org', token: '12:ab', chatId: '-10012' },
    pagerDuty: { server: 'https://events.pagerduty.com', routingKey: 'R0'.repeat(16), source: 'desk' },
    json: { url: 'https://example.com' },
  }

  test.each(webhookServiceNames)('of %s are complete, or the first missing field is named', (name) => {
    expect(valuesProblem(name, good[name])).toBeUndefined()
    for (const field of Object.keys(good[name])) {
      expect(valuesProblem(name, { ...good[name], [field]: '' })?.field).toBe(field)
    }
  })

  test.each([
    ['slack', { url: 'http://example.com/a' }],
    ['slack', { url: 'https://me:pass@example.com/a' }],
    ['ntfy', { topic: 'two words' }],
    ['ntfy', { topic: '' }],
    ['telegram', { token: 'abc' }],
    ['telegram', { chatId: 'desk' }],
    ['pagerDuty', { routingKey: 'R0'.repeat(15) }],
    ['json', { headers: 'no colon' }],
    ['json', { headers: 'X-A: b\r\nHost: evil' }],
    ['json', { headers: 'Content-Length: 3' }],
    ['json', { headers: 'X-A: é' }],
    ['ntfy', { headers: 'X A: b' }],
  ] as const)('of %s such as %o are refused at their field', (name, wrong) => {
    expect(valuesProblem(name, { ...good[name], ...wrong })?.field).toBe(Object.keys(wrong)[0])
  })
})
