/** Finds the value that changes are measured from. */
import { lastMidnight } from '../../core/cadence'
import type { ChangeReference, Publication } from '../../core/model'
import type { ChangeBase } from '../../core/preferences'

const dayMs = 86_400_000

/**
 * The reference of a real-time index must be published at most this long before its moment. An older one means a gap,
 * and the true reference is unknown.
 */
const maxDistanceMs = 2 * 3_600_000

/** The last publication at or before a moment. Publications ascend by time. */
function lastUntil(publications: readonly Publication[], atMs: number): Publication | undefined {
  return publications.findLast((publication) => publication.publishedAtMs <= atMs)
}

function reference(kind: ChangeReference['kind'], publication: Publication | undefined): ChangeReference | undefined {
  if (publication === undefined) return undefined
  const { value, publishedAtMs } = publication
  return { kind, value, publishedAtMs }
}

/** Known past of a real-time index. */
export interface FastPast {
  /** First value received in this run, or in the previous one. */
  first: Publication | undefined
  /** Ascending, about a day. */
  day: readonly Publication[]
  /** True if the service has sent the last 24 hours. Then no older values exist. */
  isDayComplete: boolean
}

/**
 * Reference of a real-time index. The moment is relative to its latest value, however old that is. Undefined if
 * unknown.
 */
export function fastReference(base: ChangeBase, { first, day, isDayComplete }: FastPast, latestMs: number) {
  if (base === 'sessionFirst') return reference(base, first)
  const atMs = base === 'dayAgo' ? latestMs - dayMs : lastMidnight(latestMs)
  const last = lastUntil(day, atMs)
  if (last !== undefined && atMs - last.publishedAtMs <= maxDistanceMs) return reference(base, last)
  if (base !== 'dayAgo' || !isDayComplete) return undefined
  // The service's last 24 hours may begin shortly after the moment, or with the first value ever published.
  const next = day.find((publication) => publication.publishedAtMs > atMs)
  const isNear = next !== undefined && next.publishedAtMs - atMs <= maxDistanceMs
  return last === undefined || isNear ? reference(base, next) : undefined
}

/** Reference of an index that publishes hourly or less often. Publications ascend. */
export function slowReference(
  base: ChangeBase,
  publications: readonly Publication[],
  { isHourly, nowMs }: { isHourly: boolean; nowMs: number },
): ChangeReference | undefined {
  if (base === 'dayAgo') return reference(base, lastUntil(publications, nowMs - dayMs))
  if (base === 'previousClose' && isHourly) return reference(base, lastUntil(publications, lastMidnight(nowMs)))
  return reference('previousPublished', publications.at(-2))
}
