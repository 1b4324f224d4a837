import type { Clock } from '../base/clock'
import type { HistoryStore } from '../history-store/history-store'

interface Options {
  clock: Clock
  history: Pick<HistoryStore, 'trouble' | 'events'>
  /** Reads the stored data of every owner. Returns false if any of it could not be read. */
  read: () => Promise<boolean>
  /** Called when `hasFailed` may have changed. */
  onChange: () => void
}

/** Delay before another attempt on an open history. It doubles each time. */
const retry = { firstMs: 1_000, maxMs: 60_000 }

/**
 * Retries until all stored data of a newly opened history is read. Most owners read once and keep the result in memory.
 * Without a retry they would have nothing for the whole run.
 */
export class StoredDataReader {
  readonly #options: Options
  /**
   * State of the history in use, a new object for each history. `hasFailed` if reading failed although the history is
   * open.
   */
  #toRead = { isMissing: false, hasFailed: false }
  #isReading = false
  #retryMs = retry.firstMs
  #cancel: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
    options.history.events.on('troubleChanged', () => void this.#tryAgain())
  }

  /** True if reading failed although the history is open. */
  get hasFailed(): boolean {
    return this.#toRead.hasFailed
  }

  /** Call when a history is opened. `isRead` is false if some of its data could not be read. */
  opened(isRead: boolean): void {
    this.#cancel?.()
    this.#retryMs = retry.firstMs
    this.#toRead = { isMissing: !isRead, hasFailed: !isRead && this.#isOpen }
    this.#options.onChange()
    if (!isRead) this.#retryLater()
  }

  /** Call before the history is closed. Stops reading from it. */
  left(): void {
    this.#cancel?.()
    this.#toRead = { isMissing: false, hasFailed: false }
  }

  get #isOpen(): boolean {
    return this.#options.history.trouble?.isOpen !== false
  }

  #retryLater(): void {
    this.#cancel = this.#options.clock.after(this.#retryMs, () => void this.#tryAgain())
    this.#retryMs = Math.min(this.#retryMs * 2, retry.maxMs)
  }

  async #tryAgain(): Promise<void> {
    const { read, onChange } = this.#options
    const toRead = this.#toRead
    if (!toRead.isMissing || this.#isReading || !this.#isOpen) return
    this.#cancel?.()
    this.#isReading = true
    const isRead = await read()
    this.#isReading = false
    // Another history may be in use by now, or the app is ending.
    if (toRead !== this.#toRead) return
    toRead.isMissing = !isRead
    toRead.hasFailed = !isRead
    if (!isRead) this.#retryLater()
    onChange()
  }
}
