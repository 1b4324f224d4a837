/** All revisions of the values in a range, with those that the provider still has. */
import type { Revisions } from '../../protocol/history'
import type { IndexId, Outcome, Publication } from '../../core/model'
import { publicationOf } from '../../core/publication'
import { answered } from '../base/answered'
import { asking, valuePages } from '../history-store/asking'
import type { HistoryAccess } from '../history-store/contract'

/** Values of the last moments may still arrive, so their absence does not count as a gap. */
const maxDelayMs = 2_000
const secondMs = 1_000

interface Asking {
  nowMs: number
  /** Asks the provider for the values around a time, and stores them. Without it the provider is not asked. */
  fetchAround?: (atMs: number) => Promise<Outcome<null>>
}

/** `problem` if the provider could not be asked. The stored values are returned even then. */
export function revisionsBetween(
  history: Pick<HistoryAccess, 'query'>,
  { indexId: id, fromMs, toMs }: { indexId: IndexId; fromMs: number; toMs: number },
  { nowMs, fetchAround }: Asking,
): Promise<Outcome<Revisions>> {
  const ask = asking(history)
  const untilMs = Math.min(toMs, nowMs - maxDelayMs)
  return answered(async () => {
    let problem: string | undefined
    if (fetchAround !== undefined && fromMs < untilMs) {
      const gaps = await ask('gaps', { id, fromMs: fromMs - secondMs, toMs: untilMs, maxGapMs: secondMs })
      const gap = gaps.find(({ state }) => state === 'unasked')
      const asked = gap && (await fetchAround(Math.max(fromMs, gap.fromMs)))
      if (asked?.ok === false) problem = asked.problem.message
    }
    const values: Publication[] = []
    for await (const page of valuePages(ask, { id, fromMs, toMs, revisions: 'all' })) {
      values.push(...page.map(publicationOf))
    }
    return { values, ...(problem !== undefined && { problem }) }
  })
}
