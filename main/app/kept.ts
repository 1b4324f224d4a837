import type { Clock } from '../base/clock'
import type { HistoryStore } from '../history-store/history-store'

interface Options {
  clock: Clock
  history: Pick<HistoryStore, 'trouble' | 'events'>
  /** Reads what the history keeps for every owner. Answers whether all of it could be read. */
  read: () => Promise<boolean>
  /** Whether something is still to be read, and the history is open, may be different now. */
  onChange: () => void
}

/** Between two attempts on a history that is open: twice as long each time. */
const retry = { firstMs: 1_000, maxMs: 60_000 }

/**
 * Reads again what could not be read when a history was opened, until it succeeds. Most owners read once and keep the result
 * in memory, so without this they would have nothing for the whole run.
 */
export class KeptReader {
  readonly #options: Options
  /** Of the history in use, whether something is still to be read, and could not be although it was open; another with each history. */
  #toRead = { isMissing: false, hasFailed: false }
  #isReading = false
  #retryMs = retry.firstMs
  #cancel: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
    options.history.events.on('troubleChanged', () => {
      void this.#tryAgain()
    })
  }

  /** Whether it could not be read although the history is open. */
  get hasFailed(): boolean {
    return this.#toRead.hasFailed
  }

  /** A history was taken up: whether all that it keeps could be read. */
  taken(isRead: boolean): void {
    this.#cancel?.()
    this.#retryMs = retry.firstMs
    this.#toRead = { isMissing: !isRead, hasFailed: !isRead && this.#isOpen }
    this.#options.onChange()
    if (!isRead) this.#retryLater()
  }

  /** The history is left: nothing more is read from it. */
  leave(): void {
    this.#cancel?.()
    this.#toRead = { isMissing: false, hasFailed: false }
  }

  get #isOpen(): boolean {
    return this.#options.history.trouble?.isOpen !== false
  }

  #retryLater(): void {
    this.#cancel = this.#options.clock.after(this.#retryMs, () => {
      void this.#tryAgain()
    })
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
    // Another history may have been taken up meanwhile, or the app ends.
    if (toRead !== this.#toRead) return
    toRead.isMissing = !isRead
    toRead.hasFailed = !isRead
    if (!isRead) this.#retryLater()
    onChange()
  }
}
