import type { Clock } from '../base/clock'
import type { Routes } from '../base/routes'
import { printableJson } from '../base/sanitize'
import { postJson } from './post'
import { resultWords } from './webhooks'

/** Where beats go, and how far apart they are. */
export interface Beat {
  url: string
  everyMs: number
}

interface Options {
  clock: Clock
  /** As the user wants it now; `undefined`: none. */
  wanted: () => Beat | undefined
  /** Every connection is live, and alerts are judged. */
  isAllLive: () => boolean
  /** Why the last beat was not taken, once for as long as none is. */
  onFailing: (reason: string) => void
  /** The way there; straight by default. */
  routes?: Routes
  /** In PEM; for tests alone. */
  ca?: string
}

/**
 * Calls a webhook at an interval while every connection is live and alerts are judged. The receiver notices when the calls stop:
 * the app ended, hangs or is offline, a connection is down, or alerts are off. Each beat is tried once.
 */
export class Heartbeat {
  readonly #options: Options
  #beat: Beat | undefined
  #cancelNext: (() => void) | undefined
  #sending: AbortController | undefined
  #isFailing = false

  constructor(options: Options) {
    this.#options = options
  }

  /** What is wanted, or whether everything is live, may be different now. */
  changed(): void {
    const wanted = this.#options.wanted()
    if (wanted?.url !== this.#beat?.url || wanted?.everyMs !== this.#beat?.everyMs) {
      this.dispose()
      this.#beat = wanted
      this.#isFailing = false
    }
    if (this.#beat !== undefined && this.#cancelNext === undefined) this.#next(this.#beat)
  }

  dispose(): void {
    this.#cancelNext?.()
    this.#cancelNext = undefined
    this.#sending?.abort()
    this.#sending = undefined
    this.#beat = undefined
  }

  #next(beat: Beat): void {
    this.#cancelNext = undefined
    // As soon as everything is live again, there is a beat.
    if (!this.#options.isAllLive()) return
    this.#cancelNext = this.#options.clock.after(beat.everyMs, () => this.#next(beat))
    void this.#send(beat)
  }

  async #send({ url, everyMs }: Beat): Promise<void> {
    const { clock, onFailing, routes, ca } = this.#options
    const controller = new AbortController()
    this.#sending = controller
    const text = 'Indexwatch: every connection is live and alerts are checked'
    const body = printableJson({ text, at: new Date(clock.wallMs()).toISOString(), nextWithinMs: everyMs })
    const result = await postJson(url, body, { clock, controller, routes, ca })
    if (this.#sending !== controller) return
    const isTaken = result.kind === 'answered' && result.status >= 200 && result.status < 300
    if (!isTaken && !this.#isFailing) onFailing(resultWords(new URL(url).host, result))
    this.#isFailing = !isTaken
  }
}
