import type { IndexId, Publication } from '../../core/model'
import { exactText } from '../../core/decimal'
import { RollingMean } from '../../core/settlement/rolling-mean'
import type { RowMean } from '../../protocol/desktop'
import { lastAmendedMs, publicationOf } from '../../core/publication'
import { Emitter } from '../base/emitter'
import type { HistoryAccess, ValueCursor } from '../history-store/contract'

/** A mean of the last seconds of an index, or of a formula of two indices for the column of means. */
export interface MeanTerms {
  index: IndexId
  seconds: number
}

/** The length of the means in the column of a list. */
export const columnSeconds = 60

interface RollingMeansEvents {
  /** The means of an index may have changed, by a value amended at this time if one was. */
  changed: { index: IndexId; amendedAtMs: number | undefined }
}

interface Options {
  history: Pick<HistoryAccess, 'query'>
  /** Published time of the latest value, or the service's time. */
  latestMs: (id: IndexId) => number
  /** Name of the connection that provides an index. Values of others do not count. */
  connectionOf: (id: IndexId) => string
  onError: (error: unknown) => void
}

/** The rolling means that lists show: in the column of means, and as formulas. */
export class RollingMeans {
  readonly events: Emitter<RollingMeansEvents>
  readonly #options: Options
  /** By index, then by seconds. */
  readonly #means = new Map<IndexId, Map<number, RollingMean>>()
  readonly #unread = new Set<IndexId>()

  constructor(options: Options) {
    this.#options = options
    this.events = new Emitter(options.onError)
  }

  /** Keeps these means, and no others. */
  watch(wanted: readonly MeanTerms[]): void {
    const lengths = new Map<IndexId, Set<number>>()
    for (const { index, seconds } of wanted) lengths.set(index, (lengths.get(index) ?? new Set()).add(seconds))
    for (const id of this.#means.keys()) if (!lengths.has(id)) this.#forget(id)
    for (const [id, wantedLengths] of lengths) {
      const means = this.#means.get(id) ?? new Map<number, RollingMean>()
      this.#means.set(id, means)
      for (const seconds of means.keys()) if (!wantedLengths.has(seconds)) means.delete(seconds)
      for (const seconds of wantedLengths) {
        if (means.has(seconds)) continue
        means.set(seconds, new RollingMean(seconds))
        this.#unread.add(id)
      }
    }
  }

  /** Begins again: another source provides the index. */
  restart(id: IndexId): void {
    const means = this.#means.get(id)
    if (means === undefined) return
    this.#means.set(id, new Map([...means.keys()].map((seconds) => [seconds, new RollingMean(seconds)])))
    this.#unread.add(id)
  }

  /** Begins all again: other services are in use. */
  restartAll(): void {
    for (const id of this.#means.keys()) this.restart(id)
  }

  /** Reads what the history has of the last seconds, once it can be read. */
  async recall(): Promise<void> {
    for (const id of [...this.#unread]) {
      const means = this.#means.get(id)
      const known = await this.#past(id, Math.max(...(means?.keys() ?? [])))
      if (known === undefined) return
      // Another source may have taken over meanwhile.
      if (means === undefined || means !== this.#means.get(id)) continue
      this.#unread.delete(id)
      this.add(id, known)
    }
  }

  /** Takes every value, also amended and late ones, in any order. */
  add(id: IndexId, publications: readonly Publication[]): void {
    const means = this.#means.get(id)
    if (means === undefined) return
    for (const mean of means.values()) for (const publication of publications) mean.add(publication)
    this.events.emit('changed', { index: id, amendedAtMs: lastAmendedMs(publications) || undefined })
  }

  /** Undefined if the mean is not kept, or has no values. `decimals` are those of the index, if they are known. */
  publication({ index, seconds }: MeanTerms, decimals: number | undefined): Publication | undefined {
    return this.#means.get(index)?.get(seconds)?.publication(decimals)
  }

  /** The mean of the last minute. Undefined if it is not kept, or has no values. */
  row(id: IndexId): RowMean | undefined {
    const { window } = this.#means.get(id)?.get(columnSeconds) ?? {}
    if (window === undefined || window.counted === 0) return undefined
    return { sum: exactText(window.sum), counted: window.counted, expected: window.expected }
  }

  /** The values of the last seconds from the present connection. Undefined if the history cannot be read. */
  async #past(id: IndexId, seconds: number): Promise<Publication[] | undefined> {
    const { history, latestMs, connectionOf } = this.#options
    const toMs = latestMs(id)
    const past: Publication[] = []
    let after: ValueCursor | undefined
    do {
      const range = { id, fromMs: toMs - seconds * 1_000, toMs, revisions: 'latest' } as const
      const page = await history.query('values', { ...range, after })
      if (!page.ok) return undefined
      after = page.value.next
      const own = page.value.values.filter(({ connection }) => connection === connectionOf(id))
      past.push(...own.map(publicationOf))
    } while (after !== undefined)
    return past
  }

  #forget(id: IndexId): void {
    this.#means.delete(id)
    this.#unread.delete(id)
  }
}
