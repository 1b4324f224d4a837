import type { IndexId, Publication } from '../../core/model'
import { exactText } from '../../core/decimal'
import { MeanWindow } from '../../core/settlement/mean-window'
import type { RowMean } from '../../protocol/desktop'
import { publicationOf } from '../../core/publication'
import type { HistoryAccess } from '../history-store/contract'

const terms = { seconds: 60, stepMs: 1_000 } as const

interface Options {
  history: Pick<HistoryAccess, 'query'>
  /** Published time of the latest value, or the service's time. */
  latestMs: (id: IndexId) => number
  /** Name of the connection that provides an index. Values of others do not count. */
  connectionOf: (id: IndexId) => string
}

/** The means of the last minute, of the indices that a window shows. */
export class RollingMeans {
  readonly #options: Options
  readonly #windows = new Map<IndexId, MeanWindow>()
  readonly #unread = new Set<IndexId>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Keeps the means of these indices, and no others. */
  watch(ids: ReadonlySet<IndexId>): void {
    for (const id of this.#windows.keys()) if (!ids.has(id)) this.#forget(id)
    for (const id of ids) if (!this.#windows.has(id)) this.restart(id)
  }

  /** Begins again: another source provides the index. */
  restart(id: IndexId): void {
    this.#windows.set(id, new MeanWindow(terms))
    this.#unread.add(id)
  }

  /** Begins all again: other services are in use. */
  restartAll(): void {
    for (const id of this.#windows.keys()) this.restart(id)
  }

  /** Reads what the history has of the last minute, once it can be read. */
  async recall(): Promise<void> {
    const { history, latestMs, connectionOf } = this.#options
    for (const id of [...this.#unread]) {
      const toMs = latestMs(id)
      const window = this.#windows.get(id)
      const fromMs = toMs - terms.seconds * 1_000
      const known = await history.query('values', { id, fromMs, toMs, revisions: 'latest' })
      if (!known.ok) return
      // Another source may have taken over meanwhile.
      if (window === undefined || window !== this.#windows.get(id)) continue
      this.#unread.delete(id)
      const own = known.value.values.filter(({ connection }) => connection === connectionOf(id))
      for (const value of own) window.slide(publicationOf(value))
    }
  }

  /** Takes every value, also amended and late ones, in any order. */
  add(id: IndexId, publication: Publication): void {
    this.#windows.get(id)?.slide(publication)
  }

  /** Undefined if the mean is not kept, or has no values. */
  get(id: IndexId): RowMean | undefined {
    const window = this.#windows.get(id)
    if (window === undefined || window.counted === 0) return undefined
    return { sum: exactText(window.sum), counted: window.counted, expected: window.expected }
  }

  #forget(id: IndexId): void {
    this.#windows.delete(id)
    this.#unread.delete(id)
  }
}
