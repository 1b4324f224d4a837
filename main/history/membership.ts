/** Finds which constituents were added, removed or reweighted, by comparing stored calculations. */
import type { TimeRange } from '../../core/ranges'
import { memberChanges, reweighted } from '../../core/constituents'
import { isSameDecimal } from '../../core/decimal'
import type { Membership, MembershipChange } from '../../protocol/history'
import { ok, type ConstituentsPublication, type IndexId, type Outcome } from '../../core/model'
import type { ProgramRecord } from '../../core/records'
import { constituentsSchema, readDocument } from '../base/stored-index'
import { answered } from '../base/answered'
import { asking, type Ask } from '../history-store/asking'
import { maxSnapshotsInPart, type HistoryAccess } from '../history-store/contract'

type Asking = Pick<HistoryAccess, 'query'>

const hourMs = 3_600_000
/** The largest date of JavaScript. */
const endOfTimeMs = 8.64e15

/**
 * All known changes, newest first, at most `max`. Compares the last calculation of each hour with that of the previous
 * hour. Where they differ, it reads all calculations in between to find the time.
 */
export function membership(history: Asking, id: IndexId, max = Infinity): Promise<Outcome<Membership>> {
  const ask = asking(history)
  return answered(async () => {
    const changes: MembershipChange[] = []
    let later: ConstituentsPublication | undefined
    for await (const earlier of calculations(ask, id, { fromMs: 0, toMs: endOfTimeMs, stepMs: hourMs })) {
      if (later !== undefined && changeOf(later, earlier) !== undefined) {
        const within = { fromMs: earlier.publishedAtMs, toMs: later.publishedAtMs }
        changes.push(...(await changesWithin(ask, id, within)).changes)
      }
      later = earlier
      if (changes.length > max) return { changes: changes.slice(0, max), hasMore: true }
    }
    if (later === undefined) return { changes, hasMore: false }
    // Only the last calculation of the first hour has been compared. This compares the others of that hour.
    const toFirst = { fromMs: Math.floor(later.publishedAtMs / hourMs) * hourMs, toMs: later.publishedAtMs }
    const first = await changesWithin(ask, id, toFirst)
    const all = [...changes, ...first.changes]
    const knownSinceMs = first.oldestMs ?? later.publishedAtMs
    return { changes: all.slice(0, max), hasMore: all.length > max, knownSinceMs }
  })
}

/** The last calculation of each step, newest first. Unreadable ones are left out. */
async function* calculations(
  ask: Ask,
  id: IndexId,
  { fromMs, toMs, stepMs }: TimeRange & { stepMs: number },
): AsyncGenerator<ConstituentsPublication, void> {
  let untilMs = toMs
  for (;;) {
    const part = await ask('snapshotSamples', { kind: 'constituents', id, fromMs, toMs: untilMs, stepMs })
    yield* part.flatMap(({ document }) => readDocument(constituentsSchema, document) ?? [])
    const oldest = part.at(-1)
    if (oldest === undefined || part.length < maxSnapshotsInPart) return
    untilMs = Math.floor(oldest.publishedAtMs / stepMs) * stepMs - 1
  }
}

/** Changes between consecutive calculations in the range, including both ends. Newest first. */
async function changesWithin(ask: Ask, id: IndexId, range: TimeRange) {
  const changes: MembershipChange[] = []
  let later: ConstituentsPublication | undefined
  for await (const earlier of calculations(ask, id, { ...range, stepMs: 1 })) {
    const change = later && changeOf(later, earlier)
    if (change !== undefined) changes.push(change)
    later = earlier
  }
  return { changes, oldestMs: later?.publishedAtMs }
}

function changeOf(now: ConstituentsPublication, then: ConstituentsPublication): MembershipChange | undefined {
  const moved = memberChanges(now, then)
  const weights = reweighted(now, then)
  const { divisor: before } = then
  const { divisor: after } = now
  const hasOtherDivisor = before !== undefined && after !== undefined && !isSameDecimal(before, after)
  if (moved.joined.length + moved.left.length + weights.length === 0 && !hasOtherDivisor) return undefined
  return {
    afterMs: then.publishedAtMs,
    publishedAtMs: now.publishedAtMs,
    ...moved,
    reweighted: weights,
    ...(hasOtherDivisor && { divisor: { before, after } }),
  }
}

/** The rows of all known changes, newest first. Weights in percent and divisors as published. */
export async function membershipRows(history: Asking, id: IndexId): Promise<Outcome<ProgramRecord[]>> {
  const found = await membership(history, id)
  if (!found.ok) return found
  const rows = found.value.changes.flatMap(({ afterMs, publishedAtMs, joined, left, reweighted: weights, divisor }) =>
    [
      ...joined.map((each) => ({ kind: 'added', constituent: each.key, after: each.weightPercent })),
      ...left.map((each) => ({ kind: 'removed', constituent: each.key, before: each.weightPercent })),
      ...weights.map(({ key, ...weight }) => ({ kind: 'reweighted', constituent: key, ...weight })),
      ...(divisor === undefined ? [] : [{ kind: 'divisor', ...divisor }]),
    ].map((change) => ({ id, from: afterMs, to: publishedAtMs, ...change })),
  )
  return ok(rows)
}
