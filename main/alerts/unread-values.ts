import type { IndexId, Publication } from '../../core/model'
import { isOtherSource, type Source } from '../../core/publication'
import type { Due } from './record'

/** What came in of an index while the rules were not read. */
interface Unread {
  id: IndexId
  due: Due
  /** Published times, of which a rule without a value finds its first. */
  timesMs: readonly number[]
  /** Amended values as they came, those of one connection after the other together. */
  amended: readonly { source: Source; publications: Publication[] }[]
}

/** Of each index: a history that is locked for days must not fill the memory. What is beyond is within `due`. */
const maxKept = 1_000

/** Notes what is to be judged once the rules are read; the values themselves are with the history. */
export class UnreadValues {
  readonly #byIndex = new Map<
    IndexId,
    { due: Due; timesMs: number[]; amended: { source: Source; publications: Publication[] }[]; amendedCount: number }
  >()

  add(id: IndexId, publications: readonly Publication[], source: Source): void {
    const first = { fromMs: Infinity, toMs: 0, cause: 'history' } as const
    const unread = this.#byIndex.get(id) ?? { due: { ...first }, timesMs: [], amended: [], amendedCount: 0 }
    for (const publication of publications) {
      const { publishedAtMs, amendedAtMs } = publication
      const { fromMs, toMs } = unread.due
      unread.due = { ...first, fromMs: Math.min(fromMs, publishedAtMs), toMs: Math.max(toMs, publishedAtMs) }
      if (unread.timesMs.length < maxKept) unread.timesMs.push(publishedAtMs)
      if (amendedAtMs === undefined || unread.amendedCount >= maxKept) continue
      unread.amendedCount++
      const last = unread.amended.at(-1)
      if (last !== undefined && !isOtherSource(last.source, source)) last.publications.push(publication)
      else unread.amended.push({ source, publications: [publication] })
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
