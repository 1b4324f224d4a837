/** The services that a webhook can send to. A new service is one entry in `webhookServices`, and its test. */
import type { AlertSeverity } from './severity'
import { webhookProblem } from './shapes'

/** What a webhook says, before its service's form and limits. All texts are free of control characters. */
export interface WebhookMessage {
  text: string
  /** Names and values to show below the text. */
  facts: readonly (readonly [name: string, value: string])[]
  severity: AlertSeverity
  /** True if the alert is over: it was retracted, or the silence ended. */
  isOver: boolean
  /** The same for a firing and for its end. */
  key: string
  /** ISO 8601 in UTC. */
  at: string
  /** All fields, for programs. */
  record: Readonly<Record<string, unknown>>
}

/** A field of a service's form. A secret one is kept in the keyring. */
export interface WebhookField {
  label: string
  placeholder: string
  hint?: string
  isSecret?: true
  isOptional?: true
  /** One `Name: value` a line. */
  isLong?: true
  initial?: string
  /** What is wrong with a text that is not empty, and what to do. */
  problem: (text: string) => string | undefined
}

export type WebhookValues = Readonly<Record<string, string>>

interface WebhookRequest {
  url: string
  body: object
  headers?: Record<string, string>
}

interface Service<Name extends string> {
  name: string
  fields: Readonly<Record<Name, WebhookField>>
  /** The fields that a pasted address contains. Undefined if it is not an address of this service. */
  read?(url: URL, text: string): Partial<Record<Name, string>> | undefined
  request(values: Readonly<Record<Name, string>>, message: WebhookMessage): WebhookRequest
  /** `answer` is the parsed JSON, if it is JSON. */
  accepts(status: number, answer: Readonly<Record<string, unknown>>): boolean
  /** The fields that an error answer replaces. */
  moved?(answer: Readonly<Record<string, unknown>>): Partial<Record<Name, string>> | undefined
  /** Set if the service accepts a message before it shows it. Says where to look. */
  lookIn?: string
  /** Bursts become one message. */
  folds: boolean
  /** The shortest interval between messages that the service accepts over a long time. */
  spacingMs: number
}

/** Keeps the names of a service's fields in the types of its functions. */
function service<Name extends string>(spec: Service<Name>): Service<Name> {
  return spec
}

const ellipsis = '…'

function cutToPoints(text: string, max: number): string {
  const points = Array.from(text)
  return points.length <= max ? text : points.slice(0, max - 1).join('') + ellipsis
}

/** Cuts between two characters, so that the text has at most `max` bytes of UTF-8. */
function cutToBytes(text: string, max: number): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= max) return text
  const room = max - new TextEncoder().encode(ellipsis).length
  // As a stream, the decoder leaves an unfinished character at the end out.
  return new TextDecoder().decode(bytes.subarray(0, room), { stream: true }) + ellipsis
}

function withFacts({ text, facts }: WebhookMessage): string {
  return [text, ...facts.map((fact) => fact.join(': '))].join('\n')
}

/** Hosts of the connectors that Microsoft has retired. */
const retiredTeams = /(^|\.)webhook\.office\.com$|^outlook\.office(365)?\.com$/

function addressProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && retiredTeams.test(url.hostname)) {
    return 'Microsoft has retired connectors, so this address no longer works. Create a workflow in Teams and use its address.'
  }
  return webhookProblem(text)
}

const matches = (form: RegExp, message: string) => (text: string) => (form.test(text) ? undefined : message)

function address(placeholder: string, hint = ''): WebhookField {
  return { label: 'Webhook URL', placeholder, hint, isSecret: true, problem: addressProblem }
}

function server(initial: string): WebhookField {
  return { label: 'Server', placeholder: initial, initial, problem: addressProblem }
}

const headerForm = /^[!#$%&'*+\-.^_`|~\w]+: ?[\x20-\x7e]+$/
/** Set by the app itself. */
const ownHeaders = /^(host|connection|content-length|content-type|transfer-encoding|x-signature):/i
const headerLines = (text: string) => text.split('\n').filter((line) => line.trim() !== '')

function headersProblem(text: string): string | undefined {
  for (const line of headerLines(text)) {
    if (!headerForm.test(line)) return 'Write each header as Name: value, in plain ASCII.'
    if (ownHeaders.test(line)) return `Leave out ${line.split(':')[0] ?? ''}. Indexwatch sets this header.`
  }
  return undefined
}

const headers: WebhookField = {
  label: 'Headers',
  placeholder: 'X-Team: index desk',
  isSecret: true,
  isOptional: true,
  isLong: true,
  problem: headersProblem,
}

function readHeaders(text: string): Record<string, string> {
  return Object.fromEntries(
    headerLines(text).map((line) => {
      const [name = ''] = line.split(':')
      return [name, line.slice(name.length + 1).trim()]
    }),
  )
}

const priorities: Record<AlertSeverity, number> = { info: 2, normal: 3, urgent: 5 }
const pagerSeverities: Record<AlertSeverity, string> = { info: 'info', normal: 'warning', urgent: 'critical' }

const webhookServices = {
  slack: service({
    name: 'Slack',
    fields: {
      url: address('https://hooks.slack.com/services/…', 'Also for Mattermost and others that take Slack’s form.'),
    },
    read(url, text) {
      const isDiscord = isDiscordHook(url) && url.pathname.endsWith('/slack')
      if (isDiscord || (url.hostname === 'hooks.slack.com' && url.pathname.startsWith('/services/')))
        return { url: text }
      return undefined
    },
    // Cut before escaping, which makes a text at most five times as long. Slack cuts at 40,000.
    request: ({ url }, message) => ({ url, body: { text: escapeForSlack(cutToPoints(withFacts(message), 8_000)) } }),
    accepts: (status) => status === 200,
    folds: true,
    spacingMs: 1_000,
  }),
  discord: service({
    name: 'Discord',
    fields: { url: address('https://discord.com/api/webhooks/…') },
    read: (url, text) => (isDiscordHook(url) ? { url: text } : undefined),
    request({ url }, message) {
      const waiting = new URL(url)
      // Without it Discord reports no error for a message that it did not save.
      waiting.searchParams.set('wait', 'true')
      // Otherwise @everyone in a note would ring.
      const body = { content: cutToPoints(withFacts(message), 2_000), allowed_mentions: { parse: [] } }
      return { url: waiting.href, body }
    },
    accepts: (status) => status === 200 || status === 204,
    folds: true,
    spacingMs: 2_000,
  }),
  teams: service({
    name: 'Microsoft Teams',
    fields: {
      url: address(
        'https://….environment.api.powerplatform.com/…',
        'The address of the workflow “When a Teams webhook request is received”.',
      ),
    },
    read(url, text) {
      const isFlow = /\.environment\.api\.powerplatform\.com$|\.logic\.azure\.com$/.test(url.hostname)
      return isFlow ? { url: text } : undefined
    },
    request: ({ url }, { text, facts }) => ({ url, body: adaptiveCard(cutToBytes(text, 10_000), facts) }),
    accepts: (status) => status === 202,
    lookIn: 'the channel',
    folds: true,
    spacingMs: 1_000,
  }),
  ntfy: service({
    name: 'ntfy',
    fields: {
      server: server('https://ntfy.sh'),
      topic: {
        label: 'Topic',
        placeholder: 'indexwatch-x7Qk2m',
        hint: 'On a public server the topic is the password. Choose one that no one can guess.',
        isSecret: true,
        problem: matches(/^[\w-]{1,64}$/, 'A topic has at most 64 letters, digits, “_” and “-”.'),
      },
      token: {
        label: 'Access token',
        placeholder: 'tk_…',
        isSecret: true,
        isOptional: true,
        problem: matches(/^[\x21-\x7e]+$/, 'A token has no spaces. Copy it again from the server.'),
      },
      headers,
    },
    read(url) {
      const [, topic = '', ...more] = url.pathname.split('/')
      return url.hostname === 'ntfy.sh' && topic !== '' && more.length === 0 ? { server: url.origin, topic } : undefined
    },
    request: ({ server: url, topic, token, headers: own }, message) => ({
      url,
      body: {
        topic,
        title: 'Indexwatch',
        message: cutToBytes(withFacts(message), 4_096),
        priority: priorities[message.severity],
      },
      headers: { ...readHeaders(own), ...(token !== '' && { Authorization: `Bearer ${token}` }) },
    }),
    accepts: (status, answer) => status === 200 && typeof answer['id'] === 'string',
    folds: true,
    spacingMs: 5_000,
  }),
  telegram: service({
    name: 'Telegram',
    fields: {
      server: server('https://api.telegram.org'),
      token: {
        label: 'Bot token',
        placeholder: '123456:ABC-DEF…',
        isSecret: true,
        problem: matches(
          /^\d+:[\w-]+$/,
          'A bot token is a number, a colon and letters. Copy it again from @BotFather.',
        ),
      },
      chatId: {
        label: 'Chat id',
        placeholder: '-1001234567890',
        hint: 'A number, or the name of a public channel with @.',
        problem: matches(/^(-?\d{1,20}|@\w+)$/, 'Enter a number such as -1001234567890, or @channel.'),
      },
    },
    read(url) {
      const [, token] = /^\/bot(\d+:[\w-]+)\/sendMessage$/.exec(url.pathname) ?? []
      if (url.hostname !== 'api.telegram.org' || token === undefined) return undefined
      const chatId = url.searchParams.get('chat_id')
      return { server: url.origin, token, ...(chatId !== null && { chatId }) }
    },
    request: ({ server: url, token, chatId }, message) => ({
      url: new URL(`/bot${token}/sendMessage`, url).href,
      body: {
        chat_id: chatId,
        text: cutToPoints(withFacts(message), 4_096),
        link_preview_options: { is_disabled: true },
      },
    }),
    accepts: (status, answer) => status === 200 && answer['ok'] === true,
    moved({ parameters }) {
      const isGiven = typeof parameters === 'object' && parameters !== null && 'migrate_to_chat_id' in parameters
      return isGiven ? { chatId: String(parameters.migrate_to_chat_id) } : undefined
    },
    folds: true,
    spacingMs: 3_000,
  }),
  pagerDuty: service({
    name: 'PagerDuty',
    fields: {
      server: { ...server('https://events.pagerduty.com'), hint: 'In the EU: https://events.eu.pagerduty.com.' },
      routingKey: {
        label: 'Integration key',
        placeholder: '32 letters and digits',
        hint: 'Of an integration “Events API v2”.',
        isSecret: true,
        problem: matches(/^\w{32}$/, 'An integration key has 32 letters and digits. Copy it again from PagerDuty.'),
      },
      source: {
        label: 'Source',
        placeholder: 'index desk',
        hint: 'The name that incidents show as their source.',
        problem: matches(/^.{1,200}$/u, 'The source has at most 200 characters.'),
      },
    },
    read: (url) => (/^events(\.eu)?\.pagerduty\.com$/.test(url.hostname) ? { server: url.origin } : undefined),
    request({ server: url, routingKey, source }, message) {
      const event = {
        routing_key: routingKey,
        event_action: message.isOver ? 'resolve' : 'trigger',
        dedup_key: cutToPoints(message.key, 255),
      }
      const payload = {
        summary: cutToPoints(message.text, 1_024),
        source,
        severity: pagerSeverities[message.severity],
        timestamp: message.at,
        custom_details: message.record,
      }
      return { url: new URL('/v2/enqueue', url).href, body: message.isOver ? event : { ...event, payload } }
    },
    accepts: (status) => status === 202,
    lookIn: 'the incidents',
    // Each alert is an incident of its own.
    folds: false,
    spacingMs: 0,
  }),
  json: service({
    name: 'JSON',
    fields: {
      url: address('https://example.com/hook'),
      signingSecret: {
        label: 'Signing secret',
        placeholder: '',
        hint: 'Optional. Signs each message: X-Signature is sha256= and the HMAC of the body.',
        isSecret: true,
        isOptional: true,
        problem: () => undefined,
      },
      headers,
    },
    request: ({ url, headers: own }, { record }) => ({ url, body: record, headers: readHeaders(own) }),
    accepts: (status) => status >= 200 && status < 300,
    // A program wants each record.
    folds: false,
    spacingMs: 0,
  }),
} satisfies Record<string, Service<never>>

export type WebhookServiceName = keyof typeof webhookServices
export const webhookServiceNames = Object.keys(webhookServices) as WebhookServiceName[]

/** A service by its name. The values must have all its fields, see `completeValues`. */
export function webhookService(name: WebhookServiceName): Service<string> {
  return webhookServices[name]
}

function isDiscordHook({ hostname, pathname }: URL): boolean {
  return /^(\w+\.)?discord(app)?\.com$/.test(hostname) && /^\/api\/(v\d+\/)?webhooks\//.test(pathname)
}

/** A note with `<!channel>` would otherwise call everybody. */
function escapeForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function adaptiveCard(text: string, facts: WebhookMessage['facts']): object {
  const title = { type: 'TextBlock', text, weight: 'Bolder', wrap: true }
  const set = { type: 'FactSet', facts: facts.map(([name, value]) => ({ title: name, value })) }
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: facts.length === 0 ? [title] : [title, set],
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] }
}

/** The service that a pasted address belongs to, and the fields that it contains. */
export function readWebhookAddress(text: string): { service: WebhookServiceName; values: WebhookValues } | undefined {
  if (!URL.canParse(text)) return undefined
  for (const name of webhookServiceNames) {
    const values = webhookService(name).read?.(new URL(text), text)
    if (values !== undefined) return { service: name, values: values as WebhookValues }
  }
  return undefined
}

/** The values with an empty text for each missing field, and without other fields. */
export function completeValues(name: WebhookServiceName, values: WebhookValues): WebhookValues {
  return Object.fromEntries(Object.keys(webhookService(name).fields).map((field) => [field, values[field] ?? '']))
}

/** The first field that is missing or wrong, and what to do. */
export function valuesProblem(
  name: WebhookServiceName,
  values: WebhookValues,
): { field: string; message: string } | undefined {
  for (const [field, { label, isOptional, problem }] of Object.entries(webhookService(name).fields)) {
    const text = values[field] ?? ''
    const missing = isOptional === true ? undefined : `${label} is missing. Enter it.`
    const message = text === '' ? missing : problem(text)
    if (message !== undefined) return { field, message }
  }
  return undefined
}

/** The address whose host receives the messages. Empty if it is not known. */
export function webhookAddressOf({ url, server: at }: WebhookValues): string {
  return at ?? url ?? ''
}

const savedForm = /^webhook:([\w-]{1,64})$/

/** The address of a saved webhook, for alerts and settings. */
export function savedWebhookAddress(id: string): string {
  return `webhook:${id}`
}

/** The id of the saved webhook with this address. Undefined for other addresses. */
export function savedWebhookId(address: string): string | undefined {
  return savedForm.exec(address)?.[1]
}

/** Why an alert or the escalation cannot send to this address, and what to do. Undefined if it can. */
export function webhookChoiceProblem(text: string): string | undefined {
  if (savedWebhookId(text) !== undefined) return undefined
  const found = readWebhookAddress(text)
  if (found === undefined) return addressProblem(text)
  const { name } = webhookService(found.service)
  return `An address of ${name} is a secret. Add it under Settings, Webhooks, and choose that webhook here.`
}
