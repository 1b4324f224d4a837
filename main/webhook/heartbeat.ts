import type { Clock } from '../base/clock'
import { printableJson } from '../base/sanitize'
import { resultWords } from './attempt'
import { postJson, type PostOptions } from './post'

/** Address and interval of the heartbeat. */
export interface Beat {
  url: string
  everyMs: number
}

interface Options extends Pick<PostOptions, 'routes' | 'ca'> {
  clock: Clock
  /** The current setting. Undefined if the heartbeat is off. */
  wanted: () => Beat | undefined
  /** True if every connection is live and alerts are checked. */
  isAllLive: () => boolean
  /** Called when a beat fails, once until one succeeds again. */
  onFailing: (reason: string) => void
}

/**
 * Calls a webhook at an interval while every connection is live and alerts are checked. The receiver notices when the
 * calls stop: the app ended, hangs or is offline, a connection is down, or alerts are off. Each beat is tried once.
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

  /** Call when the setting or `isAllLive` may have changed. */
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
    // The next `changed` sends a beat when all connections are live again.
    if (!this.#options.isAllLive()) return
    this.#cancelNext = this.#options.clock.after(beat.everyMs, () => this.#next(beat))
    void this.#send(beat)
  }

  async #send({ url, everyMs }: Beat): Promise<void> {
    const { clock, onFailing } = this.#options
    const controller = new AbortController()
    this.#sending = controller
    const text = 'Indexwatch: every connection is live and alerts are checked'
    const body = printableJson({ text, at: new Date(clock.wallMs()).toISOString(), nextWithinMs: everyMs })
    const result = await postJson(url, body, { ...this.#options, controller })
    if (this.#sending !== controller) return
    const isTaken = result.kind === 'answered' && result.status >= 200 && result.status < 300
    // The text of an answer may repeat a secret of the address.
    const quoted = result.kind === 'answered' ? { ...result, text: '' } : result
    if (!isTaken && !this.#isFailing) onFailing(resultWords(new URL(url).host, quoted))
    this.#isFailing = !isTaken
  }
}
