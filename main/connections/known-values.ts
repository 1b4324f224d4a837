import type { TimeRange } from '../../core/ranges'
import { ok, type IndexId, type Outcome } from '../../core/model'
import type { Gap, Queries, HistoryAccess } from '../history-store/contract'
import type { MissingRange } from './catch-up-plan'

/** What catch-up asks of whoever keeps the values. */
export interface KnownValues {
  /**
   * The stretches that are longer than `maxGapMs`, have no value and were not asked for yet, oldest first: those of this
   * range, and the one it begins in, from its own start. What lies before the first value on record is marked so.
   */
  missing(id: IndexId, range: TimeRange, maxGapMs: number): Promise<readonly MissingRange[]>
  /** Resolves once the reported values of an index are written, or the write has failed. */
  recorded(id: IndexId): Promise<void>
}

const dayMs = 86_400_000
/** An older gap is left alone. */
const maxBackMs = 30 * dayMs

const partMs = 6 * 3_600_000

type Asked = Queries['gaps']['params']

/** Asks for `gaps` in parts that end with a value, so that a write waits for one part at most. */
async function holesByParts(
  history: Pick<HistoryAccess, 'query'>,
  { id, fromMs, toMs, maxGapMs }: Asked,
): Promise<Outcome<Gap[]>> {
  const gaps: Gap[] = []
  for (let startMs = fromMs; startMs < toMs;) {
    const at = await history.query('valueAt', { id, atMs: Math.min(startMs + partMs, toMs) })
    if (!at.ok) return at
    const { revisions, nextPublishedAtMs = toMs } = at.value
    const lastMs = revisions[0]?.publishedAtMs ?? 0
    const endMs = Math.min(toMs, startMs + partMs >= toMs ? toMs : lastMs > startMs ? lastMs : nextPublishedAtMs)
    const part = await history.query('gaps', { id, fromMs: startMs, toMs: endMs, maxGapMs })
    if (!part.ok) return part
    gaps.push(...part.value)
    startMs = endMs
  }
  return ok(gaps)
}

/** What is known by the history. While it cannot be read, all counts as from before the first value. */
export function storedValues(history: Pick<HistoryAccess, 'query'>): KnownValues {
  return {
    async recorded(id) {
      // The history answers a question after it has written what came before.
      await history.query('valueAt', { id, atMs: 0 })
    },
    async missing(id, range, maxGapMs) {
      const before = await history.query('valueAt', { id, atMs: range.fromMs })
      const lastBeforeMs = before.ok ? before.value.revisions.at(-1)?.publishedAtMs : undefined
      const fromMs = Math.max(lastBeforeMs ?? range.fromMs, range.toMs - Math.max(maxBackMs, range.toMs - range.fromMs))
      const asked = { id, fromMs, toMs: range.toMs }
      const gaps = await holesByParts(history, { ...asked, maxGapMs })
      if (!gaps.ok || !before.ok) return [{ ...range, isBeforeFirst: true }]
      const firstMs = lastBeforeMs === undefined ? before.value.nextPublishedAtMs : fromMs
      return gaps.value
        .filter(({ state }) => state === 'unasked')
        .map(({ fromMs: start, toMs: end }) => {
          const isBeforeFirst = firstMs === undefined || end <= firstMs
          return { fromMs: start, toMs: end, ...(isBeforeFirst && ({ isBeforeFirst } as const)) }
        })
    },
  }
}
