import type { IndexId, Publication } from '../../protocol/model'
import type { Due } from './records'

/** What came in of an index while the rules were not read. */
interface Unread {
  id: IndexId
  due: Due
  /** Published times, of which a rule without a value finds its first. */
  timesMs: readonly number[]
  amended: readonly Publication[]
}

/** Of each index: a history that is locked for days must not fill the memory. What is beyond is within `due`. */
const maxKept = 1_000

/** Notes what is to be judged once the rules are read; the values themselves are with the tape. */
export class UnreadValues {
  readonly #byIndex = new Map<IndexId, { due: Due; timesMs: number[]; amended: Publication[] }>()

  add(id: IndexId, publications: readonly Publication[]): void {
    const first = { fromMs: Infinity, toMs: 0, cause: 'history' } as const
    const unread = this.#byIndex.get(id) ?? { due: { ...first }, timesMs: [], amended: [] }
    for (const publication of publications) {
      const { publishedAtMs, amendedAtMs } = publication
      const { fromMs, toMs } = unread.due
      unread.due = { ...first, fromMs: Math.min(fromMs, publishedAtMs), toMs: Math.max(toMs, publishedAtMs) }
      if (unread.timesMs.length < maxKept) unread.timesMs.push(publishedAtMs)
      if (amendedAtMs !== undefined && unread.amended.length < maxKept) unread.amended.push(publication)
    }
    if (publications.length > 0) this.#byIndex.set(id, unread)
  }

  /** All there is, which is then no longer here. */
  take(): Unread[] {
    const all = [...this.#byIndex].map(([id, unread]) => ({ id, ...unread }))
    this.#byIndex.clear()
    return all
  }
}
