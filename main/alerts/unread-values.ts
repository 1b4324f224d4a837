import type { IndexId, Publication } from '../../core/model'
import { isOtherSource, type Source } from '../../core/publication'
import type { Due } from './record'

/** Values of one index received before the rules were read. */
interface Unread {
  id: IndexId
  due: Due
  /** Published times. One of them may be the first value of a rule. */
  timesMs: number[]
  /** Amended values in order of receipt. Consecutive ones of one connection are grouped. */
  amended: { source: Source; publications: Publication[] }[]
  amendedCount: number
}

/** Limit for each index, because a history can stay locked for days. `due` covers the values beyond it. */
const maxKept = 1_000

/** Notes what to evaluate once the rules are read. The history has the values themselves. */
export class UnreadValues {
  readonly #byIndex = new Map<IndexId, Unread>()

  add(id: IndexId, publications: readonly Publication[], source: Source): void {
    const first = { fromMs: Infinity, toMs: 0, cause: 'history' } as const
    const unread: Unread = this.#byIndex.get(id) ?? { id, due: first, timesMs: [], amended: [], amendedCount: 0 }
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

  /** Returns everything and clears it. */
  take(): Unread[] {
    const all = [...this.#byIndex.values()]
    this.#byIndex.clear()
    return all
  }
}
