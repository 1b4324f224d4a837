import type { AlertEvent } from '../../core/alert-events'
import { postJson, timeLimitMs, type PostOptions, type PostResult } from './post'
import { formatDecimal } from '../../core/decimal'
import { eventRecord, recordJson } from '../../core/records'
import { printableJson, sanitizeText } from '../base/sanitize'

interface Options extends Omit<PostOptions, 'controller'> {
  /** Webhook address of a rule. Undefined if it has none or was deleted. */
  urlOf: (ruleId: string) => string | undefined
  /** The result in words. */
  onResult: (eventId: string, result: string) => void
}

/** Limits requests if many alerts fire together. */
const maxAtOnce = 4
const maxWaiting = 200

/** For example `example.org answered 204`. The path may be secret, so it is left out. */
export function resultWords(host: string, result: PostResult): string {
  switch (result.kind) {
    case 'answered': {
      const isRedirect = result.status >= 300 && result.status < 400
      return `${host} answered ${result.status}${isRedirect ? ' (a redirect, not followed)' : ''}`
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

/** Sends events to the webhooks of their rules. One attempt each, at most five seconds, with limited concurrency. */
export class Webhooks {
  readonly #options: Options
  readonly #running = new Set<AbortController>()
  #waiting: { event: AlertEvent; url: string }[] = []
  #isDisposed = false

  constructor(options: Options) {
    this.#options = options
  }

  send(events: readonly AlertEvent[]): void {
    for (const event of events) {
      const url = this.#options.urlOf(event.ruleId)
      if (url === undefined) continue
      if (this.#waiting.length < maxWaiting) this.#waiting.push({ event, url })
      else this.#options.onResult(event.id, 'Not sent: too many alerts at once')
    }
    this.#next()
  }

  /** Aborts running requests without reporting a result. */
  dispose(): void {
    this.#isDisposed = true
    this.#waiting = []
    for (const controller of this.#running) controller.abort()
  }

  #next(): void {
    while (this.#running.size < maxAtOnce) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      void this.#post(next.event, next.url)
    }
  }

  async #post(event: AlertEvent, url: string): Promise<void> {
    const controller = new AbortController()
    this.#running.add(controller)
    const result = await postJson(url, webhookMessage(event), { ...this.#options, controller })
    this.#running.delete(controller)
    if (this.#isDisposed) return
    this.#options.onResult(event.id, resultWords(URL.canParse(url) ? new URL(url).host : '', result))
    this.#next()
  }
}

const maxTextLength = 1_000

/**
 * The JSON body for an event: `text` in words, which chat services show, and the fields of the record. Contains nothing
 * secret, and only the name of the connection. The user's note is not altered.
 */
export function webhookMessage(event: AlertEvent): string {
  return printableJson(
    recordJson(eventRecord(event, { number: formatDecimal, namesConnections: false }), (text, name) =>
      name === 'note' ? text : sanitizeText(text, maxTextLength),
    ),
  )
}
