/** The value of an index at a time, and whether it is known. */
import type { ValueAt, ValueRevision } from '../../protocol/history'
import { ok, type IndexId, type Outcome } from '../../core/model'
import { publicationOf } from '../../core/publication'
import type { HistoryAccess, StoredValue } from '../history-store/contract'

const dayMs = 86_400_000

/**
 * A time between two values longer than `maxGapMs` may be a gap. Whether it is depends on what the service was asked.
 */
export async function valueAt(
  history: Pick<HistoryAccess, 'query'>,
  { id, atMs, nowMs, maxGapMs }: { id: IndexId; atMs: number; nowMs: number; maxGapMs: number },
): Promise<Outcome<ValueAt>> {
  const found = await history.query('valueAt', { id, atMs })
  if (!found.ok) return found
  const { revisions, nextPublishedAtMs } = found.value
  // Examines the time between the values around `atMs`. Before the first value it examines one day.
  const fromMs = revisions[0]?.publishedAtMs ?? Math.max(0, atMs - dayMs)
  const toMs = nextPublishedAtMs ?? Math.max(atMs, nowMs)
  const gaps = await history.query('gaps', { id, fromMs, toMs, maxGapMs })
  if (!gaps.ok) return gaps
  const gap = gaps.value.find((each) => each.fromMs <= atMs && atMs < each.toMs && atMs !== revisions[0]?.publishedAtMs)
  // After a later gap the next stored value need not be the next one published.
  const isNextKnown = gap !== undefined || gaps.value.every(({ state }) => state === 'answered')
  return ok({
    id,
    atMs,
    revisions: revisions.map(toRevision),
    ...(isNextKnown && { nextPublishedAtMs }),
    ...(gap !== undefined &&
      gap.state !== 'answered' && { gap: { fromMs: gap.fromMs, toMs: gap.toMs, state: gap.state } }),
  })
}

function toRevision(value: StoredValue): ValueRevision {
  const { learnedAtMs, origin, connection } = value
  return { ...publicationOf(value), learnedAtMs, source: origin, connection }
}
