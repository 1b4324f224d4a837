import type { TimeRange } from '../../core/ranges'
import type { IndexId } from '../../core/model'
import { answered } from '../base/answered'
import { asking, type Ask } from '../history-store/asking'
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
async function holesByParts(ask: Ask, { id, fromMs, toMs, maxGapMs }: Asked, nextMs: number): Promise<Gap[]> {
  const gaps: Gap[] = []
  for (let startMs = fromMs; startMs < toMs;) {
    let endMs = startMs + partMs
    if (startMs < nextMs && endMs <= nextMs) endMs = nextMs
    else if (endMs < toMs) {
      const at = await ask('valueAt', { id, atMs: endMs })
      const lastMs = at.revisions[0]?.publishedAtMs ?? 0
      endMs = lastMs > startMs ? lastMs : (at.nextPublishedAtMs ?? toMs)
    }
    endMs = Math.min(endMs, toMs)
    gaps.push(...(await ask('gaps', { id, fromMs: startMs, toMs: endMs, maxGapMs })))
    startMs = endMs
  }
  return gaps
}

/** The stored values of the history. While it is unreadable, everything counts as before the first value. */
export function storedValues(history: Pick<HistoryAccess, 'query'>): KnownValues {
  return {
    async recorded(id) {
      // The history answers a query after all earlier writes.
      await history.query('valueAt', { id, atMs: 0 })
    },
    async missing(id, range, maxGapMs) {
      const missing = await answered(() => missingRanges(asking(history), { id, ...range, maxGapMs }))
      return missing.ok ? missing.value : [{ ...range, isBeforeFirst: true }]
    },
  }
}

async function missingRanges(ask: Ask, { id, maxGapMs, ...range }: Asked): Promise<MissingRange[]> {
  const { revisions, nextPublishedAtMs } = await ask('valueAt', { id, atMs: range.fromMs })
  const lastBeforeMs = revisions.at(-1)?.publishedAtMs
  const fromMs = Math.max(lastBeforeMs ?? range.fromMs, range.toMs - Math.max(maxBackMs, range.toMs - range.fromMs))
  const gaps = await holesByParts(ask, { id, fromMs, toMs: range.toMs, maxGapMs }, nextPublishedAtMs ?? Infinity)
  const firstMs = lastBeforeMs === undefined ? nextPublishedAtMs : fromMs
  return gaps
    .filter(({ state }) => state === 'unasked')
    .map(({ fromMs: start, toMs: end }) => {
      const isBeforeFirst = firstMs === undefined || end <= firstMs
      return { fromMs: start, toMs: end, ...(isBeforeFirst && ({ isBeforeFirst } as const)) }
    })
}
