import type { TimeRange } from '../../core/ranges'
import { ok, type IndexId, type Outcome } from '../../core/model'
import type { Gap, Queries, HistoryAccess } from '../history-store/contract'
import type { MissingRange } from './catch-up-plan'

/** What catch-up needs to know of the stored values. */
export interface KnownValues {
  /**
   * The ranges longer than `maxGapMs` without values that were not requested yet, oldest first: those within `range`,
   * and the one in which it begins, from its own start. Ranges before the first stored value are marked.
   */
  missing(id: IndexId, range: TimeRange, maxGapMs: number): Promise<readonly MissingRange[]>
  /** Resolves when the reported values of an index are written, or writing failed. */
  recorded(id: IndexId): Promise<void>
}

const dayMs = 86_400_000
/** Older gaps are ignored. */
const maxBackMs = 30 * dayMs

const partMs = 6 * 3_600_000

type Asked = Queries['gaps']['params']

/**
 * Queries `gaps` in parts that end with a value, so that a write waits for one part at most. `nextMs`: the first value
 * after `fromMs`, `Infinity` if there is none.
 */
async function holesByParts(
  history: Pick<HistoryAccess, 'query'>,
  { id, fromMs, toMs, maxGapMs }: Asked,
  nextMs: number,
): Promise<Outcome<Gap[]>> {
  const gaps: Gap[] = []
  for (let startMs = fromMs; startMs < toMs;) {
    let endMs = startMs + partMs
    if (startMs < nextMs && endMs <= nextMs) endMs = nextMs
    else if (endMs < toMs) {
      const at = await history.query('valueAt', { id, atMs: endMs })
      if (!at.ok) return at
      const lastMs = at.value.revisions[0]?.publishedAtMs ?? 0
      endMs = lastMs > startMs ? lastMs : (at.value.nextPublishedAtMs ?? toMs)
    }
    endMs = Math.min(endMs, toMs)
    const part = await history.query('gaps', { id, fromMs: startMs, toMs: endMs, maxGapMs })
    if (!part.ok) return part
    gaps.push(...part.value)
    startMs = endMs
  }
  return ok(gaps)
}

/** The stored values of the history. While it is unreadable, everything counts as before the first value. */
export function storedValues(history: Pick<HistoryAccess, 'query'>): KnownValues {
  return {
    async recorded(id) {
      // The history answers a query after all earlier writes.
      await history.query('valueAt', { id, atMs: 0 })
    },
    async missing(id, range, maxGapMs) {
      const before = await history.query('valueAt', { id, atMs: range.fromMs })
      if (!before.ok) return [{ ...range, isBeforeFirst: true }]
      const { revisions, nextPublishedAtMs } = before.value
      const lastBeforeMs = revisions.at(-1)?.publishedAtMs
      const fromMs = Math.max(lastBeforeMs ?? range.fromMs, range.toMs - Math.max(maxBackMs, range.toMs - range.fromMs))
      const asked = { id, fromMs, toMs: range.toMs }
      const gaps = await holesByParts(history, { ...asked, maxGapMs }, nextPublishedAtMs ?? Infinity)
      if (!gaps.ok) return [{ ...range, isBeforeFirst: true }]
      const firstMs = lastBeforeMs === undefined ? nextPublishedAtMs : fromMs
      return gaps.value
        .filter(({ state }) => state === 'unasked')
        .map(({ fromMs: start, toMs: end }) => {
          const isBeforeFirst = firstMs === undefined || end <= firstMs
          return { fromMs: start, toMs: end, ...(isBeforeFirst && ({ isBeforeFirst } as const)) }
        })
    },
  }
}
