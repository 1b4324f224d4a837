/** Finds which constituents were added, removed or reweighted, by comparing stored calculations. */
import type { TimeRange } from '../../core/ranges'
import { memberChanges, reweighted } from '../../core/constituents'
import { isSameDecimal } from '../../core/decimal'
import type { Membership, MembershipChange } from '../../protocol/history'
import { ok, type ConstituentsPublication, type IndexId, type Outcome } from '../../core/model'
import type { ProgramRecord } from '../../core/records'
import { constituentsSchema, readDocument } from '../base/stored-index'
import { maxSnapshotsInPart, type HistoryAccess } from '../history-store/contract'

type Asking = Pick<HistoryAccess, 'query'>

const hourMs = 3_600_000
/** The largest date of JavaScript. */
const endOfTimeMs = 8.64e15

/**
 * All known changes, newest first, at most `max`. Compares the last calculation of each hour with that of the previous
 * hour. Where they differ, it reads all calculations in between to find the time.
 */
export async function membership(
  history: Asking,
  id: IndexId,
  max = Number.POSITIVE_INFINITY,
): Promise<Outcome<Membership>> {
  const changes: MembershipChange[] = []
  let later: ConstituentsPublication | undefined
  let toMs = endOfTimeMs
  for (;;) {
    const hours = await calculations(history, id, { fromMs: 0, toMs, stepMs: hourMs })
    if (!hours.ok) return hours
    for (const earlier of hours.value.read) {
      if (later !== undefined && changeOf(later, earlier) !== undefined) {
        const found = await changesWithin(history, id, { fromMs: earlier.publishedAtMs, toMs: later.publishedAtMs })
        if (!found.ok) return found
        changes.push(...found.value)
      }
      later = earlier
      if (changes.length > max) return ok({ changes: changes.slice(0, max), hasMore: true })
    }
    const { oldestMs } = hours.value
    if (oldestMs === undefined) break
    toMs = Math.floor(oldestMs / hourMs) * hourMs - 1
  }
  if (later === undefined) return ok({ changes, hasMore: false })
  // Only the last calculation of the first hour has been compared. This compares the others of that hour.
  const toFirst = { fromMs: Math.floor(later.publishedAtMs / hourMs) * hourMs, toMs: later.publishedAtMs }
  const [first, found] = await Promise.all([
    calculations(history, id, { ...toFirst, stepMs: 1 }),
    changesWithin(history, id, toFirst),
  ])
  if (!first.ok) return first
  if (!found.ok) return found
  const knownSinceMs = first.value.read.at(-1)?.publishedAtMs ?? later.publishedAtMs
  const all = [...changes, ...found.value]
  return ok({ changes: all.slice(0, max), hasMore: all.length > max, knownSinceMs })
}

/** Newest first. `oldestMs` is undefined if no older ones can follow. Unreadable calculations are left out. */
async function calculations(
  history: Asking,
  id: IndexId,
  range: { fromMs: number; toMs: number; stepMs: number },
): Promise<Outcome<{ read: ConstituentsPublication[]; oldestMs?: number }>> {
  const found = await history.query('snapshotSamples', { kind: 'constituents', id, ...range })
  if (!found.ok) return found
  const read = found.value.flatMap(({ document }) => readDocument(constituentsSchema, document) ?? [])
  const oldestMs = found.value.length < maxSnapshotsInPart ? undefined : found.value.at(-1)?.publishedAtMs
  return ok({ read, oldestMs })
}

/** Changes between consecutive calculations in the range, including both ends. Newest first. */
async function changesWithin(
  history: Asking,
  id: IndexId,
  { fromMs, toMs }: TimeRange,
): Promise<Outcome<MembershipChange[]>> {
  const changes: MembershipChange[] = []
  let later: ConstituentsPublication | undefined
  let untilMs = toMs
  for (;;) {
    const part = await calculations(history, id, { fromMs, toMs: untilMs, stepMs: 1 })
    if (!part.ok) return part
    for (const earlier of part.value.read) {
      const change = later && changeOf(later, earlier)
      if (change !== undefined) changes.push(change)
      later = earlier
    }
    if (part.value.oldestMs === undefined) return ok(changes)
    untilMs = part.value.oldestMs - 1
  }
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
