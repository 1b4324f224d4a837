/** All revisions of the values in a range, with those that the provider still has. */
import type { Revisions } from '../../protocol/history'
import { ok, type IndexId, type Outcome } from '../../core/model'
import { publicationOf } from '../../core/publication'
import type { HistoryAccess, StoredValue, ValueCursor } from '../history-store/contract'

/** Values of the last moments may still arrive, so their absence does not count as a gap. */
const maxDelayMs = 2_000
const secondMs = 1_000

interface Asking {
  nowMs: number
  /** Asks the provider for the values around a time, and stores them. Without it the provider is not asked. */
  fetchAround?: (atMs: number) => Promise<Outcome<null>>
}

/** `problem` if the provider could not be asked. The stored values are returned even then. */
export async function revisionsBetween(
  history: Pick<HistoryAccess, 'query'>,
  { indexId: id, fromMs, toMs }: { indexId: IndexId; fromMs: number; toMs: number },
  { nowMs, fetchAround }: Asking,
): Promise<Outcome<Revisions>> {
  const untilMs = Math.min(toMs, nowMs - maxDelayMs)
  let problem: string | undefined
  if (fetchAround !== undefined && fromMs < untilMs) {
    const gaps = await history.query('gaps', { id, fromMs: fromMs - secondMs, toMs: untilMs, maxGapMs: secondMs })
    if (!gaps.ok) return gaps
    const gap = gaps.value.find(({ state }) => state === 'unasked')
    const asked = gap && (await fetchAround(Math.max(fromMs, gap.fromMs)))
    if (asked?.ok === false) problem = asked.problem.message
  }
  const stored = await allRevisions(history, { id, fromMs, toMs })
  if (!stored.ok) return stored
  return ok({ values: stored.value.map(publicationOf), ...(problem !== undefined && { problem }) })
}

async function allRevisions(
  history: Pick<HistoryAccess, 'query'>,
  range: { id: IndexId; fromMs: number; toMs: number },
): Promise<Outcome<StoredValue[]>> {
  const values: StoredValue[] = []
  let after: ValueCursor | undefined
  do {
    const page = await history.query('values', { ...range, revisions: 'all', ...(after !== undefined && { after }) })
    if (!page.ok) return page
    values.push(...page.value.values)
    after = page.value.next
  } while (after !== undefined)
  return ok(values)
}
