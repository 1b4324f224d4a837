import type { AlertEvent } from '../../protocol/alert-events'
import type { Clock } from '../base/clock'
import { webhookMessage } from './message'
import { postJson, type PostResult } from './post'

interface Options {
  clock: Clock
  /** Where events of a rule are to be told; absent: nowhere, or the rule is gone. */
  urlOf: (ruleId: string) => string | undefined
  /** What became of it, in plain words. */
  onResult: (eventId: string, result: string) => void
  /** In PEM; for tests alone. */
  ca?: string
}

const timeLimitMs = 5_000
/** A storm of alerts must not become one of requests. */
const mostAtOnce = 4
const mostWaiting = 200

/** `example.org answered 204`. A webhook's path may be its secret: it is not named. */
function resultWords(host: string, result: PostResult): string {
  switch (result.kind) {
    case 'answered': {
      const isRedirect = result.status >= 300 && result.status < 400
      return `${host} answered ${result.status}${isRedirect ? ', a redirect, which is not followed' : ''}`
    }
    case 'timedOut':
      return `${host} did not answer in ${timeLimitMs / 1_000} s`
    case 'certificate':
      return `${host} shows a certificate that is not trusted; nothing was sent`
    case 'unreachable':
      return `${host} could not be reached`
    case 'tooLarge':
      return 'Not sent: the message is too large'
    case 'refusedAddress':
      return 'Not sent: a webhook needs an https:// address without a name or password'
  }
}

/** Tells the webhooks of rules: one attempt for each event, at most so many at a time, five seconds for each. */
export class Webhooks {
  readonly #options: Options
  readonly #running = new Set<AbortController>()
  #waiting: { event: AlertEvent; url: string }[] = []
  #isDisposed = false

  constructor(options: Options) {
    this.#options = options
  }

  tell(events: readonly AlertEvent[]): void {
    for (const event of events) {
      const url = this.#options.urlOf(event.ruleId)
      if (url === undefined) continue
      if (this.#waiting.length < mostWaiting) this.#waiting.push({ event, url })
      else this.#options.onResult(event.id, 'Not sent: too many alerts at once')
    }
    this.#next()
  }

  /** Ends what is under way; nothing more is said of it. */
  dispose(): void {
    this.#isDisposed = true
    this.#waiting = []
    for (const controller of this.#running) controller.abort()
  }

  #next(): void {
    while (this.#running.size < mostAtOnce) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      void this.#post(next.event, next.url)
    }
  }

  async #post(event: AlertEvent, url: string): Promise<void> {
    const { clock, onResult, ca } = this.#options
    const controller = new AbortController()
    this.#running.add(controller)
    const cancel = clock.after(timeLimitMs, () => {
      controller.abort()
    })
    const result = await postJson(url, webhookMessage(event), controller.signal, ca)
    cancel()
    this.#running.delete(controller)
    if (this.#isDisposed) return
    onResult(event.id, resultWords(URL.canParse(url) ? new URL(url).host : '', result))
    this.#next()
  }
}
