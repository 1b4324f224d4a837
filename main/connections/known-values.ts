import type { TimeRange } from '../../core/ranges'
import { ok, type IndexId, type Outcome } from '../../core/model'
import type { Hole, Questions, TapeAccess } from '../tape/contract'
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
/** An older hole is left alone. */
const maxBackMs = 30 * dayMs

const partMs = 6 * 3_600_000

type Asked = Questions['holes']['asked']

/** Asks for `holes` in parts that end with a value, so that a write waits for one part at most. */
async function holesByParts(
  tape: Pick<TapeAccess, 'ask'>,
  { id, fromMs, toMs, maxGapMs }: Asked,
): Promise<Outcome<Hole[]>> {
  const holes: Hole[] = []
  for (let startMs = fromMs; startMs < toMs;) {
    const at = await tape.ask('valueAt', { id, atMs: Math.min(startMs + partMs, toMs) })
    if (!at.ok) return at
    const { revisions, nextPublishedAtMs = toMs } = at.value
    const lastMs = revisions[0]?.publishedAtMs ?? 0
    const endMs = Math.min(toMs, startMs + partMs >= toMs ? toMs : lastMs > startMs ? lastMs : nextPublishedAtMs)
    const part = await tape.ask('holes', { id, fromMs: startMs, toMs: endMs, maxGapMs })
    if (!part.ok) return part
    holes.push(...part.value)
    startMs = endMs
  }
  return ok(holes)
}

/** What is known by the tape. While it cannot be read, all counts as from before the first value. */
export function valuesOnTape(tape: Pick<TapeAccess, 'ask'>): KnownValues {
  return {
    async recorded(id) {
      // The tape answers a question after it has written what came before.
      await tape.ask('valueAt', { id, atMs: 0 })
    },
    async missing(id, range, maxGapMs) {
      const before = await tape.ask('valueAt', { id, atMs: range.fromMs })
      const lastBeforeMs = before.ok ? before.value.revisions.at(-1)?.publishedAtMs : undefined
      const fromMs = Math.max(lastBeforeMs ?? range.fromMs, range.toMs - Math.max(maxBackMs, range.toMs - range.fromMs))
      const asked = { id, fromMs, toMs: range.toMs }
      const holes = await holesByParts(tape, { ...asked, maxGapMs })
      if (!holes.ok || !before.ok) return [{ ...range, isBeforeFirst: true }]
      const firstMs = lastBeforeMs === undefined ? before.value.nextPublishedAtMs : fromMs
      return holes.value
        .filter(({ state }) => state === 'unasked')
        .map(({ fromMs: start, toMs: end }) => {
          const isBeforeFirst = firstMs === undefined || end <= firstMs
          return { fromMs: start, toMs: end, ...(isBeforeFirst && ({ isBeforeFirst } as const)) }
        })
    },
  }
}
