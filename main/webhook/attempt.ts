import { createHmac } from 'node:crypto'
import {
  completeValues,
  webhookAddressOf,
  webhookService,
  type WebhookMessage,
  type WebhookServiceName,
  type WebhookValues,
} from '../../core/webhook-services'
import { retryAfterMs } from '../base/http'
import { isRecord, parseJson, printableJson, sanitizeText } from '../base/sanitize'
import type { MessageOptions } from './message'
import { postJson, timeLimitMs, type PostOptions, type PostResult } from './post'

/** Where messages go, with the secrets, and what they say. */
export interface WebhookTarget extends MessageOptions {
  service: WebhookServiceName
  values: WebhookValues
}

/** The result of one attempt. */
export interface Attempt {
  isAccepted: boolean
  /** For example `example.org answered 204`. Never contains a secret. */
  words: string
  /** True if another attempt may succeed. */
  mayRetry: boolean
  /** How long the service asks to wait, at most an hour. */
  waitMs?: number | undefined
  /** The values that the service asks to use from now on. */
  moved?: WebhookValues | undefined
}

const maxWaitMs = 3_600_000

/** Sends a message once, in the form of its service. Never throws. */
export async function attempt(
  target: WebhookTarget,
  message: WebhookMessage,
  options: PostOptions & { clock: { wallMs(): number } },
): Promise<Attempt> {
  const values = completeValues(target.service, target.values)
  const service = webhookService(target.service)
  const address = webhookAddressOf(values)
  if (!URL.canParse(address)) return { isAccepted: false, words: resultWords('', refused), mayRetry: false }
  const { url, body, headers } = service.request(values, message)
  const text = printableJson(body)
  const result = await postJson(url, text, { ...options, headers: { ...headers, ...signature(values, text) } })
  const { host } = new URL(address)
  if (result.kind !== 'answered') {
    const mayRetry = result.kind === 'unreachable' || result.kind === 'timedOut'
    return { isAccepted: false, words: resultWords(host, result), mayRetry }
  }
  const answer = recordIn(result.text)
  // Telegram may answer 200 with the real status in the body.
  const status =
    answer['ok'] === false && typeof answer['error_code'] === 'number' ? answer['error_code'] : result.status
  const isAccepted = service.accepts(status, answer)
  return {
    isAccepted,
    words: resultWords(host, { ...result, status, text: isAccepted ? '' : withoutSecrets(result.text, target) }),
    mayRetry: status === 408 || status === 429 || status >= 500,
    waitMs: waitOf(answer) ?? retryAfterMs(result.retryAfter, options.clock.wallMs()),
    moved: service.moved?.(answer) as WebhookValues | undefined,
  }
}

/** Shorter texts are words that a log and an answer need, such as a topic `alerts`. */
const minSecretLength = 8

/** The secrets of a target, longest first, with the parts of an address that are secret by themselves. */
export function secretsOf({ service, values }: Pick<WebhookTarget, 'service' | 'values'>): string[] {
  const found = Object.entries(webhookService(service).fields).flatMap(([name, { isSecret, isLong }]) => {
    const text = isSecret === true ? (values[name] ?? '') : ''
    if (isLong === true) return text.split('\n').map((line) => line.slice(line.indexOf(':') + 1).trim())
    if (!URL.canParse(text) || !text.includes('://')) return [text]
    const { href, pathname, search, searchParams } = new URL(text)
    return [text, href, pathname + search, pathname, pathname.split('/').at(-1) ?? '', ...searchParams.values()]
  })
  return found.filter((secret) => secret.length >= minSecretLength).sort((one, other) => other.length - one.length)
}

/** Replaces the usual forms only. The log's redactor is slow to build for a long address. */
function withoutSecrets(text: string, target: WebhookTarget): string {
  const forms = (secret: string) => [
    secret,
    secret.replaceAll('/', '\\/'),
    encodeURI(secret),
    encodeURIComponent(secret),
  ]
  return secretsOf(target)
    .flatMap(forms)
    .reduce((cleaned, form) => cleaned.replaceAll(form, '[removed]'), text)
}

const refused: PostResult = { kind: 'refusedAddress' }

function signature({ signingSecret = '' }: WebhookValues, body: string): Record<string, string> {
  if (signingSecret === '') return {}
  return { 'X-Signature': `sha256=${createHmac('sha256', signingSecret).update(body).digest('hex')}` }
}

function recordIn(text: string): Record<string, unknown> {
  const parsed = parseJson(text)
  return isRecord(parsed) ? parsed : {}
}

/** Seconds, maybe a fraction, in `retry_after` of an answer or of its `parameters`. */
function waitOf(answer: Record<string, unknown>): number | undefined {
  const { parameters, retry_after: direct } = answer
  const seconds = direct ?? (isRecord(parameters) ? parameters['retry_after'] : undefined)
  return typeof seconds === 'number' && seconds >= 0 ? Math.min(maxWaitMs, Math.ceil(seconds * 1_000)) : undefined
}

/** For example `example.org answered 400: no_text`. The path may be secret, so it is left out. */
export function resultWords(host: string, result: PostResult): string {
  switch (result.kind) {
    case 'answered': {
      if (result.status >= 300 && result.status < 400)
        return `${host} answered ${result.status} (a redirect, not followed)`
      const why = sanitizeText(reasonIn(result.text)).replace(/\.$/, '')
      return `${host} answered ${result.status}${why === '' ? '' : `: ${why}`}`
    }
    case 'timedOut':
      return `${host} did not answer in ${timeLimitMs / 1_000} s`
    case 'certificate':
      return `${host} has an untrusted certificate, so nothing was sent`
    case 'proxy':
      return `Not sent: ${result.problem}`
    case 'unreachable':
      return `${host} could not be reached`
    case 'tooLarge':
      return 'Not sent: the message is too large'
    case 'refusedAddress':
      return 'Not sent: a webhook needs an https:// address without a name or password'
  }
}

/** What an answer says: its message if it is JSON, otherwise its text without markup. */
function reasonIn(text: string): string {
  const answer = recordIn(text)
  const { error, errors } = answer
  const inside = isRecord(error) ? error['message'] : error
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined
  const found = [first, answer['description'], answer['message'], inside].find((each) => typeof each === 'string')
  return typeof found === 'string' ? found : text.replace(/<[^>]*>/g, ' ')
}
