import type { AlertEvent } from '../../core/alert-events'
import type { Outcome } from '../../core/model'
import { roughSpanText } from '../../core/spans'
import { webhookService } from '../../core/webhook-services'
import { attempt, type Attempt, type WebhookTarget } from './attempt'
import { webhookMessage } from './message'
import type { PostOptions } from './post'

interface Options extends Omit<PostOptions, 'controller' | 'clock'> {
  clock: PostOptions['clock'] & { wallMs(): number }
  /** The webhook at an address: a saved one, or the address itself. */
  target: (address: string) => Promise<Outcome<WebhookTarget>>
  /** The firing that an event is about. */
  firingOf: (event: AlertEvent) => string
  /** Called when a webhook begins to fail, with the reason, and with undefined when it works again. */
  onHealth: (address: string, reason: string | undefined) => void
  /** Called when the service asks to use other values from now on. */
  onMoved: (address: string, target: WebhookTarget) => void
}

interface Waiting {
  event: AlertEvent
  address: string
  /** Called with the result in words, also before another attempt. */
  onResult: (words: string) => void
}

/** Limits requests if many alerts fire together. */
const maxAtOnce = 4
const maxWaiting = 200
const retryWaitsMs = [1_000, 5_000, 30_000, 300_000]

/**
 * Sends events to webhooks. Each webhook has one queue and gets one message at a time. What waits for a chat becomes one
 * message. Failed attempts are repeated if that may help. A webhook that fails gets one attempt for each message until
 * it works again.
 */
export class Webhooks {
  readonly #options: Options
  readonly #queues = new Map<string, Waiting[]>()
  /** Without those of requests under way, which may have arrived. */
  readonly #unsent = new Set<Waiting>()
  readonly #failing = new Set<string>()
  readonly #running = new Set<AbortController>()
  readonly #turns: (() => void)[] = []
  readonly #pauses = new Set<() => void>()
  #isDisposed = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Queues an event for the webhook at this address. */
  send(event: AlertEvent, address: string, onResult: Waiting['onResult']): void {
    const queue = this.#queues.get(address)
    if (queue !== undefined && queue.length >= maxWaiting) {
      onResult('Not sent: too many alerts at once')
      return
    }
    const waiting = { event, address, onResult }
    this.#unsent.add(waiting)
    if (queue !== undefined) {
      queue.push(waiting)
      return
    }
    this.#queues.set(address, [waiting])
    void this.#empty(address)
  }

  /** What waits for its turn or for another attempt. A request under way is not among it. */
  get unsent(): { event: AlertEvent; address: string }[] {
    return [...this.#unsent].map(({ event, address }) => ({ event, address }))
  }

  /** Aborts running requests without reporting a result. `unsent` stays. */
  dispose(): void {
    this.#isDisposed = true
    for (const controller of this.#running) controller.abort()
    for (const cancel of this.#pauses) cancel()
  }

  async #empty(address: string): Promise<void> {
    const queue = this.#queues.get(address) ?? []
    while (queue.length > 0) {
      const target = await this.#options.target(address)
      if (this.#isDisposed) return
      const { folds, spacingMs } = target.ok ? webhookService(target.value.service) : { folds: true, spacingMs: 0 }
      const batch = queue.splice(0, folds ? Infinity : 1)
      if (target.ok) await this.#deliver(address, target.value, batch)
      else this.#end(batch, `Not sent: ${target.problem.message}`)
      if (spacingMs > 0) await this.#pause(spacingMs)
    }
    this.#queues.delete(address)
  }

  #end(batch: readonly Waiting[], words: string): void {
    for (const each of batch) {
      this.#unsent.delete(each)
      each.onResult(words)
    }
  }

  async #deliver(address: string, target: WebhookTarget, batch: readonly Waiting[]): Promise<void> {
    const { firingOf, onMoved } = this.#options
    const [first, ...others] = batch.map(({ event }) => event)
    if (first === undefined) return
    const message = webhookMessage(first, target, { others, firingId: firingOf(first) })
    const waitsMs = this.#failing.has(address) ? [] : retryWaitsMs
    let to = target
    for (const waitMs of [...waitsMs, undefined]) {
      const tried = await this.#inTurn((controller) => {
        for (const each of batch) this.#unsent.delete(each)
        return attempt(to, message, { ...this.#options, controller })
      })
      if (this.#isDisposed) return
      if (tried.moved !== undefined) {
        to = { ...to, values: { ...to.values, ...tried.moved } }
        onMoved(address, to)
      }
      if (tried.moved !== undefined && waitMs !== undefined) continue
      if (tried.isAccepted || !tried.mayRetry || waitMs === undefined) {
        this.#note(address, tried)
        this.#end(batch, tried.words)
        return
      }
      const pauseMs = tried.waitMs ?? waitMs
      for (const each of batch) {
        this.#unsent.add(each)
        each.onResult(`${tried.words}. Next attempt in ${roughSpanText(pauseMs)}`)
      }
      await this.#pause(pauseMs)
    }
  }

  #note(address: string, { isAccepted, words }: Attempt): void {
    if (isAccepted !== this.#failing.has(address)) return
    if (isAccepted) this.#failing.delete(address)
    else this.#failing.add(address)
    this.#options.onHealth(address, isAccepted ? undefined : words)
  }

  async #inTurn<T>(run: (controller: AbortController) => Promise<T>): Promise<T> {
    while (this.#running.size >= maxAtOnce) await new Promise<void>((resolve) => this.#turns.push(resolve))
    const controller = new AbortController()
    this.#running.add(controller)
    try {
      return await run(controller)
    } finally {
      this.#running.delete(controller)
      this.#turns.shift()?.()
    }
  }

  /** Never resolves once this is disposed. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isDisposed) return
      const cancel = this.#options.clock.after(ms, () => {
        this.#pauses.delete(cancel)
        resolve()
      })
      this.#pauses.add(cancel)
    })
  }
}
